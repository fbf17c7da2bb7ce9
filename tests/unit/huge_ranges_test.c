/* huge_ranges: the address ranges of freed huge blocks. The tests stand in for cold/huge.h, whose lock they need not take, each
 * in a process of its own, where there is nothing else in the table. */
#include "cold/huge_ranges.h"

#include <string.h>

#include "base/base.h"
#include "os/system.h"
#include "unit/memory_calls.h"
#include "unit/unit.h"

enum { PLACES = RANGES_MAX };

/* Memory whose pages can be given one by one: where nothing lies between two of them they are neighbours. */
static char *memory(size_t bytes) { return os_map(NULL, bytes); }

/* Each range is freed later than the one before. */
static struct huge_range give(char *start, size_t bytes) {
  static uint64_t now;
  return huge_ranges_give((struct huge_range){start, bytes, ++now});
}

static void expect_bytes(size_t bytes) { EXPECT_EQ(huge_ranges_bytes(), bytes); }

static void expect_range(struct huge_range range, const char *start, size_t bytes) {
  EXPECT_EQ(range.start, start);
  EXPECT_EQ(range.bytes, bytes);
}

/* ---- taking ---- */

/* So many bytes, or more if that leaves nothing of a range. */
static char *take(size_t bytes, size_t alignment) {
  size_t had = bytes;
  char *start = huge_ranges_take(&had, alignment);
  EXPECT_GE(had, bytes);
  EXPECT_LE(had, bytes + bytes / 8);
  return start;
}

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

static void take_rest(void *unused) {
  (void)unused;
  char *start = memory(4 * MIB);
  for (size_t left = 0; left <= MIB; left += MIB / 16) {
    give(start, 2 * MIB + left);
    size_t bytes = 2 * MIB;
    bool is_little = left <= 2 * MIB / 8;
    EXPECT_EQ(huge_ranges_take(&bytes, 1), is_little ? start : start + left);
    EXPECT_EQ(bytes, 2 * MIB + (is_little ? left : 0));
    expect_bytes(2 * MIB + left - bytes);
    if (!is_little) {
      EXPECT_EQ(take(left, 1), start);
    }
  }
}

TEST(HugeRangesTest, ALittleThatWouldBeLeftIsTakenAsWell) { EXPECT_RUNS(take_rest, NULL, ""); }

static void cut(void *unused) {
  (void)unused;
  char *start = memory(16 * MIB);
  char *aligned = (char *)(((uintptr_t)start + 2 * MIB) & ~(uintptr_t)(2 * MIB - 1)) + 2 * MIB;
  give(aligned - MIB, 6 * MIB);
  EXPECT_EQ(take(2 * MIB, 2 * MIB), aligned + 2 * MIB); /* from the middle: a part is left on either side */
  expect_bytes(4 * MIB);
  EXPECT_EQ(take(3 * MIB + 4096, 1), NULL);
  EXPECT_EQ(take(3 * MIB, 1), aligned - MIB);
  EXPECT_EQ(take(MIB, 1), aligned + 4 * MIB);
  expect_bytes(0);
  /* What is long enough, but not from where an aligned block could begin. */
  give(aligned + 4096, 2 * MIB);
  EXPECT_EQ(take(2 * MIB, 2 * MIB), NULL);
  EXPECT_EQ(take(MIB, 2 * MIB), NULL);
  EXPECT_EQ(take(4096, 2 * MIB), aligned + 2 * MIB);
  expect_bytes(2 * MIB - 4096);
}

TEST(HugeRangesTest, WhatIsLeftOnEitherSideStays) { EXPECT_RUNS(cut, NULL, ""); }

/* From the end, if they share huge pages; else from the start. */
static void cut_one_side(void *unused) {
  (void)unused;
  char *start = memory(32 * MIB);
  give(start, 20 * MIB);
  EXPECT_EQ(take(8 * MIB - 4096, 1), start + 12 * MIB + 4096);
  EXPECT_EQ(take(8 * MIB, 1), start);
  EXPECT_EQ(take(MIB, 1), start + 11 * MIB + 4096);
  expect_bytes(3 * MIB + 4096);
}

