/* relief: what a thread does about the memory limits (cold/limit.h).
 *
 * Owns:     `pressure` of struct thread_heap.
 * Promises: when it next takes fresh memory or gives blocks back to slabs after more than the soft limit is counted,
 *           and again for each further 128th of it, a thread empties its caches and gives back its free pages, and what
 *           is retained goes back. Where it is a large or huge block that will pass the limit, it does so before it
 *           takes it. When the hard limit refuses, all that the calling thread, ended threads and the process hold free
 *           goes back before the request is refused.
 * Callers:  WARM; secure/big.c. The thread that has the heap; relief_before and relief_for: any thread, between calls.
 */
#ifndef HAKMEM_WARM_RELIEF_H
#define HAKMEM_WARM_RELIEF_H

#include "cold/cold.h"
#include "warm/heap.h"

void relief_under_pressure(struct thread_heap *heap);

static inline bool relief_is_needed(const struct thread_heap *heap) { return heap->pressure != limit_pressure_now(); }

/* The heap is changing. */
static inline void relief_if_needed(struct thread_heap *heap) {
  if (unlikely(relief_is_needed(heap))) {
    relief_under_pressure(heap);
  }
}

void relief_make_room(size_t bytes); /* where there is a soft limit */

/* So many bytes more are about to be taken, which are no slab's. The calling thread's heap, if it has one, is not
 * changing. */
static inline void relief_before(size_t bytes) {
  if (unlikely(limit_soft() != 0)) {
    relief_make_room(bytes);
  }
}

/* A request of so many bytes has been refused. True: a limit is set and everything free has been given back, so that it
 * may be made once more. */
bool relief_for(size_t bytes);

#endif
