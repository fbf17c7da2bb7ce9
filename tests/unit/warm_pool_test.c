/* warm_pool: a heap's own units that no slab is bound to. */
#include "warm/warm_pool.h"

#include "cold/residency.h"
#include "unit/unit.h"
#include "warm/heap.h"

static size_t taken_so_far(void) { return pool_figures().slabs_taken; }

TEST(WarmPoolTest, TakesJustTheUnitThatIsNeeded) {
  struct warm_pool pool = {0};
  size_t before = taken_so_far();
  struct slab *slab = warm_pool_take(&pool, 1);
  ASSERT_NE(slab, NULL);
  EXPECT_EQ(taken_so_far() - before, 1);
  EXPECT_EQ(pool.count, 0);
  EXPECT_EQ(slab->units, 1);
  pool_give(slab);
}

TEST(WarmPoolTest, PrefillTakesSeveralAtOnce) {
  struct warm_pool pool = {0};
  struct slab *slabs[WARM_POOL_MAX];
  size_t before = taken_so_far();
  for (size_t i = 0; i < WARM_POOL_MAX; i++) {
    slabs[i] = warm_pool_take(&pool, WARM_POOL_MAX);
    ASSERT_NE(slabs[i], NULL);
    EXPECT_EQ(taken_so_far() - before, WARM_POOL_MAX);
    EXPECT_EQ(pool.count, WARM_POOL_MAX - 1 - i);
    for (size_t j = 0; j < i; j++) {
      EXPECT_NE(slabs[i], slabs[j]);
    }
  }
  for (size_t i = 0; i < WARM_POOL_MAX; i++) {
    pool_give(slabs[i]);
  }
}

TEST(WarmPoolTest, KeepsUpToItsBoundAndPassesTheRestOn) {
  struct warm_pool pool = {0};
  struct slab *slabs[WARM_POOL_MAX + 3];
  EXPECT_EQ(pool_take_many(slabs, WARM_POOL_MAX + 3), WARM_POOL_MAX + 3);
  size_t active = active_bytes();
  for (size_t i = 0; i < WARM_POOL_MAX + 3; i++) {
    warm_pool_give(&pool, slabs[i], WARM_POOL_MAX);
    size_t passed_on = i < WARM_POOL_MAX ? 0 : i - WARM_POOL_MAX + 1;
    EXPECT_EQ(pool.count, i + 1 - passed_on);
    EXPECT_EQ(active - active_bytes(), passed_on * UNIT_BYTES);
  }
  size_t before = taken_so_far();
  EXPECT_EQ(warm_pool_take(&pool, 1), slabs[WARM_POOL_MAX - 1]);
  EXPECT_EQ(taken_so_far(), before);
  warm_pool_give(&pool, slabs[WARM_POOL_MAX - 1], WARM_POOL_MAX);
  warm_pool_flush(&pool);
  EXPECT_EQ(pool.count, 0);
  EXPECT_EQ(active - active_bytes(), (WARM_POOL_MAX + 3) * UNIT_BYTES);
  warm_pool_flush(&pool);
  EXPECT_TRUE(pool_is_valid());
}

TEST(WarmPoolTest, WhatItHandsOutCanBeBoundAtOnce) {
  struct warm_pool pool = {0};
  struct thread_heap *heap = heap_new();
  for (size_t size_class = 0; size_classes[size_class].units == 1; size_class++) {
    struct slab *slab = warm_pool_take(&pool, 2);
    ASSERT_TRUE(slab_bind(slab, size_class, heap, heap->link.owner));
    EXPECT_TRUE(slab_is_empty(slab) && slab_is_valid(slab));
    EXPECT_TRUE(remote_token_take(slab));
    slab_unbind(slab);
    warm_pool_give(&pool, slab, WARM_POOL_MAX);
  }
  warm_pool_flush(&pool);
}

#if HAKMEM_VALIDATE
static void give_a_bound_slab(void *unused) {
  (void)unused;
  struct warm_pool pool = {0};
  struct thread_heap *heap = heap_new();
  struct slab *slab = warm_pool_take(&pool, 1);
  EXPECT_TRUE(slab_bind(slab, 4, heap, heap->link.owner));
  warm_pool_give(&pool, slab, WARM_POOL_MAX);
}

TEST(WarmPoolTest, DebugBuildsRefuseASlabThatIsStillBound) {
  EXPECT_STOPS(give_a_bound_slab, NULL, "hakmem: invariant broken: .* at .*warm_pool\\.c:[0-9]+\n");
}
#endif

static void run_out_of_memory(void *unused) {
  (void)unused;
  struct warm_pool pool = {0};
  unit_limit_memory(0);
  size_t had = 0;
  while (had < 100000 && warm_pool_take(&pool, WARM_POOL_MAX) != NULL) {
    had++;
  }
  EXPECT_GT(had, 0); /* the arena had some left */
  EXPECT_LT(had, 100000);
  EXPECT_EQ(warm_pool_take(&pool, 1), NULL);
  EXPECT_EQ(pool.count, 0);
  unit_limit_memory(SIZE_MAX);
  EXPECT_NE(warm_pool_take(&pool, 1), NULL);
  EXPECT_TRUE(pool_is_valid());
}

TEST(WarmPoolTest, WithoutMemoryThereIsNoUnitButNoHarm) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(run_out_of_memory, NULL, "");
}
