/* trim: gives back free pages inside slabs that are partly in use.
 *
 * That is where the memory of a long-lived program sits. Because free blocks hold nothing of ours, whole pages of them can go back to the
 * operating system while their neighbours live.
 *
 * Owns:     nothing; it works on a heap's lanes.
 * Promises: when a heap grows, it first gives back the free pages of slabs that nobody has taken from for half a second, at most twice
 *           a second, and of each slab only what has become free since it was last trimmed.
 * Callers:  warm/heap.c when it binds, warm/warm.c on collect; on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_TRIM_H
#define HAKMEM_WARM_TRIM_H

#include "warm/heap.h"

void trim_aged(struct thread_heap *heap);

/* All free pages of the heap's slabs, whatever their age. */
void trim_all(struct thread_heap *heap);

#endif
