/* gate: the entry point. size -> class -> cache on malloc; pointer -> owner -> cache on free.
 *
 *   gate_malloc(size)                            gate_free(block)
 *     size class, one table                        tag of the unit, compared with the thread's own
 *     pop the class's magazine -> done             mine: push on the class's magazine -> done
 *     empty: refill(class)          [WARM]         full: spill(class, block)              [WARM]
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

/* The experiment: a byte in front of each block of a slab says its class. 16 bytes, for the alignment. */
enum { HEADER_BYTES = 16, HEADER_MAGIC = 0xC0 };

static inline void *header_put(void *block, size_t size_class) {
  ((uint8_t *)block)[HEADER_BYTES - 1] = (uint8_t)(HEADER_MAGIC | size_class);
  return (char *)block + HEADER_BYTES;
}

/* Blocks that have none begin a unit. */
static inline size_t header_class(const void *block) {
  return ((uintptr_t)block & (UNIT_BYTES - 1)) == 0 ? SIZE_CLASS_COUNT
                                                    : (size_t)((const uint8_t *)block)[-1] - HEADER_MAGIC;
}

static NOINLINE void *gate_malloc_slow(size_t size_class) {
  void *block = refill(size_class);
  return block == NULL ? NULL : header_put(block, unit_tag_class(unit_tag_of(block))); /* it may be borrowed */
}

static inline void *gate_malloc(size_t size) {
  if (unlikely(size > SIZE_CLASS_MAX - HEADER_BYTES)) {
    return allocate_large(size);
  }
  size_t size_class = size_class_of(size + HEADER_BYTES + (size == 0));
  void *block = cache_pop(size_class);
  if (unlikely(block == NULL)) {
    return gate_malloc_slow(size_class);
  }
  return header_put(block, size_class);
}

static inline void *gate_malloc_or(size_t size, void *(*slow)(size_t size_class, size_t size)) {
  void *block = gate_malloc(size);
  return block == NULL ? slow(0, size) : block;
}

static inline void *gate_uncached(size_t size_class, size_t size) {
  (void)size_class;
  return gate_malloc(size);
}

/* The caller, who knows the size, reports the event. */
static inline void *gate_malloc_class(size_t size_class) {
  observe_cache_asked();
  void *block = cache_pop(size_class);
  return likely(block != NULL) ? block : refill_exact(size_class);
}

static inline void *gate_malloc_placed(size_t size_class, size_t size) {
  (void)size;
  return gate_malloc_class(size_class);
}

static inline void gate_free(void *block) {
  size_t said = header_class(block);
  if (likely(said < SIZE_CLASS_COUNT)) {
    block = (char *)block - HEADER_BYTES;
    if (unlikely(!cache_push(said, block))) {
      spill(said, block);
    }
    return;
  }
  size_t unit = window_unit(block);
  if (unlikely(unit >= window_units)) {
    free_remote(block);
    return;
  }
  uint64_t size_class = unit_tag_at(unit) ^ thread_cache.self;
  if (unlikely(size_class >= SIZE_CLASS_COUNT)) {
    free_remote(block);
    return;
  }
  if (unlikely(!cache_push(size_class, block))) {
    spill(size_class, block);
    return;
  }
  observe_free(block, size_classes[size_class].stride, FREE_CACHE);
}

static inline bool gate_free_sized(void *block, size_t size, bool loose) {
  (void)size;
  (void)loose;
  gate_free(block);
  return true;
}

/* An alignment may have asked for any larger class. */
static inline bool gate_free_aligned_sized(void *block, size_t alignment, size_t size) {
  (void)alignment;
  return gate_free_sized(block, size, true);
}

/* ---- what api/ asks besides ---- */

enum { GATE_RESERVED_BYTES = 0 };

static inline void *gate_allocate_aligned(size_t size, size_t alignment, bool *zeroed) {
  return allocate_aligned(size, alignment, zeroed);
}

static inline void *gate_calloc(size_t size) {
  void *block = gate_malloc(size);
  return block == NULL ? NULL : memset(block, 0, size);
}

static inline size_t gate_usable_size(const void *block, const char *what) {
  size_t said = header_class(block);
  return said < SIZE_CLASS_COUNT ? size_classes[said].stride - HEADER_BYTES : block_usable_size(block, what);
}
static inline size_t gate_good_size(size_t size) { return size_usable(size); }

static inline bool gate_serves(const void *block, size_t usable, size_t size) {
  (void)block;
  return size_fits(usable, size);
}

static inline void *gate_resize(void *block, size_t size) { return resize_large(block, size); }

static inline void gate_forget(void *block, size_t usable) {
  (void)block;
  (void)usable;
}

static inline void gate_settle(void *block, size_t size) {
  (void)block;
  (void)size;
}

static inline void *gate_typed(void *block, enum family family) {
  (void)family;
  return block;
}

static inline void gate_expect(void *block, enum family family) {
  (void)block;
  (void)family;
}

#endif
