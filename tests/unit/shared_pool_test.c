/* shared_pool: units for all threads, and which of them come first. */
#include "cold/shared_pool.h"

#include <string.h>

#include "base/size_class.h"
#include "cold/pool_purge.h"
#include "cold/residency.h"
#include "config/config.h"
#include "unit/pool_units.h"
#include "unit/unit.h"
#include "warm/heap.h"

static size_t superslabs(void) { return pool_figures().superslabs; }

/* ---- what comes first. Each in a process of its own, where the pool holds little else. ---- */

/* Superslabs of a tier each, with retained units in the two that are in use. */
static struct superslab *busy, *draining, *unused;

static void make_one_of_each(void) {
  retain_all();
  fill_what_is_there();
  struct slab *a = pool_take(ALL, USE_PARTS);
  struct slab *b = pool_take(ALL, USE_PARTS);
  struct slab *c = pool_take(ALL, USE_PARTS);
  busy = superslab_of_slab(a);
  draining = superslab_of_slab(b);
  unused = superslab_of_slab(c);
  pool_shrink(a, 12);
  pool_shrink(b, ALL - 4);
  give(c);
  ASSERT_EQ(busy->tier, TIER_OPEN);
  ASSERT_EQ(draining->tier, TIER_DRAINING);
  ASSERT_EQ(unused->tier, TIER_FREE);
  struct pool_figures figures = pool_figures();
  EXPECT_EQ(figures.tier[TIER_DRAINING], 1);
  EXPECT_EQ(figures.tier[TIER_FREE], 1);
  EXPECT_EQ(figures.tier[TIER_OPEN] + 2, figures.superslabs);
}

static void order_of_taking(void *unused_argument) {
  (void)unused_argument;
  make_one_of_each();
  size_t before = superslabs();
  /* OPEN ones first, however little room they have. */
  EXPECT_EQ(superslab_of_slab(pool_take(1, USE_WHOLE)), busy);
  EXPECT_EQ(superslab_of_slab(pool_take(11, USE_PARTS)), busy);
  EXPECT_EQ(busy->free, 0);
  /* Then DRAINING ones, as long as they drain. */
  EXPECT_EQ(superslab_of_slab(pool_take(1, USE_WHOLE)), draining);
  EXPECT_EQ(superslab_of_slab(pool_take(20, USE_PARTS)), draining);
  EXPECT_EQ(draining->tier, TIER_OPEN);
  EXPECT_EQ(superslab_of_slab(pool_take(7, USE_PARTS)), draining);
  /* Then FREE ones. */
  EXPECT_EQ(superslab_of_slab(pool_take(1, USE_WHOLE)), unused);
  EXPECT_EQ(unused->tier, TIER_OPEN);
  EXPECT_EQ(superslabs(), before);
  /* And only then a new one. */
  EXPECT_NE(superslab_of_slab(pool_take(ALL, USE_PARTS)), unused);
  EXPECT_EQ(superslabs(), before + 1);
  EXPECT_TRUE(pool_is_valid());
}

TEST(SharedPoolTest, TakesFromOpenThenDrainingThenFreeThenANewOne) { EXPECT_RUNS(order_of_taking, NULL, ""); }

static void draining_has_to_wait(void *unused_argument) {
  (void)unused_argument;
  make_one_of_each();
  for (int i = 0; i < 12; i++) {
    EXPECT_EQ(superslab_of_slab(pool_take(1, USE_WHOLE)), busy);
  }
  struct slab *fresh = pool_take(ALL, USE_PARTS); /* no superslab but the FREE one has room for it */
  EXPECT_EQ(superslab_of_slab(fresh), unused);
  pool_shrink(fresh, 10);
  for (int i = 0; i < 10; i++) {
    EXPECT_EQ(superslab_of_slab(pool_take(1, USE_WHOLE)), unused);
  }
  EXPECT_EQ(superslab_of_slab(pool_take(1, USE_WHOLE)), draining);
}

TEST(SharedPoolTest, DrainingTakesNothingWhileAnOpenOneHasRoom) { EXPECT_RUNS(draining_has_to_wait, NULL, ""); }

