/* pool_parts: how many parts the pool has, what a thread takes from, and that a superslab moves to who needs it. Each
 * test in a process of its own. */
#include "cold/pool_parts.h"

#include <sched.h>

#include "cold/limit.h"
#include "cold/pool_purge.h"
#include "config/config.h"
#include "unit/pool_units.h"
#include "unit/unit.h"

static struct lock_counts counts(uint64_t taken, uint64_t waited) {
  return (struct lock_counts){.taken = taken, .waited = waited};
}

static void wait_often(void *unused) {
  (void)unused;
  enum { QUARTER = 1024 / 4 };
  ASSERT_EQ(parts_count(), 1);
  EXPECT_EQ(parts_own(), 0);
  parts_waited(LOCK_POOL, counts(1024, QUARTER - 1));
  EXPECT_EQ(parts_count(), 1);
  parts_waited(LOCK_HUGE, counts(1024, 2 * 1024 / 3));
  EXPECT_EQ(parts_count(), 1);
  parts_waited(LOCK_POOL, counts(2048, QUARTER - 1 + QUARTER));
  EXPECT_EQ(parts_count(), 2);
  parts_waited(LOCK_POOL + 1, counts(1024, QUARTER));
  EXPECT_EQ(parts_count(), 4);
  parts_waited(LOCK_POOL, counts(4096, QUARTER - 1 + 2 * QUARTER));
  EXPECT_EQ(parts_count(), 4);
  parts_waited(LOCK_HUGE, counts(2048, 2 * (2 * 1024 / 3) + 1));
  EXPECT_EQ(parts_count(), 8);
  for (uint64_t i = 2; i <= 8; i++) {
    parts_waited(LOCK_POOL + 1, counts(i * 1024, i * 1024));
  }
  EXPECT_EQ(parts_count(), POOL_PARTS);
}

TEST(PoolPartsTest, ThereAreMoreWhereThreadsOftenWait) { EXPECT_RUNS(wait_often, NULL, ""); }

static void raise_them(void *unused) {
  (void)unused;
  parts_raise(4);
  EXPECT_EQ(parts_count(), 4);
  parts_raise(2);
  EXPECT_EQ(parts_count(), 4);
  parts_raise(POOL_PARTS);
  EXPECT_EQ(parts_count(), POOL_PARTS);
}

TEST(PoolPartsTest, ThereAreNeverFewer) { EXPECT_RUNS(raise_them, NULL, ""); }

static unsigned seen;

static void see_own(void *unused) {
  (void)unused;
  unsigned own = parts_own();
  ASSERT_LT(own, POOL_PARTS);
  seen |= 1U << own;
  EXPECT_EQ(parts_own(), own);
}

static void start_eight(void *unused) {
  parts_raise(POOL_PARTS);
  for (unsigned i = 0; i < POOL_PARTS; i++) {
    unit_in_thread(see_own, unused);
  }
  EXPECT_EQ(seen, (1U << POOL_PARTS) - 1);
}

TEST(PoolPartsTest, ThreadsHaveThemByTurns) { EXPECT_RUNS(start_eight, NULL, ""); }

/* ---- superslabs move ---- */

static void begin(void) {
  retain_all();
  parts_raise(POOL_PARTS);
  EXPECT_EQ(parts_own(), 0); /* the first to ask */
}

static struct slab *taken;

static void take_all(void *superslab) {
  EXPECT_NE(parts_own(), 0);
  taken = pool_take(ALL, USE_PARTS);
  ASSERT_NE(taken, NULL);
  EXPECT_EQ(superslab_part(superslab_of_slab(taken)), parts_own());
  if (superslab != NULL) {
    EXPECT_EQ(superslab_of_slab(taken), superslab);
    EXPECT_EQ(taken->dirty, ALL);
  }
}

static void move_retained(void *unused) {
  (void)unused;
  begin();
  struct slab *slab = pool_take(ALL, USE_PARTS);
  struct superslab *superslab = superslab_of_slab(slab);
  give(slab);
  size_t superslabs = pool_figures().superslabs;
  unit_in_thread(take_all, superslab);
  EXPECT_EQ(pool_figures().superslabs, superslabs);
  EXPECT_TRUE(pool_is_valid());
  give(taken); /* from a thread of another part than the superslab is in */
  EXPECT_TRUE(pool_is_valid());
  struct pool_figures figures = pool_figures();
  EXPECT_EQ(figures.tier[TIER_OPEN] + figures.tier[TIER_DRAINING] + figures.tier[TIER_FREE], superslabs);
}

TEST(PoolPartsTest, WhatAnotherPartRetainsIsTaken) { EXPECT_RUNS(move_retained, NULL, ""); }

/* Room of one's own that was never used comes after what others retain. */
static void prefer_retained(void *unused) {
  begin();
  struct slab *own = pool_take(ALL, USE_PARTS);
  pool_shrink(own, ALL - 1);
  pool_purge(SIZE_MAX);
  unit_in_thread(take_all, unused);
  struct superslab *other = superslab_of_slab(taken);
  pool_shrink(taken, ALL - 1);
  struct slab *slab = pool_take(1, USE_WHOLE);
  EXPECT_EQ(superslab_of_slab(slab), other);
  EXPECT_EQ(slab->dirty, 1);
  EXPECT_TRUE(pool_is_valid());
}

TEST(PoolPartsTest, NoFreshMemoryIsUsedWhileSomePartRetainsSome) { EXPECT_RUNS(prefer_retained, NULL, ""); }

static uint64_t takings(unsigned part) { return lock_counts(LOCK_POOL + part).taken; }

