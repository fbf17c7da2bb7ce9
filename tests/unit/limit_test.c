/* limit: the count of what may be resident, in the place of all boxes that report it, and by all of them. */
#include "cold/limit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"
#include "hakmem.h"
#include "unit/heaps.h"
#include "warm/bounds.h"
#include "warm/relief.h"
#include "warm/tally.h"

/* ---- the count alone ---- */

static void keep_to_it(void *unused) {
  (void)unused;
  size_t before = counted_bytes();
  options.limit = (long)(before + 10 * MIB);
  EXPECT_TRUE(limit_charge(6 * MIB));
  EXPECT_FALSE(limit_charge(4 * MIB + 1));
  EXPECT_EQ(counted_bytes(), before + 6 * MIB);
  EXPECT_TRUE(limit_charge(4 * MIB));
  EXPECT_TRUE(limit_charge(0));
  EXPECT_FALSE(limit_charge(1));
  EXPECT_FALSE(limit_charge(SIZE_MAX));
  limit_charge_anyway(MIB); /* beyond it: nothing more until it is kept again */
  EXPECT_TRUE(limit_charge(0));
  limit_uncharge(MIB);
  EXPECT_FALSE(limit_charge(1));
  limit_uncharge(1);
  EXPECT_TRUE(limit_charge(1));
  EXPECT_TRUE(limit_has_room_for(before + 10 * MIB));
  EXPECT_FALSE(limit_has_room_for(before + 10 * MIB + 1));
  limit_uncharge(10 * MIB);
  options.limit = 0;
  EXPECT_TRUE(limit_charge(MIB));
  limit_uncharge(MIB);
}

TEST(LimitTest, ItIsReachedAndNotPassed) { EXPECT_RUNS(keep_to_it, NULL, ""); }

enum { RACERS = 8, RACES = 20000 };

static atomic_size_t beyond;

static void race(void *unused) {
  (void)unused;
  for (int i = 0; i < RACES; i++) {
    bool charged = limit_charge(4096);
    atomic_fetch_add(&beyond, counted_bytes() > (size_t)options.limit);
    if (charged) {
      limit_uncharge(4096);
    }
  }
}

static void race_all(void *unused) {
  (void)unused;
  static struct unit_thread racer[RACERS];
  size_t before = counted_bytes();
  options.limit = (long)(before + RACERS / 2 * 4096);
  for (int i = 0; i < RACERS; i++) {
    unit_start(&racer[i], race, NULL);
  }
  for (int i = 0; i < RACERS; i++) {
    unit_join(&racer[i]);
  }
  EXPECT_EQ(beyond, 0);
  EXPECT_EQ(counted_bytes(), before);
}

TEST(LimitTest, ThreadsDoNotPassItTogether) { EXPECT_RUNS(race_all, NULL, ""); }

static void press(void *unused) {
  (void)unused;
  size_t before = counted_bytes();
  size_t soft = before + 128 * MIB;
  options.limit_soft = (long)soft;
  EXPECT_TRUE(limit_charge(128 * MIB));
  EXPECT_EQ(limit_pressure_now(), 0);
  EXPECT_TRUE(limit_charge(1));
  EXPECT_EQ(limit_pressure_now(), 1);
  EXPECT_EQ(residency_budget(), 0);
  EXPECT_TRUE(limit_charge(soft / 128 * 3));
  EXPECT_EQ(limit_pressure_now(), 3);
  limit_uncharge(soft / 128 * 3 + 1);
  EXPECT_EQ(limit_pressure_now(), 1); /* until there is some room again */
  limit_uncharge(soft / 32);
  EXPECT_EQ(limit_pressure_now(), 0);
  EXPECT_NE(residency_budget(), 0);
  limit_uncharge(128 * MIB - soft / 32);
  EXPECT_EQ(counted_bytes(), before);
}

TEST(LimitTest, PressureRisesByTheHundredthAndFallsWithSomeRoom) { EXPECT_RUNS(press, NULL, ""); }

/* ---- a large block that would pass the soft limit ---- */

enum { CACHED = 4 * MIB / 1024 };

/* What the thread has freed, and not the block, goes beyond the limit otherwise. */
static void take_where_blocks_are_cached(void *bytes) {
  size_t large = *(size_t *)bytes;
  static void *blocks[CACHED];
  for (size_t i = 0; i < CACHED; i++) {
    blocks[i] = hak_malloc(1024);
  }
  for (size_t i = 0; i < CACHED; i++) { /* but for one of each slab */
    if (i % 64 != 0) {
      hak_free(blocks[i]);
    }
  }
  size_t soft = counted_bytes() + large / 2;
  options.limit_soft = (long)soft;
  void *block = hak_malloc(large);
  EXPECT_NE(block, NULL);
  EXPECT_LE(counted_bytes(), soft);
  EXPECT_EQ(counted_bytes(), tally_counted_bytes());
  hak_free(block);
  options.limit_soft = 0;
}

