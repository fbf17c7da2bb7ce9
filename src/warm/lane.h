/* lane: the slabs of one class of a heap that have recycled blocks.
 *
 * Owns:     the list of each lane, and the release of a slab that is empty.
 * Promises: INVARIANT a bound slab is on its lane exactly when it has recycled blocks (struct slab, `listed`). A slab is released
 *           only by the holder of its token.
 * Callers:  WARM, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_LANE_H
#define HAKMEM_WARM_LANE_H

#include "warm/heap.h"

void lane_link(struct thread_heap *heap, struct slab *slab);
void lane_unlink(struct thread_heap *heap, struct slab *slab);

/* The slab is about to be released or to go to another heap. */
void lane_leave(struct thread_heap *heap, struct slab *slab);

/* A slab of this heap has gained free blocks: it serves again, and is released when it is empty. */
void lane_gained(struct thread_heap *heap, struct slab *slab);

#endif
