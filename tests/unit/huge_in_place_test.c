/* huge_in_place: blocks that become shorter or longer where they lie. Each test has a process of its own, in which no other
 * huge block is. */
#include "cold/huge_in_place.h"

#include <string.h>

#include "cold/limit.h"
#include "cold/residency.h"
#include "config/config.h"
#include "hakmem.h"
#include "os/system.h"
#include "unit/huge_blocks.h"
#include "unit/memory_calls.h"
#include "unit/unit.h"

static size_t given_back(void) { return os_counts().unmapped_bytes + os_counts().purged_bytes; }

static void shrink_and_grow(void *unused) {
  (void)unused;
  option_set("retain_kib", 256 * 1024);
  char *block = allocate(16 * MIB);
  memset(block, 'b', 16 * MIB);
  size_t before = memory_calls();
  EXPECT_EQ(huge_resize_in_place(block, 4 * MIB), 4 * MIB);
  EXPECT_EQ(huge_usable_size(block), 4 * MIB);
  EXPECT_EQ(huge_live_bytes(), 4 * MIB);
  EXPECT_EQ(retained_bytes(), 12 * MIB);
  EXPECT_EQ(huge_resize_in_place(block, 6 * MIB), 6 * MIB); /* by a part of it */
  EXPECT_EQ(huge_usable_size(block), 6 * MIB);
  EXPECT_EQ(retained_bytes(), 10 * MIB);
  EXPECT_EQ(huge_resize_in_place(block, 16 * MIB + 1), 6 * MIB); /* it is not so long */
  EXPECT_EQ(huge_usable_size(block), 6 * MIB);
  EXPECT_EQ(retained_bytes(), 10 * MIB);
  EXPECT_EQ(huge_resize_in_place(block, 15 * MIB), 16 * MIB); /* by all of it: little would be left */
  EXPECT_EQ(huge_usable_size(block), 16 * MIB);
  EXPECT_EQ(retained_bytes(), 0);
  EXPECT_EQ(huge_resize_in_place(block, 16 * MIB), 16 * MIB);
  EXPECT_EQ(huge_resize_in_place(block, 17 * MIB), 16 * MIB); /* nothing is retained behind it */
  EXPECT_EQ(huge_resize_in_place(block + 4096, MIB), 0);
  EXPECT_EQ(memory_calls(), before);
  EXPECT_EQ(unit_resident(block, 16 * MIB), 16 * MIB);
  for (size_t at = 0; at < 16 * MIB; at += 4096) {
    ASSERT_EQ(block[at], 'b');
  }
  huge_free(block);
  EXPECT_EQ(huge_resize_in_place(block, MIB), 0);
  EXPECT_EQ(huge_live_bytes(), 0);
}

TEST(HugeTest, ABlockLeavesWhatIsRetainedAndTakesItAgain) { EXPECT_RUNS(shrink_and_grow, NULL, ""); }

static void shrink_between_others(void *unused) {
  (void)unused;
  option_set("retain_kib", 256 * 1024);
  leave_range(12 * MIB);
  char *high = allocate(4 * MIB);
  char *low = allocate(4 * MIB); /* cut from the end of what is left */
  ASSERT_EQ(low + 4 * MIB, high);
  memset(high, 'h', 4 * MIB);
  EXPECT_EQ(huge_resize_in_place(low, 5 * MIB), 4 * MIB); /* a live block lies behind it */
  EXPECT_EQ(huge_resize_in_place(low, MIB), MIB);
  char *between = allocate(3 * MIB);
  EXPECT_EQ(between, low + MIB);
  EXPECT_EQ(huge_resize_in_place(low, 2 * MIB), MIB);
  huge_free(between);
  huge_free(high);
  EXPECT_EQ(huge_resize_in_place(low, 8 * MIB), 8 * MIB); /* what both have left */
  EXPECT_EQ(huge_usable_size(low), 8 * MIB);
  huge_free(low);
}

TEST(HugeTest, WhatABlockLeavesIsAnothers) { EXPECT_RUNS(shrink_between_others, NULL, ""); }

