/* route: what no class serves goes to the box that does. */
#include "warm/route.h"

#include <errno.h>
#include <string.h>

#include "cold/pool_parts.h"
#include "hot/hot.h"
#include "unit/heaps.h"

static void ask_for_usable_size(void *pointer) {
  announce(pointer, NULL);
  block_usable_size(pointer, "malloc_usable_size");
}

static void ask_inside_a_slab(void *offset) {
  char *block = (char *)gate_malloc_class(size_class_of(1024)) + (uintptr_t)offset;
  announce(block, unit_of(block));
  block_usable_size(block, "realloc");
}

TEST(RouteTest, TheLineNamesTheCall) {
  static int in_data;
  EXPECT_STOPS(ask_for_usable_size, &in_data,
               ANNOUNCED "hakmem: malloc_usable_size of an invalid pointer: pointer \\1 is no live block of hakmem, "
                         "thread \\3\n");
  EXPECT_STOPS(ask_inside_a_slab, (void *)8,
               ANNOUNCED
               "hakmem: realloc of an interior pointer: pointer \\1, class of 1024 bytes, slab \\2, thread \\3\n");
  EXPECT_STOPS(ask_inside_a_slab, (void *)1,
               ANNOUNCED "hakmem: misaligned realloc: pointer \\1, class of 1024 bytes, slab \\2, thread \\3\n");
}

/* ---- large blocks and sizes ---- */

TEST(RouteTest, UsableSizeIsAtLeastWhatSizeUsableSays) {
  for (size_t size = 0; size < 40000; size += size < 2000 ? 1 : 97) {
    char *block = gate_malloc(size);
    size_t usable = block_usable_size(block, "test");
    ASSERT_GE(usable, size);
    ASSERT_GE(usable, size_usable(size));
    ASSERT_EQ(size_usable(size_usable(size)), size_usable(size));
    size_t waste = size_usable(size) - size;
    ASSERT_TRUE(size > SIZE_CLASS_MAX ? waste < UNIT_BYTES : waste <= size / 4 + 16);
    gate_free(block);
  }
  const size_t sizes[] = {32769, 65536, 65537, LARGE_MAX, LARGE_MAX + 1, 10 * MIB, 10 * MIB + 1};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    char *block = gate_malloc(sizes[i]);
    EXPECT_GE(block_usable_size(block, "test"), size_usable(sizes[i]));
    EXPECT_LT(block_usable_size(block, "test"), sizes[i] + sizes[i] / 8 + UNIT_BYTES);
    gate_free(block);
  }
  EXPECT_EQ(size_usable((size_t)PTRDIFF_MAX + 1), 0);
  EXPECT_EQ(size_usable(SIZE_MAX), 0);
}

TEST(RouteTest, AllocateAlignedKeepsAlignmentAndTellsTheTruthOfZero) {
  uint64_t seed = unit_seed();
  for (int i = 0; i < 600; i++) {
    size_t size = unit_below(&seed, (size_t)1 << unit_below(&seed, 23));
    size_t alignment = (size_t)1 << unit_below(&seed, 24);
    NOTE("size %zu, alignment %zu", size, alignment);
    bool zeroed = true;
    errno = UNTOUCHED_ERRNO;
    char *block = allocate_aligned(size, alignment, &zeroed);
    ASSERT_NE(block, NULL);
    ASSERT_EQ((uintptr_t)block % alignment, 0);
    ASSERT_GE(block_usable_size(block, "test"), size);
    ASSERT_EQ(errno, UNTOUCHED_ERRNO);
    if (size > 0) {
      ASSERT_TRUE(!zeroed || unit_is_zero(block, size));
      memset(block, 0xFF, size);
    }
    gate_free(block);
  }
}

static bool is_huge(const void *block) { return unit_tag_of(block) == UNIT_TAG_NONE; }

/* Of sizes that both kinds have, what either retains serves before fresh memory. */
static void use_what_is_retained(void *unused) {
  (void)unused;
  enum { OFTEN = 16 };
  option_set("retain_kib", 64 * 1024);
  void *fresh = gate_malloc(LARGE_FRESH_MAX);
  EXPECT_FALSE(is_huge(fresh));
  void *above = gate_malloc(LARGE_FRESH_MAX + 1);
  EXPECT_TRUE(is_huge(above));
  char *huge = gate_malloc(4 * MIB);
  char *beyond = gate_malloc(MIB + 1);
  EXPECT_TRUE(is_huge(beyond));
  gate_free(huge);
  for (size_t i = 0; i < OFTEN; i++) { /* the range of the huge one is there for large sizes too */
    char *large = gate_malloc(40000 + i * 4096);
    EXPECT_TRUE(large >= huge && large < huge + 4 * MIB);
  }
  huge_purge();
  struct slab *run = pool_take_large(SUPERSLAB_UNITS / 2, USE_PARTS);
  ASSERT_NE(run, NULL);
  run->dirty = run->units;
  pool_give(run);
  char *block = gate_malloc(LARGE_MAX); /* and what the pool retains for sizes that are huge else */
  EXPECT_FALSE(is_huge(block));
  EXPECT_TRUE(is_huge(gate_malloc(LARGE_MAX)));
  parts_raise(2); /* where many threads wait all of them are large */
  EXPECT_FALSE(is_huge(gate_malloc(LARGE_MAX)));
}