static void resident_first(void *unused_argument) {
  (void)unused_argument;
  retain_all();
  fill_what_is_there();
  struct slab *a = pool_take(22, USE_PARTS); /* leaves 10 units that were never used: the tighter fit */
  struct slab *b = pool_take(ALL, USE_PARTS);
  struct superslab *fresh = superslab_of_slab(a);
  struct superslab *resident = superslab_of_slab(b);
  EXPECT_NE(fresh, resident);
  pool_shrink(b, 12); /* leaves 12 that are resident */
  EXPECT_EQ(fresh->tier, TIER_OPEN);
  EXPECT_EQ(resident->tier, TIER_OPEN);
  for (int i = 0; i < 12; i++) {
    struct slab *slab = pool_take(1, USE_WHOLE);
    EXPECT_EQ(superslab_of_slab(slab), resident);
    EXPECT_GT(slab->dirty, 0);
  }
  struct slab *slab = pool_take(1, USE_WHOLE);
  EXPECT_EQ(superslab_of_slab(slab), fresh);
  EXPECT_EQ(slab->dirty, 0);
}

TEST(SharedPoolTest, ResidentUnitsComeFirst) { EXPECT_RUNS(resident_first, NULL, ""); }

static void best_fit(void *unused_argument) {
  (void)unused_argument;
  retain_all();
  fill_what_is_there();
  struct superslab *with_room[4];
  const unsigned room[4] = {14, 5, 9, 7};
  struct slab *slabs[4];
  for (size_t i = 0; i < 4; i++) {
    slabs[i] = pool_take(ALL, USE_PARTS);
    with_room[i] = superslab_of_slab(slabs[i]);
  }
  for (size_t i = 0; i < 4; i++) {
    pool_shrink(slabs[i], room[i]);
  }
  pool_purge(SIZE_MAX); /* then it is the fit alone that decides */
  EXPECT_EQ(superslab_of_slab(pool_take(6, USE_PARTS)), with_room[3]);
  EXPECT_EQ(superslab_of_slab(pool_take(6, USE_PARTS)), with_room[2]);
  EXPECT_EQ(superslab_of_slab(pool_take(5, USE_PARTS)), with_room[1]);
  EXPECT_EQ(superslab_of_slab(pool_take(10, USE_PARTS)), with_room[0]);
  EXPECT_EQ(superslab_of_slab(pool_take(1, USE_WHOLE)), with_room[3]);
}

TEST(SharedPoolTest, TheTightestFitComesFirst) { EXPECT_RUNS(best_fit, NULL, ""); }

static void count_units(void *unused_argument) {
  (void)unused_argument;
  make_one_of_each();
  struct pool_units units = pool_units();
  size_t all = superslabs() * ALL;
  EXPECT_EQ(units.unused + units.active + units.empty, all);
  EXPECT_EQ(units.empty, 12 + 28 + 32);
  size_t given_back = pool_purge(1);
  EXPECT_EQ(given_back, SUPERSLAB_BYTES);
  EXPECT_EQ(pool_units().empty, 12 + 28);
  EXPECT_EQ(pool_units().unused, units.unused + 32);
  EXPECT_EQ(pool_units().active, units.active);
  ASSERT_NE(pool_take(1, USE_WHOLE), NULL);
  EXPECT_EQ(pool_units().active, units.active + 1);
  EXPECT_EQ(pool_units().empty, 12 + 28 - 1); /* a resident one came first */
  ASSERT_GT(pool_unmap(), 0);                 /* what is unmapped has no units */
  units = pool_units();
  EXPECT_EQ(units.unused + units.active + units.empty, all - ALL);
}

TEST(SharedPoolTest, EveryUnitIsUnusedActiveOrEmpty) { EXPECT_RUNS(count_units, NULL, ""); }

