/* sample: which blocks are guarded samples. */
#include "warm/sample.h"

#include <string.h>

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/thread.h"

enum { BLOCKS = 20000 };

static char *blocks[BLOCKS];

static unsigned count_samples(size_t size, unsigned count) {
  unsigned samples = 0;
  for (unsigned i = 0; i < count; i++) {
    blocks[i] = gate_malloc(size);
    samples += guarded_holds(blocks[i]);
  }
  return samples;
}

static void free_all(unsigned count) {
  for (unsigned i = 0; i < count; i++) {
    gate_free(blocks[i]);
  }
}

static void none(void *unused) {
  (void)unused;
  options.guard_every = 0;
  EXPECT_EQ(count_samples(1000, BLOCKS), 0);
  EXPECT_EQ(guarded_base, GUARDED_NOWHERE);
}

TEST(SampleTest, ThereIsNoneAndNoMappingUnlessItIsAskedFor) { EXPECT_FORKS(none, NULL); }

static void each(void *unused) {
  (void)unused;
  options.guard_every = 1;
  gate_malloc(100); /* the round that was under way */
  for (unsigned i = 0; i < 200; i++) {
    count_samples(1 + i, 0);
    char *block = gate_malloc(1 + i);
    ASSERT_TRUE(guarded_holds(block));
    ASSERT_EQ(gate_usable_size(block, "test"), 1 + i);
    gate_free(block);
    char *zero = gate_calloc(1 + i);
    ASSERT_TRUE(guarded_holds(zero));
    gate_free(zero);
  }
  EXPECT_EQ(count_samples(64, 10000), GUARDED_SMALL_OF_ALL - 1);
  free_all(10000);
  EXPECT_EQ(count_samples(64, 10000), GUARDED_SMALL_OF_ALL - 1);
}

static void each_on_a_thread(void *unused) {
  options.guard_every = 1;
  on_a_fresh_thread(each, unused);
}

TEST(SampleTest, WithOneEachBlockIsAsLongAsThereAreSlots) { EXPECT_FORKS(each_on_a_thread, NULL); }

/* With that many slow paths to a sample, `count` blocks of 32 KiB, two of which are a refill, are as many. */
static void some(void *every) {
  for (unsigned i = 0; i < 2048; i++) {
    gate_malloc(SIZE_CLASS_MAX); /* 64 MiB in use, of which samples may hold a 128th */
  }
  options.guard_every = (long)(intptr_t)every;
  unsigned expected = BLOCKS / (unsigned)(intptr_t)every;
  unsigned samples = 0;
  for (unsigned i = 0; i < BLOCKS; i++) {
    char *block = gate_malloc(SIZE_CLASS_MAX);
    samples += guarded_holds(block);
    blocks[i % 64] = block;
    if (i % 64 == 63) {
      free_all(64);
    }
  }
  NOTE("%u samples, %u slow paths or so to each %ld", samples, BLOCKS, (long)(intptr_t)every);
  EXPECT_GT(samples, expected / 8);
  EXPECT_LT(samples, expected * 4);
}

TEST(SampleTest, ASampleComesOnceInSoManySlowPaths) {
  EXPECT_FORKS(some, (void *)16);
  EXPECT_FORKS(some, (void *)256);
  EXPECT_FORKS(some, (void *)1000);
}

static void little(void *unused) {
  (void)unused;
  options.guard_every = 2;
  EXPECT_LE(count_samples(1000, 2000), 5); /* 2 MB: a 128th is the records and a page or none */
  unsigned more = count_samples(1000, BLOCKS);
  EXPECT_GT(more, 5);
  EXPECT_LE(guarded_counted_bytes(), used_bytes() / 128 + os_page_size());
}

TEST(SampleTest, TheyHoldASmallPartOfTheMemoryInUse) { EXPECT_FORKS(little, NULL); }

