/* empty: blocks of zero bytes, which are addresses without memory: any use of one is a fault.
 *
 * malloc(0) has to return an address of its own, and nothing may be read or written there. In the release library the
 * size has an entry of its own in the index of classes, whose magazine is always empty, so that only a request of zero
 * bytes takes another path.
 *
 * Owns:     a range of EMPTY_BLOCKS addresses, 16 bytes apart, without access, and a state for each.
 * Promises: an address is unique while it is live, and comes again only when all others have had their turn: that is
 *           their quarantine. One that is freed twice, or lies between two, stops the program. When EMPTY_TRIES in a
 *           row are live, or the system refuses the range, there is none: the caller hands out a small block instead.
 *           No lock; a child of fork() finds each state as it was.
 * Callers:  WARM and src/secure. Any thread.
 */
#ifndef HAKMEM_COLD_EMPTY_H
#define HAKMEM_COLD_EMPTY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { EMPTY_BLOCKS = 1 << 20, EMPTY_GROUP = 4096, EMPTY_TRIES = 256, EMPTY_GRAIN = 16 };

#define EMPTY_BYTES ((size_t)EMPTY_BLOCKS * EMPTY_GRAIN)

extern HIDDEN _Atomic uintptr_t empty_base; /* such that nothing lies in the range before there is one */

static inline bool empty_holds(const void *block) {
  return (uintptr_t)block - atomic_load_explicit(&empty_base, memory_order_relaxed) < EMPTY_BYTES;
}

/* The order in which the addresses of a group of EMPTY_GROUP are handed out, by two numbers of which the first is odd.
 * Before the first is; else they come one after the other. */
void empty_order(uint32_t factor, uint32_t shift);

/* NULL: there is none. */
void *empty_allocate(void);

/* False: the address is none of these. */
bool empty_free(const void *block);

/* Whether the address is a live one; stops the program, naming `what` was tried, when it was freed or lies between
 * two. */
bool empty_is_live(const void *block, const char *what);

/* A number of its user's, 0 to 127, that a live block keeps; 0 at first. */
void empty_set_mark(const void *block, unsigned mark);
unsigned empty_mark(const void *block);

#endif
