/* share: how much a thread may cache: its part of what all threads may.
 *
 * Owns:     the size of the whole: 8 MiB, a 32nd of the memory in use, and the budget of what may be free, or a part of
 *           it among many threads; a 64th of the soft limit (cold/limit.h) at most; divided by the threads that there
 *           are.
 * Promises: a thread among few has magazines of full size; one among very many has small ones, and empties them before
 *           it takes fresh memory. Above the soft limit there is nothing to share.
 * Callers:  WARM, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_SHARE_H
#define HAKMEM_WARM_SHARE_H

#include "warm/heap.h"

/* A magazine holds at most a 32nd of the share; from SHARE_FULL on each may be full. */
enum { MAGAZINE_SHARE = 32, SHARE_FULL = MAGAZINE_SHARE * MAGAZINE_BLOCK_BYTES };

/* The heap is about to grow, or frees a large block: its share is computed anew, and how much it may keep empty. */
void share_renew(struct thread_heap *heap);

/* How much may lie idle in the slabs of this heap, should that be more than its share: as large a part of the budget as
 * the heap has of the memory in use; 0 where there is a soft limit. */
size_t share_idle(const struct thread_heap *heap);

/* Reports what the heap keeps empty (cold/residency.h), once it has changed by a few units or is nothing. */
void share_tell_kept(struct thread_heap *heap);

/* How many blocks a magazine of this class may hold, 2 at least. */
static inline unsigned share_of_class(const struct thread_heap *heap, size_t size_class) {
  unsigned full = size_classes[size_class].magazine;
  if (likely(heap->share >= SHARE_FULL)) {
    return full;
  }
  size_t blocks = heap->share / MAGAZINE_SHARE / size_classes[size_class].stride;
  return blocks < 2 ? 2 : blocks < full ? (unsigned)blocks : full;
}

/* How many units its warm pool may hold. */
static inline unsigned share_of_units(const struct thread_heap *heap) {
  enum { UNITS_SHARE = 4 };
  size_t units = heap->share / UNITS_SHARE / UNIT_BYTES;
  return units > WARM_POOL_KEEPS ? WARM_POOL_KEEPS : (unsigned)units;
}

/* More than its share has been handed out since the caches were emptied last: so they may hold as much. */
static inline bool share_is_used(const struct thread_heap *heap) {
  return heap->used_bytes > heap->drained_used + heap->drained_used / 2 + heap->share;
}

#endif
