/* take: blocks of a heap's slabs, for a magazine.
 *
 * Owns:     nothing; it works on a heap's lanes.
 * Promises: recycled blocks come lowest address first of each slab, and before any in fresh memory.
 * Callers:  warm/refill.c and warm/light.c, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_TAKE_H
#define HAKMEM_WARM_TAKE_H

#include "warm/heap.h"

/* False: neither the depot nor a slab nor another thread has a recycled block of this class for the heap. */
static inline bool heap_has_recycled(struct thread_heap *heap, size_t size_class) {
  const struct lane *lane = &heap->lane[size_class];
  return heap->depot.full[size_class] != NULL || lane->first != NULL || lane->queued != NULL ||
         !remote_queue_is_empty(&heap->queue) || !home_stack_is_empty(&heap->returned);
}

/* Stores up to `want` recycled blocks of a class from `slot` downwards, lowest address first of each slab. Returns
 * how many, 0 when there are none. */
unsigned heap_take(struct thread_heap *heap, size_t size_class, void **slot, unsigned want);

/* The same when heap_take has found none: from fresh memory, a page at a time, after whatever may be had of other
 * threads and of orphans. Returns how many; 0: no memory. */
unsigned heap_grow(struct thread_heap *heap, size_t size_class, void **slot, unsigned want);

/* A block, of either. NULL: no memory. */
void *heap_take_one(struct thread_heap *heap, size_t size_class);

#endif
