/* superslab_find: the superslab to take from is found at once, or cut, or mapped again. Each test in a process of its own,
 * where the pool holds little else; the pool's own functions bring superslabs into the states that are wanted. */
#include "cold/superslab_find.h"

#include <string.h>

#include "cold/pool_purge.h"
#include "cold/residency.h"
#include "os/system.h"
#include "unit/advice.h"
#include "unit/clock.h"
#include "unit/pool_units.h"
#include "unit/unit.h"

static struct superslab *find(unsigned units, enum use use) {
  pool_lock(0);
  struct superslab *found = find_superslab(0, units, use).superslab;
  pool_unlock(0);
  return found;
}

static void find_room(void *unused) {
  (void)unused;
  retain_all();
  struct superslab *open = make(20);
  struct superslab *draining = make(4);
  struct superslab *whole = make(0);
  pool_lock(0);
  struct superslab *one = find_superslab(0, 1, USE_WHOLE).superslab;
  struct superslab *some = find_superslab(0, 12, USE_PARTS).superslab;
  struct superslab *more = find_superslab(0, 28, USE_WHOLE).superslab;
  struct superslab *all = find_superslab(0, ALL, USE_WHOLE).superslab;
  struct superslab *first_free = lists_find_whole(0, TIER_FREE);
  struct superslab *first_open = lists_find_whole(0, TIER_DRAINING);
  pool_unlock(0);
  EXPECT_EQ(one, open);
  EXPECT_TRUE(superslab_longest_run(some, RUN_FREE) >= 12 && some->tier == TIER_OPEN);
  EXPECT_TRUE(more == draining || more->tier == TIER_OPEN);
  EXPECT_EQ(all, whole);
  EXPECT_EQ(first_free, whole);
  EXPECT_EQ(first_open, NULL);
}

TEST(SuperslabFindTest, FindsRoom) { EXPECT_RUNS(find_room, NULL, ""); }

static void find_changed(void *unused) {
  (void)unused;
  retain_all();
  fill_what_is_there();
  struct superslab *first = make(20);
  struct superslab *second = make(20);
  EXPECT_EQ(find(12, USE_PARTS), second);
  pool_lock(0);
  lists_place(first, false);
  pool_unlock(0);
  EXPECT_EQ(find(12, USE_PARTS), first);
}

TEST(SuperslabFindTest, OfTwoWhoseRunsAreAsLongTheOneThatChangedLast) { EXPECT_RUNS(find_changed, NULL, ""); }

/* ---- in huge pages or not ---- */

/* A superslab for slabs of one unit, after all those that there are. */
static bool next_is_dense(void) {
  struct slab *slab = pool_take(1, USE_WHOLE);
  bool dense = superslab_of_slab(slab)->dense;
  EXPECT_NE(pool_take(ALL - 1, USE_PARTS), NULL);
  return dense;
}

static void ask_always(void *unused) {
  (void)unused;
  struct superslab *first = superslab_of_slab(pool_take(1, USE_WHOLE));
  EXPECT_FALSE(first->dense);
  fill_what_is_there();
  EXPECT_FALSE(next_is_dense());
  EXPECT_EQ(option_set("thp", thp_always), 0);
  EXPECT_TRUE(next_is_dense());
  EXPECT_EQ(told_huge, pool_figures().superslabs / 2 * SUPERSLAB_BYTES); /* with what is ahead */
  EXPECT_EQ(option_set("thp", thp_never), 0);
  EXPECT_FALSE(next_is_dense());
}

TEST(SuperslabFindTest, HugePagesAreAskedForAtOnceWhereTheyAlwaysAre) { EXPECT_RUNS(ask_always, NULL, ""); }

/* Units of superslabs in huge pages that no block has are resident: beyond an eighth of what there is no more come so. */
static void leave_units_unused(void *unused) {
  (void)unused;
  for (int i = 0; i < 16; i++) {
    EXPECT_NE(pool_take(ALL, USE_PARTS), NULL);
  }
  fill_what_is_there();
  EXPECT_TRUE(next_is_dense());
  size_t dense = 0;
  for (int i = 0; i < 40; i++) {
    struct slab *slab = pool_take_large(ALL - 12, USE_WHOLE); /* what it leaves is too short for the next */
    dense += superslab_is_dense(superslab_of_slab(slab));
  }
  size_t cut = pool_figures().superslabs;
  EXPECT_GE(dense, 1);
  EXPECT_LE(dense * 12, cut * SUPERSLAB_UNITS / 8 + 12);
}

