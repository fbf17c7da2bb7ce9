/* huge_cache: short huge blocks that a thread has freed, for its next ones.
 *
 * Owns:     up to HUGE_CACHE_MAX freed blocks of a heap, resident and whole. The table of huge blocks has them still,
 *           marked as cached.
 * Promises: a block serves one that is shorter by an eighth of it at most, so that nothing is cut, and nothing becomes
 *           one again. A new one takes the place of one that was there for long. A child of fork() finds a place empty
 *           or whole.
 * Callers:  cold/huge.c, on the thread that has the heap, while it changes.
 */
#ifndef HAKMEM_COLD_HUGE_CACHE_H
#define HAKMEM_COLD_HUGE_CACHE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

enum { HUGE_CACHE_MAX = 16, HUGE_CACHED_BYTES_MAX = 128 * KIB };

struct huge_cache {
  char *start[HUGE_CACHE_MAX];         /* NULL: the place is empty */
  uint32_t length[HUGE_CACHE_MAX];     /* in bytes; 0 where the place is empty */
  unsigned next;         /* the place that was taken last is before it */
  _Atomic size_t bytes;  /* read outside heap_enter too: the helper may be changing it */
};

static inline size_t huge_cache_bytes(const struct huge_cache *cache) {
  return atomic_load_explicit(&cache->bytes, memory_order_relaxed);
}

/* Takes out the shortest that is long enough, and not too long; NULL: none is. */
char *huge_cache_take(struct huge_cache *cache, size_t bytes);

/* Takes out any; NULL: it is empty. */
char *huge_cache_take_any(struct huge_cache *cache);

/* Puts a block in. Where all places are taken, which it takes over: the block that was there, else NULL. */
char *huge_cache_put(struct huge_cache *cache, char *start, size_t bytes);

/* In the child of fork(): counts anew. */
void huge_cache_mend(struct huge_cache *cache);

#endif
