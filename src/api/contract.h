/* contract: the rules of the malloc family that do not depend on a name: overflow, zeroing, resizing, alignment.
 *
 * Owns:     nothing.
 * Promises: what C, POSIX and glibc promise of calloc, realloc, the aligned functions and sized frees, said once for
 *           malloc's names, jemalloc's and hak_*.
 * Callers:  api/malloc.c, api/operators.c, api/jemalloc.c, api/hak.c. Any thread.
 */
#ifndef HAKMEM_API_CONTRACT_H
#define HAKMEM_API_CONTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "api/front.h"

/* NULL with ENOMEM when the product overflows; the block is zero. */
void *contract_calloc(size_t count, size_t size);

void *contract_realloc(void *block, size_t size);
void *contract_reallocarray(void *block, size_t count, size_t size);

/* NULL with EINVAL unless `alignment` is a power of two. */
void *contract_aligned(size_t alignment, size_t size);

/* The same, with the alignment rounded up to a power of two, as the C library's memalign does. */
void *contract_memalign(size_t alignment, size_t size);

/* 0, EINVAL or ENOMEM. *out changes only with 0; errno only with ENOMEM, as the C library's does. */
int contract_posix_memalign(void **out, size_t alignment, size_t size);

/* Frees a block that was asked for with `size`; a size that it cannot have served stops the program. `loose`: it may be
 * larger than any that is chosen for the size, because it was aligned or because realloc could not make it smaller. For
 * each family, after gate_expect. */
void contract_free_sized_rare(void *block, size_t size, bool loose);
void contract_free_sized_new(void *block, size_t size, bool loose);
void contract_free_sized_new_array(void *block, size_t size, bool loose);

static inline void contract_free_sized_by(void *block, size_t size, bool loose, enum family family) {
  if (family == FAMILY_NEW) {
    contract_free_sized_new(block, size, loose);
  } else if (family == FAMILY_NEW_ARRAY) {
    contract_free_sized_new_array(block, size, loose);
  } else {
    contract_free_sized_rare(block, size, loose);
  }
}

/* gate_free with the check on its way. */
static inline void contract_free_sized(void *block, size_t size, bool loose, enum family family) {
  if (unlikely(!gate_free_sized(block, size, loose))) {
    contract_free_sized_by(block, size, loose, family);
  }
}

static inline void contract_free_aligned_sized(void *block, size_t alignment, size_t size, enum family family) {
  if (unlikely(!gate_free_aligned_sized(block, alignment, size))) {
    contract_free_sized_by(block, size, true, family);
  }
}

/* A block's content passes to the one that takes its place, of `size` bytes; for want of that, NULL, it stays. */
static inline void *contract_move_to(void *moved, void *block, size_t usable, size_t size) {
  if (likely(moved != NULL)) {
    memcpy(moved, block, usable < size ? usable : size);
    gate_forget(block, usable);
    gate_free(block);
  }
  return moved;
}

/* 0 for NULL. */
size_t contract_usable_size(const void *block);

#endif