TEST(HugeRangesTest, BlocksThatShareHugePagesAreCutFromTheEnd) { EXPECT_RUNS(cut_one_side, NULL, ""); }

static void take_behind(void *unused) {
  (void)unused;
  char *start = memory(8 * MIB);
  give(start, MIB);
  give(start + 2 * MIB, 2 * MIB);
  EXPECT_EQ(huge_ranges_behind(start + MIB), 0); /* one ends here */
  EXPECT_EQ(huge_ranges_behind(start + 3 * MIB), 0);
  EXPECT_EQ(huge_ranges_take_behind(start + 3 * MIB, MIB), 0);
  expect_bytes(3 * MIB);
  EXPECT_EQ(huge_ranges_behind(start + 2 * MIB), 2 * MIB);
  EXPECT_EQ(huge_ranges_take_behind(start + 2 * MIB, 3 * MIB), 0); /* it is not so long */
  expect_bytes(3 * MIB);
  EXPECT_EQ(huge_ranges_take_behind(start + 2 * MIB, 2 * MIB), 2 * MIB);
  expect_bytes(MIB);
}

TEST(HugeRangesTest, TheRangeThatBeginsHere) { EXPECT_RUNS(take_behind, NULL, ""); }

static void fit(void *unused) {
  (void)unused;
  static const size_t sizes[] = {5, 3, 9, 4, 7};
  char *start = memory(64 * MIB);
  for (size_t i = 0; i < 5; i++) {
    give(start + i * 12 * MIB, sizes[i] * MIB);
  }
  expect_bytes(28 * MIB);
  EXPECT_EQ(take(4 * MIB, 1), start + 3 * 12 * MIB);
  EXPECT_EQ(take(4 * MIB, 1), start + MIB);
  EXPECT_EQ(take(2 * MIB, 1), start + 13 * MIB);
  EXPECT_EQ(take(9 * MIB, 1), start + 2 * 12 * MIB);
  EXPECT_EQ(take(8 * MIB, 1), NULL);
  expect_bytes(9 * MIB);
}

TEST(HugeRangesTest, TheSmallestThatFitsIsCut) { EXPECT_RUNS(fit, NULL, ""); }

static void cut_huge_pages(void *unused) {
  (void)unused;
  const size_t page = os_page_size();
  char *whole = memory(64 * MIB);
  char *border = (char *)(((uintptr_t)whole + OS_HUGE_PAGE) & ~(uintptr_t)(OS_HUGE_PAGE - 1));
  EXPECT_EQ(huge_ranges_cut_huge_pages(SIZE_MAX).start, NULL);
  /* Ranges without one: too short, or it lies across two. */
  give(border, 2 * MIB - page);
  give(border + 5 * MIB, 3 * MIB - page);
  EXPECT_EQ(huge_ranges_cut_huge_pages(SIZE_MAX).start, NULL);
  expect_bytes(5 * MIB - 2 * page);
  give(border + 11 * MIB, 8 * MIB - page);
  give(border + 20 * MIB, 4 * MIB);
  give(border + 30 * MIB, 8 * MIB + 64 * KIB);
  expect_range(huge_ranges_cut_huge_pages(6 * MIB), border + 30 * MIB, 6 * MIB);
  expect_range(huge_ranges_cut_huge_pages(SIZE_MAX), border + 12 * MIB, 6 * MIB);
  expect_range(huge_ranges_cut_huge_pages(SIZE_MAX), border + 20 * MIB, 4 * MIB);
  expect_range(huge_ranges_cut_huge_pages(SIZE_MAX), border + 36 * MIB, 2 * MIB);
  EXPECT_EQ(huge_ranges_cut_huge_pages(SIZE_MAX).start, NULL);
  /* What was left on either side is there. */
  expect_bytes(5 * MIB - 2 * page + 2 * MIB - page + 64 * KIB);
  EXPECT_EQ(take(64 * KIB, 1), border + 38 * MIB);
  EXPECT_EQ(take(MIB - page, 1), border + 18 * MIB);
  EXPECT_EQ(take(MIB, 1), border + 11 * MIB);
}