static void wait_until(unsigned part, uint64_t count) {
  while (takings(part) < count) {
    sched_yield();
  }
}

/* Between two parts a superslab would be on no list, and two threads could place it at once. */
static void hold_both(void *unused) {
  (void)unused;
  enum { OTHER = 1, A_WHILE_MS = 50 };
  begin();
  struct slab *slab = pool_take(ALL, USE_PARTS);
  struct superslab *superslab = superslab_of_slab(slab);
  give(slab);
  uint64_t first = takings(OTHER);
  pool_lock(0);
  struct unit_thread thread;
  unit_start(&thread, take_all, superslab);
  wait_until(OTHER, first + 1);
  pool_lock(OTHER); /* the thread has dropped it and waits for the first part's */
  uint64_t second = takings(0);
  pool_unlock(0);
  wait_until(0, second + 1);
  for (uint64_t until = os_milliseconds() + A_WHILE_MS; superslab->is_binned && os_milliseconds() < until;) {
    sched_yield();
  }
  EXPECT_TRUE(superslab->is_binned);
  EXPECT_EQ(superslab_part(superslab), 0);
  pool_unlock(OTHER);
  unit_join(&thread);
  EXPECT_TRUE(pool_is_valid());
}

TEST(PoolPartsTest, WhoMovesASuperslabHoldsBothParts) { EXPECT_RUNS(hold_both, NULL, ""); }

static void take_one(void *unused) {
  (void)unused;
  EXPECT_EQ(parts_own(), 1);
  EXPECT_NE(pool_take(1, USE_WHOLE), NULL);
}

static void see_first(void *unused) {
  (void)unused;
  EXPECT_EQ(parts_own(), 0);
}

/* While the first of them waits for the lock under which superslabs are cut, the second finds none either. */
static void add_once(void *unused) {
  retain_all();
  parts_raise(2);
  see_first(unused);
  fill_what_is_there();
  size_t superslabs = pool_figures().superslabs;
  struct unit_thread threads[2];
  pool_lock(0);
  uint64_t first = takings(1);
  unit_start(&threads[0], take_one, unused);
  wait_until(1, first + 1);
  unit_in_thread(see_first, unused); /* whose turn it is */
  unit_start(&threads[1], take_one, unused);
  wait_until(1, first + 2);
  pool_unlock(0);
  unit_join(&threads[0]);
  unit_join(&threads[1]);
  EXPECT_EQ(pool_figures().superslabs, superslabs + 1);
  EXPECT_TRUE(pool_is_valid());
}

TEST(PoolPartsTest, WhoWaitedToAddASuperslabUsesWhatOthersAdded) { EXPECT_RUNS(add_once, NULL, ""); }

/* Excess stays until a thread has taken and given so much. */
static void look_seldom(void *unused) {
  (void)unused;
  enum { LOOK_FROM = 2 * MIB / UNIT_BYTES };
  begin();
  option_set("retain_kib", 0);
  struct slab *slabs[LOOK_FROM];
  for (size_t i = 0; i < LOOK_FROM; i++) {
    slabs[i] = pool_take(1, USE_WHOLE);
  }
  for (size_t i = 0; i < LOOK_FROM - 1; i++) {
    give(slabs[i]);
  }
  EXPECT_EQ(pool_units().empty, LOOK_FROM - 1);
  give(slabs[LOOK_FROM - 1]);
  EXPECT_EQ(pool_units().empty, 0);
  options.limit_soft = 1;
  limit_expect(0);
  ASSERT_NE(limit_pressure_now(), 0);
  give(pool_take(1, USE_WHOLE)); /* at once, where nothing may be retained */
  EXPECT_EQ(pool_units().empty, 0);
}

TEST(PoolPartsTest, ThreadsLookSeldomAtWhatIsInExcess) { EXPECT_RUNS(look_seldom, NULL, ""); }

static void unmap_and_map(void *unused) {
  begin();
  unit_in_thread(take_all, NULL);
  struct superslab *superslab = superslab_of_slab(taken);
  EXPECT_NE(superslab_part(superslab), 0);
  give(taken);
  EXPECT_GE(pool_unmap(), SUPERSLAB_BYTES);
  EXPECT_TRUE(superslab->unmapped);
  EXPECT_EQ(superslab_part(superslab), 0);
  size_t superslabs = pool_figures().superslabs;
  unit_in_thread(take_all, unused);
  EXPECT_EQ(pool_figures().superslabs, superslabs);
  EXPECT_TRUE(pool_is_valid());
}

TEST(PoolPartsTest, WhatGaveItsAddressesBackServesEachPart) { EXPECT_RUNS(unmap_and_map, NULL, ""); }

/* Whatever part it is of. */
static void purge_in_turn(void *unused) {
  begin();
  struct slab *own = pool_take(ALL, USE_PARTS);
  unit_in_thread(take_all, unused);
  struct superslab *first = superslab_of_slab(own), *other = superslab_of_slab(taken);
  EXPECT_GT(superslab_part(other), superslab_part(first));
  give(own);
  give(taken);
  other->retained_at = first->retained_at - 1;
  EXPECT_EQ(pool_purge(1), SUPERSLAB_BYTES);
  EXPECT_EQ(other->retained, 0);
  EXPECT_NE(first->retained, 0);
  EXPECT_EQ(pool_purge(SIZE_MAX), SUPERSLAB_BYTES);
  EXPECT_EQ(first->retained, 0);
  EXPECT_TRUE(pool_is_valid());
}

TEST(PoolPartsTest, WhatWasFreeLongestIsPurgedFirst) { EXPECT_RUNS(purge_in_turn, NULL, ""); }
