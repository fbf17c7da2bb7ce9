/* unit_tag: one word per unit says who owns it and of which class; the look-up of any address is safe. */
#include "cold/window.h"

#include "cold/superslab.h"
#include "hakmem.h"
#include "hot/cache.h"
#include "unit/unit.h"

static unit_tag tag_of_class(uint32_t owner, size_t size_class) {
  return owner << UNIT_TAG_CLASS_BITS | (unit_tag)size_class;
}

TEST(PageTagTest, AddressesOutsideTheWindowHaveNone) {
  hak_free(hak_malloc(1)); /* places the window */
  ASSERT_GT(window_units, 0);
  uintptr_t end = window_base + (window_units << UNIT_SHIFT);
  int on_stack = 0;
  EXPECT_EQ(unit_tag_of(NULL), UNIT_TAG_NONE);
  EXPECT_EQ(unit_tag_of(&on_stack), UNIT_TAG_NONE);
  EXPECT_EQ(unit_tag_of(&size_classes), UNIT_TAG_NONE);
  EXPECT_EQ(unit_tag_of((void *)(window_base - 1)), UNIT_TAG_NONE);
  EXPECT_EQ(unit_tag_of((void *)end), UNIT_TAG_NONE);
  EXPECT_EQ(unit_tag_of((void *)UINTPTR_MAX), UNIT_TAG_NONE);
}

TEST(PageTagTest, UnitsCountFromTheBaseOfTheWindow) {
  hak_free(hak_malloc(1));
  EXPECT_EQ(window_base % SUPERSLAB_BYTES, 0);
  EXPECT_EQ(window_unit((void *)window_base), 0);
  EXPECT_EQ(window_unit((void *)(window_base + UNIT_BYTES - 1)), 0);
  EXPECT_EQ(window_unit((void *)(window_base + UNIT_BYTES)), 1);
  EXPECT_GE(window_unit((void *)(window_base - 1)), window_units);
}

TEST(PageTagTest, BothEndsOfTheWindowCanBeRead) {
  hak_free(hak_malloc(1));
  EXPECT_EQ(unit_tag_at(window_units - 1), UNIT_TAG_NONE);
  EXPECT_EQ(window_superslabs[(window_units - 1) / SUPERSLAB_UNITS], NULL);
  (void)unit_tag_at(0);
}

TEST(PageTagTest, EveryByteOfABlockNamesItsOwnerAndClass) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    size_t stride = size_classes[size_class].stride;
    char *block = hak_malloc(stride);
    unit_tag tag = unit_tag_of(block);
    size_t tagged = unit_tag_class(tag);
    EXPECT_TRUE(tagged == size_class || tagged == size_class + 1); /* a block of the next class may serve */
    EXPECT_EQ(tag, tag_of_class((uint32_t)(thread_cache.self >> UNIT_TAG_CLASS_BITS), tagged));
    EXPECT_EQ(unit_tag_of(block + stride - 1), tag);
    EXPECT_EQ((uint64_t)tag ^ thread_cache.self, tagged);
    hak_free(block);
  }
}

static void own_tag(void *self) {
  void *block = hak_malloc(64);
  *(uint64_t *)self = thread_cache.self;
  EXPECT_EQ(unit_tag_of(block) >> UNIT_TAG_CLASS_BITS, thread_cache.self >> UNIT_TAG_CLASS_BITS);
  hak_free(block);
}

TEST(PageTagTest, LivingThreadsHaveDifferentOwners) {
  uint64_t other;
  hak_free(hak_malloc(64));
  unit_in_thread(own_tag, &other);
  EXPECT_NE(other, thread_cache.self);
  EXPECT_NE(other, UNIT_TAG_NOBODY);
}

TEST(PageTagTest, NoTagIsMineForAThreadWithoutAHeap) {
  const uint64_t nobody = UNIT_TAG_NOBODY;
  const unit_tag all[] = {UNIT_TAG_NONE,
                          UNIT_TAG_LARGE,
                          UNIT_TAG_INSIDE,
                          tag_of_class(1, 0),
                          tag_of_class(1, SIZE_CLASS_COUNT - 1),
                          tag_of_class(OWNER_MAX, 0),
                          tag_of_class(OWNER_MAX, SIZE_CLASS_COUNT - 1)};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    EXPECT_GE(all[i] ^ nobody, SIZE_CLASS_COUNT);
  }
}

TEST(PageTagTest, OnlyTheSameOwnersSlabsAreMine) {
  const uint32_t owners[] = {1, 2, 255, 256, OWNER_MAX - 1, OWNER_MAX};
  const size_t count = sizeof owners / sizeof owners[0];
  for (size_t mine = 0; mine < count; mine++) {
    uint64_t self = owners[mine] << UNIT_TAG_CLASS_BITS;
    EXPECT_GE(UNIT_TAG_NONE ^ self, SIZE_CLASS_COUNT);
    EXPECT_GE(UNIT_TAG_LARGE ^ self, SIZE_CLASS_COUNT);
    EXPECT_GE(UNIT_TAG_INSIDE ^ self, SIZE_CLASS_COUNT);
    for (size_t other = 0; other < count; other++) {
      for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
        ASSERT_EQ((tag_of_class(owners[other], size_class) ^ self) == size_class, mine == other);
      }
    }
  }
}

TEST(PageTagTest, SettingTouchesExactlyTheRange) {
  hak_free(hak_malloc(1));
  const size_t unit = window_units - 8; /* no arena has come so far */
  unit_tag_set(unit + 2, 3, UNIT_TAG_INSIDE);
  const unit_tag expected[] = {0, 0, UNIT_TAG_INSIDE, UNIT_TAG_INSIDE, UNIT_TAG_INSIDE, 0, 0, 0};
  for (size_t i = 0; i < 8; i++) {
    EXPECT_EQ(unit_tag_at(unit + i), expected[i]);
  }
  unit_tag_set(unit + 2, 3, UNIT_TAG_NONE);
  unit_tag_set(unit, 0, UNIT_TAG_LARGE);
  for (size_t i = 0; i < 8; i++) {
    EXPECT_EQ(unit_tag_at(unit + i), UNIT_TAG_NONE);
  }
}
