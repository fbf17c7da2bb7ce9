/* lane: the slabs of one class of a heap that have recycled blocks.
 *
 * Owns:     the list of each lane, the list of slabs that are empty and kept, and the release of those that are not.
 * Promises: INVARIANT a bound slab is on its lane exactly when it has recycled blocks (struct slab, `listed`). A slab
 *           is released only by the holder of its token.
 * Callers:  WARM, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_LANE_H
#define HAKMEM_WARM_LANE_H

#include "warm/heap.h"

void lane_link(struct thread_heap *heap, struct slab *slab);
void lane_unlink(struct thread_heap *heap, struct slab *slab);

/* A slab is no longer empty. */
void lane_unkeep(struct thread_heap *heap, struct slab *slab);

/* The slab of the class that is carved from now on; NULL: none. */
static inline void lane_set_carving(struct thread_heap *heap, size_t size_class, struct slab *slab) {
  uint64_t bit = UINT64_C(1) << size_class;
  heap->lane[size_class].carving = slab;
  heap->carving = slab == NULL ? heap->carving & ~bit : heap->carving | bit;
}

/* The slab is about to be released or to go to another heap. */
void lane_leave(struct thread_heap *heap, struct slab *slab);

/* A slab of this heap has gained free blocks: it serves again. Empty ones stay bound, as far as memory may be retained,
 * for the next blocks of their class; the others are released. */
void lane_gained(struct thread_heap *heap, struct slab *slab);

/* Blocks of a slab have been taken. */
static inline void lane_lost(struct thread_heap *heap, struct slab *slab) {
  if (slab->kept) {
    lane_unkeep(heap, slab);
  }
}

/* Of the oldest slabs that are kept, the first of so many units; NULL: none is. It serves another class: its memory is
 * resident. The second ends its binding, and can fail. */
struct slab *lane_kept(const struct thread_heap *heap, unsigned units);
struct slab *lane_take_kept(struct thread_heap *heap, unsigned units);

/* Releases what is kept, the oldest first, down to `bytes`. */
void lane_release_kept(struct thread_heap *heap, size_t bytes);

#endif
