/* page_tag: one word per unit says who owns it and of which class; the look-up of any address is safe. */
#include "hot/page_tag.h"

#include "cold/superslab.h"
#include "hakmem.h"
#include "hot/cache.h"
#include "unit/unit.h"

static page_tag tag_of_class(uint32_t owner, size_t class) { return owner << PAGE_TAG_CLASS_BITS | (page_tag)class; }

TEST(PageTagTest, AddressesOutsideTheWindowHaveNone) {
  hak_free(hak_malloc(1)); /* places the window */
  ASSERT_GT(page_map_units, 0);
  uintptr_t end = page_map_base + (page_map_units << UNIT_SHIFT);
  int on_stack = 0;
  EXPECT_EQ(page_tag_of(NULL), PAGE_TAG_NONE);
  EXPECT_EQ(page_tag_of(&on_stack), PAGE_TAG_NONE);
  EXPECT_EQ(page_tag_of(&size_classes), PAGE_TAG_NONE);
  EXPECT_EQ(page_tag_of((void *)(page_map_base - 1)), PAGE_TAG_NONE);
  EXPECT_EQ(page_tag_of((void *)end), PAGE_TAG_NONE);
  EXPECT_EQ(page_tag_of((void *)UINTPTR_MAX), PAGE_TAG_NONE);
}

TEST(PageTagTest, UnitsCountFromTheBaseOfTheWindow) {
  hak_free(hak_malloc(1));
  EXPECT_EQ(page_map_base % SUPERSLAB_BYTES, 0);
  EXPECT_EQ(page_unit((void *)page_map_base), 0);
  EXPECT_EQ(page_unit((void *)(page_map_base + UNIT_BYTES - 1)), 0);
  EXPECT_EQ(page_unit((void *)(page_map_base + UNIT_BYTES)), 1);
  EXPECT_GE(page_unit((void *)(page_map_base - 1)), page_map_units);
}

TEST(PageTagTest, BothEndsOfTheWindowCanBeRead) {
  hak_free(hak_malloc(1));
  EXPECT_EQ(page_tag_at(page_map_units - 1), PAGE_TAG_NONE);
  EXPECT_EQ(page_map_superslab[(page_map_units - 1) / SUPERSLAB_UNITS], NULL);
  (void)page_tag_at(0);
}

TEST(PageTagTest, EveryByteOfABlockNamesItsOwnerAndClass) {
  for (size_t class = 0; class < SIZE_CLASS_COUNT; class++) {
    NOTE("class %zu", class);
    size_t stride = size_classes[class].stride;
    char *block = hak_malloc(stride);
    page_tag tag = page_tag_of(block);
    EXPECT_EQ(tag, tag_of_class((uint32_t)(thread_cache.self >> PAGE_TAG_CLASS_BITS), class));
    EXPECT_EQ(page_tag_class(tag), class);
    EXPECT_EQ(page_tag_of(block + stride - 1), tag);
    EXPECT_EQ((uint64_t)tag ^ thread_cache.self, class);
    hak_free(block);
  }
}

TEST(PageTagTest, ThreadsHaveDifferentOwners) {
  struct body {
    uint64_t self;
  } other = {0};
  hak_free(hak_malloc(1));
  void body(void *argument);
  (void)body;
  (void)other;
}