TEST(LimitTest, WhatIsCachedGoesBackBeforeALargeBlockPassesTheSoftOne) {
  size_t large = MIB, huge = 3 * MIB;
  EXPECT_RUNS(take_where_blocks_are_cached, &large, "");
  EXPECT_RUNS(take_where_blocks_are_cached, &huge, "");
}

/* ---- the count by all boxes ---- */

enum { BLOCKS = 4000, STEPS = UNIT_THREAD_SANITIZED ? 6000 : 60000, FEW_STEPS = 4000 };

static atomic_int steps = STEPS;

static size_t some_size(uint64_t *state) {
  size_t bits = unit_below(state, 23);
  return ((size_t)1 << bits) + unit_below(state, (size_t)1 << bits);
}

static void work(void *seed) {
  uint64_t state = *(uint64_t *)seed;
  void **blocks = hak_calloc(BLOCKS, sizeof *blocks);
  for (int i = 0; i < steps && blocks != NULL; i++) {
    void **place = &blocks[unit_below(&state, BLOCKS)];
    size_t size = some_size(&state);
    if (*place != NULL && unit_below(&state, 8) == 0) {
      void *moved = hak_realloc(*place, size);
      *place = moved != NULL ? moved : *place;
    } else {
      hak_free(*place);
      *place = size < MIB || unit_below(&state, 64) == 0 ? hak_malloc(size) : NULL;
    }
    if (i % 20000 == 0) {
      hak_collect();
    }
  }
  for (int i = 0; i < BLOCKS && blocks != NULL; i += 1 + (int)unit_below(&state, 2)) {
    hak_free(blocks[i]);
    blocks[i] = NULL;
  }
}

static void expect_true_count(const char *when) {
  NOTE("%s", when);
  EXPECT_EQ(counted_bytes(), tally_counted_bytes());
}

static void count_alone(void *limit) {
  uint64_t seed = unit_seed();
  options.limit = (long)(uintptr_t)limit;
  work(&seed);
  expect_true_count("after work");
  hak_collect();
  expect_true_count("after hak_collect");
}

TEST(LimitTest, TheCountIsWhatIsThere) { EXPECT_RUNS(count_alone, NULL, ""); }
TEST(LimitTest, TheCountIsWhatIsThereAtALimit) {
  EXPECT_RUNS(count_alone, (void *)(uintptr_t)(12 * MIB), "");
  EXPECT_RUNS(count_alone, (void *)(uintptr_t)(40 * MIB), "");
}

enum { WORKERS = 4 };

static void count_threads(void *limit) {
  static struct unit_thread worker[WORKERS];
  static uint64_t seeds[WORKERS];
  uint64_t seed = unit_seed();
  options.limit = (long)(uintptr_t)limit;
  for (int i = 0; i < WORKERS; i++) {
    seeds[i] = unit_random(&seed);
    unit_start(&worker[i], work, &seeds[i]);
  }
  for (int i = 0; i < WORKERS; i++) {
    unit_join(&worker[i]);
  }
  expect_true_count("after the threads' end");
  hak_collect();
  expect_true_count("after hak_collect");
}

TEST(LimitTest, TheCountIsWhatIsThereAfterThreads) {
  EXPECT_RUNS(count_threads, NULL, "");
  EXPECT_RUNS(count_threads, (void *)(uintptr_t)(64 * MIB), "");
}

/* ---- fork ---- */

static void expect_own_count(void *seed) {
  expect_true_count("in the child");
  steps = FEW_STEPS;
  work(seed);
  expect_true_count("in the child, after work");
}

static atomic_bool done;

static void work_on(void *seed) {
  steps = FEW_STEPS;
  while (!done) {
    work(seed);
  }
}

static void fork_beside_threads(void *unused) {
  (void)unused;
  static struct unit_thread worker[WORKERS];
  static uint64_t seeds[WORKERS];
  uint64_t seed = unit_seed();
  for (int i = 0; i < WORKERS; i++) {
    seeds[i] = unit_random(&seed);
    unit_start(&worker[i], work_on, &seeds[i]);
  }
  for (int i = 0; i < 10; i++) {
    hak_free(hak_malloc(100));
    EXPECT_FORKS(expect_own_count, &seed);
  }
  done = true;
  for (int i = 0; i < WORKERS; i++) {
    unit_join(&worker[i]);
  }
}

TEST(LimitTest, AChildCountsAnew) {
  if (UNIT_SANITIZED) {
    SKIP("no threads beside fork() under a sanitizer");
  }
  EXPECT_RUNS(fork_beside_threads, NULL, "");
}

/* ---- the hard limit ---- */

static void *refused_block(size_t size) {
  errno = UNTOUCHED_ERRNO;
  void *block = hak_malloc(size);
  EXPECT_TRUE((block == NULL) == (errno == ENOMEM));
  return block;
}

/* Allocates until it is refused; the blocks, of `usable` bytes together, are linked by their first word. */
static void *fill_up(size_t size, size_t *usable) {
  void *last = NULL;
  void *block;
  for (*usable = 0; (block = refused_block(size)) != NULL; *usable += hak_usable_size(block)) {
    memset(block, 0x5A, size);
    *(void **)block = last;
    last = block;
    EXPECT_TRUE(counted_bytes() <= (size_t)options.limit);
  }
  return last;
}

