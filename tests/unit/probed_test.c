/* probed: slabs of several units come in huge pages where their blocks are used whole, and not at first. The clock stands
 * still, so that no huge page seems slow. */
#include "cold/probed.h"

#include <string.h>

#include "cold/shared_pool.h"
#include "config/config.h"
#include "hakmem.h"
#include "unit/advice.h"
#include "unit/clock.h"
#include "unit/unit.h"

enum { SIZE = 16 * 1024, MANY = 128 * MIB / SIZE };

static char *blocks[MANY];

static void allocate(size_t from, size_t to, size_t used) {
  for (size_t i = from; i < to; i++) {
    blocks[i] = hak_malloc(SIZE);
    ASSERT_NE(blocks[i], NULL);
    memset(blocks[i], 1, used);
  }
}

static void use_whole(void *unused) {
  (void)unused;
  allocate(0, MANY, SIZE);
  EXPECT_GE(told_huge, (size_t)MANY * SIZE / 4);
}

static void use_the_beginning(void *unused) {
  (void)unused;
  allocate(0, MANY, 1);
  EXPECT_EQ(told_huge, 0);
}

static void use_in_part_and_then_whole(void *unused) {
  (void)unused;
  allocate(0, MANY / 4, 1);
  EXPECT_EQ(told_huge, 0);
  allocate(MANY / 4, MANY, SIZE);
  EXPECT_GT(told_huge, 0);
}

static void never(void *unused) {
  (void)unused;
  option_set("thp", 0);
  allocate(0, MANY, SIZE);
  EXPECT_EQ(told_huge, 0);
}

TEST(ProbedTest, WideSlabsComeInHugePagesWhereTheyAreUsedWhole) {
  EXPECT_RUNS(use_whole, NULL, "");
  EXPECT_RUNS(use_the_beginning, NULL, "");
  EXPECT_RUNS(use_in_part_and_then_whole, NULL, "");
  EXPECT_RUNS(never, NULL, "");
}

/* A probe that ends is looked at. */
static void end_one(void *used_value) {
  unsigned units = 4;
  struct slab *slab = probed_take(&density_wide, units, pool_take);
  ASSERT_NE(slab, NULL);
  EXPECT_FALSE(superslab_is_dense(superslab_of_slab(slab)));
  memset(slab_start(slab), 1, (uintptr_t)used_value);
  EXPECT_FALSE(density_is_whole(&density_wide));
  density_left(&density_wide, slab_start(slab));
  EXPECT_EQ(density_is_whole(&density_wide), (uintptr_t)used_value == units * UNIT_BYTES);
}

TEST(ProbedTest, WhatEndsIsLookedAt) {
  EXPECT_RUNS(end_one, (void *)(uintptr_t)(4 * UNIT_BYTES), "");
  EXPECT_RUNS(end_one, (void *)(uintptr_t)UNIT_BYTES, "");
}