TEST(RouteTest, WhatIsRetainedServesBothKinds) { EXPECT_RUNS(use_what_is_retained, NULL, ""); }

TEST(RouteTest, ResizesLargeAndHugeBlocksAndNoOthers) {
  void *small = gate_malloc(1000);
  EXPECT_EQ(resize_large(small, 100000), NULL);
  gate_free(small);

  for (int i = 0; i < 16; i++) { /* of one size of late: else it would be huge */
    gate_free(gate_malloc(LARGE_FRESH_MAX));
  }
  huge_purge(); /* and what is retained there serves large sizes too */
  void *large = allocate_large(LARGE_FRESH_MAX);
  EXPECT_EQ(resize_large(large, LARGE_FRESH_MAX / 2), large);
  EXPECT_EQ(block_usable_size(large, "test"), LARGE_FRESH_MAX / 2);
  EXPECT_EQ(resize_large(large, LARGE_FRESH_MAX / 4 * 3), large);
  EXPECT_EQ(resize_large(large, LARGE_MAX + 1), NULL); /* would be of another kind */
  EXPECT_EQ(resize_large(large, SIZE_CLASS_MAX), NULL);
  EXPECT_EQ(block_usable_size(large, "test"), LARGE_FRESH_MAX);
  gate_free(large);

  char *huge = allocate_large(5 * MIB);
  memset(huge, 9, 5 * MIB);
  huge = resize_large(huge, 50 * MIB);
  ASSERT_NE(huge, NULL);
  EXPECT_EQ(huge[5 * MIB - 1], 9);
  EXPECT_EQ(resize_large(huge, SIZE_CLASS_MAX), NULL);
  EXPECT_EQ(resize_large(huge, (size_t)PTRDIFF_MAX + 1), NULL);
  EXPECT_EQ(resize_large(huge, (size_t)1 << 50), NULL);
  EXPECT_GE(block_usable_size(huge, "test"), 50 * MIB);
  huge = resize_large(huge, LARGE_FRESH_MAX + 1);
  ASSERT_NE(huge, NULL);
  EXPECT_EQ(block_usable_size(huge, "test"), os_page_ceil(LARGE_FRESH_MAX + 1));
  EXPECT_EQ(resize_large(huge, SIZE_CLASS_MAX + 1), huge);
  EXPECT_EQ(block_usable_size(huge, "test"), os_page_ceil(SIZE_CLASS_MAX + 1));
  gate_free(huge);
}

/* Of no slab, however many there are (warm/medium.h). */
static void *in_a_run_or_range(size_t size) {
  bool zeroed;
  return allocate_aligned(size, SIZE_CLASS_GRAIN, &zeroed);
}

static void use_many_sizes(void *unused) {
  (void)unused;
  enum { MANY = 20000, LEAST = 40000 };
  option_set("retain_kib", 0);
  for (size_t i = 0; i < 32; i++) {
    EXPECT_FALSE(is_huge(in_a_run_or_range(LEAST + i % 3 * 10000))); /* of three sizes */
  }
  size_t bytes = 0;
  for (size_t i = 0; i < 32; i++) {
    size_t size = LEAST + i % 8 * 2000;
    void *block = in_a_run_or_range(size);
    if (i >= 16) {
      EXPECT_EQ(is_huge(block), os_page_size() < UNIT_BYTES / 8);
      EXPECT_EQ(huge_live_bytes() - bytes, is_huge(block) ? os_page_ceil(size) : 0); /* and no more */
    }
    bytes = huge_live_bytes();
  }
  size_t huge = 0;
  for (size_t i = 0; i < MANY; i++) {
    huge += is_huge(in_a_run_or_range(LEAST + i % 8 * 2000));
  }
  EXPECT_LE(huge, 16384); /* else they are more areas than the system allows */
}

TEST(RouteTest, BlocksOfManySizesAreHuge) { EXPECT_RUNS(use_many_sizes, NULL, ""); }

TEST(RouteTest, ImpossibleSizesAreEnomem) {
  const size_t sizes[] = {SIZE_MAX, (size_t)PTRDIFF_MAX + 1, PTRDIFF_MAX, (size_t)1 << 50};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    bool zeroed;
    errno = 0;
    EXPECT_EQ(allocate_large(sizes[i]), NULL);
    EXPECT_EQ(errno, ENOMEM);
    errno = 0;
    EXPECT_EQ(allocate_aligned(sizes[i], 4096, &zeroed), NULL);
    EXPECT_EQ(errno, ENOMEM);
  }
}
