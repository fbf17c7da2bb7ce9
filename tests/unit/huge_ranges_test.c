/* huge_ranges: the address ranges of freed huge blocks. The tests stand in for cold/huge.h, whose lock they need not take, each
 * in a process of its own, where nothing else is retained. */
#include "cold/huge_ranges.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/base.h"
#include "cold/residency.h"
#include "os/system.h"
#include "unit/unit.h"

enum { PLACES = 64 };

/* The system's call, which a test may have refused. */
static bool refusing;

int munmap(void *start, size_t bytes) {
  if (refusing) {
    errno = ENOMEM;
    return -1;
  }
  return (int)syscall(SYS_munmap, start, bytes);
}

/* Memory whose pages can be given one by one: where nothing lies between two of them they are neighbours. */
static char *memory(size_t bytes) {
  char *start = os_map(NULL, bytes);
  residency_activate(HOLDER_HUGE, bytes, 0);
  return start;
}

static void give(char *start, size_t bytes) {
  residency_deactivate(HOLDER_HUGE, bytes);
  huge_ranges_give(start, bytes);
}

static char *take(size_t bytes, size_t alignment) {
  char *start = huge_ranges_take(bytes, alignment);
  if (start != NULL) {
    residency_activate(HOLDER_HUGE, 0, bytes);
  }
  return start;
}

/* Nothing is counted that is not there. */
static void expect_bytes(size_t bytes) {
  EXPECT_EQ(huge_ranges_bytes(), bytes);
  EXPECT_EQ(retained_bytes(), bytes);
}

/* ---- taking ---- */

static void join(void *unused) {
  (void)unused;
  static const unsigned orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  char *start = memory(3 * MIB);
  for (size_t i = 0; i < 6; i++) {
    NOTE("order %zu", i);
    for (size_t part = 0; part < 3; part++) {
      EXPECT_EQ(take(3 * MIB, 1), NULL);
      give(start + orders[i][part] * MIB, MIB);
    }
    expect_bytes(3 * MIB);
    EXPECT_EQ(take(3 * MIB + 1, 1), NULL);
    EXPECT_EQ(take(3 * MIB, 1), start);
    expect_bytes(0);
  }
}

TEST(HugeRangesTest, NeighboursAreOneRange) { EXPECT_RUNS(join, NULL, ""); }

static void cut(void *unused) {
  (void)unused;
  char *start = memory(16 * MIB);
  char *aligned = (char *)(((uintptr_t)start + 2 * MIB) & ~(uintptr_t)(2 * MIB - 1)) + 2 * MIB;
  give(aligned - MIB, 6 * MIB);
  EXPECT_EQ(take(2 * MIB, 2 * MIB), aligned); /* from the middle: a part is left on either side */
  expect_bytes(4 * MIB);
  EXPECT_EQ(take(3 * MIB + 4096, 1), NULL);
  EXPECT_EQ(take(3 * MIB, 1), aligned + 2 * MIB);
  EXPECT_EQ(take(MIB, 1), aligned - MIB);
  expect_bytes(0);
  /* What is long enough, but not from where an aligned block could begin. */
  give(aligned + 4096, 2 * MIB);
  EXPECT_EQ(take(2 * MIB, 2 * MIB), NULL);
  EXPECT_EQ(take(MIB, 2 * MIB), NULL);
  EXPECT_EQ(take(4096, 2 * MIB), aligned + 2 * MIB);
  expect_bytes(2 * MIB - 4096);
}

TEST(HugeRangesTest, WhatIsLeftOnEitherSideStays) { EXPECT_RUNS(cut, NULL, ""); }

static void fit(void *unused) {
  (void)unused;
  static const size_t sizes[] = {5, 3, 9, 4, 7};
  char *start = memory(64 * MIB);
  for (size_t i = 0; i < 5; i++) {
    give(start + i * 12 * MIB, sizes[i] * MIB);
  }
  expect_bytes(28 * MIB);
  EXPECT_EQ(take(4 * MIB, 1), start + 3 * 12 * MIB);
  EXPECT_EQ(take(4 * MIB, 1), start);
  EXPECT_EQ(take(2 * MIB, 1), start + 12 * MIB);
  EXPECT_EQ(take(9 * MIB, 1), start + 2 * 12 * MIB);
  EXPECT_EQ(take(8 * MIB, 1), NULL);
  expect_bytes(9 * MIB);
}

TEST(HugeRangesTest, TheSmallestThatFitsIsCut) { EXPECT_RUNS(fit, NULL, ""); }

/* ---- giving back ---- */

static void oldest_first(void *unused) {
  (void)unused;
  char *start = memory(64 * MIB);
  memset(start, 1, 64 * MIB);
  char *first = start;
  char *second = start + 20 * MIB;
  char *third = start + 40 * MIB;
  give(first, 4 * MIB);
  give(second, 4 * MIB);
  give(third, 4 * MIB);
  EXPECT_EQ(take(MIB, 1), first); /* what is left of it is as old as it was */
  expect_bytes(11 * MIB);
  EXPECT_EQ(huge_ranges_unmap_oldest(MIB), MIB);
  expect_bytes(10 * MIB);
  EXPECT_EQ(unit_resident(first, 3 * MIB), 3 * MIB); /* from its end on */
  EXPECT_EQ(huge_ranges_unmap_oldest(MIB + 1), MIB + os_page_size());
  EXPECT_EQ(huge_ranges_unmap_oldest(SIZE_MAX), MIB - os_page_size());
  expect_bytes(8 * MIB);
  EXPECT_EQ(unit_resident(second, 4 * MIB), 4 * MIB);
  EXPECT_EQ(first[MIB - 1], 1); /* what has been taken is not given back with the rest */
  /* What joins a range makes it the newest. */
  give(second + 4 * MIB, MIB);
  EXPECT_EQ(huge_ranges_unmap_oldest(SIZE_MAX), 4 * MIB);
  EXPECT_EQ(unit_resident(second, 5 * MIB), 5 * MIB);
  EXPECT_EQ(huge_ranges_unmap_oldest(SIZE_MAX), 5 * MIB);
  EXPECT_EQ(huge_ranges_unmap_oldest(SIZE_MAX), 0);
  expect_bytes(0);
}

