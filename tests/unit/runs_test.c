/* runs: large blocks that a thread has freed, cut and joined for its next ones. */
#include "warm/runs.h"

#include "cold/large.h"
#include "unit/unit.h"

enum { BLOCK_UNITS = RUN_UNITS_MAX, CUT_FROM = 6 };

/* A run as a freed large block leaves it. */
static struct slab *run_of(unsigned units) {
  bool zeroed;
  void *block = large_allocate((size_t)units * UNIT_BYTES, &zeroed);
  return block == NULL ? NULL : large_end(block);
}

static size_t bytes_of(unsigned units) { return (size_t)units * UNIT_BYTES; }

static void expect_run(const struct slab *run, unsigned unit, unsigned units) {
  EXPECT_EQ(run->unit, unit);
  EXPECT_EQ(run->units, units);
  EXPECT_EQ(run->dirty, units);
  for (unsigned i = unit; i < unit + units; i++) {
    EXPECT_EQ(superslab_of_slab(run)->head[i], unit);
  }
}

TEST(RunsTest, AnEmptyOneHasNone) {
  struct runs runs = {0};
  EXPECT_EQ(runs_take(&runs, 1), NULL);
  runs_flush(&runs);
}

TEST(RunsTest, ALongerRunIsCut) {
  struct runs runs = {0};
  struct slab *whole = run_of(BLOCK_UNITS);
  ASSERT_NE(whole, NULL);
  unsigned unit = whole->unit;
  size_t taken = pool_units().active;
  runs_give(&runs, whole, SIZE_MAX);
  EXPECT_EQ(runs_take(&runs, CUT_FROM - 1), NULL); /* too short a part of it */
  struct slab *cut = runs_take(&runs, CUT_FROM);
  EXPECT_EQ(cut, whole);
  expect_run(cut, unit, CUT_FROM);
  EXPECT_EQ(runs_count(&runs), 1);
  EXPECT_EQ(runs.bytes, bytes_of(BLOCK_UNITS - CUT_FROM));
  expect_run(runs.run[0], unit + CUT_FROM, BLOCK_UNITS - CUT_FROM);
  EXPECT_EQ(runs_take(&runs, BLOCK_UNITS), NULL);
  EXPECT_EQ(pool_units().active, taken); /* the shared pool was not asked */
  pool_give(cut);
  runs_flush(&runs);
  EXPECT_EQ(taken - pool_units().active, BLOCK_UNITS);
  EXPECT_TRUE(pool_is_valid());
}

/* Cut into three, and given back in each of the six orders. */
TEST(RunsTest, NeighboursBecomeOneRunAgain) {
  static const unsigned char orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
    NOTE("order %zu", i);
    struct runs runs = {0};
    struct slab *whole = run_of(BLOCK_UNITS);
    ASSERT_NE(whole, NULL);
    unsigned unit = whole->unit;
    struct slab *last = superslab_split(whole, 5);
    struct slab *parts[] = {whole, superslab_split(whole, 2), last};
    for (size_t j = 0; j < 3; j++) {
      runs_give(&runs, parts[orders[i][j]], SIZE_MAX);
    }
    EXPECT_EQ(runs_count(&runs), 1);
    EXPECT_EQ(runs.bytes, bytes_of(BLOCK_UNITS));
    expect_run(runs.run[0], unit, BLOCK_UNITS);
    runs_flush(&runs);
  }
  EXPECT_TRUE(pool_is_valid());
}

TEST(RunsTest, TheShortestThatIsLongEnoughServes) {
  struct runs runs = {0};
  struct slab *one[] = {run_of(8), run_of(1), run_of(5), run_of(1), run_of(6)}; /* those of one unit keep them apart */
  for (size_t i = 0; i < 5; i += 2) {
    ASSERT_NE(one[i], NULL);
    runs_give(&runs, one[i], SIZE_MAX);
  }
  struct slab *five = runs_take(&runs, 4);
  EXPECT_EQ(five, one[2]);
  struct slab *exact = runs_take(&runs, 6);
  EXPECT_EQ(exact, one[4]);
  pool_give(five);
  pool_give(exact);
  pool_give(one[1]);
  pool_give(one[3]);
  runs_flush(&runs);
}

TEST(RunsTest, TheOldestGoesFirst) {
  struct runs runs = {0};
  struct slab *apart[3];
  for (size_t i = 0; i < 3; i++) {
    struct slab *run = run_of(4);
    apart[i] = run_of(1);
    ASSERT_NE(run, NULL);
    runs_give(&runs, run, bytes_of(8));
  }
  EXPECT_EQ(runs_count(&runs), 2);
  EXPECT_EQ(runs.bytes, bytes_of(8));
  struct slab *seven = run_of(7);
  runs_give(&runs, seven, bytes_of(8));
  EXPECT_EQ(runs_count(&runs), 1);
  EXPECT_EQ(runs.run[0], seven);
  runs_flush(&runs);
  for (size_t i = 0; i < 3; i++) {
    pool_give(apart[i]);
  }
}

