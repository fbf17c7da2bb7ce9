/* shared_pool: many threads take, give, extend and shrink at the same time. */
#include "cold/shared_pool.h"

#include <sched.h>

#include "cold/pool_parts.h"
#include "cold/pool_purge.h"
#include "cold/residency.h"
#include "config/config.h"
#include "unit/pool_units.h"
#include "unit/unit.h"

enum { THREADS = 4, STEPS = 4000, RUNS = 24 };

/* Every 4 KiB of a run that is held bears its holder's stamp: a run that is handed out twice, or purged while it is
 * held, shows. */
static void stamp(const struct slab *slab, size_t from_unit, size_t stamp) {
  for (size_t at = from_unit * UNIT_BYTES; at < (size_t)slab->units * UNIT_BYTES; at += 4096) {
    *(volatile size_t *)(slab_start(slab) + at) = stamp;
  }
}

static bool is_stamped(const struct slab *slab, size_t stamp) {
  for (size_t at = 0; at < (size_t)slab->units * UNIT_BYTES; at += 4096) {
    if (*(volatile size_t *)(slab_start(slab) + at) != stamp) {
      return false;
    }
  }
  return true;
}

static void take_and_give(void *seed_value) {
  struct slab *runs[RUNS] = {NULL};
  size_t stamps[RUNS];
  size_t next_stamp = (uintptr_t)seed_value << 32;
  uint64_t seed = (uintptr_t)seed_value;
  for (int step = 0; step < STEPS; step++) {
    size_t r = unit_below(&seed, RUNS);
    if (runs[r] == NULL) {
      size_t choice = unit_below(&seed, 20);
      runs[r] = pool_take(choice == 0 ? ALL : choice < 8 ? 1 : (unsigned)unit_below(&seed, 10) + 1, USE_PARTS);
      ASSERT_NE(runs[r], NULL);
      stamps[r] = ++next_stamp;
      if (runs[r]->dirty == 0) {
        ASSERT_TRUE(is_stamped(runs[r], 0));
      }
      stamp(runs[r], 0, stamps[r]);
      continue;
    }
    ASSERT_TRUE(is_stamped(runs[r], stamps[r]));
    switch (unit_below(&seed, 4)) {
    case 0: {
      unsigned units = runs[r]->units;
      if (pool_extend(runs[r], 1)) {
        stamp(runs[r], units, stamps[r]);
      }
      break;
    }
    case 1:
      if (runs[r]->units > 1) {
        pool_shrink(runs[r], runs[r]->units / 2);
      }
      break;
    default:
      give(runs[r]);
      runs[r] = NULL;
      break;
    }
    if (step % 64 == 0) {
      sched_yield();
    }
  }
  for (size_t r = 0; r < RUNS; r++) {
    if (runs[r] != NULL) {
      ASSERT_TRUE(is_stamped(runs[r], stamps[r]));
      give(runs[r]);
    }
  }
}

static void share(void *kib) {
  option_set("retain_kib", (long)(uintptr_t)kib);
  pool_purge(SIZE_MAX);
  size_t active = active_bytes();
  uint64_t seed = unit_seed() % 1000 + 1;
  struct unit_thread threads[THREADS];
  for (size_t i = 0; i < THREADS; i++) {
    unit_start(&threads[i], take_and_give, (void *)(uintptr_t)(seed + i));
  }
  for (int i = 0; i < 200; i++) {
    ASSERT_TRUE(pool_is_valid());
    sched_yield();
  }
  for (size_t i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_TRUE(pool_is_valid());
  EXPECT_LE(active_bytes(), active + MIB); /* what the test's own threads took, where malloc is ours */
  pool_purge(SIZE_MAX);
  EXPECT_EQ(retained_bytes(), 0);
  struct pool_figures figures = pool_figures();
  EXPECT_EQ(figures.tier[TIER_OPEN] + figures.tier[TIER_DRAINING] + figures.tier[TIER_FREE], figures.superslabs);
}

TEST(SharedPoolTest, ManyThreadsTakeGiveGrowAndShrink) { EXPECT_RUNS(share, (void *)2048, ""); }

TEST(SharedPoolTest, NoRunIsHandedOutWhileItIsPurged) { EXPECT_RUNS(share, (void *)0, ""); }

static void share_in_parts(void *kib) {
  parts_raise(POOL_PARTS);
  share(kib);
}

TEST(SharedPoolTest, ManyThreadsOfManyParts) { EXPECT_RUNS(share_in_parts, (void *)2048, ""); }

TEST(SharedPoolTest, NoRunOfAnyPartIsHandedOutWhileItIsPurged) { EXPECT_RUNS(share_in_parts, (void *)0, ""); }