TEST(HugeRangesTest, WhatWasFreedFirstGoesFirst) { EXPECT_RUNS(oldest_first, NULL, ""); }

static char *page_of(char *start, size_t i) { return start + 2 * i * os_page_size(); }

static void give_too_many(void *unused) {
  (void)unused;
  const size_t page = os_page_size();
  enum { MANY = 3 * PLACES };
  char *start = memory(2 * MANY * page);
  memset(start, 1, 2 * MANY * page);
  size_t unmaps = os_counts().unmap_calls;
  for (size_t i = 0; i < MANY; i++) {
    give(page_of(start, i), page);
    expect_bytes((i < PLACES ? i + 1 : PLACES) * page);
  }
  EXPECT_EQ(os_counts().unmap_calls - unmaps, MANY - PLACES);
  for (size_t i = 0; i < MANY; i++) { /* the newest are there, the others not, and what lies between is */
    EXPECT_EQ(page_of(start, i)[page], 1);
    if (i >= MANY - PLACES) {
      EXPECT_EQ(unit_resident(page_of(start, i), page), page);
    }
  }
  /* What joins two ranges needs no place. */
  unmaps = os_counts().unmap_calls;
  give(page_of(start, MANY - 2) + page, page);
  EXPECT_EQ(os_counts().unmap_calls, unmaps);
  expect_bytes((PLACES + 1) * page);
  EXPECT_EQ(take(3 * page, 1), page_of(start, MANY - 2));
}

TEST(HugeRangesTest, MoreThanThereArePlacesFor) { EXPECT_RUNS(give_too_many, NULL, ""); }

/* ---- refusals ---- */

static void refuse(void *unused) {
  (void)unused;
  const size_t page = os_page_size();
  char *start = memory(8 * MIB);
  memset(start, 1, 8 * MIB);
  give(start, 2 * MIB);
  give(start + 4 * MIB, 2 * MIB);
  refusing = true;
  EXPECT_EQ(huge_ranges_unmap_oldest(MIB), 0);
  EXPECT_EQ(huge_ranges_unmap_oldest(SIZE_MAX), 0);
  expect_bytes(4 * MIB); /* it is all still there */
  EXPECT_EQ(unit_resident(start, 2 * MIB), 2 * MIB);
  refusing = false;
  EXPECT_EQ(huge_ranges_unmap_oldest(MIB), MIB);
  EXPECT_EQ(huge_ranges_unmap_oldest(SIZE_MAX), MIB);
  expect_bytes(2 * MIB);
  EXPECT_EQ(take(2 * MIB, 1), start + 4 * MIB);

  /* With no place left the oldest keeps its addresses, and gives its memory back. */
  enum { MANY = 2 * PLACES };
  start = memory(2 * MANY * page);
  memset(start, 1, 2 * MANY * page);
  for (size_t i = 0; i < PLACES; i++) {
    give(page_of(start, i), page);
  }
  refusing = true;
  for (size_t i = PLACES; i < MANY; i++) {
    give(page_of(start, i), page);
    expect_bytes(PLACES * page);
    EXPECT_EQ(unit_resident(page_of(start, i - PLACES), page), 0);
    EXPECT_EQ(page_of(start, i - PLACES)[0], 0);
  }
  refusing = false;
  for (size_t i = 0; i < PLACES; i++) {
    EXPECT_EQ(huge_ranges_unmap_oldest(SIZE_MAX), page);
  }
  expect_bytes(0);
}

TEST(HugeRangesTest, WhatTheSystemRefusesToUnmapIsKept) { EXPECT_RUNS(refuse, NULL, ""); }

/* ---- a model ---- */

static void agree_with_a_model(void *unused) {
  (void)unused;
  enum { PAGES = 2 * PLACES, TAKEN = 0, GIVEN }; /* never more ranges than places */
  static char state[PAGES];
  const size_t page = os_page_size();
  uint64_t seed = unit_seed();
  char *start = memory(PAGES * page);
  size_t given = 0;
  for (int step = 0; step < 20000; step++) {
    size_t at = unit_below(&seed, PAGES);
    if (state[at] == TAKEN && unit_below(&seed, 2) == 0) {
      give(start + at * page, page);
      state[at] = GIVEN;
      given++;
    } else {
      size_t pages = unit_below(&seed, 6) + 1;
      size_t alignment = page << unit_below(&seed, 3);
      char *taken = take(pages * page, alignment);
      if (taken != NULL) {
        ASSERT_EQ((uintptr_t)taken & (alignment - 1), 0);
        for (size_t i = 0; i < pages; i++) {
          size_t which = (size_t)(taken - start) / page + i;
          ASSERT_LT(which, PAGES);
          ASSERT_EQ(state[which], GIVEN);
          state[which] = TAKEN;
        }
        given -= pages;
      }
    }
    ASSERT_EQ(huge_ranges_bytes(), given * page);
    ASSERT_EQ(retained_bytes(), huge_ranges_bytes());
  }
}

TEST(HugeRangesTest, RandomGivesAndTakesAgreeWithAModel) { EXPECT_RUNS(agree_with_a_model, NULL, ""); }
