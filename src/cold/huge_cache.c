#include "cold/huge_cache.h"

enum { WASTE_SHARE = 8 };

static void set_bytes(struct huge_cache *cache, size_t bytes) {
  atomic_store_explicit(&cache->bytes, bytes, memory_order_relaxed);
}

/* The start first, and last where one comes: a place shows whole. */
static char *empty(struct huge_cache *cache, unsigned i) {
  char *start = cache->start[i];
  if (start != NULL) {
    cache->start[i] = NULL;
    atomic_signal_fence(memory_order_seq_cst);
    set_bytes(cache, huge_cache_bytes(cache) - cache->length[i]);
    cache->length[i] = 0;
  }
  return start;
}

char *huge_cache_take(struct huge_cache *cache, size_t bytes) {
  if (bytes > HUGE_CACHED_BYTES_MAX) {
    return NULL;
  }
  uint32_t wanted = (uint32_t)bytes;
  uint32_t waste = wanted / WASTE_SHARE;
  for (unsigned i = 0; i < HUGE_CACHE_MAX; i++) {
    if (cache->length[i] - wanted <= waste) {
      return empty(cache, i);
    }
  }
  return NULL;
}

char *huge_cache_take_any(struct huge_cache *cache) {
  unsigned i = 0;
  while (i < HUGE_CACHE_MAX - 1 && cache->start[i] == NULL) {
    i++;
  }
  return empty(cache, i);
}

/* The next that is empty, or else the next. */
static unsigned find_place(struct huge_cache *cache) {
  unsigned first = cache->next;
  unsigned i = first;
  do {
    cache->next = (i + 1) % HUGE_CACHE_MAX;
    if (cache->start[i] == NULL) {
      return i;
    }
    i = cache->next;
  } while (i != first);
  cache->next = (first + 1) % HUGE_CACHE_MAX;
  return first;
}

char *huge_cache_put(struct huge_cache *cache, char *start, size_t bytes) {
  unsigned i = find_place(cache);
  char *displaced = empty(cache, i);
  cache->length[i] = (uint32_t)bytes;
  set_bytes(cache, huge_cache_bytes(cache) + bytes);
  atomic_signal_fence(memory_order_seq_cst);
  cache->start[i] = start;
  return displaced;
}

void huge_cache_mend(struct huge_cache *cache) {
  size_t bytes = 0;
  for (unsigned i = 0; i < HUGE_CACHE_MAX; i++) {
    cache->length[i] = cache->start[i] == NULL ? 0 : cache->length[i];
    bytes += cache->length[i];
  }
  set_bytes(cache, bytes);
}
