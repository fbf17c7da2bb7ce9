/* limit: how much memory may be resident because of hakmem, and how much of it may be so by now.
 *
 * What is counted: pages of slabs from which a block has been handed out, but for those given back (holes); large and
 * huge blocks whole; what is retained; hakmem's own records. It is counted before it can become resident, and until it
 * has been given back: so never more is resident than is counted.
 *
 * Owns:     the one count of the process; the pressure. The limits are HAKMEM_LIMIT and HAKMEM_LIMIT_SOFT
 *           (config/options.def).
 * Promises: the count is kept without a limit too, so that one can be set at any time; it never passes the hard limit,
 *           whatever threads do at once. Nothing here is called for single blocks.
 * Callers:  COLD's and WARM's boxes that hand pages out or give them back. Any thread, no lock.
 */
#ifndef HAKMEM_COLD_LIMIT_H
#define HAKMEM_COLD_LIMIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* 0 while the soft limit is kept; else 1, and one more for each further 128th of it, up to what it can hold. It falls
 * to 0 once a 32nd less than the limit is counted. */
extern HIDDEN _Atomic uint16_t limit_pressure;

static inline uint16_t limit_pressure_now(void) { return atomic_load_explicit(&limit_pressure, memory_order_relaxed); }

/* These bytes may be resident from now on. False: the hard limit would be passed; nothing is counted. */
bool limit_charge_some(size_t bytes);

static inline bool limit_charge(size_t bytes) { return bytes == 0 || limit_charge_some(bytes); }

/* So many bytes are about to be charged: the pressure is already what it will be then. */
void limit_expect(size_t bytes);

/* The same as limit_charge for what is resident already: it is counted whatever the limit says. */
void limit_charge_anyway(size_t bytes);

/* They are resident no more. */
void limit_uncharge(size_t bytes);

/* In the child of fork(): what was found by counting anew (warm/tally.h). */
void limit_recount(size_t bytes);

/* Some limit is set: then nothing is made resident that nobody asked for. */
bool limit_is_set(void);

/* The soft limit; 0: there is none. */
size_t limit_soft(void);

/* False: the limit would refuse so much even if nothing else were counted. */
bool limit_has_room_for(size_t bytes);

size_t counted_bytes(void);

#endif
