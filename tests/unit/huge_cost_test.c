/* huge_cost: huge pages are asked for while the system has them at hand. */
#include "cold/huge_cost.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/pool_purge.h"
#include "cold/superslab.h"
#include "config/config.h"
#include "os/system.h"
#include "unit/clock.h"
#include "unit/huge_blocks.h"
#include "unit/pool_units.h"
#include "unit/unit.h"

enum { LONG = 1000000, BLOCK = 8 * 1024 * 1024, PAGES = BLOCK / OS_HUGE_PAGE };

/* The first touch of a huge page takes so long from now on. */
static void touches_take(long nanoseconds) { look_takes = nanoseconds; }

static size_t advised_huge, advised_small;

int madvise(void *start, size_t bytes, int advice) {
  advised_huge += advice == MADV_HUGEPAGE ? bytes : 0;
  advised_small += advice == MADV_NOHUGEPAGE ? bytes : 0;
  return (int)syscall(SYS_madvise, start, bytes, advice);
}

static bool try(void) {
  static _Alignas(4096) char page[4096];
  return huge_cost_try(page);
}

/* Pages that are not asked for before the next is. */
static size_t count_skipped(void) {
  size_t skipped = 0;
  while (!huge_cost_is_low(1)) {
    skipped++;
  }
  return skipped;
}

static void skip_ever_more(void *unused) {
  (void)unused;
  EXPECT_EQ(count_skipped(), 0);
  touches_take(LONG - 1);
  EXPECT_TRUE(try());
  EXPECT_EQ(count_skipped(), 0);
  touches_take(LONG);
  for (size_t expected = 1; expected < 255; expected = 2 * expected + 1) {
    EXPECT_FALSE(try());
    EXPECT_EQ(count_skipped(), expected);
  }
  for (size_t i = 0; i < 3; i++) {
    EXPECT_FALSE(try());
    EXPECT_EQ(count_skipped(), 255);
  }
  touches_take(LONG - 1);
  EXPECT_TRUE(try());
  EXPECT_EQ(count_skipped(), 0);
  touches_take(LONG);
  EXPECT_FALSE(try());
  EXPECT_EQ(count_skipped(), 1);
}

TEST(HugeCostTest, AfterLongTouchesMoreAndMorePagesAreNotAskedFor) { EXPECT_RUNS(skip_ever_more, NULL, ""); }

static void skip_several(void *unused) {
  (void)unused;
  touches_take(LONG);
  EXPECT_FALSE(try());
  EXPECT_FALSE(try());
  EXPECT_FALSE(try());
  EXPECT_FALSE(huge_cost_is_low(5)); /* of seven */
  EXPECT_FALSE(huge_cost_is_low(5));
  EXPECT_TRUE(huge_cost_is_low(5));
}

TEST(HugeCostTest, WhatTakesSeveralCountsAsMany) { EXPECT_RUNS(skip_several, NULL, ""); }

static void look_at_none(void *unused) {
  (void)unused;
  touches_take(LONG);
  EXPECT_EQ(option_set("thp", thp_always), 0);
  EXPECT_TRUE(try());
  EXPECT_EQ(count_skipped(), 0);
  EXPECT_EQ(option_set("thp", thp_default), 0);
  EXPECT_FALSE(try());
  EXPECT_EQ(option_set("thp", thp_always), 0);
  EXPECT_EQ(count_skipped(), 0);
}

TEST(HugeCostTest, WhereTheyAreAlwaysAskedForNoTouchCounts) { EXPECT_RUNS(look_at_none, NULL, ""); }

/* ---- huge blocks ---- */

static char *allocate_and_use(void) {
  char *block = allocate(BLOCK);
  EXPECT_TRUE(zeroed);
  for (size_t at = 0; at < BLOCK; at += os_page_size()) {
    EXPECT_EQ(block[at], 0);
  }
  return memset(block, 1, BLOCK);
}

/* Of what is advised huge, what stays so. */
static size_t stays_huge(size_t blocks) {
  size_t before = advised_huge - advised_small;
  for (size_t i = 0; i < blocks; i++) {
    allocate_and_use();
  }
  return (advised_huge - advised_small - before) / BLOCK;
}

static void allocate_huge(void *unused) {
  (void)unused;
  option_set("retain_kib", 0);
  allocate_and_use(); /* the probe */
  touches_take(0);
  EXPECT_EQ(stays_huge(8), 8);
  touches_take(LONG);
  EXPECT_EQ(stays_huge(40), 0);
  touches_take(0);
  stays_huge(255 / PAGES + 1);
  EXPECT_GE(stays_huge(16), 14); /* one may be the probe */
}

TEST(HugeCostTest, HugeBlocksComeInSmallPagesWhileHugeOnesTakeLong) { EXPECT_RUNS(allocate_huge, NULL, ""); }

