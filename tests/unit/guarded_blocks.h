/* guarded_blocks: guarded samples as a test has them. */
#ifndef HAKMEM_TESTS_UNIT_GUARDED_BLOCKS_H
#define HAKMEM_TESTS_UNIT_GUARDED_BLOCKS_H

#include "cold/guarded.h"
#include "unit/unit.h"

static NOINLINE void *allocate_aligned_to(size_t size, size_t alignment) {
  struct stack by;
  stack_take(&by, STACK_FRAME());
  return guarded_allocate(size, alignment, FAMILY_MALLOC, &by);
}

static inline char *allocate(size_t size) { return allocate_aligned_to(size, 16); }

static NOINLINE bool give_as(void *block, enum family family) {
  struct stack by;
  stack_take(&by, STACK_FRAME());
  return guarded_free(block, family, &by);
}

static inline bool give(void *block) { return give_as(block, FAMILY_MALLOC); }

static inline size_t table_bytes(void) { return guarded_table_bytes(GUARDED_SMALL, GUARDED_LARGE); }

static inline bool is_filled(const char *block, size_t size, char value) {
  for (size_t i = 0; i < size; i++) {
    if (block[i] != value) {
      return false;
    }
  }
  return true;
}

/* ---- blocks ---- */

static inline bool is_at_the_front(const char *block) { return (uintptr_t)block % os_page_size() == 0; }

static inline bool ends_at_its_slot(const char *block, size_t size, size_t alignment) {
  uintptr_t end = (uintptr_t)block + size;
  return (end + alignment - 1) % os_page_size() < alignment && end % os_page_size() < os_page_size();
}

#endif