TEST(HugeRangesTest, HugePagesAreCutFromTheRangeThatHasTheMost) { EXPECT_RUNS(cut_huge_pages, NULL, ""); }

/* ---- giving back ---- */

static void oldest_first(void *unused) {
  (void)unused;
  const size_t page = os_page_size();
  EXPECT_EQ(huge_ranges_oldest(), UINT64_MAX);
  EXPECT_EQ(huge_ranges_cut_oldest(SIZE_MAX).start, NULL);
  char *start = memory(64 * MIB);
  huge_ranges_give((struct huge_range){start + 20 * MIB, 2 * MIB, 200});
  huge_ranges_give((struct huge_range){start, MIB, 100});
  huge_ranges_give((struct huge_range){start + 40 * MIB, 2 * MIB, 300});
  EXPECT_EQ(huge_ranges_oldest(), 100);
  EXPECT_EQ(take(MIB / 2, 1), start + MIB / 2); /* what is left of it is as old as it was */
  EXPECT_EQ(huge_ranges_oldest(), 100);
  EXPECT_EQ(take(MIB / 4, 1), start + MIB / 4);
  expect_range(huge_ranges_cut_oldest(SIZE_MAX), start, MIB / 4);
  EXPECT_EQ(huge_ranges_oldest(), 200);
  /* What joins a range makes it the newest. */
  huge_ranges_give((struct huge_range){start + 22 * MIB, page, 400});
  EXPECT_EQ(huge_ranges_oldest(), 300);
  huge_ranges_give((struct huge_range){start + 20 * MIB - page, page, 50}); /* and not the oldest */
  expect_bytes(4 * MIB + 2 * page);
  struct huge_range cut = huge_ranges_cut_oldest(SIZE_MAX);
  expect_range(cut, start + 40 * MIB, 2 * MIB);
  EXPECT_EQ(cut.freed, 300);
  cut = huge_ranges_cut_oldest(SIZE_MAX);
  expect_range(cut, start + 20 * MIB - page, 2 * MIB + 2 * page);
  EXPECT_EQ(cut.freed, 400);
  EXPECT_EQ(huge_ranges_cut_oldest(SIZE_MAX).start, NULL);
  expect_bytes(0);
}

TEST(HugeRangesTest, WhatWasFreedFirstGoesFirst) { EXPECT_RUNS(oldest_first, NULL, ""); }

/* Cut between two huge pages: were one of them cut, the system would have to break it. */
static void cut_between_huge_pages(void *unused) {
  (void)unused;
  const size_t page = os_page_size();
  char *whole = memory(32 * MIB);
  char *border = (char *)(((uintptr_t)whole + OS_HUGE_PAGE) & ~(uintptr_t)(OS_HUGE_PAGE - 1));
  char *start = border + MIB;
  give(start, 10 * MIB); /* its last byte is a MiB into a huge page */
  expect_range(huge_ranges_cut_oldest(page), border + 10 * MIB, MIB);
  expect_range(huge_ranges_cut_oldest(1), border + 8 * MIB, 2 * MIB);
  expect_range(huge_ranges_cut_oldest(2 * MIB), border + 6 * MIB, 2 * MIB);
  expect_range(huge_ranges_cut_oldest(2 * MIB + 1), border + 2 * MIB, 4 * MIB);
  expect_bytes(MIB);
  expect_range(huge_ranges_cut_oldest(page), start, MIB); /* no border is left in it */
  expect_bytes(0);
  give(start, 10 * MIB);
  expect_range(huge_ranges_cut_oldest(9 * MIB), border + 2 * MIB, 9 * MIB);
  expect_range(huge_ranges_cut_oldest(SIZE_MAX), start, MIB);
  give(start, 10 * MIB);
  expect_range(huge_ranges_cut_oldest(9 * MIB + 1), start, 10 * MIB);
}

