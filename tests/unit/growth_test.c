/* growth: caches are emptied before memory is taken that the process has not had. */
#include "warm/growth.h"

#include "config/options.h"
#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/put.h"

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

static void waits_longer(void *unused) {
  (void)unused;
  size_t count = fill_slabs(64, SLABS);
  for (size_t i = 0; i < count; i++) {
    if (i % 2 == 0) {
      hak_free(blocks[i]);
    }
  }
  struct thread_heap *heap = thread_cache.heap;
  heap_enter(heap);
  heap_put_caches(heap);
  heap->growth_wait = heap->growth_step = 0;
  size_t emptied = 0;
  for (size_t i = 0; i < 1000; i++) {
    emptied += heap->growth_wait == 0;
    growth_of_heap(heap);
  }
  EXPECT_EQ(heap->growth_step, 63);
  EXPECT_GE(emptied, 1000 / 64);
  EXPECT_LE(emptied, 1000 / 64 + 7); /* while it doubled */
  heap_leave(heap);
  for (size_t i = 1; i < count; i += 2) {
    hak_free(blocks[i]);
  }
}

TEST(GrowthTest, WhereItDoesNotHelpItIsTriedOnceIn64Times) { on_a_fresh_thread(waits_longer, NULL); }

static void depot_makes_way(void *unused) {
  (void)unused;
  size_t count = fill_slabs(64, SLABS);
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
  size_t count = fill_slabs(64, SLABS);
  for (size_t i = 0; i < count; i++) {
    hak_free(blocks[i]);
  }
  struct thread_heap *heap = thread_cache.heap;
  EXPECT_GT(heap->depot.bytes, MIB);
  heap->growth_wait = 0;
  huge = hak_realloc(huge, 16 * MIB);
  ASSERT_NE(huge, NULL);
  EXPECT_EQ(heap->depot.bytes, 0);
  hak_free(huge);
}

TEST(GrowthTest, ADepotMakesWayForAHugeBlockThatGrows) { on_a_fresh_thread(depot_makes_way_for_growth, NULL); }
