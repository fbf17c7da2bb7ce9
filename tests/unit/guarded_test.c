/* guarded: blocks each between two ranges without access. */
#include "cold/guarded.h"

#include <string.h>

#include "cold/limit.h"
#include "config/config.h"
#include "unit/forks.h"
#include "unit/guarded_blocks.h"

/* ---- blocks ---- */

static void every_size(void *unused) {
  (void)unused;
  unsigned fronts = 0;
  unsigned tried = 0; /* blocks that can lie at one side alone */
  for (size_t size = 1; size <= GUARDED_MAX; size += size < 300 ? 1 : 997) {
    for (size_t alignment = 8; alignment <= os_page_size(); alignment *= alignment < 64 ? 2 : 8) {
      char *block = allocate_aligned_to(size, alignment);
      ASSERT_NE(block, NULL);
      ASSERT_EQ((uintptr_t)block % alignment, 0);
      ASSERT_EQ(guarded_usable_size(block, "test"), size);
      ASSERT_TRUE(is_filled(block, size, 0));
      bool front = is_at_the_front(block);
      size_t to_end = -((uintptr_t)block + size) & (os_page_size() - 1);
      ASSERT_TRUE(front || to_end < alignment);
      fronts += front && to_end >= alignment;
      tried += (size & (os_page_size() - 1)) + alignment <= os_page_size();
      memset(block, 'x', size);
      ASSERT_TRUE(give(block));
    }
  }
  NOTE("%u of %u blocks begin at a guard", fronts, tried);
  EXPECT_GT(fronts, tried / 6);
  EXPECT_LT(fronts, tried / 3);
  EXPECT_EQ(guarded_live_count(), 0);
  EXPECT_EQ(guarded_live_bytes(), 0);
  EXPECT_EQ(guarded_counted_bytes(), table_bytes());
}

TEST(GuardedTest, BlocksOfEverySizeEndOrBeginAtAGuard) { EXPECT_FORKS(every_size, NULL); }

static void what_there_is_none_of(void *unused) {
  (void)unused;
  EXPECT_EQ(allocate(OS_ADDRESSABLE), NULL);
  EXPECT_EQ(allocate_aligned_to(16, OS_ADDRESSABLE), NULL);
  char *blocks[GUARDED_SMALL];
  for (unsigned i = 0; i < GUARDED_SMALL; i++) {
    blocks[i] = allocate(100);
    ASSERT_NE(blocks[i], NULL);
    memset(blocks[i], (int)i, 100);
  }
  EXPECT_EQ(allocate(100), NULL);
  EXPECT_EQ(guarded_live_count(), GUARDED_SMALL);
  EXPECT_EQ(guarded_live_bytes(), GUARDED_SMALL * 100);
  EXPECT_EQ(guarded_check(), GUARDED_SMALL);
  for (unsigned i = 0; i < GUARDED_SMALL; i++) {
    EXPECT_TRUE(is_filled(blocks[i], 100, (char)i));
    EXPECT_TRUE(give(blocks[i]));
  }
  EXPECT_NE(allocate(100), NULL);
}

TEST(GuardedTest, ThereAreAsManyAsSlots) { EXPECT_FORKS(what_there_is_none_of, NULL); }

static size_t slot_of(const char *block) { return (size_t)(block - guarded_table()->slots) / GUARDED_STRIDE; }

static void in_turn(void *unused) {
  (void)unused;
  size_t first = slot_of(allocate(10));
  char *second = allocate(10);
  size_t freed = slot_of(second);
  give(second);
  for (unsigned i = 2; i < GUARDED_SMALL; i++) {
    char *block = allocate(10);
    ASSERT_NE(slot_of(block), first);
    ASSERT_NE(slot_of(block), freed);
    ASSERT_TRUE(give(block)); /* freed later than the second */
  }
  EXPECT_EQ(slot_of(allocate(10)), freed);
}

TEST(GuardedTest, TheSlotThatHasBeenFreeForTheLongestTimeIsNext) { EXPECT_FORKS(in_turn, NULL); }

static void resident(void *unused) {
  (void)unused;
  size_t page = os_page_size();
  char *block = allocate(GUARDED_MAX);
  memset(block, 'x', GUARDED_MAX);
  char *start = guarded_table()->slots;
  size_t slots = (size_t)GUARDED_SMALL * GUARDED_STRIDE;
  EXPECT_EQ(unit_resident(start, slots), GUARDED_MAX);
  EXPECT_EQ(guarded_counted_bytes(), GUARDED_MAX + table_bytes());
  give(block);
  EXPECT_EQ(unit_resident(start, slots), 0);
  allocate(1);
  EXPECT_EQ(unit_resident(start, slots), page);
}

