/* size_class: one table from which every box takes stride, capacity and the index of a block. */
#include <signal.h>

#include "base/size_class.h"
#include "unit/unit.h"

TEST(SizeClassTest, EverySizeGetsTheSmallestClassThatFits) {
  for (size_t size = 1; size <= SIZE_CLASS_MAX; size++) {
    size_t size_class = size_class_of(size);
    ASSERT_LT(size_class, SIZE_CLASS_COUNT);
    ASSERT_LE(size, size_classes[size_class].stride);
    if (size_class > 0) {
      ASSERT_GT(size, size_classes[size_class - 1].stride);
    }
  }
  EXPECT_EQ(size_classes[SIZE_CLASS_SMALL_COUNT - 1].stride, SIZE_CLASS_MAX);
  EXPECT_EQ(size_class_of(0), SIZE_CLASS_EMPTY);
}

TEST(SizeClassTest, EveryMediumSizeToo) {
  for (size_t size = SIZE_CLASS_MAX + 1; size <= SIZE_CLASS_MEDIUM_MAX; size++) {
    size_t size_class = size_class_of_medium(size);
    ASSERT_LT(size_class, SIZE_CLASS_COUNT);
    ASSERT_GE(size_class, SIZE_CLASS_SMALL_COUNT);
    ASSERT_LE(size, size_classes[size_class].stride);
    ASSERT_GT(size, size_classes[size_class - 1].stride);
    ASSERT_LT((size_classes[size_class].stride - size) * 3, size_classes[size_class].stride);
  }
  EXPECT_EQ(size_classes[SIZE_CLASS_COUNT - 1].stride, SIZE_CLASS_MEDIUM_MAX);
}

TEST(SizeClassTest, StridesKeepTheAlignmentOfMalloc) {
  EXPECT_EQ(size_classes[0].stride, 8);
  for (size_t size_class = 1; size_class < SIZE_CLASS_COUNT; size_class++) {
    EXPECT_EQ(size_classes[size_class].stride % 16, 0);
  }
}

TEST(SizeClassTest, WasteIsAtMostAFifthOrFifteenBytes) {
  for (size_t size = 1; size <= SIZE_CLASS_MAX; size++) {
    size_t stride = size_classes[size_class_of(size)].stride;
    size_t waste = stride - size;
    if (waste > 15) {
      ASSERT_LT(waste * 5, stride);
    }
  }
}

TEST(SizeClassTest, CapacityIsAllThatASlabHolds) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    const struct size_class *shape = &size_classes[size_class];
    size_t bytes = (size_t)shape->units * UNIT_BYTES;
    EXPECT_EQ(shape->units, shape->stride <= 8 * KIB ? 1 : shape->stride <= 16 * KIB ? 2 : 4);
    EXPECT_GE(shape->capacity, size_class < SIZE_CLASS_SMALL_COUNT ? SLAB_BLOCKS_MIN : 2);
    EXPECT_LE((size_t)shape->capacity * shape->stride, bytes);
    EXPECT_GT((size_t)(shape->capacity + 1) * shape->stride, bytes);
    EXPECT_LE(shape->capacity, shape->words * 64);
    EXPECT_GT(shape->capacity, (shape->words - 1) * 64);
  }
}

TEST(SizeClassTest, MagazinesHoldBetweenTwoBlocksAndSixtyFourKibibytes) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    const struct size_class *shape = &size_classes[size_class];
    EXPECT_GE(shape->magazine, 2);
    EXPECT_LT(shape->magazine, MAGAZINE_SLOTS);
    EXPECT_TRUE(shape->magazine == 2 || (size_t)shape->magazine * shape->stride <= MAGAZINE_BLOCK_BYTES);
  }
}

TEST(SizeClassTest, ReciprocalGivesTheIndexOfEveryOffset) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    const struct size_class *shape = &size_classes[size_class];
    size_t index = 0;
    size_t into = 0;
    for (size_t offset = 0; offset < (size_t)SLAB_UNITS_MAX * UNIT_BYTES; offset++) {
      size_t computed = offset * shape->reciprocal >> 40;
      ASSERT_EQ(computed, index);
      /* The test for a block's start: true at the starts and nowhere else. */
      ASSERT_EQ(computed * shape->stride == offset, into == 0);
      if (++into == shape->stride) {
        into = 0;
        index++;
      }
    }
  }
}

TEST(SizeClassTest, AGridKnowsTheStartOfEveryBlockOfAUnit) {
  const uintptr_t slab = (uintptr_t)7 * SUPERSLAB_BYTES + (uintptr_t)3 * UNIT_BYTES;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    const struct size_class *shape = &size_classes[size_class];
    for (size_t offset = 0; offset < UNIT_BYTES; offset++) {
      bool begins = offset % shape->stride == 0 && offset / shape->stride < shape->capacity;
      const void *block = (const void *)(slab + offset); // NOLINT(performance-no-int-to-ptr)
      ASSERT_EQ(block_is_exact(block, size_class), begins && shape->units == 1);
    }
  }
}

static void write_to_classes(void *unused) {
  (void)unused;
  *(volatile uint32_t *)(uintptr_t)&size_classes[3].stride = 64;
}

static void write_to_index(void *unused) {
  (void)unused;
  *(volatile uint8_t *)(uintptr_t)&size_class_index[3] = 0;
}

TEST(SizeClassTest, TablesAreInReadOnlyMemory) {
  if (UNIT_SANITIZED) {
    SKIP("a sanitizer turns the signal into an exit");
  }
  EXPECT_KILLED(write_to_classes, NULL, SIGSEGV);
  EXPECT_KILLED(write_to_index, NULL, SIGSEGV);
}
