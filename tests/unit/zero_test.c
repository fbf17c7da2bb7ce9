/* zero: memory that has been used is zero again, and what is not resident stays so. */
#include "os/zero.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "os/system.h"
#include "unit/unit.h"

enum { PARTS = 4, PART = OS_HUGE_PAGE, BYTES = PARTS * PART };

/* Parts of a huge page each, none resident, in small pages. */
static char *fresh_parts(void) {
  char *start = os_map_aligned(BYTES, PART);
  EXPECT_NE(start, NULL);
  os_advise_small(start, BYTES);
  return start;
}

static void zero_what_is_used(void *unused) {
  (void)unused;
  const size_t page = os_page_size();
  char *start = fresh_parts();
  memset(start, 1, PART);
  memset(start + PART, 1, PART / 2 - page); /* hardly resident */
  start[3 * PART - 1] = 1;                  /* nor this one, and the last not at all */
  errno = 0;
  os_zero(start, BYTES);
  EXPECT_EQ(errno, 0);
  EXPECT_EQ(unit_resident(start, PART), PART);
  EXPECT_EQ(unit_resident(start + PART, BYTES - PART), 0);
  EXPECT_TRUE(unit_is_zero(start, BYTES));
}

TEST(ZeroTest, WhatIsNotResidentStaysSo) { EXPECT_RUNS(zero_what_is_used, NULL, ""); }

static void zero_between(void *unused) {
  (void)unused;
  char *start = fresh_parts();
  memset(start, 1, 100);
  memset(start + BYTES - 100, 1, 100);
  os_zero(start + 50, BYTES - 100);
  EXPECT_EQ(unit_resident(start + PART, BYTES - 2 * PART), 0); /* not the parts that begin or end within a page */
  EXPECT_TRUE(unit_is_zero(start + 50, BYTES - 100));
  EXPECT_EQ(start[49], 1);
  EXPECT_EQ(start[BYTES - 50], 1);
  os_zero(start, 0);
  EXPECT_EQ(start[0], 1);
}

TEST(ZeroTest, BytesBesideTheRangeStay) { EXPECT_RUNS(zero_between, NULL, ""); }

static void zero_locked(void *unused) {
  (void)unused;
  char *start = fresh_parts();
  start[PART - 1] = start[2 * PART] = 1;
  if (mlock(start, os_page_size()) != 0) {
    SKIP("no memory may be locked");
  }
  os_zero(start, BYTES);
  EXPECT_TRUE(unit_is_zero(start, BYTES));
}

TEST(ZeroTest, WhatTheSystemDoesNotTakeBackIsWritten) { EXPECT_RUNS(zero_locked, NULL, ""); }