static void empty(void *last) {
  while (last != NULL) {
    void *next = *(void **)last;
    hak_free(last);
    last = next;
  }
}

static void refuse_and_go_on(void *unused) {
  (void)unused;
  static const size_t sizes[] = {16, 200, 3000, 30000, 70000, 600000, 3 * MIB, 40, 5 * MIB, 1000};
  EXPECT_EQ(bounds_set(0, 24 * MIB), 0);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    size_t usable;
    NOTE("size %zu", sizes[i]);
    void *last = fill_up(sizes[i], &usable);
    EXPECT_GE(usable, 24 * MIB / 2); /* what the sizes before have left is no loss */
    expect_true_count("when refused");
    empty(last);
    expect_true_count("when freed");
  }
}

TEST(LimitTest, WhatIsFreedServesOtherSizes) { EXPECT_RUNS(refuse_and_go_on, NULL, ""); }

static void refuse_large(void *unused) {
  (void)unused;
  void *kept = hak_malloc(3 * MIB); /* retained when it is freed */
  hak_free(kept);
  EXPECT_EQ(bounds_set(0, 64 * MIB), 0);
  hak_free(hak_malloc(3 * MIB));
  size_t retained = retained_bytes();
  EXPECT_TRUE(refused_block(65 * MIB) == NULL);
  EXPECT_EQ(retained_bytes(), retained);
}

TEST(LimitTest, WhatIsLargerThanItGivesNothingBack) { EXPECT_RUNS(refuse_large, NULL, ""); }

static void set_below(void *unused) {
  (void)unused;
  size_t usable;
  EXPECT_EQ(bounds_set(0, 48 * MIB), 0);
  void *last = fill_up(1000, &usable);
  EXPECT_EQ(bounds_set(0, 8 * MIB), 0);
  EXPECT_TRUE(counted_bytes() > 8 * MIB);
  while (refused_block(1000) != NULL) { /* of pages that are used in part */
  }
  EXPECT_TRUE(refused_block(100000) == NULL);
  empty(last);
  hak_collect();
  EXPECT_TRUE(counted_bytes() <= 8 * MIB);
  void *again = refused_block(100000);
  EXPECT_TRUE(again != NULL);
  EXPECT_EQ(bounds_set(0, 0), 0);
  EXPECT_TRUE(refused_block(100 * MIB) != NULL);
}

TEST(LimitTest, BelowWhatIsCountedNothingIsGivenUntilLessIs) { EXPECT_RUNS(set_below, NULL, ""); }

static bool none_is_dense(void) {
  const struct superslab *superslab = NULL;
  while ((superslab = superslab_next(superslab)) != NULL && !superslab->dense) {
  }
  return superslab == NULL;
}

static void no_huge_pages(void *unused) {
  (void)unused;
  EXPECT_EQ(option_set("thp", thp_always), 0);
  for (int i = 0; i < 40000; i++) {
    memset(hak_malloc(1000), 1, 1000);
  }
  EXPECT_EQ(bounds_set(0, GIB), 0);
  EXPECT_TRUE(none_is_dense());
  expect_true_count("when no longer dense");
  for (int i = 0; i < 40000; i++) {
    memset(hak_malloc(1000), 1, 1000);
  }
  EXPECT_TRUE(none_is_dense());
  expect_true_count("at the end");
}

TEST(LimitTest, SuperslabsAreNotDenseWhileThereIsOne) { EXPECT_RUNS(no_huge_pages, NULL, ""); }

/* ---- the soft limit ---- */

static void press_a_thread(void *unused) {
  (void)unused;
  enum { SOFT = 32 * MIB, COUNT = 28 * 1024 };
  static void *blocks[COUNT];
  EXPECT_EQ(bounds_set(SOFT, 0), 0);
  uint64_t seed = unit_seed();
  size_t most = 0;
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < COUNT; i++) { /* some 24 MiB live, of changing sizes */
      hak_free(blocks[i]);
      blocks[i] = hak_malloc(200 + unit_below(&seed, 1200));
      most = counted_bytes() > most ? counted_bytes() : most;
    }
  }
  NOTE("at most %zu", most);
  EXPECT_LE(most, SOFT + SOFT / 50);
  /* What lives may pass it; nothing is retained or cached then. */
  void *large = hak_malloc(2 * SOFT);
  hak_free(hak_malloc(3 * MIB));
  hak_free(hak_malloc(MIB));
  EXPECT_EQ(retained_bytes(), 0);
  for (int i = 0; i < COUNT; i++) {
    hak_free(blocks[i]);
  }
  hak_free(hak_malloc(100));
  EXPECT_EQ(thread_cache.heap->depot.bytes, 0);
  EXPECT_LE(counted_bytes(), 2 * SOFT + 2 * MIB);
  hak_free(large);
  EXPECT_LE(counted_bytes(), 4 * MIB);
}

TEST(LimitTest, AboveTheSoftOneNothingFreeIsKept) { EXPECT_RUNS(press_a_thread, NULL, ""); }
