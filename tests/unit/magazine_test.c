/* magazine: full and empty by its addresses alone. */
#include "warm/magazine.h"

#include "unit/unit.h"

TEST(MagazineTest, TheConstantMagazineIsAlignedAndAllNull) {
  EXPECT_EQ((uintptr_t)no_magazine % MAGAZINE_BYTES, 0);
  for (size_t i = 0; i < MAGAZINE_SLOTS; i++) {
    EXPECT_EQ(no_magazine[i], NULL);
  }
}

TEST(MagazineTest, ABottomIsAsFarDownAsItMayHoldBlocks) {
  void **const magazine = (void **)(uintptr_t)(64 * MAGAZINE_BYTES);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    void **last = magazine + MAGAZINE_SLOTS - 1;
    for (unsigned blocks = 2; blocks <= size_classes[size_class].magazine; blocks++) {
      EXPECT_EQ(last - magazine_bottom(magazine, blocks), blocks);
      EXPECT_GE(magazine_bottom(magazine, blocks), magazine);
      EXPECT_EQ(magazine_room(magazine_bottom(magazine, blocks)), blocks);
    }
    EXPECT_EQ(magazine_of(last), magazine);
    EXPECT_EQ(magazine_of(magazine), magazine);
    EXPECT_EQ(magazine_block_bytes(size_class),
              (size_t)size_classes[size_class].magazine * size_classes[size_class].stride);
  }
}

TEST(MagazineTest, BlocksAreCountedDownToTheNull) {
  static _Alignas(MAGAZINE_BYTES) void *magazine[MAGAZINE_SLOTS];
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    void **bottom = magazine_bottom(magazine, size_classes[size_class].magazine);
    for (size_t i = 0; i < MAGAZINE_SLOTS; i++) {
      magazine[i] = magazine;
    }
    *bottom = NULL;
    EXPECT_EQ(magazine_count(bottom), 0);
    EXPECT_EQ(magazine_count(bottom + 1), 1);
    EXPECT_EQ(magazine_count(magazine_full_top(magazine)), size_classes[size_class].magazine);
    /* The slot after that of a full one would begin the next magazine. */
    EXPECT_EQ((uintptr_t)(magazine_full_top(magazine) + 1) % MAGAZINE_BYTES, 0);
  }
  EXPECT_FALSE(magazine_is_none(magazine));
}

TEST(MagazineTest, WhereThereIsNoneItIsEmptyAndFull) {
  EXPECT_TRUE(magazine_is_none(magazine_of(no_magazine_top())));
  EXPECT_EQ(magazine_count(no_magazine_top()), 0);
  EXPECT_EQ((uintptr_t)(no_magazine_top() + 1) % MAGAZINE_BYTES, 0);
}
