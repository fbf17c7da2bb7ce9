/* rebuild: the heaps of threads that a child of fork() does not have.
 *
 * A child finds the memory as it was at one moment. What each lost thread had done until then is there in the order in which it was
 * done, and nothing of what it did later; so a heap that was changing can be built anew from what is true at every moment:
 *   - the tag of a slab's first unit says whose slab it is, and is set only while the slab has its bitmaps;
 *   - a bit that is set belongs to a block that nobody has;
 *   - so does what a magazine holds up to its top, even where the bit is set as well.
 * Lists, counts and the stock of units are made again from these.
 *
 * Owns:     nothing; it works on heaps.
 * Promises: every lost thread's heap is an orphan of the child, with all its free blocks, cached ones too. Lost to the child is at
 *           most what a thread held in its hands at that moment: a magazine and a bitmap word of blocks, and the units of
 *           one large block or slab and of its warm pool.
 * Callers:  warm/process.c in the child of fork(), which has one thread; warm/heap.c, for a heap that it has taken over.
 */
#ifndef HAKMEM_WARM_REBUILD_H
#define HAKMEM_WARM_REBUILD_H

#include "warm/heap.h"

/* In the child of fork(), before it has other threads: all heaps but `mine` become orphans, to be settled when they are
 * taken over, and every slab can be published again. */
void rebuild_after_fork(const struct thread_heap *mine);

/* Builds a heap that is torn anew. */
void heap_rebuild(struct thread_heap *heap);

#endif
