/* growth: caches are emptied before memory is taken that the process has not had. */
#include "warm/growth.h"

#include <sys/resource.h>

#include "config/options.h"
#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/lane.h"
#include "warm/put.h"
#include "warm/share.h"

enum { SLABS = 40, MANY = SLABS * UNIT_BYTES / 64 };

static void *blocks[MANY];

/* Blocks that use so many slabs whole; how many. */
static size_t fill_slabs(size_t size, size_t slabs) {
  size_t count = slabs * size_classes[size_class_of(size)].capacity;
  for (size_t i = 0; i < count; i++) {
    blocks[i] = hak_malloc(size);
    EXPECT_NE(blocks[i], NULL);
  }
  return count;
}

/* All blocks go back to their slabs, but for the last of each slab, which stays in the magazine. */
static void free_all_but_cached(size_t size, size_t count, size_t slabs) {
  size_t capacity = count / slabs;
  for (size_t i = 0; i < count; i++) {
    if (i % capacity != capacity - 1) {
      hak_free(blocks[i]);
    }
  }
  heap_enter(thread_cache.heap);
  heap_put_class(thread_cache.heap, size_class_of(size));
  heap_leave(thread_cache.heap);
  for (size_t i = capacity - 1; i < count; i += capacity) {
    hak_free(blocks[i]);
  }
}

static void another_class_takes_them(void *unused) {
  (void)unused;
  size_t count = fill_slabs(64, SLABS);
  free_all_but_cached(64, count, SLABS);
  struct thread_heap *heap = thread_cache.heap;
  size_t bound = heap->bound_bytes;
  EXPECT_LT(heap->kept.bytes, bound / 2); /* each slab has a block in the magazine */
  count = fill_slabs(96, SLABS / 2);
  EXPECT_LT(heap->bound_bytes, bound + 4 * UNIT_BYTES);
  for (size_t i = 0; i < count; i++) {
    hak_free(blocks[i]);
  }
}

TEST(GrowthTest, SlabsOfWhichOnlyTheCacheHasBlocksServeAnotherClass) {
  on_a_fresh_thread(another_class_takes_them, NULL);
}

/* What is free and in no magazine lies in its slab. */
static void empty_depot(struct thread_heap *heap) {
  heap_enter(heap);
  heap_put_depot(heap);
  heap_leave(heap);
}

/* Of every slab half the blocks; how many there were. Class 96 has a slab. */
static size_t fill_and_free_half(size_t slabs) {
  hak_free(hak_malloc(96));
  size_t count = fill_slabs(64, slabs);
  for (size_t i = 0; i < count; i++) {
    if (i % 2 == 0) {
      hak_free(blocks[i]);
      blocks[i] = NULL;
    }
  }
  empty_depot(thread_cache.heap);
  return count;
}

static void free_rest(size_t from, size_t count) {
  for (size_t i = from; i < count; i++) {
    hak_free(blocks[i]);
    blocks[i] = NULL;
  }
}

/* Whether the heap's growth empties the caches, in which one block is seen to. */
static bool empties(struct thread_heap *heap) {
  hak_free(hak_malloc(96));
  heap_enter(heap);
  growth_of_heap(heap);
  heap_leave(heap);
  return *thread_cache.top[size_class_of(96)] == NULL;
}

static void counts_once(void *unused) {
  (void)unused;
  size_t count = fill_and_free_half(SLABS);
  struct thread_heap *heap = thread_cache.heap;
  EXPECT_TRUE(empties(heap));
  size_t in_vain = heap->idle_in_vain;
  EXPECT_GT(in_vain, SLABS * UNIT_BYTES / 3);
  EXPECT_FALSE(empties(heap));
  free_rest(count / 2, count);
  empty_depot(heap);
  EXPECT_FALSE(empties(heap)); /* half of the slabs are empty, and gone: less lies idle */
  EXPECT_LT(heap->idle_in_vain, in_vain * 2 / 3);
  free_rest(0, count);
}

TEST(GrowthTest, WhatTheCachesWereEmptiedForInVainDoesNotCountAgain) { on_a_fresh_thread(counts_once, NULL); }

