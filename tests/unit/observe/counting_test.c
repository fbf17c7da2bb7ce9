/* counting: tallies, and the bands of live blocks. */
#include "events/counting.h"

#include <string.h>

#include "cold/shared_pool.h"
#include "hakmem.h"
#include "hot/gate.h"
#include "os/system.h"
#include "unit/forks.h"
#include "unit/heaps.h"
#include "warm/heap.h"

static uint64_t count_of(enum observe_counter counter) { return observe_sums().value[counter]; }

static uint64_t band_count(unsigned first, unsigned paths, unsigned band) {
  struct observe_sums sums = observe_sums();
  uint64_t sum = 0;
  for (unsigned path = 0; path < paths; path++) {
    sum += sums.value[first + path * BAND_COUNT + band];
  }
  return sum;
}

static uint64_t mallocs(unsigned band) { return band_count(COUNT_MALLOC, MALLOC_SLAB_PATHS, band); }
static uint64_t frees(unsigned band) { return band_count(COUNT_FREE, FREE_SLAB_PATHS, band); }

/* ---- bands ---- */

TEST(CountingTest, ABandEndsAtAPowerOfTwo) {
  EXPECT_EQ(band_of(0), 0);
  EXPECT_EQ(band_of(1), 0);
  for (size_t band = 0; band < BAND_MID; band++) {
    NOTE("band %zu", band);
    EXPECT_EQ(band_of((size_t)8 << band), band);
    EXPECT_EQ(band_of(((size_t)8 << band) + 1), band + 1);
  }
  EXPECT_EQ(band_of(SIZE_CLASS_MAX), BAND_MID);
}

TEST(CountingTest, EverySizeIsFreedInTheBandItWasAskedFor) {
  for (size_t size = 1; size <= 2000; size++) {
    NOTE("%zu bytes", size);
    size_t band = band_of(size);
    uint64_t made = mallocs((unsigned)band);
    uint64_t freed = frees((unsigned)band);
    void *block = hak_malloc(size);
    EXPECT_EQ(mallocs((unsigned)band), made + 1);
    EXPECT_EQ(frees((unsigned)band), freed);
    hak_free(block);
    EXPECT_EQ(mallocs((unsigned)band), made + 1);
    EXPECT_EQ(frees((unsigned)band), freed + 1);
  }
}

TEST(CountingTest, ABlockOfTheNextClassKeepsItsBand) {
  /* Free blocks of 576 bytes, and none of 512: a request of 512 is served by one of them. */
  enum { BLOCKS = 200 };
  static void *wide[BLOCKS], *narrow[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    wide[i] = hak_malloc(576);
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    hak_free(wide[i]);
  }
  uint64_t borrowed = 0;
  uint64_t freed = frees(6);
  for (size_t i = 0; i < BLOCKS; i++) {
    narrow[i] = hak_malloc(512);
    borrowed += hak_usable_size(narrow[i]) > 512;
  }
  EXPECT_GT(borrowed, 0);
  for (size_t i = 0; i < BLOCKS; i++) {
    hak_free(narrow[i]);
  }
  EXPECT_EQ(frees(6) - freed, BLOCKS);
}

TEST(CountingTest, LiveBlocksAreThoseThatTheHeapKnows) {
  enum { BLOCKS = 4000 };
  static void *blocks[BLOCKS];
  uint64_t seed = unit_seed();
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = hak_malloc(unit_below(&seed, SIZE_CLASS_MAX / 8));
  }
  for (size_t i = 0; i < BLOCKS; i += 3) {
    hak_free(blocks[i]);
  }
  size_t live = 0;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    struct heap_census census = heap_census(thread_cache.heap, size_class);
    live += census.capacity - census.free - census.remote - census.cached - census.depot;
  }
  uint64_t by_band[BAND_COUNT];
  observe_live(by_band);
  uint64_t counted = 0;
  for (unsigned band = 0; band < BAND_COUNT; band++) {
    EXPECT_EQ(mallocs(band) - frees(band), by_band[band]);
    counted += by_band[band];
  }
  EXPECT_EQ(counted, live);
  for (size_t i = 0; i < BLOCKS; i++) {
    if (i % 3 != 0) {
      hak_free(blocks[i]);
    }
  }
}