TEST(GuardedTest, WhatIsFreedIsNotResident) { EXPECT_FORKS(resident, NULL); }

static void limited(void *unused) {
  (void)unused;
  ASSERT_NE(allocate(1), NULL);
  size_t counted = counted_bytes();
  options.limit = (long)(counted + os_page_size());
  char *block = allocate(1);
  EXPECT_NE(block, NULL);
  EXPECT_EQ(counted_bytes(), counted + os_page_size());
  EXPECT_EQ(allocate(1), NULL);
  EXPECT_TRUE(give(block));
  EXPECT_EQ(counted_bytes(), counted);
  EXPECT_EQ(allocate(os_page_size() + 1), NULL);
  EXPECT_NE(allocate(os_page_size()), NULL);
}

TEST(GuardedTest, TheLimitCountsThem) { EXPECT_FORKS(limited, NULL); }

static void foreign(void *unused) {
  (void)unused;
  int here;
  EXPECT_FALSE(give(&here));
  EXPECT_EQ(guarded_usable_size(&here, "test"), GUARDED_FOREIGN);
  EXPECT_EQ(guarded_check(), 0);
  allocate(1);
  EXPECT_FALSE(give(&here));
  EXPECT_EQ(guarded_usable_size(&here, "test"), GUARDED_FOREIGN);
}

TEST(GuardedTest, WhatIsOutsideIsNotTheirs) { EXPECT_FORKS(foreign, NULL); }

/* ---- large blocks, and blocks of no bytes ---- */

static void large_of_every_size(void *unused) {
  (void)unused;
  for (size_t size = GUARDED_MAX + 1; size < (8 << 20); size += size / 7) {
    for (size_t alignment = 16; alignment <= (1 << 21); alignment *= 32) {
      char *block = allocate_aligned_to(size, alignment);
      ASSERT_NE(block, NULL);
      ASSERT_EQ((uintptr_t)block % alignment, 0);
      ASSERT_EQ(guarded_usable_size(block, "test"), size);
      size_t to_end = -((uintptr_t)block + size) & (os_page_size() - 1);
      ASSERT_TRUE(is_at_the_front(block) || to_end < alignment);
      ASSERT_TRUE(is_filled(block, size, 0));
      memset(block, 'x', size);
      EXPECT_EQ(guarded_counted_bytes(), os_page_ceil(size) + table_bytes());
      char *pages = block - (uintptr_t)block % os_page_size();
      ASSERT_TRUE(give(block));
      ASSERT_EQ(unit_resident(pages, os_page_ceil(size)), 0);
    }
  }
  EXPECT_EQ(guarded_live_count(), 0);
  EXPECT_EQ(guarded_live_bytes(), 0);
  EXPECT_EQ(guarded_counted_bytes(), table_bytes());
}

TEST(GuardedTest, LargeBlocksEndOrBeginAtAGuardToo) { EXPECT_FORKS(large_of_every_size, NULL); }

static void large_in_turn(void *unused) {
  (void)unused;
  enum { SIZE = 100000 };
  char *blocks[GUARDED_LARGE];
  for (unsigned i = 0; i < GUARDED_LARGE; i++) {
    blocks[i] = allocate(SIZE);
    ASSERT_NE(blocks[i], NULL);
  }
  EXPECT_EQ(allocate(SIZE), NULL);
  give(blocks[3]);
  give(blocks[5]);
  ASSERT_NE(allocate(SIZE), NULL); /* in place of the third */
  EXPECT_TRUE(guarded_holds(blocks[5]));
  EXPECT_GT(guarded_release(), SIZE);
  EXPECT_FALSE(guarded_holds(blocks[5]));
  EXPECT_EQ(guarded_release(), 0);
  EXPECT_NE(allocate(SIZE), NULL);
  EXPECT_EQ(guarded_check(), GUARDED_LARGE);
}

TEST(GuardedTest, FreedLargeBlocksKeepTheirAddressesForAWhile) { EXPECT_FORKS(large_in_turn, NULL); }

/* One of 100 GiB is more than all freed ones may keep: it keeps none, nor do they. */
static void addresses(void *unused) {
  (void)unused;
  char *small = allocate(100000);
  give(small);
  char *huge = allocate((size_t)100 << 30);
  if (huge == NULL) {
    SKIP("the system has not so many addresses");
  }
  EXPECT_TRUE(guarded_holds(huge));
  EXPECT_TRUE(guarded_holds(small));
  give(huge);
  EXPECT_FALSE(guarded_holds(small));
  EXPECT_FALSE(guarded_holds(huge));
}

