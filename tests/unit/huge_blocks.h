/* huge_blocks: blocks for the tests of huge. */
#ifndef HAKMEM_TESTS_UNIT_HUGE_BLOCKS_H
#define HAKMEM_TESTS_UNIT_HUGE_BLOCKS_H

#include <string.h>

#include "cold/huge.h"
#include "cold/huge_in_place.h"
#include "cold/huge_kept.h"

static bool zeroed; /* whether the block that was allocated last is */

static inline char *allocate(size_t size) { return huge_allocate(size, 1, &zeroed); }

/* What a block of so many bytes, written whole, has left: it is retained. */
static inline char *leave_range(size_t size) {
  char *block = allocate(size);
  memset(block, 1, size);
  huge_free(block);
  return block;
}

#endif
