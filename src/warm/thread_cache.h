/* thread_cache: the blocks that a thread takes and gives back without any other thread: a magazine per class.
 *
 * A thread that has not started has the constant magazine, which is both empty and full: its first malloc and its first
 * free go to WARM, which starts it.
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

struct thread_heap;
struct cpu_area;

enum thread_state { THREAD_NEW = 0, THREAD_STARTED, THREAD_ENDED };

struct thread_cache {
  void **top[SIZE_CLASS_COUNT +
             1]; /* the block to take next; NULL is stored there when none is left; always of SIZE_CLASS_EMPTY */
  uint64_t self; /* owner << 8, or UNIT_TAG_NOBODY; as wide as the index that it yields */
  struct thread_heap *heap; /* WARM's: NULL unless started */
  uint8_t state;            /* WARM's: enum thread_state */
  uint8_t end_rounds;       /* WARM's: how often the end of the thread has been put off */
  uint16_t light_work;      /* warm/light_work.h's: what it cost before it had a heap */
  bool is_brief;            /* warm/light_work.h's: as far as is known */
  struct cpu_area *cpu;     /* warm/cpu_cache.h's: by what it knows its CPU; NULL: it does not, or has a heap */
#if HAKMEM_PROFILE
  size_t until_sample; /* warm/sample_hooks.h's: bytes to go until the next sample */
#endif
};

_Static_assert(sizeof(struct thread_cache) <= 1024, "static TLS is scarce: a library loaded by dlopen shares 1.5 KiB");

extern HIDDEN _Thread_local struct thread_cache thread_cache;

/* Blocks first, top second. */
static inline void cache_set_top(size_t size_class, void **top) {
  atomic_signal_fence(memory_order_seq_cst);
  thread_cache.top[size_class] = top;
}

#endif
