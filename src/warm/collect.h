/* collect: what other threads have freed to a heap becomes free blocks of its slabs.
 *
 * Owns:     the slabs that came through the queue, sorted by class, until their class is collected.
 * Promises: a slab keeps its token until it is collected; the token is given back before its bits are taken, so that a
 *           bit posted in between publishes it anew.
 * Callers:  WARM, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_COLLECT_H
#define HAKMEM_WARM_COLLECT_H

#include "warm/heap.h"

/* Turns what others have posted to a slab into free blocks; returns how many of the slab's class. */
unsigned slab_collect(struct slab *slab);

/* What was freed of one class; the other classes' slabs are sorted and wait. */
void heap_collect_class(struct thread_heap *heap, size_t size_class);

/* The magazines that have come home go to the depot, or to the slabs where it is full. */
void heap_take_returned(struct thread_heap *heap);

/* All of it. */
void heap_collect(struct thread_heap *heap);

#endif
