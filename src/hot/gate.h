/* gate: the entry point. size -> class -> cache on malloc; pointer -> owner -> cache on free.
 *
 *   gate_malloc(size)                            gate_free(block)
 *     size class, one table                        tag of the unit, compared with the thread's own
 *     pop the class's magazine -> done             mine: push on the class's magazine -> done
 *     empty: refill(size, class)    [WARM]         full: spill(class, block)              [WARM]
 *     large: allocate_large(size)   [WARM]         else: free_remote(block)               [WARM]
 *
 * Owns:     nothing; it is the path. The route is the constant table of size classes.
 * Promises: malloc <= 14 and free <= 20 instructions on the common path (x86-64, shared library), pinned by a golden
 *           test.
 * Callers:  api/, through api/front.h, which says what each function promises. Any thread, started or not.
 */
#ifndef HAKMEM_HOT_GATE_H
#define HAKMEM_HOT_GATE_H

#include <string.h>

#include "events/events.h"
#include "hot/cache.h"

/* The requests that the profile library samples (warm/sample_hooks.h) go another way; in the others none is. */
static inline void *gate_malloc_unsampled(size_t size) {
  if (unlikely(size > SIZE_CLASS_MAX)) {
    return allocate_large(size);
  }
  size_t size_class = size_class_of(size);
  void *block = cache_pop(size_class);
  if (unlikely(block == NULL)) {
    block = refill(size, size_class);
    observe_malloc_served(block, size);
    return block;
  }
  observe_malloc_hit(block, size);
  return block;
}

static inline void *gate_malloc(size_t size) {
  return unlikely(sample_due(size)) ? sample_allocate(size) : gate_malloc_unsampled(size);
}

static inline void *gate_malloc_or(size_t size, void *(*slow)(size_t size_class, size_t size)) {
  if (unlikely(sample_due(size))) {
    void *sampled = sample_allocate(size);
    return likely(sampled != NULL) ? sampled : slow(0, size);
  }
  if (unlikely(size > SIZE_CLASS_MAX)) {
    return slow(0, size);
  }
  size_t size_class = size_class_of(size);
  void *block = cache_pop(size_class);
  if (unlikely(block == NULL)) {
    return slow(size_class, size);
  }
  observe_malloc_hit(block, size);
  return block;
}

static inline void *gate_uncached(size_t size_class, size_t size) {
  if (size > SIZE_CLASS_MAX) {
    return allocate_large(size);
  }
  void *block = refill(size, size_class);
  observe_malloc_served(block, size);
  return block;
}

/* The caller, who knows the size, reports the event. What the magazine has may be coalesced, and lie anywhere. */
static inline void *gate_malloc_placed_unsampled(size_t size_class, size_t size, size_t alignment) {
  observe_cache_asked();
  void *block = cache_pop(size_class);
  if (unlikely(block == NULL)) {
    return refill_exact(size, size_class);
  }
  if (unlikely(((uintptr_t)block & (alignment - 1)) != 0)) {
    return refill_placed(block, size, size_class);
  }
  return block;
}

static inline void *gate_malloc_placed(size_t size_class, size_t size, size_t alignment) {
  return unlikely(sample_due(size)) ? sample_allocate_class(size_class, size)
                                    : gate_malloc_placed_unsampled(size_class, size, alignment);
}

static inline void *gate_malloc_class(size_t size_class) {
  size_t stride = size_classes[size_class].stride;
  return gate_malloc_placed_unsampled(size_class, stride, stride & -stride);
}

static ALWAYS_INLINE void gate_free_or(void *block, struct free_way slow) {
  size_t unit = window_unit(block);
  if (unlikely(unit >= window_units)) {
    slow.outside(block);
    return;
  }
  uint64_t size_class = unit_tag_at(unit) ^ thread_cache.self;
  if (unlikely(size_class >= SIZE_CLASS_COUNT)) {
    slow.compared(block, size_class);
    return;
  }
  if (unlikely(!cache_push(size_class, block))) {
    spill(size_class, block);
    return;
  }
  observe_free(block, size_classes[size_class].stride, FREE_CACHE);
}

static inline void gate_free(void *block) { gate_free_or(block, free_way_of(FAMILY_MALLOC)); }
static inline void gate_free_expected(void *block, enum family family) { gate_free_or(block, free_way_of(family)); }

static inline bool gate_free_sized(void *block, size_t size, bool loose) {
  size_t unit = window_unit(block);
  if (likely(unit < window_units)) {
    uint64_t size_class = unit_tag_at(unit) ^ thread_cache.self;
    if (likely(size_class < SIZE_CLASS_COUNT && size_class_serves(size_class, size, loose) &&
               cache_push(size_class, block))) {
      observe_free(block, size_classes[size_class].stride, FREE_CACHE);
      return true;
    }
  }
  return false;
}

/* An alignment may have asked for any larger class. */
static inline bool gate_free_aligned_sized(void *block, size_t alignment, size_t size) {
  (void)alignment;
  return gate_free_sized(block, size, true);
}

/* ---- what api/ asks besides ---- */

enum { GATE_RESERVED_BYTES = 0 };

static inline void *gate_allocate_aligned(size_t size, size_t alignment, bool *zeroed) {
  void *block = allocate_aligned(size, alignment, zeroed);
  if (unlikely(sample_due(size))) {
    sample_big(block, size);
  }
  return block;
}

static inline void *gate_malloc_aligned(size_t size, size_t alignment) {
  if (unlikely(sample_due(size))) {
    bool zeroed;
    void *block = allocate_aligned(size, alignment, &zeroed);
    sample_big(block, size);
    return block;
  }
  return allocate_large_aligned(size, alignment);
}

static inline void *gate_calloc(size_t size) {
  if (unlikely(sample_due(size))) {
    void *sampled = sample_allocate(size);
    return likely(sampled != NULL) ? memset(sampled, 0, size) : NULL;
  }
  size_t size_class = size_class_of(size);
  void *block = cache_pop(size_class);
  if (unlikely(block == NULL)) {
    return refill_zero(size, size_class);
  }
  observe_malloc_hit(block, size);
  return memset(block, 0, size);
}

static inline size_t gate_usable_size(const void *block, const char *what) { return block_usable_size(block, what); }
static inline size_t gate_good_size(size_t size) { return size_usable(size); }

static inline bool gate_serves(const void *block, size_t usable, size_t size) {
  (void)block;
  return size_fits(usable, size);
}

static inline void *gate_resize(void *block, size_t size) { return sample_resize_large(block, size); }

static inline void gate_forget(void *block, size_t usable) {
  (void)block;
  (void)usable;
}

static inline void gate_settle(void *block, size_t size) { settle_sample(block, size); }
static inline bool gate_is_exact(const void *block) { return is_exact(block); }

static inline void *gate_typed(void *block, enum family family) {
  (void)family;
  return block;
}

static inline void *gate_typed_slow(void *block, enum family family) { return sample_typed(block, family); }

static inline void gate_expect(void *block, enum family family) {
  (void)block;
  (void)family;
}

#endif