static void order_of_purging(void *unused_argument) {
  (void)unused_argument;
  make_one_of_each();
  EXPECT_EQ(retained_bytes(), (size_t)(12 + 28 + 32) * UNIT_BYTES);
  size_t given_back = pool_purge(1);
  EXPECT_EQ(given_back, SUPERSLAB_BYTES);
  EXPECT_EQ(unused->purged, UINT32_MAX);
  EXPECT_EQ(unused->retained, 0);
  EXPECT_EQ(draining->purged, 0);
  EXPECT_EQ(busy->purged, 0);
  given_back = pool_purge(1);
  EXPECT_EQ(given_back, 28 * UNIT_BYTES);
  EXPECT_EQ(draining->purged, UINT32_MAX << 4);
  EXPECT_EQ(busy->purged, 0);
  given_back = pool_purge(SIZE_MAX);
  EXPECT_EQ(given_back, 12 * UNIT_BYTES);
  EXPECT_EQ(busy->retained, 0);
  EXPECT_EQ(retained_bytes(), 0);
  EXPECT_EQ(pool_purge(SIZE_MAX), 0);
  EXPECT_TRUE(pool_is_valid());
  EXPECT_EQ(unused->tier, TIER_FREE);
  EXPECT_EQ(draining->tier, TIER_DRAINING);
  EXPECT_EQ(busy->tier, TIER_OPEN);
}

TEST(SharedPoolTest, PurgesFreeThenDrainingThenOpen) { EXPECT_RUNS(order_of_purging, NULL, ""); }

/* ---- recycling ---- */

TEST(SharedPoolTest, AnEmptySlabServesAnyClass) {
  struct thread_heap *heap = heap_new();
  struct slab *first = pool_take(1, USE_WHOLE);
  char *start = slab_start(first);
  give(first);
  size_t recycled = pool_figures().slabs_recycled;
  size_t before = superslabs();
  size_t narrow = 0;
  for (size_t size_class = 0; size_classes[size_class].units == 1; size_class += 1, narrow++) {
    struct slab *slab = pool_take(1, USE_WHOLE);
    ASSERT_EQ(slab_start(slab), start);
    ASSERT_TRUE(slab_bind(slab, size_class, heap, heap->link.owner));
    EXPECT_EQ(unit_tag_class(unit_tag_of(start)), size_class);
    EXPECT_TRUE(remote_token_take(slab));
    slab_unbind(slab);
    EXPECT_EQ(slab->dirty, 1); /* used memory stays so, though no block of it was taken */
    pool_give(slab);
  }
  EXPECT_EQ(pool_figures().slabs_recycled - recycled, narrow);
  EXPECT_EQ(superslabs(), before);
}

static void join_and_split(void *unused_argument) {
  (void)unused_argument;
  retain_all();
  fill_what_is_there();
  struct slab *wide = pool_take(SLAB_UNITS_MAX, USE_PARTS);
  struct superslab *superslab = superslab_of_slab(wide);
  struct slab *rest = pool_take(ALL - SLAB_UNITS_MAX, USE_PARTS);
  size_t before = superslabs();
  char *start = slab_start(wide);
  EXPECT_EQ(superslab_of_slab(rest), superslab);
  /* One wide slab becomes eight narrow ones, and they one wide slab again. */
  give(wide);
  struct slab *narrow[SLAB_UNITS_MAX];
  EXPECT_EQ(pool_take_many(narrow, SLAB_UNITS_MAX), SLAB_UNITS_MAX);
  for (size_t i = 0; i < SLAB_UNITS_MAX; i++) {
    EXPECT_EQ(slab_start(narrow[i]), start + i * UNIT_BYTES);
  }
  for (size_t i = 0; i < SLAB_UNITS_MAX; i++) {
    give(narrow[i]);
  }
  wide = pool_take(SLAB_UNITS_MAX, USE_PARTS);
  EXPECT_EQ(slab_start(wide), start);
  EXPECT_EQ(wide->units, SLAB_UNITS_MAX);
  EXPECT_EQ(superslabs(), before);
}

TEST(SharedPoolTest, EmptySlabsServeOtherSizes) { EXPECT_RUNS(join_and_split, NULL, ""); }

