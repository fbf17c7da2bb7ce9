/* gate: the one entrance. size -> class -> cache on malloc; pointer -> owner -> cache on free.
 *
 *   gate_malloc(size)                            gate_free(block)
 *     size class, one table                        tag of the unit, compared with the thread's own
 *     pop the class's magazine -> done             mine: push on the class's magazine -> done
 *     empty: refill(class)          [WARM]         full: spill(class, block)              [WARM]
 *     large: allocate_large(size)   [WARM]         else: free_remote(block)               [WARM]
 *
 * Owns:     nothing; it is the path. The route is the constant table of size classes.
 * Promises: malloc <= 15 and free <= 18 instructions on the common path (x86-64, shared library), pinned by a golden
 *           test.
 * Callers:  api/. Any thread, started or not.
 */
#ifndef HAKMEM_HOT_GATE_H
#define HAKMEM_HOT_GATE_H

#include "config/options.h"
#include "hot/cache.h"
#include "warm/warm.h"

HIDDEN void *malloc_told(size_t size);
HIDDEN void free_told(void *block);

static inline void *gate_malloc(size_t size) {
  if (unlikely(options.hot_trace != 0)) {
    return malloc_told(size);
  }
  if (unlikely(size > SIZE_CLASS_MAX)) {
    return allocate_large(size);
  }
  size_t size_class = size_class_of(size);
  void *block = cache_pop(size_class);
  if (unlikely(block == NULL)) {
    return refill(size_class);
  }
  return block;
}

/* A block of this very class, for its alignment. */
static inline void *gate_malloc_class(size_t size_class) {
  void *block = cache_pop(size_class);
  return likely(block != NULL) ? block : refill_exact(size_class);
}

static inline void gate_free(void *block) {
  if (unlikely(options.hot_trace != 0)) {
    free_told(block);
    return;
  }
  size_t unit = page_unit(block);
  if (unlikely(unit >= page_map_units)) {
    free_remote(block);
    return;
  }
  uint64_t size_class = page_tag_at(unit) ^ thread_cache.self;
  if (unlikely(size_class >= SIZE_CLASS_COUNT)) {
    free_remote(block);
    return;
  }
  if (unlikely(!cache_push(size_class, block))) {
    spill(size_class, block);
  }
}

#endif
