/* cache: the blocks that a thread can take and give back with no one else's help.
 *
 * Per class a magazine: an array of 64 pointers aligned to its own size, filled upwards from a NULL.
 *   empty: the popped value is NULL          full: the address of the next slot is a multiple of 512
 * so neither bound is loaded, and nothing is counted. A thread that has not started points at one constant magazine
 * that is both empty and full: its first malloc and its first free go to WARM, which starts it.
 *
 * Owns:     struct thread_cache, in static TLS (at most 1 KiB).
 * Promises: no lock, no atomic, no option, no counter; a block's bytes are never read or written.
 * Callers:  hot/gate.h, on the thread itself. WARM exchanges magazines on refill and spill.
 */
#ifndef HAKMEM_HOT_CACHE_H
#define HAKMEM_HOT_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "hot/page_tag.h"
#include "hot/size_class.h"
#include "os/os.h"

struct thread_heap;

enum thread_state { THREAD_NEW = 0, THREAD_STARTED, THREAD_ENDED };

struct thread_cache {
  void **top[SIZE_CLASS_COUNT]; /* the block to pop next; NULL is stored there when none is left */
  uint32_t self;                /* owner << 8, or PAGE_TAG_NOBODY */
  struct thread_heap *heap;     /* WARM's: NULL unless started */
  uint8_t state;                /* WARM's: enum thread_state */
  uint8_t end_rounds;           /* WARM's: how often the end of the thread has been put off */
};

_Static_assert(sizeof(struct thread_cache) <= 1024, "static TLS is scarce: a library loaded by dlopen shares 1.5 KiB");

extern HIDDEN _Thread_local struct thread_cache thread_cache;

/* The constant magazine of threads that have not started: empty to a pop, full to a push. */
extern HIDDEN void *const no_magazine[MAGAZINE_SLOTS];

static inline void *cache_pop(size_t size_class) {
  void **top = thread_cache.top[size_class];
  void *block = *top;
  if (likely(block != NULL)) {
    thread_cache.top[size_class] = top - 1;
  }
  return block;
}

/* False when the magazine is full; nothing has changed then. The slot is written before `top`, so that a child of
 * fork() finds a block in the magazine or not, never a stale slot. */
static inline bool cache_push(size_t size_class, void *block) {
  void **top = thread_cache.top[size_class] + 1;
  if (unlikely(((uintptr_t)top & (MAGAZINE_BYTES - 1)) == 0)) {
    return false;
  }
  *top = block;
  atomic_signal_fence(memory_order_seq_cst);
  thread_cache.top[size_class] = top;
  return true;
}

#endif
