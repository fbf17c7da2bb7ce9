/* The allocation functions that jemalloc has beside the standard ones. A program that is linked with it passes what it
 * gets by these names to free and malloc_usable_size, which are ours. Converts and forwards; holds nothing.
 *
 * The arena or thread cache that the flags name is ignored. mallctl and malloc_stats_print remain jemalloc's. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "api/contract.h"
#include "api/front.h"
#include "hakmem.h"

HAK_API void *mallocx(size_t size, int flags);
HAK_API void *rallocx(void *block, size_t size, int flags);
HAK_API size_t xallocx(void *block, size_t size, size_t extra, int flags);
HAK_API size_t sallocx(const void *block, int flags);
HAK_API void dallocx(void *block, int flags);
HAK_API void sdallocx(void *block, size_t size, int flags);
HAK_API size_t nallocx(size_t size, int flags);

/* Of the flags: the binary logarithm of the alignment, and whether bytes that are new are to be zero. */
enum { FLAG_LG_ALIGNMENT = 0x3f, FLAG_ZERO = 0x40 };

static size_t alignment_of(int flags) { return (size_t)1 << (flags & FLAG_LG_ALIGNMENT); }
static bool is_plain(int flags) { return alignment_of(flags) <= SIZE_CLASS_GRAIN; }
static bool is_aligned(const void *block, int flags) { return ((uintptr_t)block & (alignment_of(flags) - 1)) == 0; }

/* To the last usable byte: a later rallocx leaves those as they are. */
static void *zero_from(void *block, size_t from, int flags) {
  size_t usable = block == NULL || (flags & FLAG_ZERO) == 0 ? 0 : gate_usable_size(block, "mallocx");
  if (usable > from) {
    memset((char *)block + from, 0, usable - from);
  }
  return block;
}

static void *allocate(size_t size, int flags) {
  if (!is_plain(flags)) {
    return zero_from(contract_aligned(alignment_of(flags), size), 0, flags);
  }
  if ((flags & FLAG_ZERO) == 0) {
    return gate_malloc(size);
  }
  size_t good = gate_good_size(size);
  size_t all = good > size ? good : size;
  return zero_from(contract_calloc(1, all), all, flags);
}

HAK_API void *mallocx(size_t size, int flags) {
  STACK_KEEPS_FRAME();
  return allocate(size, flags);
}

HAK_API void *rallocx(void *block, size_t size, int flags) {
  STACK_KEEPS_FRAME();
  size_t had = gate_usable_size(block, "rallocx"), wanted = size == 0 ? 1 : size; /* of no bytes it would be freed */
  gate_expect(block, FAMILY_MALLOC);
  void *resized;
  if (is_plain(flags)) {
    resized = contract_realloc(block, wanted);
  } else if (is_aligned(block, flags) && gate_serves(block, had, wanted)) {
    resized = block;
  } else {
    resized = contract_move_to(allocate(wanted, flags & ~FLAG_ZERO), block, had, wanted);
  }
  return zero_from(resized, had, flags);
}

/* No block is resized where it lies. */
HAK_API size_t xallocx(void *block, size_t size, size_t extra, int flags) {
  (void)size;
  (void)extra;
  (void)flags;
  return gate_usable_size(block, "xallocx");
}

HAK_API size_t sallocx(const void *block, int flags) {
  (void)flags;
  return gate_usable_size(block, "sallocx");
}

HAK_API void dallocx(void *block, int flags) {
  (void)flags;
  gate_free(block);
}

HAK_API void sdallocx(void *block, size_t size, int flags) {
  (void)flags;
  contract_free_sized(block, size, true, FAMILY_MALLOC);
}

/* The least that is usable of such a block: with an alignment, what was asked for. */
HAK_API size_t nallocx(size_t size, int flags) { return is_plain(flags) ? gate_good_size(size) : size; }