TEST(HugeRangesTest, ARangeIsCutBetweenTwoHugePages) { EXPECT_RUNS(cut_between_huge_pages, NULL, ""); }

static char *page_of(char *start, size_t i) { return start + 2 * i * os_page_size(); }

static void give_too_many(void *unused) {
  (void)unused;
  const size_t page = os_page_size();
  enum { MANY = 3 * PLACES };
  char *start = memory(2 * MANY * page);
  memset(start, 1, 2 * MANY * page);
  size_t before = memory_calls();
  for (size_t i = 0; i < MANY; i++) {
    struct huge_range displaced = give(page_of(start, i), page);
    if (i < PLACES) {
      EXPECT_EQ(displaced.start, NULL);
    } else {
      expect_range(displaced, page_of(start, i - PLACES), page); /* the oldest, and the caller's now */
    }
    expect_bytes((i < PLACES ? i + 1 : PLACES) * page);
  }
  /* What joins two ranges needs no place. */
  EXPECT_EQ(give(page_of(start, MANY - 2) + page, page).start, NULL);
  expect_bytes((PLACES + 1) * page);
  EXPECT_EQ(take(3 * page, 1), page_of(start, MANY - 2));
  while (huge_ranges_cut_oldest(SIZE_MAX).start != NULL) {
  }
  EXPECT_EQ(memory_calls(), before);
  EXPECT_EQ(unit_resident(start, 2 * MANY * page), 2 * MANY * page);
}

TEST(HugeRangesTest, MoreThanThereArePlacesFor) { EXPECT_RUNS(give_too_many, NULL, ""); }

static void cut_the_middle_of_a_full_table(void *unused) {
  (void)unused;
  const size_t page = os_page_size();
  char *start = memory((PLACES + 1) * 8 * MIB);
  char *border = (char *)(((uintptr_t)start + OS_HUGE_PAGE) & ~(uintptr_t)(OS_HUGE_PAGE - 1));
  for (size_t i = 0; i < PLACES; i++) {
    give(border + i * 8 * MIB + page, 4 * MIB - page);
  }
  /* With a part left on either side there would be one range too many. */
  EXPECT_EQ(take(page, 2 * MIB), NULL);
  expect_bytes(PLACES * (4 * MIB - page));
  expect_range(huge_ranges_cut_oldest(SIZE_MAX), border + page, 4 * MIB - page);
  char *taken = take(page, 2 * MIB);
  EXPECT_EQ((size_t)(taken - border) % (8 * MIB), 2 * MIB);
  expect_bytes((PLACES - 1) * (4 * MIB - page) - page);
}

TEST(HugeRangesTest, AFullTableLosesNothing) { EXPECT_RUNS(cut_the_middle_of_a_full_table, NULL, ""); }

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
      ASSERT_EQ(give(start + at * page, page).start, NULL);
      state[at] = GIVEN;
      given++;
    } else if (unit_below(&seed, 8) == 0) {
      struct huge_range cut = huge_ranges_cut_oldest((unit_below(&seed, 4) + 1) * page);
      for (size_t i = 0; i < cut.bytes / page; i++) {
        size_t which = (size_t)(cut.start - start) / page + i;
        ASSERT_LT(which, PAGES);
        ASSERT_EQ(state[which], GIVEN);
        state[which] = TAKEN;
      }
      given -= cut.bytes / page;
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
  }
}

TEST(HugeRangesTest, RandomGivesTakesAndCutsAgreeWithAModel) { EXPECT_RUNS(agree_with_a_model, NULL, ""); }
