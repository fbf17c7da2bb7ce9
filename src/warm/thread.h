/* thread: the beginning and the end of a thread's use of the allocator.
 *
 * Owns:     the calling thread's struct thread_cache, as far as it is not HOT's: its heap and its state.
 * Promises: a thread starts at its first malloc, or when it has freed some blocks of others; when it ends, everything
 *           it cached is back in its slabs and its heap is an orphan. The end is put off to the last round of TLS
 *           destructors, so that other destructors still run on the cache; whatever runs later still works, through a
 *           heap borrowed for each call.
 * Callers:  WARM; the thread itself.
 */
#ifndef HAKMEM_WARM_THREAD_H
#define HAKMEM_WARM_THREAD_H

#include "warm/heap.h"

/* The heap of the calling thread, which is started if need be. NULL: the thread has ended or stays light
 * (warm/light.h), or there is no memory. */
struct thread_heap *thread_start(void);

/* A thread that has no heap posts a block of another's. After some, as one that needs a block does, it takes a heap, or
 * has its CPU's magazines (warm/light.h). */
void thread_posts(void);

static inline struct thread_heap *thread_heap(void) {
  return likely(thread_cache.heap != NULL) ? thread_cache.heap : thread_start();
}

#endif
