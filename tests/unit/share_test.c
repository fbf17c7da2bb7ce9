/* share: how much a thread may cache. */
#include "warm/share.h"

#include <pthread.h>

#include "config/options.h"
#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/bind.h"
#include "warm/bounds.h"
#include "warm/put.h"
#include "warm/thread.h"

/* A heap that no thread uses, whose share is the test's. */
static struct thread_heap *heap_with(size_t share) {
  struct thread_heap *heap = new_heap();
  heap->share = share;
  return heap;
}

TEST(ShareTest, AMagazineHoldsAPartOfTheShareTwoBlocksAtLeast) {
  const size_t shares[] = {0, 1, 100 * KIB, SHARE_FULL - 1, SHARE_FULL, GIB};
  for (size_t s = 0; s < sizeof shares / sizeof shares[0]; s++) {
    struct thread_heap *heap = heap_with(shares[s]);
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      NOTE("share %zu, class %zu", shares[s], size_class);
      unsigned full = size_classes[size_class].magazine;
      unsigned blocks = share_of_class(heap, size_class);
      EXPECT_GE(blocks, 2);
      EXPECT_LE(blocks, full);
      EXPECT_TRUE(blocks == 2 || (size_t)blocks * size_classes[size_class].stride <= shares[s] / MAGAZINE_SHARE);
      EXPECT_TRUE(blocks == full ||
                  (blocks + 1) * (size_t)size_classes[size_class].stride > shares[s] / MAGAZINE_SHARE);
      EXPECT_TRUE(shares[s] < SHARE_FULL || blocks == full);
    }
  }
}

TEST(ShareTest, TheWarmPoolHoldsAPartOfIt) {
  EXPECT_EQ(share_of_units(heap_with(0)), 0);
  EXPECT_EQ(share_of_units(heap_with(3 * UNIT_BYTES)), 0);
  EXPECT_EQ(share_of_units(heap_with(8 * UNIT_BYTES)), 2);
  EXPECT_EQ(share_of_units(heap_with(GIB)), WARM_POOL_MAX);
}

TEST(ShareTest, ItIsUsedWhenMuchWasHandedOutSinceTheCachesWereEmptied) {
  struct thread_heap *heap = heap_with(8 * MIB);
  heap->used_bytes = 8 * MIB;
  heap->drained_used = 0;
  EXPECT_FALSE(share_is_used(heap));
  heap->used_bytes++;
  EXPECT_TRUE(share_is_used(heap));
  heap->drained_used = 8 * MIB; /* emptied now: half as much again, and the share */
  EXPECT_FALSE(share_is_used(heap));
  heap->used_bytes = 20 * MIB;
  EXPECT_FALSE(share_is_used(heap));
  heap->used_bytes++;
  EXPECT_TRUE(share_is_used(heap));
  heap->used_bytes = heap->drained_used = 0;
}

static pthread_barrier_t barrier;

static void have_a_heap(void *unused) {
  (void)unused;
  EXPECT_NE(thread_heap(), NULL);
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
}

static void divide(void *unused) {
  (void)unused;
  enum { OTHERS = 3 };
  struct thread_heap *heap = thread_heap();
  EXPECT_EQ(registry_thread_count(), 1);
  share_renew(heap);
  size_t alone = heap->share;
  EXPECT_GE(alone, 8 * MIB);
  EXPECT_LE(alone, 12 * MIB); /* next to nothing is in use */
  EXPECT_FALSE(heap->has_small_magazines);
  size_t keep = heap->keep;
  EXPECT_GT(keep, 0);
  EXPECT_LE(keep, residency_budget());

  struct unit_thread threads[OTHERS];
  pthread_barrier_init(&barrier, NULL, OTHERS + 1);
  for (size_t i = 0; i < OTHERS; i++) {
    unit_start(&threads[i], have_a_heap, NULL);
  }
  pthread_barrier_wait(&barrier);
  share_renew(heap);
  EXPECT_GE(heap->share, alone / (OTHERS + 1));
  EXPECT_LE(heap->share, alone / (OTHERS + 1) + MIB / 8);
  EXPECT_LE(heap->keep, keep / (OTHERS + 1) + 1);
  EXPECT_EQ(heap->has_small_magazines, heap->share < SHARE_FULL);
  pthread_barrier_wait(&barrier);
  for (size_t i = 0; i < OTHERS; i++) {
    unit_join(&threads[i]);
  }
  bool had_small = heap->has_small_magazines;
  share_renew(heap);
  EXPECT_GE(heap->share, alone);
  EXPECT_EQ(heap->has_small_magazines, had_small); /* some may be there still */

  /* It grows with what is in use, of which what was given back is no part. */
  residency_activate(HOLDER_HUGE, GIB, 0);
  share_renew(heap);
  size_t large = heap->share;
  EXPECT_GE(large, alone + 16 * MIB);
  residency_holes_made(GIB / 2);
  share_renew(heap);
  EXPECT_LT(heap->share, large);
  EXPECT_GE(heap->share, alone + 8 * MIB);
}

TEST(ShareTest, ThreadsDivideWhatAllMayCache) { EXPECT_RUNS(divide, NULL, ""); }

static void limited(void *unused) {
  (void)unused;
  struct thread_heap *heap = thread_heap();
  EXPECT_NE(gate_malloc(16), NULL); /* of a slab */
  share_renew(heap);
  size_t without = heap->share;
  EXPECT_GE(share_idle(heap), UNIT_BYTES);
  const size_t soft[] = {64 * MIB, 256 * MIB, 1024 * GIB};
  const size_t share[] = {MIB, 4 * MIB, without};
  for (size_t i = 0; i < sizeof soft / sizeof soft[0]; i++) {
    NOTE("soft limit %zu", soft[i]);
    EXPECT_EQ(bounds_set(soft[i], 0), 0);
    share_renew(heap);
    EXPECT_EQ(heap->share, share[i]);
    EXPECT_EQ(share_idle(heap), 0);
  }
}

TEST(ShareTest, ASoftLimitBoundsItAlsoBelowTheLimit) { EXPECT_RUNS(limited, NULL, ""); }

/* A heap that has grown by its share empties its caches, so that what lies there serves before fresh memory. */
static void grow_past_the_share(void *unused) {
  (void)unused;
  enum { BLOCKS = 64 };
  static void *blocks[BLOCKS];
  const size_t cached = size_class_of(256);
  const size_t growing = size_class_of(4096);
  struct thread_heap *heap = thread_heap();
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = gate_malloc_class(cached);
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    gate_free(blocks[i]);
  }
  EXPECT_GT(heap_census(heap, cached).cached, 0);
  size_t taken = 0;
  while (taken < 64 * MIB && heap_census(heap, cached).cached > 0) {
    ASSERT_NE(gate_malloc_class(growing), NULL);
    taken += 4096;
  }
  EXPECT_GE(taken, heap->share / 2);
  EXPECT_LE(taken, 2 * heap->share);
  EXPECT_EQ(heap_census(heap, cached).cached, 0);
  EXPECT_EQ(heap->depot.bytes, 0);
  expect_own_census(cached, 0);
}

static void grow_past_the_share_on_a_thread(void *unused) { on_a_fresh_thread(grow_past_the_share, unused); }

TEST(ShareTest, AHeapThatGrowsPastItEmptiesItsCaches) { EXPECT_RUNS(grow_past_the_share_on_a_thread, NULL, ""); }