TEST(SuperslabFindTest, FewUnitsInHugePagesAreUnused) { EXPECT_RUNS(leave_units_unused, NULL, ""); }

static void let_pass(long milliseconds) {
  struct timespec now;
  look_takes = milliseconds * 1000000;
  clock_gettime(CLOCK_MONOTONIC, &now);
  look_takes = 0;
}

/* How many superslabs there are when the first comes in huge pages, with it, where one is added so often. */
static size_t count_until_dense(long milliseconds) {
  fill_what_is_there();
  do {
    let_pass(milliseconds);
  } while (!next_is_dense());
  return pool_figures().superslabs;
}

static void grow_fast(void *unused) {
  (void)unused;
  EXPECT_EQ(count_until_dense(4), 8);
}

static void grow_slowly(void *unused) {
  (void)unused;
  EXPECT_EQ(count_until_dense(5), 16);
}

/* It was growing fast when there were few. */
static void grow_again(void *unused) {
  (void)unused;
  fill_what_is_there();
  while (pool_figures().superslabs < 7) {
    EXPECT_FALSE(next_is_dense());
  }
  let_pass(17);
  for (int i = 0; i < 4; i++) {
    EXPECT_FALSE(next_is_dense());
  }
  EXPECT_TRUE(next_is_dense());
}

TEST(SuperslabFindTest, AHeapThatGrowsFastComesInHugePagesEarlier) {
  EXPECT_RUNS(grow_fast, NULL, "");
  EXPECT_RUNS(grow_slowly, NULL, "");
  EXPECT_RUNS(grow_again, NULL, "");
}

static void ask_for_the_first(void *unused) {
  (void)unused;
  EXPECT_EQ(option_set("thp", thp_always), 0);
  EXPECT_FALSE(superslab_of_slab(pool_take(1, USE_WHOLE))->dense);
  EXPECT_EQ(told_huge, 0);
}

TEST(SuperslabFindTest, TheFirstSuperslabIsNeverInHugePagesAtOnce) { EXPECT_RUNS(ask_for_the_first, NULL, ""); }

static void find_by_use(void *unused) {
  (void)unused;
  retain_all();
  fill_what_is_there();
  struct superslab *small = make_dense(10, false);
  struct superslab *huge = make_dense(12, true);
  EXPECT_EQ(told_huge, SUPERSLAB_BYTES);
  pool_purge(SIZE_MAX); /* else what is resident comes first; and what is purged in part is not dense any more */
  EXPECT_FALSE(huge->dense);
  EXPECT_EQ(told_small, 1);
  pool_lock(0);
  superslab_set_dense(huge, true);
  lists_place(huge, false);
  bool valid = lists_are_valid(0);
  pool_unlock(0);
  EXPECT_TRUE(valid);
  /* Of both that fit, the one for that use; the fit comes second. */
  EXPECT_EQ(find(9, USE_WHOLE), huge);
  EXPECT_EQ(find(9, USE_PARTS), small);
  EXPECT_EQ(find(9, USE_SMALL), small);
  /* Where one fits, that one, but for what must not lie in huge pages. */
  EXPECT_EQ(find(11, USE_WHOLE), huge);
  EXPECT_EQ(find(11, USE_PARTS), huge);
  struct superslab *other = find(11, USE_SMALL);
  EXPECT_NE(other, huge);
  EXPECT_FALSE(other->dense);
  huge->dense = false; /* in the wrong bins */
  EXPECT_FALSE(pool_is_valid());
  huge->dense = true;
  EXPECT_TRUE(pool_is_valid());
}

TEST(SuperslabFindTest, DenseOnesServeWhatIsUsedWhole) { EXPECT_RUNS(find_by_use, NULL, ""); }

/* An OPEN one of the other kind comes before a DRAINING one. */
static void find_by_tier_first(void *unused) {
  (void)unused;
  retain_all();
  fill_what_is_there();
  struct superslab *open = make_dense(10, false);
  struct superslab *draining = make_dense(28, true);
  EXPECT_EQ(open->tier, TIER_OPEN);
  EXPECT_EQ(draining->tier, TIER_DRAINING);
  EXPECT_EQ(find(9, USE_WHOLE), open);
  EXPECT_EQ(find(11, USE_WHOLE), draining);
}