TEST(CountingTest, EachSuperslabHasOneTable) {
  hak_free(hak_malloc(10));
  size_t calls = observe_own().map_calls;
  EXPECT_TRUE(observe_superslab(band_map.window, band_map.superslabs, 0));
  EXPECT_TRUE(observe_superslab(band_map.window, band_map.superslabs, 0));
  EXPECT_LE(observe_own().map_calls, calls + 1);
}

static void starve(void *unused) {
  (void)unused;
  hak_free(hak_malloc(10));
  uint64_t live[BAND_COUNT];
  observe_live(live);
  uint64_t live_before = live[7];
  unit_limit_memory(MIB);
  size_t failed = 0;
  uint64_t before = count_of(COUNT_MALLOC_FAILED);
  for (size_t i = 0; i < 200000; i++) {
    failed += hak_malloc(1000) == NULL;
  }
  EXPECT_GT(failed, 0);
  EXPECT_EQ(count_of(COUNT_MALLOC_FAILED) - before, failed);
  observe_live(live);
  EXPECT_EQ(live[7] - live_before, 200000 - failed);
}

TEST(CountingTest, WithoutMemoryForATableThereIsNoSuperslab) {
  if (UNIT_SANITIZED) {
    SKIP("a sanitizer's address space cannot be limited");
  }
  EXPECT_RUNS(starve, NULL, NULL);
}

/* ---- tallies ---- */

enum { ADDED = 1000 };

/* Without guarded samples the library itself never counts there, whatever a light thread posts. */
static const enum observe_counter counted = COUNT_MALLOC_GUARDED;

static void add_many(void *unused) {
  (void)unused;
  hak_free(hak_malloc(10));
  for (int i = 0; i < ADDED; i++) {
    observe_add(counted, 1);
  }
}

static void note_tally(void *tally) {
  hak_free(hak_malloc(10));
  *(struct tally **)tally = observe_thread.tally;
}

static void cross_the_tiers(void *unused) {
  (void)unused;
  struct slab *run = pool_take_large(SUPERSLAB_UNITS, USE_PARTS);
  struct superslab *superslab = superslab_of_slab(run);
  uint64_t open = count_of(COUNT_TO_OPEN);
  uint64_t draining = count_of(COUNT_TO_DRAINING);
  uint64_t free_ones = count_of(COUNT_TO_FREE);
  pool_shrink(run, 1); /* it stays OPEN */
  EXPECT_EQ(count_of(COUNT_TO_OPEN) + count_of(COUNT_TO_DRAINING) + count_of(COUNT_TO_FREE),
            open + draining + free_ones);
  pool_shrink(run, SUPERSLAB_UNITS - 1 - 8);
  EXPECT_EQ(superslab->tier, TIER_DRAINING);
  EXPECT_EQ(count_of(COUNT_TO_DRAINING), draining + 1);
  EXPECT_TRUE(pool_extend(run, 8));
  EXPECT_EQ(superslab->tier, TIER_OPEN);
  EXPECT_EQ(count_of(COUNT_TO_OPEN), open + 1);
  run->dirty = run->units;
  pool_give(run);
  EXPECT_EQ(superslab->tier, TIER_FREE);
  EXPECT_EQ(count_of(COUNT_TO_FREE), free_ones + 1);
}

TEST(CountingTest, EachChangeOfATierIsCountedOnce) { EXPECT_RUNS(cross_the_tiers, NULL, NULL); }