static void grow_huge(void *unused) {
  (void)unused;
  option_set("retain_kib", 0);
  char *block = allocate_and_use();
  touches_take(0);
  block = huge_resize(block, 2 * BLOCK);
  ASSERT_NE(block, NULL);
  EXPECT_GE(advised_huge, 2 * BLOCK);
  EXPECT_EQ(advised_small, 0);
  memset(block, 1, 2 * BLOCK);
  touches_take(LONG);
  block = huge_resize(block, 4 * BLOCK);
  ASSERT_NE(block, NULL);
  EXPECT_GE(advised_small, 4 * BLOCK);
  EXPECT_EQ(block[2 * BLOCK - 1], 1);
  EXPECT_EQ(block[2 * BLOCK], 0);
  EXPECT_EQ(block[4 * BLOCK - 1], 0);
}

TEST(HugeCostTest, SoDoesWhatAHugeBlockGrowsBy) { EXPECT_RUNS(grow_huge, NULL, ""); }

/* ---- superslabs ---- */

/* Superslabs of which the first slab has one unit, after all those that there are; how many come in huge pages. */
static size_t take_superslabs(size_t count) {
  size_t dense = 0;
  for (size_t i = 0; i < count; i++) {
    struct slab *slab = pool_take(1, USE_WHOLE);
    dense += superslab_is_dense(superslab_of_slab(slab));
    EXPECT_NE(pool_take(ALL - 1, USE_PARTS), NULL);
  }
  return dense;
}

/* As many as have to be there before one comes in huge pages. */
static void fill_the_first(void) {
  size_t before = pool_figures().superslabs;
  while (pool_figures().superslabs == before) {
    ASSERT_NE(pool_take(1, USE_WHOLE), NULL);
  }
  ASSERT_NE(pool_take(ALL - 1, USE_PARTS), NULL);
  take_superslabs(16);
}

static void take_slabs(void *unused) {
  (void)unused;
  fill_the_first();
  EXPECT_EQ(take_superslabs(4), 4);
  touches_take(LONG);
  EXPECT_EQ(take_superslabs(2), 1); /* the one that took so long, and one that is not tried */
  EXPECT_EQ(take_superslabs(4), 1);
  EXPECT_EQ(take_superslabs(8), 1);
  touches_take(0);
  EXPECT_EQ(take_superslabs(4), 4);
}

TEST(HugeCostTest, SuperslabsComeInSmallPagesWhileHugeOnesTakeLong) { EXPECT_RUNS(take_slabs, NULL, ""); }

static void take_many_slabs(void *unused) {
  (void)unused;
  fill_the_first();
  touches_take(LONG);
  struct slab *slabs[3];
  EXPECT_EQ(pool_take_many(slabs, 3), 3);
  EXPECT_TRUE(superslab_is_dense(superslab_of_slab(slabs[0])));
  EXPECT_NE(pool_take(ALL - 3, USE_PARTS), NULL);
  EXPECT_EQ(take_superslabs(1), 0);
  EXPECT_EQ(take_superslabs(1), 1);
}

TEST(HugeCostTest, SeveralSlabsAtOnceAreTriedToo) { EXPECT_RUNS(take_many_slabs, NULL, ""); }

/* One that was given back whole takes a huge page from the system again. */
static void take_again(void *unused) {
  (void)unused;
  option_set("retain_kib", 1 << 30);
  fill_the_first();
  struct slab *slab = pool_take(1, USE_WHOLE);
  struct superslab *superslab = superslab_of_slab(slab);
  ASSERT_TRUE(superslab_is_dense(superslab));
  for (size_t i = 0; i < 2; i++) {
    give(slab);
    EXPECT_EQ(pool_purge(SIZE_MAX), UNIT_BYTES);
    EXPECT_EQ(superslab->purged, 1);
    slab = pool_take(1, USE_WHOLE);
    EXPECT_EQ(superslab_of_slab(slab), superslab);
  }
  give(slab);
  give(pool_take(ALL, USE_PARTS));
  EXPECT_EQ(pool_purge(SIZE_MAX), SUPERSLAB_BYTES);
  touches_take(LONG);
  EXPECT_EQ(superslab_of_slab(slab = pool_take(1, USE_WHOLE)), superslab); /* is tried again */
  give(slab);
  give(pool_take(ALL, USE_PARTS));
  EXPECT_EQ(pool_purge(SIZE_MAX), SUPERSLAB_BYTES);
  EXPECT_EQ(superslab_of_slab(pool_take(1, USE_WHOLE)), superslab);
  EXPECT_FALSE(superslab_is_dense(superslab));
  EXPECT_TRUE(pool_is_valid());
}

TEST(HugeCostTest, WhatWasGivenBackWholeIsTriedAgain) { EXPECT_RUNS(take_again, NULL, ""); }
