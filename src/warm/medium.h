/* medium: blocks above 32 KiB from slabs, for a heap that has many of them.
 *
 * A slab's blocks come and go without a lock, but it has room for few, of one class: it pays where the heap has enough
 * of them to fill some. Where they are few, runs and ranges serve (warm/route.c), which fit any length.
 *
 * Owns:     in struct thread_heap, how many such blocks it has in runs and ranges.
 * Promises: once there are MEDIUM_MANY, slabs serve, until the heap is tidied (warm/tidy.h). The count does not miss a
 *           block that another thread has freed, or that realloc has made longer: slabs serve sooner then.
 * Callers:  warm/route.c, warm/free_remote.c and warm/tidy.c, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_MEDIUM_H
#define HAKMEM_WARM_MEDIUM_H

#include "warm/heap.h"

/* MEDIUM_BYTES_MAX: what a run or a range has at most that serves such a size. */
enum { MEDIUM_MANY = 24, MEDIUM_BYTES_MAX = SIZE_CLASS_MEDIUM_MAX + SIZE_CLASS_MEDIUM_MAX / 8 };

/* Whether slabs of the thread's heap serve a size above SIZE_CLASS_MAX. */
static inline bool medium_serves(size_t size) {
  const struct thread_heap *heap = thread_cache.heap;
  return size <= SIZE_CLASS_MEDIUM_MAX && heap != NULL && heap->medium_elsewhere == MEDIUM_MANY;
}

/* A block of one of them; NULL with ENOMEM: there is no memory. */
void *medium_allocate(size_t size);

/* A run or a range is about to serve a size, for a thread that has a heap or NULL. */
static inline void medium_served_elsewhere(struct thread_heap *heap, size_t size) {
  if (heap != NULL && size <= SIZE_CLASS_MEDIUM_MAX && heap->medium_elsewhere < MEDIUM_MANY) {
    heap->medium_elsewhere++;
  }
}

/* One that had so many bytes has been freed. */
static inline void medium_left_elsewhere(struct thread_heap *heap, size_t bytes) {
  if (bytes <= MEDIUM_BYTES_MAX && heap->medium_elsewhere - 1U < MEDIUM_MANY - 1U) {
    heap->medium_elsewhere--;
  }
}

#endif