/* Those that are here stay. */
TEST(RunsTest, WhatIsLongerGoesToThePool) {
  struct runs runs = {0};
  struct slab *run = run_of(2);
  struct slab *apart = run_of(1);
  struct slab *much = run_of(4);
  struct slab *large = run_of(RUN_UNITS_MAX + 1);
  size_t active = pool_units().active;
  runs_give(&runs, run, bytes_of(3));
  runs_give(&runs, much, bytes_of(3));
  runs_give(&runs, large, SIZE_MAX);
  EXPECT_EQ(runs_count(&runs), 1);
  EXPECT_EQ(runs.run[0], run);
  EXPECT_EQ(active - pool_units().active, 4 + RUN_UNITS_MAX + 1);
  pool_give(apart);
  runs_flush(&runs);
}

/* So does what has become too long. */
TEST(RunsTest, NeighboursThatAreLongTogetherGoToThePool) {
  struct runs runs = {0};
  struct slab *whole = run_of(RUN_UNITS_MAX + 1);
  size_t active = pool_units().active;
  struct slab *rest = superslab_split(whole, RUN_UNITS_MAX);
  runs_give(&runs, rest, SIZE_MAX);
  EXPECT_EQ(runs_count(&runs), 1);
  runs_give(&runs, whole, SIZE_MAX);
  EXPECT_EQ(runs_count(&runs), 0);
  EXPECT_EQ(active - pool_units().active, RUN_UNITS_MAX + 1);
  EXPECT_TRUE(pool_is_valid());
}

/* Runs that are no neighbours; the runs hold `most` of them at most. */
static void expect_no_more_than(struct runs *runs, unsigned most) {
  struct slab *apart[RUNS_MAX + 1];
  for (size_t i = 0; i < RUNS_MAX + 1; i++) {
    struct slab *run = run_of(2);
    apart[i] = run_of(1);
    ASSERT_NE(run, NULL);
    runs_give(runs, run, SIZE_MAX);
  }
  EXPECT_EQ(runs_count(runs), most);
  for (size_t i = 0; i < RUNS_MAX + 1; i++) {
    pool_give(apart[i]);
  }
  runs_flush(runs);
  EXPECT_TRUE(pool_is_valid());
}

static void ask(struct runs *runs, unsigned lengths, unsigned times) {
  for (unsigned i = 0; i < times; i++) {
    runs_asked(runs, (1 + i % lengths) * UNIT_BYTES);
  }
}

TEST(RunsTest, ThereAreNoMoreThanItHasRoomFor) {
  struct runs runs = {0};
  expect_no_more_than(&runs, RUNS_MAX_MIXED);
  ask(&runs, 3, 16);
  expect_no_more_than(&runs, RUNS_MAX);
}

TEST(RunsTest, TheyRepeatWhereFewLengthsWereAskedFor) {
  struct runs runs = {0};
  ask(&runs, 1, 7);
  EXPECT_FALSE(runs_repeat(&runs) || runs_are_mixed(&runs)); /* too few to tell */
  ask(&runs, 3, 9);
  EXPECT_TRUE(runs_repeat(&runs) && !runs_are_mixed(&runs));
  runs_asked(&runs, LARGE_MAX);
  EXPECT_TRUE(!runs_repeat(&runs) && runs_are_mixed(&runs)); /* one of another length */
  ask(&runs, 3, 16);
  EXPECT_TRUE(runs_repeat(&runs)); /* was long ago */
}

/* Up to 128 KiB by the page, however many units they take. */
TEST(RunsTest, LengthsOfAsManyUnitsAreToldApart) {
  struct runs runs = {0};
  for (size_t i = 0; i < 16; i++) {
    runs_asked(&runs, 40000 + i % 4 * os_page_size());
  }
  EXPECT_TRUE(runs_are_mixed(&runs) == (os_page_size() < UNIT_BYTES / 8));
  for (size_t i = 0; i < 16; i++) {
    runs_asked(&runs, LARGE_FRESH_MAX + 1 + i % 4 * os_page_size());
  }
  EXPECT_TRUE(runs_repeat(&runs));
}

/* What repeats is not joined, however long it is. */
TEST(RunsTest, NeighboursStayApartWhileTheyRepeat) {
  struct runs runs = {0};
  runs_asked(&runs, (RUN_UNITS_MAX + 1) * (size_t)UNIT_BYTES);
  ask(&runs, 2, 8);
  ASSERT_TRUE(runs_repeat(&runs));
  struct slab *whole = run_of(RUN_UNITS_MAX + 3);
  ASSERT_NE(whole, NULL);
  struct slab *rest = superslab_split(whole, RUN_UNITS_MAX + 1);
  size_t active = pool_units().active;
  runs_give(&runs, whole, SIZE_MAX);
  runs_give(&runs, rest, SIZE_MAX);
  EXPECT_EQ(runs_count(&runs), 2);
  EXPECT_EQ(runs_take(&runs, RUN_UNITS_MAX + 1), whole);
  EXPECT_EQ(runs_take(&runs, 2), rest);
  EXPECT_EQ(pool_units().active, active);
  pool_give(whole);
  pool_give(rest);
  EXPECT_TRUE(pool_is_valid());
}
