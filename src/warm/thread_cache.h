/* thread_cache: the blocks that a thread takes and gives back without any other thread: a magazine per class.
 *
 * A thread that has not started has the constant magazine, which is both empty and full: its first malloc and its first free
 * go to WARM, which starts it.
 *
 * Owns:     struct thread_cache, in static TLS (at most 1 KiB).
 * Promises: at every moment, for a child of fork(), what lies up to a class's `top` is free.
 * Callers:  hot/cache.h takes and gives blocks; WARM exchanges magazines. The thread itself.
 */
#ifndef HAKMEM_WARM_THREAD_CACHE_H
#define HAKMEM_WARM_THREAD_CACHE_H

#include <stdatomic.h>

#include "cold/cold.h"
#include "warm/magazine.h"

/* Whether threads take and give blocks by CPU (warm/cpu_cache.h) where the system can. */
#ifndef HAKMEM_CPU_CACHES
#if defined(__x86_64__) && defined(__GLIBC__) && !HAKMEM_SECURE
#define HAKMEM_CPU_CACHES __GLIBC_PREREQ(2, 35)
#else
#define HAKMEM_CPU_CACHES 0
#endif
#endif

struct thread_heap;

enum thread_state { THREAD_NEW = 0, THREAD_STARTED, THREAD_ENDED };

struct thread_cache {
  void **top[SIZE_CLASS_COUNT]; /* the block to take next; NULL is stored there when none is left */
  uint64_t self;                /* owner << 8, or UNIT_TAG_NOBODY; as wide as the index that it yields */
  struct thread_heap *heap;     /* WARM's: NULL unless started */
  uint8_t state;                /* WARM's: enum thread_state */
  uint8_t end_rounds;           /* WARM's: how often the end of the thread has been put off */
  uint16_t light_calls;         /* WARM's: blocks that it was given before it had a heap */
#if HAKMEM_CPU_CACHES
  struct cpu_area *cpu; /* says which CPU's row is its own; cpu_none: no row, and the tops above are its cache */
#endif
};

_Static_assert(sizeof(struct thread_cache) <= 1024, "static TLS is scarce: a library loaded by dlopen shares 1.5 KiB");

extern HIDDEN _Thread_local struct thread_cache thread_cache;

#if HAKMEM_CPU_CACHES
extern HIDDEN struct cpu_area cpu_none;
#endif

/* Blocks first, top second. */
static inline void cache_set_top(size_t size_class, void **top) {
  atomic_signal_fence(memory_order_seq_cst);
  thread_cache.top[size_class] = top;
}

static inline void *thread_cache_pop(size_t size_class) {
  void **top = thread_cache.top[size_class];
  void *block = *top;
  IN_RESULT_REGISTER(block);
  if (likely(block != NULL)) {
    thread_cache.top[size_class] = top - 1;
  }
  return block;
}

/* False, with nothing changed, when the magazine is full, or when the block lies on top of it: freed twice in a row. WARM's
 * spill tells the two apart. The slot is written before `top`, so that a child of fork() finds a block in the magazine or
 * not, never a stale slot. */
static inline bool thread_cache_push(size_t size_class, void *block) {
  void **top = thread_cache.top[size_class] + 1;
  if (unlikely(((uintptr_t)top & (MAGAZINE_BYTES - 1)) == 0 || top[-1] == block)) {
    return false;
  }
  *top = block;
  atomic_signal_fence(memory_order_seq_cst);
  thread_cache.top[size_class] = top;
  return true;
}

#endif
