/* huge: blocks with a mapping of their own. */
#include "cold/huge.h"

#include <string.h>

#include "cold/residency.h"
#include "os/system.h"
#include "unit/huge_blocks.h"
#include "unit/unit.h"

TEST(HugeTest, SizesArePageGranular) {
  const size_t page = os_page_size();
  const size_t sizes[] = {1, page - 1, page, page + 1, 3 * MIB, 3 * MIB + 1};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    char *block = allocate(sizes[i]);
    ASSERT_NE(block, NULL);
    EXPECT_EQ(huge_usable_size(block), os_page_ceil(sizes[i]));
    EXPECT_EQ((uintptr_t)block % page, 0);
    memset(block, 1, huge_usable_size(block));
    EXPECT_TRUE(huge_free(block));
    EXPECT_EQ(huge_usable_size(block), 0);
  }
}

TEST(HugeTest, OnlyStartsOfLiveBlocksAreKnown) {
  char *block = allocate(3 * MIB);
  int on_stack;
  EXPECT_EQ(huge_usable_size(block + 4096), 0);
  EXPECT_EQ(huge_usable_size(block - 4096), 0);
  EXPECT_EQ(huge_usable_size(&on_stack), 0);
  EXPECT_FALSE(huge_free(block + 4096));
  EXPECT_FALSE(huge_free(&on_stack));
  EXPECT_FALSE(huge_free(NULL));
  EXPECT_TRUE(huge_free(block));
  EXPECT_FALSE(huge_free(block));
}

TEST(HugeTest, AnInnerAddressFindsItsBlockForMessages) {
  huge_purge(); /* no range that would leave a little more */
  char *block = allocate(3 * MIB);
  EXPECT_EQ(huge_around(block + 1), block);
  EXPECT_EQ(huge_around(block + 3 * MIB - 1), block);
  EXPECT_NE(huge_around(block + 3 * MIB), block);
  EXPECT_NE(huge_around(block - 1), block);
  EXPECT_EQ(huge_around(&zeroed), NULL);
  EXPECT_TRUE(huge_free(block));
  EXPECT_EQ(huge_around(block + 1), NULL);
}

TEST(HugeTest, AlignmentsUpToAGibibyte) {
  for (size_t alignment = 1; alignment <= GIB; alignment *= 2) {
    huge_purge();
    for (int used = 0; used < 2; used++) { /* fresh, and the range that it has left */
      char *block = huge_allocate(3 * MIB, alignment, &zeroed);
      ASSERT_NE(block, NULL);
      EXPECT_EQ((uintptr_t)block % alignment, 0);
      EXPECT_EQ(huge_usable_size(block), 3 * MIB);
      block[0] = block[3 * MIB - 1] = 1;
      EXPECT_TRUE(huge_free(block));
    }
  }
}

TEST(HugeTest, FiguresCountLiveBlocks) {
  size_t count = huge_count();
  size_t live = huge_live_count();
  size_t bytes = huge_live_bytes();
  size_t active = active_bytes();
  char *a = allocate(3 * MIB);
  char *b = allocate(5 * MIB);
  EXPECT_EQ(huge_count() - count, 2);
  EXPECT_EQ(huge_live_count() - live, 2);
  EXPECT_EQ(huge_live_bytes() - bytes, 8 * MIB);
  EXPECT_EQ(active_bytes() - active, 8 * MIB);
  huge_free(a);
  EXPECT_EQ(huge_live_bytes() - bytes, 5 * MIB);
  huge_free(b);
  EXPECT_EQ(huge_count() - count, 2);
  EXPECT_EQ(huge_live_count(), live);
  EXPECT_EQ(huge_live_bytes(), bytes);
  EXPECT_EQ(active_bytes(), active);
}

/* ---- the table ---- */

TEST(HugeTest, TheTableGrowsAsNeeded) {
  enum { MANY = 3000 }; /* 64 entries at first */
  static char *blocks[MANY];
  for (size_t i = 0; i < MANY; i++) {
    blocks[i] = allocate((i % 3 + 1) * os_page_size());
    ASSERT_NE(blocks[i], NULL);
  }
  for (size_t i = 0; i < MANY; i++) {
    ASSERT_EQ(huge_usable_size(blocks[i]), (i % 3 + 1) * os_page_size());
  }
  for (size_t i = 0; i < MANY; i += 2) {
    ASSERT_TRUE(huge_free(blocks[i]));
  }
  for (size_t i = 0; i < MANY; i++) {
    ASSERT_EQ(huge_usable_size(blocks[i]), i % 2 == 0 ? 0 : (i % 3 + 1) * os_page_size());
  }
  for (size_t i = 1; i < MANY; i += 2) {
    ASSERT_TRUE(huge_free(blocks[i]));
  }
}

TEST(HugeTest, RandomCallsAgreeWithAModel) {
  enum { SLOTS = 300 };
  static struct {
    char *block;
    size_t bytes;
    char mark;
  } slots[SLOTS];
  uint64_t seed = unit_seed();
  size_t live = huge_live_count();
  for (int i = 0; i < 30000; i++) {
    size_t s = unit_below(&seed, SLOTS);
    size_t size = (unit_below(&seed, 30) + 1) * os_page_size() - unit_below(&seed, 100);
    if (slots[s].block == NULL) {
      slots[s].block = allocate(size);
      ASSERT_NE(slots[s].block, NULL);
      if (zeroed) {
        ASSERT_TRUE(slots[s].block[0] == 0 && slots[s].block[size - 1] == 0);
      }
    } else {
      ASSERT_EQ(huge_usable_size(slots[s].block), slots[s].bytes);
      ASSERT_EQ(slots[s].block[0], slots[s].mark);
      if (unit_below(&seed, 4) != 0) {
        ASSERT_EQ(slots[s].block[slots[s].bytes - 1], slots[s].mark);
        ASSERT_TRUE(huge_free(slots[s].block));
        slots[s].block = NULL;
        continue;
      }
      bool in_place = unit_below(&seed, 2) == 0 && huge_resize_in_place(slots[s].block, size) >= size;
      char *moved = in_place ? slots[s].block : huge_resize(slots[s].block, size);
      ASSERT_NE(moved, NULL);
      ASSERT_EQ(moved[0], slots[s].mark);
      ASSERT_GE(huge_usable_size(moved), size);
      slots[s].block = moved;
    }
    slots[s].bytes = huge_usable_size(slots[s].block);
    slots[s].mark = (char)unit_random(&seed);
    slots[s].block[0] = slots[s].block[slots[s].bytes - 1] = slots[s].mark;
  }
  for (size_t s = 0; s < SLOTS; s++) {
    if (slots[s].block != NULL) {
      huge_free(slots[s].block);
      slots[s].block = NULL;
    }
  }
  EXPECT_EQ(huge_live_count(), live);
}

TEST(HugeTest, ImpossibleSizesGiveNull) {
  huge_purge(); /* no range that would leave a little more */
  EXPECT_EQ(allocate((size_t)1 << 50), NULL);
  EXPECT_EQ(allocate((size_t)PTRDIFF_MAX / 2), NULL);
  char *block = allocate(3 * MIB);
  EXPECT_EQ(huge_resize(block, (size_t)PTRDIFF_MAX / 2), NULL);
  EXPECT_EQ(huge_resize(block, (size_t)1 << 50), NULL);
  EXPECT_EQ(huge_usable_size(block), 3 * MIB);
  huge_free(block);
}
