/* fill: what is zeroed when a block is freed, and what shows that it was written since. */
#include "secure/fill.h"

#include <string.h>

#include "config/options.h"
#include "os/os.h"
#include "unit/unit.h"

enum { LARGEST = 8192, AROUND = 16 };

static _Alignas(64) unsigned char memory[LARGEST + 2 * AROUND];
static unsigned char *const block = memory + AROUND;

static void zero(size_t bytes) {
  if (fill_is_whole(bytes)) {
    fill_whole(block, bytes);
  } else {
    fill_ends(block, bytes);
  }
}

static bool holds(size_t bytes) { return fill_holds(block, bytes); }

static void check_size(size_t bytes) {
  NOTE("block of %zu bytes", bytes);
  memset(memory, 0xEE, sizeof memory);
  zero(bytes);
  for (size_t at = 0; at < bytes; at++) {
    ASSERT_EQ(block[at], fill_covers(at, bytes) ? 0 : 0xEE);
  }
  ASSERT_TRUE(holds(bytes));
  for (size_t i = 0; i < AROUND; i++) {
    ASSERT_EQ(memory[i], 0xEE);
    ASSERT_EQ(block[bytes + i], 0xEE);
  }
  for (size_t at = 0; at<bytes; at += bytes> 256 ? 5 : 1) {
    unsigned char before = block[at];
    block[at] ^= 1;
    ASSERT_EQ(holds(bytes), !fill_covers(at, bytes));
    block[at] = before;
  }
}

static void check_all_sizes(void) {
  for (size_t bytes = 16; bytes <= LARGEST; bytes += bytes < 1280 ? 16 : 1024) {
    check_size(bytes);
  }
}

TEST(FillTest, TheEndsByDefault) {
  fill_start();
  EXPECT_TRUE(fill_is_whole(16));
  EXPECT_TRUE(fill_is_whole(FILL_ENDS_ABOVE));
  EXPECT_FALSE(fill_is_whole(FILL_ENDS_ABOVE + 16));
  EXPECT_FALSE(fill_is_whole(FILL_ENDS_UP_TO));
  EXPECT_TRUE(fill_is_whole(FILL_ENDS_UP_TO + 256));
  EXPECT_TRUE(fill_is_whole(SIZE_CLASS_MAX));
  check_all_sizes();
}

TEST(FillTest, AllOfItOnRequest) {
  options.secure_fill = 1;
  fill_start();
  for (size_t bytes = 80; bytes <= LARGEST; bytes += 16) {
    EXPECT_TRUE(fill_is_whole(bytes));
  }
  check_all_sizes();
  options.secure_fill = 0;
  fill_start();
}

/* A private page that is read first is the system's page of zeros, and not resident. */
static unsigned resident_pages(unsigned char *pages, size_t count) {
  unsigned resident = 0;
  for (size_t i = 0; i < count; i++) {
    resident += os_resident(pages + i * os_page_size(), os_page_size()) != 0;
  }
  return resident;
}

TEST(FillTest, FreshPagesOfABlockAreResidentBeforeTheyAreRead) {
  enum { PAGES = 4 };
  size_t page = os_page_size();
  unsigned char *pages = os_map(NULL, PAGES * page);
  ASSERT_NE(pages, NULL);
  fill_begin(pages + page - 32, 64); /* the ends of two pages */
  EXPECT_EQ(resident_pages(pages, PAGES), 2);
  fill_begin(pages + page + 16, 2 * page);
  EXPECT_EQ(resident_pages(pages, PAGES), PAGES);
  pages[0] = 1;
  fill_begin(pages, page);
  EXPECT_EQ(pages[0], 1);
  os_unmap(pages, PAGES * page);
}