TEST(CountingTest, AThreadThatHasEndedStaysInTheSums) {
  uint64_t before = count_of(counted);
  struct unit_thread threads[8];
  for (size_t round = 0; round < 3; round++) {
    for (size_t i = 0; i < 8; i++) {
      unit_start(&threads[i], add_many, NULL);
    }
    for (size_t i = 0; i < 8; i++) {
      unit_join(&threads[i]);
    }
  }
  EXPECT_EQ(count_of(counted) - before, 3 * 8 * ADDED);
}

TEST(CountingTest, TheNextThreadCountsOnInTheSameTally) {
  let_threads_last();
  struct tally *first = NULL;
  struct tally *second = NULL;
  unit_in_thread(note_tally, &first);
  unit_in_thread(note_tally, &second);
  EXPECT_TRUE(first != NULL && first != observe_thread.tally);
  EXPECT_EQ((uintptr_t)first, (uintptr_t)second);
}

static void free_without_a_heap(void *block) {
  EXPECT_TRUE(observe_thread.tally == NULL);
  hak_free(block);
  EXPECT_TRUE(observe_thread.tally == NULL);
}

TEST(CountingTest, AThreadWithoutAHeapIsCountedToo) {
  uint64_t before = frees(3);
  void *blocks[3] = {hak_malloc(64), hak_malloc(64), hak_malloc(64)};
  for (size_t i = 0; i < 3; i++) {
    unit_in_thread(free_without_a_heap, blocks[i]);
  }
  EXPECT_EQ(frees(3) - before, 3);
}

TEST(CountingTest, ManyThreadsAtOnceHaveATallyEach) {
  enum { THREADS = 100 };
  struct unit_thread threads[THREADS];
  uint64_t before = count_of(counted);
  for (size_t i = 0; i < THREADS; i++) {
    unit_start(&threads[i], add_many, NULL);
  }
  for (size_t i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_EQ(count_of(counted) - before, THREADS * ADDED);
}

static void in_child(void *argument) {
  const struct tally *of_the_lost = *(struct tally **)argument;
  EXPECT_NE(observe_forked_from(), 0);
  EXPECT_TRUE(atomic_load(&observe_thread.tally->taken));
  EXPECT_FALSE(atomic_load(&of_the_lost->taken));
  uint64_t before = count_of(counted);
  unit_in_thread(add_many, NULL);
  EXPECT_EQ(count_of(counted) - before, ADDED);
}

static _Atomic int stage;

static void wait_for_fork(void *tally) {
  note_tally(tally);
  atomic_store(&stage, 1);
  while (atomic_load(&stage) != 2) {
  }
}

TEST(CountingTest, InAChildTheTalliesOfLostThreadsAreFree) {
  SKIP_WITHOUT_FORKS;
  hak_free(hak_malloc(10));
  struct tally *tally = NULL;
  struct unit_thread thread;
  unit_start(&thread, wait_for_fork, &tally);
  while (atomic_load(&stage) != 1) {
  }
  EXPECT_FORKS(in_child, &tally);
  EXPECT_EQ(observe_forked_from(), 0);
  atomic_store(&stage, 2);
  unit_join(&thread);
}

/* ---- what is told apart ---- */

TEST(CountingTest, CountingIsNoPartOfTheFiguresOfTheSystem) {
  size_t all = os_counts().map_calls;
  size_t own = observe_own().map_calls;
  EXPECT_GT(own, 0);
  EXPECT_LT(own, all);
  uint64_t mapped = os_counts().mapped_bytes;
  uint64_t unmapped = os_counts().unmapped_bytes;
  void *start = os_map(NULL, 3 * MIB);
  start = os_remap(start, 3 * MIB, 5 * MIB);
  EXPECT_EQ(os_counts().mapped_bytes - mapped, 5 * MIB);
  start = os_remap(start, 5 * MIB, MIB);
  EXPECT_EQ(os_counts().unmapped_bytes - unmapped, 4 * MIB);
  os_unmap(start, MIB);
  EXPECT_EQ(os_counts().unmapped_bytes - unmapped, 5 * MIB);
  EXPECT_EQ(observe_own().map_calls, own);
}
