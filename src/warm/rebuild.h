/* rebuild: a heap that a lost thread was changing, made anew.
 *
 * A child of fork() finds the memory as it was at one moment. What each lost thread had done until then is there in the
 * order in which it was done, and nothing of what it did later; so a heap that was changing can be built anew from what
 * is true at every moment:
 *   - the tag of a slab's first unit says whose slab it is, and is set only while the slab has its bitmaps;
 *   - a bit that is set belongs to a block that nobody has;
 *   - so does what a magazine holds up to its top, even where the bit is set as well.
 * Lists and counts are made again from these.
 *
 * Owns:     nothing; it works on one heap.
 * Promises: the heap is consistent, with all its free blocks, cached ones too. Lost to the child is at most what the
 *           thread was moving at that moment: a magazine and a bitmap word of blocks, and the units of one large block
 *           or slab and of its warm pool.
 * Callers:  warm/claim.c, for a heap that was TORN and is the caller's now.
 */
#ifndef HAKMEM_WARM_REBUILD_H
#define HAKMEM_WARM_REBUILD_H

#include "warm/heap.h"

void heap_rebuild(struct thread_heap *heap);

#endif
