/* put: blocks go back to their slabs.
 *
 * Owns:     nothing; it works on a heap's slabs and magazines.
 * Promises: a bit that is set already is a double free, an address between two blocks an interior pointer: both stop the
 *           program. Slabs that have become empty are released.
 * Callers:  WARM, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_PUT_H
#define HAKMEM_WARM_PUT_H

#include "warm/heap.h"

/* Blocks of slabs of this heap; one whose slab has gone to another heap goes there, as a bit. */
void heap_put(struct thread_heap *heap, size_t size_class, void *const *blocks, unsigned count);

/* The same for a full magazine, or for one from `top` down to its NULL; the magazine is empty then, and the depot's. */
void heap_put_full(struct thread_heap *heap, size_t size_class, void **magazine);
void heap_put_magazine(struct thread_heap *heap, size_t size_class, void **top);

/* The magazine that cpu_claim took goes back to the thread's CPU; or to the slabs, if that has another one. */
void heap_unclaim(struct thread_heap *heap, size_t size_class);

/* All magazines of the depot. */
void heap_put_depot(struct thread_heap *heap);

/* The same, and of the calling thread, when the heap is its own, the magazines that hold blocks. */
void heap_put_caches(struct thread_heap *heap);

#endif
