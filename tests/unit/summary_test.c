/* summary: the figures of the whole process. */
#include "report/summary.h"

#include "base/base.h"
#include "cold/residency.h"
#include "unit/heaps.h"

static hak_heap_summary now(void) {
  hak_heap_summary summary = {.struct_size = sizeof summary};
  summary_fill(&summary);
  return summary;
}

static void free_it(void *block) { hak_free(block); }

static void start_and_end(void *unused) {
  (void)unused;
  hak_free(hak_malloc(10));
}

TEST(SummaryTest, EveryFigureFollowsWhatItCounts) {
  hak_collect(); /* else what is retained of huge blocks serves large sizes too */
  hak_free(hak_malloc(10));
  hak_heap_summary before = now();
  EXPECT_GT(before.arenas, 0);
  EXPECT_GT(before.superslabs, 0);
  EXPECT_GT(before.slabs_bound, 0);
  EXPECT_GT(before.mmap_calls, 0);

  void *large[3] = {hak_malloc(100000), hak_malloc(100000), hak_malloc(50000)};
  EXPECT_EQ(now().large - before.large, 3);
  EXPECT_EQ(now().slabs_bound, before.slabs_bound);
  void *huge[2] = {hak_malloc(5 * MIB), hak_malloc(5 * MIB)};
  EXPECT_EQ(now().huge - before.huge, 2);
  EXPECT_EQ(now().active_bytes - before.active_bytes, 10 * MIB + 2 * 2 * 65536 + 65536);
  EXPECT_GE(now().mmap_calls - before.mmap_calls, 1);
  EXPECT_GE(now().peak_committed_bytes, now().active_bytes + now().retained_bytes);

  enum { BLOCKS = 3000 };
  static void *blocks[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = hak_malloc(1000);
  }
  EXPECT_GE(now().slabs_bound - before.slabs_bound, BLOCKS / 64 / 2);
  EXPECT_EQ(now().superslabs_open + now().superslabs_draining + now().superslabs_free, now().superslabs);

  size_t batches = now().remote_batches;
  unit_in_thread(free_it, blocks[0]);
  EXPECT_EQ(now().remote_batches - batches, 1);
  for (size_t i = 1; i < BLOCKS; i++) {
    hak_free(blocks[i]);
  }
  for (size_t i = 0; i < 3; i++) {
    hak_free(large[i]);
  }
  hak_free(hak_malloc(100000)); /* what the thread has freed serves again */
  EXPECT_EQ(now().large - before.large, 4);
  hak_free(huge[0]);
  hak_free(huge[1]);
  hak_collect();
  hak_heap_summary after = now();
  EXPECT_GT(after.purged_bytes, before.purged_bytes);
  EXPECT_EQ(after.retained_bytes, 0);
  EXPECT_LE(after.active_bytes, before.active_bytes);
  EXPECT_GT(after.munmap_calls, 0);
  size_t recycled = after.slabs_recycled;
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = hak_malloc(500);
  }
  EXPECT_GT(now().slabs_recycled, recycled); /* where blocks of another class were */
  for (size_t i = 0; i < BLOCKS; i++) {
    hak_free(blocks[i]);
  }
}

TEST(SummaryTest, AdoptedOrphansAreCounted) {
  let_threads_last();
  unit_in_thread(start_and_end, NULL);
  size_t before = now().orphans_adopted;
  unit_in_thread(start_and_end, NULL);
  EXPECT_EQ(now().orphans_adopted - before, 1);
}

/* ---- what is in use ---- */

TEST(SummaryTest, SaysWhatIsInUseAndWhatIsRetained) {
  hak_free(hak_malloc(3 * MIB));
  hak_collect();
  struct memory_in_use before = memory_in_use();
  void *huge = hak_malloc(10 * MIB);
  struct memory_in_use with_huge = memory_in_use();
  EXPECT_EQ(with_huge.huge_blocks - before.huge_blocks, 1);
  EXPECT_EQ(with_huge.huge_bytes - before.huge_bytes, 10 * MIB);
  EXPECT_EQ(with_huge.slab_bytes, before.slab_bytes);
  EXPECT_EQ(with_huge.slab_bytes + with_huge.huge_bytes, active_bytes());
  EXPECT_EQ(with_huge.live_bytes, before.live_bytes);
  void *large = hak_malloc(2 * UNIT_BYTES);
  struct memory_in_use with_large = memory_in_use();
  EXPECT_EQ(with_large.slab_bytes - with_huge.slab_bytes, 2 * UNIT_BYTES);
  EXPECT_EQ(with_large.live_bytes - with_huge.live_bytes, 2 * UNIT_BYTES);
  hak_free(large);
  hak_free(huge);
  struct memory_in_use after = memory_in_use();
  EXPECT_EQ(after.huge_blocks, before.huge_blocks);
  EXPECT_EQ(after.huge_bytes, before.huge_bytes);
  EXPECT_EQ(after.live_bytes, before.live_bytes);
  EXPECT_EQ(after.retained_bytes, retained_bytes());
  hak_collect();
  EXPECT_EQ(memory_in_use().retained_bytes, 0);
}

enum { LIVE = 10000, LIVE_SIZE = 100, LIVE_STRIDE = 112 };

static void *live_blocks[LIVE];

static void hold_many(void *unused) {
  (void)unused;
  hak_free(hak_malloc(LIVE_SIZE));
  size_t before = memory_in_use().live_bytes;
  for (size_t i = 0; i < LIVE; i++) {
    live_blocks[i] = hak_malloc(LIVE_SIZE);
    ASSERT_EQ(hak_usable_size(live_blocks[i]), LIVE_STRIDE);
  }
  EXPECT_EQ(memory_in_use().live_bytes - before, (size_t)LIVE * LIVE_STRIDE);
  EXPECT_GE(memory_in_use().slab_bytes, memory_in_use().live_bytes);
  /* What is freed does not count, whether it lies in a magazine, in the depot or in a slab. */
  for (size_t i = 0; i < LIVE; i += 2) {
    hak_free(live_blocks[i]);
  }
  EXPECT_EQ(memory_in_use().live_bytes - before, (size_t)LIVE / 2 * LIVE_STRIDE);
  for (size_t i = 1; i < LIVE; i += 2) {
    hak_free(live_blocks[i]);
  }
  EXPECT_EQ(memory_in_use().live_bytes, before);
}

TEST(SummaryTest, BlocksCountAsLiveFromMallocToFree) { EXPECT_RUNS(hold_many, NULL, ""); }
