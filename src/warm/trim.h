/* trim: gives back free pages inside slabs that are partly in use.
 *
 * Much of the free memory of a long-lived program lies there. Because nothing is stored in free blocks, whole pages of
 * them can go back to the operating system while their neighbours live.
 *
 * Owns:     when a heap is looked through: the mark below which less is used than when it was looked through last.
 * Promises: each time that what a heap uses has fallen by a sixteenth the free pages of its slabs go back, so that a
 *           program need not make a further call; but for as much as may lie idle in them (warm/share.h). Where that is
 *           much, some of it makes way when the heap binds a slab that raises the most that was in use at once. A heap
 *           that grows first gives back those of slabs that nobody has taken from for half a second, at most twice a
 *           second. A slab is looked at again only once a sixteenth more of it has become free. So a page is given back
 *           once for each time that it was faulted in, which costs several times as much.
 * Callers:  WARM, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_TRIM_H
#define HAKMEM_WARM_TRIM_H

#include "warm/heap.h"

void trim_aged(struct thread_heap *heap);

/* All free pages of the heap's slabs, whatever their age; slabs in which nothing has changed since they were trimmed
 * are passed over. Bytes given back. */
size_t trim_all(struct thread_heap *heap);

/* The free pages of slabs that nobody has taken from for a second, whoever has the heap. Bytes given back. */
size_t trim_idle(struct thread_heap *heap);

void trim_declined(struct thread_heap *heap);

/* The heap binds so many bytes. If that raises the most that was in use at once, some of the free pages that it has not
 * given back make way. */
void trim_make_way(struct thread_heap *heap, size_t bytes);
static inline void trim_before_bind(struct thread_heap *heap, size_t bytes) {
  if (unlikely(heap->trim_waits)) {
    trim_make_way(heap, bytes);
  }
}

/* By how much the use of a heap must fall. */
static inline size_t trim_step(const struct thread_heap *heap) {
  enum { USED_SHARE = 16, STEP_MIN = UNIT_BYTES / 4 };
  size_t share = heap_live_bytes(heap) / USED_SHARE;
  return share < STEP_MIN ? STEP_MIN : share;
}

/* Blocks have come back to the slabs. */
static inline void trim_after_put(struct thread_heap *heap) {
  if (unlikely(heap_live_bytes(heap) < heap->trim_below)) {
    trim_declined(heap);
  }
}

/* The heap has grown. */
static inline void trim_after_growth(struct thread_heap *heap) {
  size_t step = trim_step(heap);
  size_t live = heap_live_bytes(heap);
  size_t below = live > step ? live - step : 0;
  if (below > heap->trim_below) {
    heap->trim_below = below;
  }
}

#endif
