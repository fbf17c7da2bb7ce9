/* trim: gives back free pages inside slabs that are partly in use.
 *
 * Much of the free memory of a long-lived program lies there. Because nothing is stored in free blocks, whole pages of
 * them can go back to the operating system while their neighbours live.
 *
 * Owns:     nothing; it works on a heap's lanes.
 * Promises: when a heap grows, it first gives back the free pages of slabs that nobody has taken from for half a
 *           second, at most twice a second, and a slab again only once an eighth more of it has become free.
 * Callers:  warm/bind.c, and warm/release.c; on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_TRIM_H
#define HAKMEM_WARM_TRIM_H

#include "warm/heap.h"

void trim_aged(struct thread_heap *heap);

/* All free pages of the heap's slabs, whatever their age; slabs in which nothing has changed since they were trimmed
 * are passed over. */
void trim_all(struct thread_heap *heap);

#endif
