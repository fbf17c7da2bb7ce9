/* magazine: an array of 64 pointers to free blocks of one class.
 *
 * It is aligned to its own size and filled upwards from a NULL, so that neither bound is loaded and nothing is counted:
 *   empty: the value at `top` is NULL          full: the address of the next slot is a multiple of 512
 * Its slot 0 links it to the next one while it is on a list of a depot.
 *
 * Owns:     the format; the constant magazine that is both empty and full, for threads that have none.
 * Promises: a magazine lies in metadata, and is never unmapped.
 * Callers:  WARM and HOT. The thread that has the magazine.
 */
#ifndef HAKMEM_WARM_MAGAZINE_H
#define HAKMEM_WARM_MAGAZINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

extern HIDDEN void *const no_magazine[MAGAZINE_SLOTS];

/* What `top` is for a thread that has no magazine of a class. */
static inline void **no_magazine_top(void) { return (void **)&no_magazine[MAGAZINE_SLOTS - 1]; }

static inline void **magazine_of(void **top) {
  return (void **)((uintptr_t)top & ~(uintptr_t)(MAGAZINE_BYTES - 1)); // NOLINT(performance-no-int-to-ptr)
}

static inline bool magazine_is_none(void **magazine) { return magazine == (void **)no_magazine; }

/* The slot of the NULL below the first block of a magazine that may hold `blocks`. What it may hold is known by that
 * slot alone. */
static inline void **magazine_bottom(void **magazine, unsigned blocks) {
  return &magazine[MAGAZINE_SLOTS - 1 - blocks];
}

static inline void **magazine_full_top(void **magazine) { return &magazine[MAGAZINE_SLOTS - 1]; }

/* How many more blocks it may hold. */
static inline unsigned magazine_room(void **top) { return (unsigned)(magazine_full_top(magazine_of(top)) - top); }

static inline size_t magazine_block_bytes(size_t size_class) {
  return (size_t)size_classes[size_class].magazine * size_classes[size_class].stride;
}

/* Blocks from `top` down to the NULL. */
static inline unsigned magazine_count(void *const *top) {
  unsigned count = 0;
  while (top[-(int)count] != NULL) {
    count++;
  }
  return count;
}

#endif
