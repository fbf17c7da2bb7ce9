#include "api/contract.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

#include "events/events.h"
#include "os/os.h"

static void *fail(int error) {
  errno = error;
  return NULL;
}

/* A product that no block can hold. */
static void *overflow(void) {
  observe_malloc_failed(true);
  return fail(ENOMEM);
}

static bool is_power_of_two(size_t value) { return value != 0 && (value & (value - 1)) == 0; }

static NOINLINE void *calloc_large(size_t size) {
  STACK_KEEPS_FRAME();
  bool zeroed;
  void *block = gate_allocate_aligned(size, SIZE_CLASS_GRAIN, &zeroed);
  if (block == NULL || zeroed) {
    return block;
  }
  if (size > LARGE_MAX) {
    os_zero(block, size);
    return block;
  }
  return memset(block, 0, size);
}

void *contract_calloc(size_t count, size_t size) {
  size_t bytes;
  if (unlikely(__builtin_mul_overflow(count, size, &bytes))) {
    return overflow();
  }
  if (unlikely(bytes > SIZE_CLASS_MAX)) {
    return calloc_large(bytes);
  }
  return gate_calloc(bytes);
}

static ALWAYS_INLINE void free_sized(void *block, size_t size, bool loose, enum family family) {
  if (block == NULL) {
    observe_free_null();
    return;
  }
  size_t usable = gate_usable_size(block, "free");
  if (unlikely(size > usable || (!size_fits(usable, size) && (!loose || gate_is_exact(block))))) {
    stop_wrong_size(block, usable, size);
    return;
  }
  gate_free_expected(block, family);
}

NOINLINE void contract_free_sized_rare(void *block, size_t size, bool loose) {
  free_sized(block, size, loose, FAMILY_MALLOC);
}

NOINLINE void contract_free_sized_new(void *block, size_t size, bool loose) {
  free_sized(block, size, loose, FAMILY_NEW);
}

NOINLINE void contract_free_sized_new_array(void *block, size_t size, bool loose) {
  free_sized(block, size, loose, FAMILY_NEW_ARRAY);
}

/* A block that has grown is likely to grow on. So no medium class (warm/medium.h) serves it: it would be copied from
 * one to the next. */
static NOINLINE void *move(void *block, size_t usable, size_t size) {
  STACK_KEEPS_FRAME();
  bool zeroed;
  void *moved = size > SIZE_CLASS_MAX ? gate_allocate_aligned(size, SIZE_CLASS_GRAIN, &zeroed) : gate_malloc(size);
  return contract_move_to(moved, block, usable, size);
}

/* When a smaller block cannot be had the one there is will do. */
static NOINLINE void *shrink(void *block, size_t usable, size_t size) {
  STACK_KEEPS_FRAME();
  int saved = errno;
  void *moved = move(block, usable, size);
  if (unlikely(moved == NULL)) {
    errno = saved;
    gate_settle(block, size);
    return block;
  }
  return moved;
}

void *contract_realloc(void *block, size_t size) {
  if (block == NULL) {
    return gate_malloc(size);
  }
  if (unlikely(size == 0)) {
    gate_free(block);
    return NULL;
  }
  size_t usable = gate_usable_size(block, "realloc");
  if (gate_serves(block, usable, size)) {
    return block;
  }
  if (usable > SIZE_CLASS_MAX) {
    void *resized = gate_resize(block, size);
    if (resized != NULL) {
      return resized;
    }
  }
  return size <= usable ? shrink(block, usable, size) : move(block, usable, size);
}

void *contract_reallocarray(void *block, size_t count, size_t size) {
  size_t bytes;
  return likely(!__builtin_mul_overflow(count, size, &bytes)) ? contract_realloc(block, bytes) : overflow();
}

/* The smallest class for `size` whose blocks lie at multiples of `alignment`, a power of two; SIZE_CLASS_COUNT: none
 * does. */
static size_t aligned_class(size_t alignment, size_t size) {
  size_t asked = size + GATE_RESERVED_BYTES;
  size_t least = asked != 0 && asked < alignment ? alignment : asked; /* no smaller class has the alignment */
  if (size > SIZE_CLASS_MAX - GATE_RESERVED_BYTES || least > SIZE_CLASS_MAX) {
    return SIZE_CLASS_COUNT;
  }
  size_t size_class = size_class_of(least);
  while (size_class < SIZE_CLASS_COUNT && (size_classes[size_class].stride & (alignment - 1)) != 0) {
    size_class++;
  }
  return size_class;
}

// NOLINTNEXTLINE(misc-no-recursion): once
static void *aligned(size_t alignment, size_t size) {
  size_t size_class = aligned_class(alignment, size);
  if (likely(size_class < SIZE_CLASS_COUNT)) {
    void *block = gate_malloc_placed(size_class, size, alignment);
    observe_malloc_served(block, size);
    return block;
  }
  if (size == 0 && GATE_RESERVED_BYTES == 0) {
    return aligned(alignment, 1); /* an address without access is aligned as it is */
  }
  return gate_malloc_aligned(size, alignment);
}

void *contract_aligned(size_t alignment, size_t size) {
  return likely(is_power_of_two(alignment)) ? aligned(alignment, size) : fail(EINVAL);
}

void *contract_memalign(size_t alignment, size_t size) {
  if (unlikely(alignment > PTRDIFF_MAX)) {
    return fail(EINVAL);
  }
  size_t power = SIZE_CLASS_GRAIN;
  while (power < alignment) {
    power *= 2;
  }
  return aligned(power, size);
}

int contract_posix_memalign(void **out, size_t alignment, size_t size) {
  STACK_KEEPS_FRAME();
  if (!is_power_of_two(alignment) || alignment % sizeof(void *) != 0) {
    return EINVAL;
  }
  void *block = aligned(alignment, size);
  if (block == NULL) {
    return ENOMEM; /* and errno says so too, as the C library's does: programs print %m */
  }
  *out = block;
  return 0;
}

size_t contract_usable_size(const void *block) {
  return block == NULL ? 0 : gate_usable_size(block, "malloc_usable_size");
}