static void takes_what_it_keeps(void *unused) {
  (void)unused;
  size_t count = fill_and_free_half(SLABS);
  struct thread_heap *heap = thread_cache.heap;
  heap_enter(heap);
  lane_release_kept(heap, 0);
  warm_pool_flush(&heap->warm_pool);
  heap_leave(heap);
  hak_free(hak_malloc(512));
  void *cached = hak_malloc(96);
  heap_enter(heap);
  heap_put_class(heap, size_class_of(512));
  heap_leave(heap);
  EXPECT_EQ(heap->kept.bytes, UNIT_BYTES);
  heap->idle_in_vain = 0;
  EXPECT_NE(*thread_cache.top[size_class_of(96)], NULL);
  hak_free(hak_malloc(1024)); /* where the slab that was kept lay */
  EXPECT_EQ(heap->kept.bytes, 0);
  EXPECT_NE(*thread_cache.top[size_class_of(96)], NULL);
  hak_free(hak_malloc(2048));
  EXPECT_EQ(*thread_cache.top[size_class_of(96)], NULL);
  hak_free(cached);
  free_rest(0, count);
}

TEST(GrowthTest, WhereASlabThatIsKeptServesTheCachesStay) { on_a_fresh_thread(takes_what_it_keeps, NULL); }

/* Where a thread's share leaves it no warm pool the slab goes by way of the shared pool. */
static void takes_it_without_a_warm_pool(void *unused) {
  (void)unused;
  void *kept = hak_malloc(512);
  void *stays = hak_malloc(96);
  struct thread_heap *heap = thread_cache.heap;
  hak_free(kept);
  heap_enter(heap);
  heap_put_class(heap, size_class_of(512));
  warm_pool_flush(&heap->warm_pool);
  heap_leave(heap);
  EXPECT_EQ(heap->kept.bytes, UNIT_BYTES);
  EXPECT_TRUE(hak_limit_set(8 * MIB, 0));
  size_t active = pool_units().active;
  hak_free(hak_malloc(1024));
  EXPECT_EQ(share_of_units(heap), 0);
  EXPECT_EQ(heap->kept.bytes, 0);
  EXPECT_EQ(pool_units().active, active);
  EXPECT_TRUE(hak_limit_set(0, 0)); /* for tests of the same process */
  hak_free(stays);
}

TEST(GrowthTest, ASlabThatIsKeptServesWithoutAWarmPool) { on_a_fresh_thread(takes_it_without_a_warm_pool, NULL); }

static void depot_makes_way(void *unused) {
  (void)unused;
  size_t count = fill_slabs(512, SLABS);
  hak_free(hak_malloc(MIB)); /* so much more has been in use at once */
  for (size_t i = 0; i < count; i++) {
    hak_free(blocks[i]);
  }
  struct thread_heap *heap = thread_cache.heap;
  size_t depot = heap->depot.bytes;
  EXPECT_GT(depot, MIB);
  void *small = hak_malloc(UNIT_BYTES);
  EXPECT_EQ(heap->depot.bytes, depot);
  void *huge = hak_malloc(8 * MIB);
  EXPECT_EQ(heap->depot.bytes, 0);
  hak_free(huge);
  hak_free(small);
}

TEST(GrowthTest, ADepotMakesWayForAHugeBlockBeyondThePeak) { on_a_fresh_thread(depot_makes_way, NULL); }

static void depot_makes_way_for_growth(void *unused) {
  (void)unused;
  void *huge = hak_malloc(4 * MIB);
  ASSERT_NE(huge, NULL);
  size_t count = fill_slabs(512, SLABS);
  for (size_t i = 0; i < count; i++) {
    hak_free(blocks[i]);
  }
  struct thread_heap *heap = thread_cache.heap;
  EXPECT_GT(heap->depot.bytes, MIB);
  huge = hak_realloc(huge, 16 * MIB);
  ASSERT_NE(huge, NULL);
  EXPECT_EQ(heap->depot.bytes, 0);
  hak_free(huge);
}

TEST(GrowthTest, ADepotMakesWayForAHugeBlockThatGrows) { on_a_fresh_thread(depot_makes_way_for_growth, NULL); }

