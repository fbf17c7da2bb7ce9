/* huge_blocks: blocks for the tests of huge. */
#ifndef HAKMEM_TESTS_UNIT_HUGE_BLOCKS_H
#define HAKMEM_TESTS_UNIT_HUGE_BLOCKS_H

#include "cold/huge.h"
#include "cold/huge_in_place.h"
#include "cold/huge_kept.h"

static bool zeroed; /* whether the block that was allocated last is */

static inline char *allocate(size_t size) { return huge_allocate(size, 1, &zeroed); }

#endif