TEST(SharedPoolTest, TakesManyUnderOneLock) {
  struct slab *slabs[100];
  size_t taken = pool_figures().slabs_taken;
  EXPECT_EQ(pool_take_many(slabs, 100), 100);
  EXPECT_EQ(pool_figures().slabs_taken - taken, 100);
  for (size_t i = 0; i < 100; i++) {
    for (size_t j = 0; j < i; j++) {
      ASSERT_NE(slabs[i], slabs[j]);
    }
  }
  for (size_t i = 0; i < 100; i++) {
    give(slabs[i]);
  }
  EXPECT_EQ(pool_take_many(slabs, 0), 0);
}

/* ---- giving back ---- */

static void stay_within(void *kib) {
  option_set("retain_kib", (long)(uintptr_t)kib);
  size_t budget = (uintptr_t)kib * KIB;
  struct slab *slabs[64];
  for (size_t i = 0; i < 64; i++) {
    slabs[i] = pool_take(i % 8 + 1, USE_PARTS);
    memset(slab_start(slabs[i]), 1, (size_t)slabs[i]->units * UNIT_BYTES);
  }
  for (size_t i = 0; i < 64; i++) {
    char *start = slab_start(slabs[i]);
    size_t bytes = (size_t)slabs[i]->units * UNIT_BYTES;
    give(slabs[i]);
    ASSERT_LE(retained_bytes(), budget + (budget == 0 ? 0 : peak_committed_bytes() / 64));
    if (budget == 0) {
      ASSERT_EQ(unit_resident(start, bytes), 0);
    }
  }
  EXPECT_TRUE(pool_is_valid());
}

TEST(SharedPoolTest, WhatIsBeyondTheBudgetIsPurgedBeforeGiveReturns) {
  EXPECT_RUNS(stay_within, (void *)0, "");
  EXPECT_RUNS(stay_within, (void *)2048, "");
  EXPECT_RUNS(stay_within, (void *)6000, "");
}

TEST(SharedPoolTest, PurgedUnitsAreZeroAndKnownToBe) {
  struct slab *slab = pool_take(4, USE_PARTS);
  char *start = slab_start(slab);
  memset(start, 0xCC, 4 * UNIT_BYTES);
  give(slab);
  size_t before = os_counts().purged_bytes;
  EXPECT_EQ(pool_purge(SIZE_MAX), os_counts().purged_bytes - before);
  EXPECT_EQ(unit_resident(start, 4 * UNIT_BYTES), 0);
  uint32_t unit = slab->unit;
  struct superslab *superslab = superslab_of_slab(slab);
  EXPECT_EQ(superslab->purged >> unit & 15, 15);
  EXPECT_EQ(superslab->retained >> unit & 15, 0);
  size_t recycled = pool_figures().slabs_recycled;
  slab = pool_take(4, USE_PARTS);
  EXPECT_EQ(slab->dirty, 0);
  for (size_t at = 0; at < 4 * UNIT_BYTES; at += 256) {
    ASSERT_EQ(slab_start(slab)[at], 0);
  }
  if (slab_start(slab) == start) {
    EXPECT_EQ(pool_figures().slabs_recycled - recycled, 1); /* its addresses had been used before */
  }
  give(slab);
}

TEST(SharedPoolTest, ActiveAndRetainedBytesFollowEveryStep) {
  pool_purge(SIZE_MAX);
  size_t active = active_bytes();
  size_t retained = retained_bytes();
  struct slab *slab = pool_take(6, USE_PARTS);
  EXPECT_EQ(active_bytes() - active, 6 * UNIT_BYTES);
  pool_shrink(slab, 2);
  EXPECT_EQ(active_bytes() - active, 4 * UNIT_BYTES);
  EXPECT_EQ(retained_bytes() - retained, 2 * UNIT_BYTES);
  EXPECT_TRUE(pool_extend(slab, 1));
  EXPECT_EQ(slab->units, 5);
  EXPECT_EQ(active_bytes() - active, 5 * UNIT_BYTES);
  EXPECT_EQ(retained_bytes() - retained, UNIT_BYTES);
  give(slab);
  EXPECT_EQ(active_bytes(), active);
  EXPECT_EQ(retained_bytes() - retained, 6 * UNIT_BYTES);
  EXPECT_EQ(pool_purge(6 * UNIT_BYTES), 6 * UNIT_BYTES);
  EXPECT_EQ(retained_bytes(), retained);
}