/* All its slabs are empty, and blocks were last taken from them so many milliseconds ago. */
static void keep_empty_slabs(struct thread_heap *heap, size_t slabs, uint64_t age) {
  size_t count = fill_slabs(512, slabs);
  for (size_t i = 0; i < count; i++) {
    hak_free(blocks[i]);
  }
  heap_enter(heap);
  heap_put_class(heap, size_class_of(512));
  heap_leave(heap);
  for (struct slab *slab = heap->kept.oldest; slab != NULL; slab = slab->kept_next) {
    slab->taken_at = os_milliseconds() - age;
  }
}

/* As much goes back of what lies empty as the block takes. */
static void empty_slabs_make_way(void *unused) {
  (void)unused;
  enum { WHILE_MS = 1000, BLOCK = 2 * MIB, PEAK = 32 * MIB };
  options.retain_kib = PEAK / KIB;
  void *stays = hak_malloc(96);
  hak_free(hak_malloc(PEAK));
  struct thread_heap *heap = thread_cache.heap;
  keep_empty_slabs(heap, SLABS, 0);
  size_t kept = heap->kept.bytes;
  EXPECT_GT(kept, BLOCK);
  void *huge = hak_malloc(PEAK + MIB);
  EXPECT_EQ(heap->kept.bytes, kept); /* what was used just now is used again */
  keep_empty_slabs(heap, SLABS, WHILE_MS);
  EXPECT_EQ(heap->kept.bytes, kept);
  heap_enter(heap);
  warm_pool_flush(&heap->warm_pool); /* what it has now would go to the shared pool with the slabs */
  heap_leave(heap);
  hak_purge(HAK_PURGE_RETAINED);
  EXPECT_EQ(retained_bytes(), 0);
  EXPECT_EQ(heap->kept.bytes, kept);
  size_t active = pool_units().active;
  void *more = hak_malloc(BLOCK);
  EXPECT_EQ(heap->kept.bytes, kept - BLOCK);
  EXPECT_EQ(pool_units().active, active - BLOCK / UNIT_BYTES);
  EXPECT_EQ(retained_bytes(), 0);
  hak_free(more);
  hak_free(huge);
  hak_free(stays);
}

TEST(GrowthTest, EmptySlabsMakeWayForAHugeBlockBeyondThePeak) { on_a_fresh_thread(empty_slabs_make_way, NULL); }

/* Nothing goes back for what the process may not have. */
static void nothing_makes_way(void *unused) {
  (void)unused;
  enum { WHILE_MS = 1000, PEAK = 32 * MIB, MOST = 64 * MIB };
  options.retain_kib = PEAK / KIB;
  void *stays = hak_malloc(96);
  hak_free(hak_malloc(PEAK));
  void *grows = hak_malloc(PEAK);
  struct thread_heap *heap = thread_cache.heap;
  keep_empty_slabs(heap, SLABS, WHILE_MS);
  size_t kept = heap->kept.bytes;
  EXPECT_GT(kept, MIB);
  struct rlimit before;
  getrlimit(RLIMIT_DATA, &before);
  const struct rlimit limit = {MOST, before.rlim_max};
  setrlimit(RLIMIT_DATA, &limit);
  if (os_writable_limit() == MOST) { /* an emulator does not know the limit */
    size_t purges = os_counts().purge_calls;
    EXPECT_EQ((uintptr_t)hak_malloc(2 * MOST), 0);
    EXPECT_EQ((uintptr_t)hak_realloc(grows, MOST + MIB), 0); /* what it would take more fits */
    EXPECT_EQ(heap->kept.bytes, kept);
    EXPECT_EQ(os_counts().purge_calls, purges);
  }
  setrlimit(RLIMIT_DATA, &before);
  void *huge = hak_malloc(2 * MOST);
  EXPECT_LT(heap->kept.bytes, kept);
  hak_free(huge);
  hak_free(grows);
  hak_free(stays);
}

TEST(GrowthTest, NothingMakesWayForMoreThanTheProcessMayHave) { on_a_fresh_thread(nothing_makes_way, NULL); }