TEST(GuardedTest, FreedLargeBlocksKeepABoundedRangeOfAddresses) { EXPECT_FORKS(addresses, NULL); }

static void none_left(void *unused) {
  (void)unused;
  char *first = allocate((size_t)3 << 20);
  ASSERT_NE(first, NULL);
  give(first);
  unit_limit_memory((size_t)4 << 20); /* with guards a large block takes more */
  EXPECT_NE(allocate((size_t)3 << 20), NULL);
  EXPECT_EQ(guarded_ranges, 1); /* in place of the first, or of its addresses */
  EXPECT_EQ(allocate((size_t)30 << 20), NULL);
  EXPECT_EQ(guarded_ranges, 1);
  EXPECT_NE(allocate(100), NULL);
}

TEST(GuardedTest, WhereAddressesAreShortFreedBlocksGiveTheirs) { EXPECT_FORKS(none_left, NULL); }

static void empty(void *unused) {
  (void)unused;
  char *first = allocate(0);
  char *second = allocate(0);
  EXPECT_NE(first, NULL);
  EXPECT_NE(second, first);
  EXPECT_EQ(guarded_usable_size(first, "test"), 0);
  EXPECT_EQ(guarded_counted_bytes(), table_bytes());
  EXPECT_EQ(guarded_check(), 2);
  EXPECT_TRUE(give(first));
  EXPECT_TRUE(give(second));
  EXPECT_EQ(guarded_live_count(), 0);
}

TEST(GuardedTest, ABlockOfNoBytesHasNoMemory) { EXPECT_FORKS(empty, NULL); }

static void settled(void *unused) {
  (void)unused;
  char *block = allocate(1000);
  memset(block, 'x', 1000);
  guarded_settle(block, 700);
  EXPECT_EQ(guarded_usable_size(block, "test"), 700);
  EXPECT_EQ(guarded_live_bytes(), 700);
  EXPECT_TRUE(is_filled(block, 700, 'x'));
  EXPECT_TRUE(give(block));
  EXPECT_EQ(guarded_live_bytes(), 0);
}

TEST(GuardedTest, OneThatServesASmallerSizeIsOfThatSize) { EXPECT_FORKS(settled, NULL); }

static void many(void *unused) {
  (void)unused;
  options.guard_every = 1;
  char *freed = allocate(10);
  give(freed);
  for (unsigned i = 1; i < GUARDED_SMALL_OF_ALL; i++) {
    char *block = allocate(10);
    ASSERT_NE(block, NULL);
    ASSERT_NE(block, freed);
    give(block);
  }
  EXPECT_EQ(slot_of(allocate(10)), slot_of(freed));
}

TEST(GuardedTest, WhereEveryBlockIsOneThereAreManySlots) { EXPECT_FORKS(many, NULL); }

/* ---- threads and forks ---- */

enum { THREADS = 8, ROUNDS = 400 };

static void churn(void *unused) {
  (void)unused;
  char *held[4] = {NULL};
  uint64_t seed = (uint64_t)os_thread_id();
  for (int i = 0; i < ROUNDS; i++) {
    char **one = &held[unit_below(&seed, 4)];
    size_t size = unit_below(&seed, 8) == 0 ? 33000 + unit_below(&seed, 100000) : unit_below(&seed, 6000);
    if (*one != NULL) {
      size_t had = guarded_usable_size(*one, "test");
      EXPECT_TRUE(is_filled(*one, had, (char)(uintptr_t)*one >> 3 | 1));
      EXPECT_TRUE(give(*one));
    }
    *one = allocate(size);
    if (*one != NULL) {
      memset(*one, (char)(uintptr_t)*one >> 3 | 1, size);
    }
  }
  for (int i = 0; i < 4; i++) {
    EXPECT_TRUE(held[i] == NULL || give(held[i]));
  }
}

static void churn_on_threads(void *unused) {
  struct unit_thread threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    unit_start(&threads[i], churn, unused);
  }
  for (int i = 0; i < 20; i++) {
    EXPECT_FORKS(churn, NULL); /* whatever the others are at */
    guarded_check();
  }
  for (int i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_EQ(guarded_live_count(), 0);
  EXPECT_EQ(guarded_counted_bytes(), table_bytes());
}

TEST(GuardedTest, ThreadsAndChildrenUseThemAtOnce) {
  SKIP_WITHOUT_FORKS;
  EXPECT_RUNS(churn_on_threads, NULL, "");
}