TEST(SharedPoolTest, WhatWasNeverUsedIsNotRetained) {
  pool_purge(SIZE_MAX);
  size_t active = active_bytes();
  size_t purged = os_counts().purged_bytes;
  struct slab *slab = pool_take(8, USE_PARTS);
  ASSERT_EQ(slab->dirty, 0);
  char *start = slab_start(slab);
  slab->dirty = 3; /* the first three units are used */
  memset(start, 0xEE, 3 * UNIT_BYTES);
  EXPECT_EQ(active_bytes() - active, 8 * UNIT_BYTES);
  pool_give(slab);
  EXPECT_EQ(active_bytes(), active);
  EXPECT_EQ(retained_bytes(), 3 * UNIT_BYTES);
  EXPECT_EQ(pool_purge(SIZE_MAX), 3 * UNIT_BYTES);
  EXPECT_EQ(os_counts().purged_bytes - purged, 3 * UNIT_BYTES);
  slab = pool_take(8, USE_PARTS);
  EXPECT_EQ(slab->dirty, 0);
  pool_give(slab);
  EXPECT_EQ(active_bytes(), active);
  EXPECT_EQ(retained_bytes(), 0);
  EXPECT_TRUE(pool_is_valid());
}

TEST(SharedPoolTest, ExtendsOnlyOverFreeUnits) {
  struct slab *slab = pool_take(ALL, USE_PARTS);
  pool_shrink(slab, 2);
  struct superslab *superslab = superslab_of_slab(slab);
  EXPECT_EQ(slab->units, 30);
  EXPECT_TRUE(pool_extend(slab, 1));
  EXPECT_FALSE(pool_extend(slab, 2));
  EXPECT_EQ(slab->units, 31);
  EXPECT_TRUE(pool_extend(slab, 1));
  EXPECT_EQ(superslab->free, 0);
  EXPECT_FALSE(pool_extend(slab, 1));
  give(slab);
  EXPECT_TRUE(pool_is_valid());
}

/* ---- metadata ---- */

static void make_metadata_of_a_unit(void *unused_argument) {
  (void)unused_argument;
  struct slab *last = pool_take(1, USE_WHOLE);
  struct slab *spare = pool_take(1, USE_WHOLE);
  unit_limit_memory(0);
  while (pool_take(1, USE_WHOLE) != NULL) {
  }
  while (pool_meta_alloc(2048, 64) != NULL) {
  }
  give(last);
  size_t had = 0;
  char *piece;
  while ((piece = pool_meta_alloc(2048, 64)) != NULL) {
    EXPECT_TRUE(piece >= slab_start(last) && piece + 2048 <= slab_start(last) + UNIT_BYTES);
    EXPECT_EQ(piece[0], 0);
    piece[0] = 1;
    had++;
  }
  EXPECT_EQ(had, UNIT_BYTES / 2048);
  (void)spare;
}

TEST(SharedPoolTest, AFreeUnitBecomesMetadataWhenTheSystemHasNone) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(make_metadata_of_a_unit, NULL, "");
}

/* ---- without memory ---- */

static void run_out_of_memory(void *unused_argument) {
  (void)unused_argument;
  static struct slab *slabs[100000];
  unit_limit_memory(0);
  size_t had = 0;
  while (had < 100000 && (slabs[had] = pool_take(1, USE_WHOLE)) != NULL) {
    had++;
  }
  EXPECT_GT(had, 0);
  EXPECT_LT(had, 100000);
  EXPECT_EQ(pool_take(1, USE_WHOLE), NULL);
  EXPECT_EQ(pool_take_many(&slabs[had], 5), 0);
  EXPECT_TRUE(pool_is_valid());
  give(slabs[--had]);
  EXPECT_EQ(pool_take(1, USE_WHOLE), slabs[had]);
  unit_limit_memory(SIZE_MAX);
  EXPECT_NE(pool_take(ALL, USE_PARTS), NULL);
  EXPECT_TRUE(pool_is_valid());
}

TEST(SharedPoolTest, WithoutMemoryThereIsNullAndNothingLost) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(run_out_of_memory, NULL, "");
}
