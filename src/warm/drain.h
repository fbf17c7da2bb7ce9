/* drain: a heap gives back everything that it holds outside its slabs.
 *
 * Owns:     nothing; it says what is given back, and in which order.
 * Promises: afterwards every block that is not live is a free bit, or a remote bit of another heap's slab.
 * Callers:  WARM, on the thread that has the heap, which is changing.
 */
#ifndef HAKMEM_WARM_DRAIN_H
#define HAKMEM_WARM_DRAIN_H

#include "warm/heap.h"

/* Depot, gathered words, warm pool; what others have freed is collected. */
void heap_drain(struct thread_heap *heap);

/* The calling thread's own magazines first. */
void thread_drain(struct thread_heap *heap);

#endif
