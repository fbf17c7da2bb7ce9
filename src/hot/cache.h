/* cache: takes a block from the magazine of a class that the calling thread uses, its CPU's or its own, and puts one there.
 *
 * Owns:     nothing; the magazines are warm/cpu_cache.h's and warm/thread_cache.h's.
 * Promises: no lock, no atomic, no option, no counter; a block's bytes are never read or written.
 * Callers:  hot/gate.h and the secure library's gate, on the thread itself.
 */
#ifndef HAKMEM_HOT_CACHE_H
#define HAKMEM_HOT_CACHE_H

#include "warm/warm.h"

#if HAKMEM_CPU_CACHES

static inline void *cache_pop(size_t size_class) { return cpu_pop(size_class); }
static inline bool cache_push(size_t size_class, void *block) { return cpu_push(size_class, block); }

/* A block with this tag goes to the cache, of the class that comes first in it: whoever's it is. */
static inline bool cache_takes(unit_tag tag, uint64_t *size_class) {
  *size_class = unit_tag_class(tag);
  return likely(unit_tag_owner(tag) != 0);
}

#else

static inline void *cache_pop(size_t size_class) { return thread_cache_pop(size_class); }
static inline bool cache_push(size_t size_class, void *block) { return thread_cache_push(size_class, block); }

/* The thread's own blocks. */
static inline bool cache_takes(unit_tag tag, uint64_t *size_class) {
  *size_class = tag ^ thread_cache.self;
  return likely(*size_class < SIZE_CLASS_COUNT);
}

#endif

#endif
