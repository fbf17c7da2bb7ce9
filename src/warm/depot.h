/* depot: full magazines behind a thread's cache.
 *
 * A full magazine is exchanged for an empty one in O(1), and the other way round; only past the depot's bound do
 * blocks go back to their slabs. This decides programs that allocate and free in waves.
 *
 * Owns:     magazines: arrays of 64 pointers aligned to 512 bytes (the format is hot/cache.h's). While a magazine is
 *           in the depot or spare, its slot 0 links to the next.
 * Promises: magazines are reused, never unmapped; NULL when there is no memory for one. The depot's bytes stay within
 *           the bound that the heap sets. The lists are whole at every moment, for a child of fork(): a magazine is linked
 *           before it is on a list, and off the list before it is not.
 * Callers:  warm/heap.c, on the heap's own thread.
 */
#ifndef HAKMEM_WARM_DEPOT_H
#define HAKMEM_WARM_DEPOT_H

#include <stdbool.h>
#include <stddef.h>

#include "hot/size_class.h"

struct depot {
  void **full[SIZE_CLASS_COUNT]; /* full magazines of a class, newest first */
  void **spare;                  /* magazines that hold nothing */
  size_t bytes;                  /* of blocks in full magazines */
  uint64_t filled;               /* bit c: class c has full magazines */
  size_t cursor;                 /* class that was asked last to make room */
};

static inline void **magazine_of(void **top) {
  return (void **)((uintptr_t)top & ~(uintptr_t)(MAGAZINE_BYTES - 1)); // NOLINT(performance-no-int-to-ptr)
}

/* The slot of the NULL below the first block of a magazine of this class. */
static inline void **magazine_bottom(void **magazine, size_t size_class) {
  return &magazine[MAGAZINE_SLOTS - 1 - size_classes[size_class].magazine];
}

static inline size_t magazine_block_bytes(size_t size_class) {
  return (size_t)size_classes[size_class].magazine * size_classes[size_class].stride;
}

/* An empty magazine, its bottom in place for `size_class`; NULL when there is no memory. */
void **depot_spare(struct depot *depot, size_t size_class);

void depot_keep_spare(struct depot *depot, void **magazine);

/* Puts a full magazine in, and takes one out (NULL: none). */
void depot_push(struct depot *depot, size_t size_class, void **magazine);
void **depot_pop(struct depot *depot, size_t size_class);

/* Some class that has full magazines, in turn; SIZE_CLASS_COUNT: none has. */
size_t depot_victim(struct depot *depot);

#endif
