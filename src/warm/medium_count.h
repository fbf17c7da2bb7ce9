/* medium_count: whether a heap has many blocks of 32 to 128 KiB, so that slabs serve them (warm/medium.h).
 *
 * Owns:     in struct thread_heap, how many such blocks it has in runs and ranges.
 * Promises: once there are MEDIUM_MANY there are many, until the heap is tidied (warm/tidy.h). A block that another
 *           thread has freed, or that realloc has made longer, is still counted: there are many sooner then.
 * Callers:  warm/route.c, warm/free_remote.c and warm/tidy.c, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_MEDIUM_COUNT_H
#define HAKMEM_WARM_MEDIUM_COUNT_H

#include "warm/heap.h"

/* MEDIUM_BYTES_MAX: what a run or a range has at most that serves such a size. */
enum { MEDIUM_MANY = 24, MEDIUM_BYTES_MAX = SIZE_CLASS_MEDIUM_MAX + SIZE_CLASS_MEDIUM_MAX / 8 };

/* Read outside heap_enter too: the helper may be tidying the heap. */
static inline unsigned medium_count(const struct thread_heap *heap) {
  return atomic_load_explicit(&heap->medium_count, memory_order_relaxed);
}

static inline void medium_set_count(struct thread_heap *heap, unsigned blocks) {
  atomic_store_explicit(&heap->medium_count, blocks, memory_order_relaxed);
}

/* The heap is that of the thread, or NULL where it has none. */
static inline bool medium_are_many(const struct thread_heap *heap) {
  return heap != NULL && medium_count(heap) == MEDIUM_MANY;
}

/* A run or a range is about to serve a size; the heap is NULL where the thread has none. */
static inline void medium_begins(struct thread_heap *heap, size_t size) {
  unsigned more = heap == NULL ? 0 : medium_count(heap) + 1;
  if (size <= SIZE_CLASS_MEDIUM_MAX && more - 1 < MEDIUM_MANY) {
    medium_set_count(heap, more);
  }
}

/* One that had so many bytes has been freed. */
static inline void medium_ends(struct thread_heap *heap, size_t bytes) {
  unsigned less = medium_count(heap) - 1;
  if (bytes <= MEDIUM_BYTES_MAX && less < MEDIUM_MANY - 1) {
    medium_set_count(heap, less);
  }
}

#endif