static void aligned(void *unused) {
  (void)unused;
  gate_malloc(100);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    size_t stride = size_classes[size_class].stride;
    size_t alignment = stride & -stride;
    char *block = gate_malloc_placed(size_class, stride - stride / 4, stride & -stride);
    ASSERT_TRUE(guarded_holds(block));
    ASSERT_EQ((uintptr_t)block % alignment, 0);
    gate_free(block);
  }
}

static void aligned_on_a_thread(void *unused) {
  options.guard_every = 1;
  on_a_fresh_thread(aligned, unused);
}

TEST(SampleTest, OneIsAlignedAsABlockOfItsClassWhereThatIsAskedFor) { EXPECT_FORKS(aligned_on_a_thread, NULL); }

/* ---- what no class serves, and what has no bytes ---- */

static void each_large(void *unused) {
  (void)unused;
  options.guard_every = 1;
  gate_malloc(100000); /* the round that was under way */
  for (size_t size = SIZE_CLASS_MAX + 1; size < (16 << 20); size += size / 3) {
    char *block = gate_malloc(size);
    ASSERT_TRUE(guarded_holds(block));
    ASSERT_EQ(gate_usable_size(block, "test"), size);
    ASSERT_EQ((uintptr_t)block % 16, 0);
    ASSERT_EQ(gate_resize(block, 2 * size), NULL);
    gate_free(block);
    bool zeroed = false;
    char *aligned = gate_allocate_aligned(size, 1 << 16, &zeroed);
    ASSERT_TRUE(zeroed && guarded_holds(aligned));
    ASSERT_EQ((uintptr_t)aligned % (1 << 16), 0);
    gate_free(aligned);
  }
  char *empty = gate_malloc(0);
  EXPECT_TRUE(guarded_holds(empty));
  EXPECT_EQ(gate_usable_size(empty, "test"), 0);
  gate_free(empty);
  EXPECT_EQ(count_samples(100000, 1000), GUARDED_LARGE_OF_ALL - 1);
  free_all(1000);
  EXPECT_EQ(gate_malloc(OS_ADDRESSABLE), NULL);
}

static void each_large_on_a_thread(void *unused) { on_a_fresh_thread(each_large, unused); }

TEST(SampleTest, WithOneEachLargeBlockIsOneToo) { EXPECT_FORKS(each_large_on_a_thread, NULL); }

static void some_large(void *unused) {
  (void)unused;
  gate_free(gate_malloc(10)); /* the thread starts */
  for (unsigned i = 0; i < 16; i++) {
    gate_malloc(8 << 20); /* 128 MiB in use, of which samples may hold a 128th */
  }
  options.guard_every = 16;
  unsigned samples = 0;
  for (unsigned i = 0; i < BLOCKS; i++) {
    char *block = gate_malloc(100000);
    samples += guarded_holds(block);
    gate_free(block);
    char *larger = gate_malloc(2 << 20);
    ASSERT_FALSE(guarded_holds(larger)); /* it is more than that by itself */
    gate_free(larger);
  }
  EXPECT_GT(samples, BLOCKS / 32 / 4);
  EXPECT_LT(samples, BLOCKS / 16 * 4);
  EXPECT_LE(guarded_counted_bytes(), used_bytes() / 128);
}

TEST(SampleTest, ALargeBlockIsOneOnceInSoManySlowPaths) { EXPECT_FORKS(some_large, NULL); }

static void good_sizes(void *unused) {
  (void)unused;
  EXPECT_EQ(size_usable(100), 112);
  EXPECT_EQ(size_usable(100000), os_page_ceil(100000));
  options.guard_every = 1000;
  EXPECT_EQ(size_usable(100), 100);
  EXPECT_EQ(size_usable(100000), 100000);
  EXPECT_EQ(size_usable(SIZE_MAX), 0);
}

TEST(SampleTest, NoBlockPromisesMoreThanWasAskedForWhereSomeMayBeSamples) { EXPECT_FORKS(good_sizes, NULL); }
