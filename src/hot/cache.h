/* cache: takes a block from the calling thread's magazine of a class, and puts one there.
 *
 * Owns:     nothing; the magazines are warm/thread_cache.h's.
 * Promises: no lock, no atomic, no option, no counter; a block's bytes are never read or written.
 * Callers:  hot/gate.h and the secure library's gate, on the thread itself.
 */
#ifndef HAKMEM_HOT_CACHE_H
#define HAKMEM_HOT_CACHE_H

#include "warm/warm.h"

static inline void *cache_pop(size_t size_class) {
  void **top = thread_cache.top[size_class];
  void *block = *top;
  IN_RESULT_REGISTER(block);
  if (likely(block != NULL)) {
    thread_cache.top[size_class] = top - 1;
  }
  return block;
}

/* The slot is written before `top`, so that a child of fork() finds a block in the magazine or not, never a stale
 * slot. */
static inline bool cache_put(size_t size_class, void *block, bool may_be_on_top) {
  void **top = thread_cache.top[size_class] + 1;
  if (unlikely(((uintptr_t)top & (MAGAZINE_BYTES - 1)) == 0 || (may_be_on_top && top[-1] == block))) {
    return false;
  }
  *top = block;
  atomic_signal_fence(memory_order_seq_cst);
  thread_cache.top[size_class] = top;
  return true;
}

/* False, with nothing changed, when the magazine is full, or when the block lies on top of it: freed twice in a row.
 * WARM's spill tells the two apart. */
static inline bool cache_push(size_t size_class, void *block) { return cache_put(size_class, block, true); }

/* The same for who knows that the block is in no magazine. */
static inline bool cache_push_other(size_t size_class, void *block) { return cache_put(size_class, block, false); }

#endif