static void shrink_beyond_the_budget(void *unused) {
  (void)unused;
  option_set("retain_kib", 0);
  char *block = allocate(16 * MIB);
  memset(block, 'b', 16 * MIB);
  EXPECT_EQ(huge_resize_in_place(block, 4 * MIB), 4 * MIB);
  EXPECT_EQ(retained_bytes(), 0);
  EXPECT_EQ(huge_resize_in_place(block, 5 * MIB), 4 * MIB);
  EXPECT_EQ(block[4 * MIB - 1], 'b');
  huge_free(block);
}

TEST(HugeTest, WhatABlockLeavesGoesBackBeyondTheBudget) { EXPECT_RUNS(shrink_beyond_the_budget, NULL, ""); }

static void shrink_below_a_limit(void *unused) {
  (void)unused;
  option_set("retain_kib", 256 * 1024);
  EXPECT_TRUE(hak_limit_set(0, 64 * MIB));
  char *block = allocate(16 * MIB);
  memset(block, 'b', 16 * MIB);
  size_t counted = counted_bytes();
  EXPECT_EQ(huge_resize_in_place(block, 4 * MIB), 4 * MIB);
  EXPECT_EQ(counted_bytes(), counted);
  EXPECT_EQ(huge_resize_in_place(block, 12 * MIB), 12 * MIB);
  EXPECT_EQ(counted_bytes(), counted);
  EXPECT_EQ(huge_counted_bytes(), 16 * MIB);
  huge_free(block);
}

TEST(HugeTest, WhatABlockLeavesCountsAsBefore) { EXPECT_RUNS(shrink_below_a_limit, NULL, ""); }

/* The memory of buffers that a program reallocates comes and goes between them: little of it is fresh. */
static void reallocate(void *unused) {
  (void)unused;
  enum { BLOCKS = 8, ROUNDS = 400 };
  char *blocks[BLOCKS] = {NULL};
  uint64_t seed = 1;
  size_t before = 0;
  size_t asked = 0;
  for (int i = 0; i < ROUNDS; i++) {
    size_t b = unit_below(&seed, BLOCKS);
    size_t size = (unit_below(&seed, 5) + 1) * 2 * MIB;
    if (i == ROUNDS / 2) {
      before = given_back();
      asked = 0;
    }
    asked += size;
    blocks[b] = hak_realloc(blocks[b], size);
    ASSERT_NE(blocks[b], NULL);
    memset(blocks[b], (int)b + 1, size);
    for (size_t other = 0; other < BLOCKS; other++) {
      ASSERT_TRUE(blocks[other] == NULL || blocks[other][2 * MIB - 1] == (char)(other + 1));
    }
  }
  EXPECT_LE(given_back() - before, asked / 6);
}

TEST(HugeTest, BuffersThatAreReallocatedPassTheirMemoryOn) { EXPECT_RUNS(reallocate, NULL, ""); }

/* What is known is that the program touches little of its blocks: a copy would make all of them resident. */
static void reallocate_sparse(void *unused) {
  (void)unused;
  option_set("retain_kib", 256 * 1024);
  char *freed = hak_malloc(24 * MIB);
  char *grows = hak_malloc(8 * MIB);
  ASSERT_TRUE(freed != NULL && grows != NULL);
  freed[0] = grows[0] = 'g';
  hak_free(freed);
  EXPECT_EQ(retained_bytes(), 24 * MIB);
  EXPECT_EQ(huge_allocate_roomy(8 * MIB, 20 * MIB), NULL);
  grows = hak_realloc(grows, 20 * MIB);
  ASSERT_NE(grows, NULL);
  EXPECT_EQ(grows[0], 'g');
  EXPECT_LE(unit_resident(grows, 20 * MIB), 2 * os_page_size());
  hak_free(grows);
}

TEST(HugeTest, ABlockThatIsHardlyTouchedIsNotCopied) { EXPECT_RUNS(reallocate_sparse, NULL, ""); }
