/* sample_rate: whether some blocks are to be guarded samples, or all.
 *
 * Owns:     nothing: HAKMEM_GUARD_EVERY says so.
 * Promises: no change while the process runs. Never in the secure library.
 * Callers:  WARM. Any thread.
 */
#ifndef HAKMEM_WARM_SAMPLE_RATE_H
#define HAKMEM_WARM_SAMPLE_RATE_H

#include "config/config.h"
#include "warm/heap_hooks.h"

/* Some block may be one: so none has a byte more than was asked for, by promise (hak_good_size). */
static inline bool sample_may_be(void) { return HOOK_HAS_SAMPLES && options.guard_every != 0; }

/* Every block is to be one. */
static inline bool sample_each(void) { return HOOK_HAS_SAMPLES && unlikely(options.guard_every == 1); }

#endif