TEST(SuperslabFindTest, TheTierComesBeforeTheUse) { EXPECT_RUNS(find_by_tier_first, NULL, ""); }

/* `more` bytes are in use elsewhere when one of two that were purged whole is taken again. */
static struct superslab *take_again(size_t more) {
  retain_all();
  fill_what_is_there();
  struct slab *one = pool_take(ALL, USE_PARTS), *other = pool_take(ALL, USE_PARTS);
  give(one);
  give(other);
  EXPECT_EQ(pool_purge(SIZE_MAX), 2 * SUPERSLAB_BYTES);
  residency_activate(HOLDER_HUGE, more, 0);
  return find(1, USE_WHOLE);
}

static void grow_to_the_peak(void *unused) {
  (void)unused;
  EXPECT_TRUE(take_again(SUPERSLAB_BYTES)->dense);
}

static void grow_beyond_it(void *unused) {
  (void)unused;
  EXPECT_FALSE(take_again(SUPERSLAB_BYTES + OS_HUGE_PAGE / 2)->dense); /* of that one, half would stay unused */
}

TEST(SuperslabFindTest, WhatIsUsedAgainIsDenseUpToThePeak) {
  EXPECT_RUNS(grow_to_the_peak, NULL, "");
  EXPECT_RUNS(grow_beyond_it, NULL, "");
}

/* Of two with a run that fits, the one whose run is resident, though the other's fits better, or is in a better tier. */
static void find_resident_first(void *unused) {
  (void)unused;
  retain_all();
  fill_what_is_there();
  struct superslab *purged = make(20);
  pool_purge(SIZE_MAX);
  struct superslab *resident = make(4);
  EXPECT_EQ(resident->tier, TIER_DRAINING);
  EXPECT_EQ(find(12, USE_PARTS), resident);
  EXPECT_EQ(find(1, USE_WHOLE), resident);
  struct slab *slab = pool_take(28, USE_PARTS);
  EXPECT_EQ(superslab_of_slab(slab), resident);
  EXPECT_EQ(find(12, USE_PARTS), purged);
}

TEST(SuperslabFindTest, WhatIsResidentComesFirst) { EXPECT_RUNS(find_resident_first, NULL, ""); }

/* ---- mapped again ---- */

static void map_again(void *unused) {
  (void)unused;
  retain_all();
  struct superslab *superslab = make(0);
  size_t superslabs = pool_figures().superslabs;
  EXPECT_GE(pool_unmap(), SUPERSLAB_BYTES);
  EXPECT_TRUE(superslab->unmapped);
  EXPECT_EQ(pool_figures().superslabs, superslabs);
  size_t small = told_small;
  struct slab *slab = pool_take(ALL, USE_PARTS);
  EXPECT_EQ(superslab_of_slab(slab), superslab);
  EXPECT_FALSE(superslab->unmapped);
  EXPECT_EQ(told_small, small + 1); /* new memory, which may come in huge pages where they are not forbidden */
  EXPECT_EQ(slab->dirty, 0);
  EXPECT_EQ(slab_start(slab)[0], 0);
  EXPECT_EQ(slab_start(slab)[SUPERSLAB_BYTES - 1], 0);
  memset(slab_start(slab), 1, SUPERSLAB_BYTES);
  give(slab);

  /* Where its place is taken by now it is ours no more. */
  EXPECT_GE(pool_unmap(), SUPERSLAB_BYTES);
  void *taken = os_map(superslab->start, SUPERSLAB_BYTES);
  EXPECT_EQ(taken, superslab->start);
  slab = pool_take(ALL, USE_PARTS);
  ASSERT_NE(slab, NULL);
  EXPECT_NE(superslab_of_slab(slab), superslab);
  EXPECT_EQ(pool_figures().superslabs, superslabs);
  struct pool_figures figures = pool_figures();
  EXPECT_EQ(figures.tier[TIER_OPEN] + figures.tier[TIER_DRAINING] + figures.tier[TIER_FREE], figures.superslabs);
  EXPECT_TRUE(pool_is_valid());
}

TEST(SuperslabFindTest, WhatGaveItsAddressesBackIsMappedAgain) { EXPECT_RUNS(map_again, NULL, ""); }
