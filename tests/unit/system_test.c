/* system: the one place that asks the operating system for memory. */
#include "os/system.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/threads.h"
#include "unit/system_calls.h"
#include "unit/unit.h"

enum { UNTOUCHED_ERRNO = 4711 };

/* The system, which a test may replace by one that knows less. */
static enum { KNOWS_ALL, KNOWS_NOT, GIVES_LESS } system_is;
static size_t process_madvise_calls;

long syscall(long number, ...) {
  struct system_call call;
  va_list arguments;
  va_start(arguments, number);
  call = system_call(number, arguments);
  va_end(arguments);
  process_madvise_calls += number == PROCESS_MADVISE;
  if (number == PROCESS_MADVISE && system_is == KNOWS_NOT) {
    errno = ENOSYS;
    return -1;
  }
  if (number == PROCESS_MADVISE && system_is == GIVES_LESS) {
    call.argument[2] = 1; /* the first range only */
  }
  return system_call_make(&call);
}

TEST(OsTest, PageSizeIsThatOfTheSystem) {
  const size_t page = os_page_size();
  EXPECT_EQ(page, sysconf(_SC_PAGESIZE));
  EXPECT_EQ(os_page_ceil(0), 0);
  EXPECT_EQ(os_page_ceil(1), page);
  EXPECT_EQ(os_page_ceil(page), page);
  EXPECT_EQ(os_page_ceil(page + 1), 2 * page);
}

TEST(OsTest, MapsZeroMemoryThatIsNotYetResident) {
  char *start = os_map(NULL, MIB);
  ASSERT_NE(start, NULL);
  EXPECT_EQ((uintptr_t)start % os_page_size(), 0);
  EXPECT_EQ(unit_resident(start, MIB), 0);
  EXPECT_TRUE(unit_is_zero(start, MIB));
  memset(start, 1, MIB);
  EXPECT_TRUE(os_unmap(start, MIB));
}

TEST(OsTest, TheHintIsTakenWhereItsRangeIsFree) {
  char *start = os_map(NULL, 2 * MIB);
  EXPECT_TRUE(os_unmap(start, 2 * MIB));
  EXPECT_EQ(os_map(start, MIB), start);
  char *elsewhere = os_map(start, MIB); /* taken: another place, and what lies there stays */
  ASSERT_NE(elsewhere, NULL);
  EXPECT_NE(elsewhere, start);
  os_unmap(start, MIB);
  os_unmap(elsewhere, MIB);
}

TEST(OsTest, MapsAlignedAndNoMoreThanAsked) {
  for (size_t alignment = os_page_size(); alignment <= GIB; alignment *= 2) {
    for (int i = 0; i < 3; i++) {
      const size_t bytes = (size_t)(i * 5 + 1) * os_page_size();
      size_t before = unit_mapped();
      char *start = os_map_aligned(bytes, alignment);
      ASSERT_NE(start, NULL);
      EXPECT_EQ((uintptr_t)start % alignment, 0);
      EXPECT_EQ(unit_mapped() - before, bytes);
      EXPECT_TRUE(unit_is_zero(start, bytes));
      EXPECT_TRUE(os_unmap(start, bytes));
    }
  }
}

TEST(OsTest, PurgingKeepsTheAddressAndDropsTheContent) {
  const size_t page = os_page_size();
  char *start = os_map(NULL, 16 * page);
  memset(start, 1, 16 * page);
  EXPECT_EQ(unit_resident(start, 16 * page), 16 * page);
  EXPECT_TRUE(os_purge(start + 4 * page, 8 * page));
  EXPECT_EQ(unit_resident(start, 16 * page), 8 * page);
  EXPECT_TRUE(unit_is_zero(start + 4 * page, 8 * page));
  EXPECT_EQ(start[4 * page - 1], 1);
  EXPECT_EQ(start[12 * page], 1);
  os_unmap(start, 16 * page);
}

enum { RANGES = OS_RANGES_MAX };

/* Every other page of 2 * RANGES, and no other, by so many calls. */
static void purge_every_other_page(size_t calls) {
  const size_t page = os_page_size();
  char *start = os_map(NULL, 2 * RANGES * page);
  memset(start, 1, 2 * RANGES * page);
  struct os_range ranges[RANGES];
  for (size_t i = 0; i < RANGES; i++) {
    ranges[i] = (struct os_range){start + 2 * i * page, page};
  }
  struct os_counts before = os_counts();
  errno = UNTOUCHED_ERRNO;
  EXPECT_EQ(os_purge_ranges(ranges, RANGES), RANGES * page);
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
  EXPECT_EQ(os_counts().purge_calls - before.purge_calls, calls);
  EXPECT_EQ(os_counts().purged_bytes - before.purged_bytes, RANGES * page);
  for (size_t i = 0; i < 2 * RANGES; i++) {
    EXPECT_EQ(unit_resident(start + i * page, page), i % 2 == 0 ? 0 : page);
    EXPECT_EQ(start[i * page], i % 2);
  }
  os_unmap(start, 2 * RANGES * page);
}

static void purge_at_once(void *unused) {
  (void)unused;
  process_madvise_calls = 0;
  purge_every_other_page(1);
  purge_every_other_page(1);
  EXPECT_EQ(process_madvise_calls, 2);
  /* None, and one, which needs no vector. */
  const size_t page = os_page_size();
  char *start = os_map(NULL, page);
  EXPECT_EQ(os_purge_ranges(NULL, 0), 0);
  EXPECT_EQ(os_purge_ranges(&(struct os_range){start, page}, 1), page);
  EXPECT_EQ(process_madvise_calls, 2);
}

/* A system that does not know the call is asked once. */
static void purge_one_by_one(void *unused) {
  (void)unused;
  system_is = KNOWS_NOT;
  purge_every_other_page(RANGES);
  purge_every_other_page(RANGES);
  EXPECT_EQ(process_madvise_calls, 1);
}

/* One that stops on the way gets the rest one by one, and is asked again. */
static void purge_in_part(void *unused) {
  (void)unused;
  system_is = GIVES_LESS;
  purge_every_other_page(RANGES);
  system_is = KNOWS_ALL;
  purge_every_other_page(1);
}

TEST(OsTest, RangesArePurgedByOneCall) {
  if (!system_knows_process_madvise()) {
    SKIP("the system does not know process_madvise for its own process");
  }
  EXPECT_RUNS(purge_at_once, NULL, "");
  EXPECT_RUNS(purge_in_part, NULL, "");
}

TEST(OsTest, RangesArePurgedOneByOneWhereThereIsNoSuchCall) { EXPECT_RUNS(purge_one_by_one, NULL, ""); }

static void purge_what_is_not_there(void *unused) {
  (void)unused;
  const size_t page = os_page_size();
  char *start = os_map(NULL, 3 * page);
  memset(start, 1, 3 * page);
  const struct os_range ranges[] = {{start, page}, {start + page + 1, page}, {start + 2 * page, page}};
  EXPECT_EQ(os_purge_ranges(ranges, 3), page); /* the next is not aligned */
  EXPECT_EQ(unit_resident(start, 3 * page), 2 * page);
}

TEST(OsTest, NoRangeIsPurgedBehindOneThatTheSystemRefuses) { EXPECT_RUNS(purge_what_is_not_there, NULL, ""); }

TEST(OsTest, TellsWhatIsResident) {
  const size_t page = os_page_size();
  char *start = os_map(NULL, OS_HUGE_PAGE);
  EXPECT_EQ(os_resident(start, OS_HUGE_PAGE), 0);
  start[0] = start[5 * page] = start[OS_HUGE_PAGE - 1] = 1;
  EXPECT_EQ(os_resident(start, OS_HUGE_PAGE), 3 * page);
  EXPECT_EQ(os_resident(start + page, 5 * page), page);
  memset(start, 1, OS_HUGE_PAGE);
  EXPECT_EQ(os_resident(start, OS_HUGE_PAGE), OS_HUGE_PAGE);
  os_unmap(start, OS_HUGE_PAGE);
  errno = UNTOUCHED_ERRNO;
  EXPECT_EQ(os_resident(start, OS_HUGE_PAGE), 0); /* not even mapped */
  os_advise_huge(start, OS_HUGE_PAGE);
  os_advise_small(start, OS_HUGE_PAGE);
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
}

TEST(OsTest, RemappingKeepsTheContent) {
  char *start = os_map(NULL, MIB);
  char *wall = os_map(NULL, MIB);
  for (size_t at = 0; at < MIB; at += 1024) {
    *(size_t *)(start + at) = at;
  }
  char *moved = os_remap(start, MIB, 64 * MIB);
  ASSERT_NE(moved, NULL);
  for (size_t at = 0; at < MIB; at += 1024) {
    ASSERT_EQ(*(size_t *)(moved + at), at);
  }
  EXPECT_TRUE(unit_is_zero(moved + MIB, MIB));
  moved = os_remap(moved, 64 * MIB, 512 * KIB);
  ASSERT_NE(moved, NULL);
  EXPECT_EQ(*(size_t *)(moved + 511 * KIB), 511 * KIB);
  os_unmap(moved, 512 * KIB);
  os_unmap(wall, MIB);
}

TEST(OsTest, PagesMoveWithTheirContent) {
  char *from = os_map(NULL, MIB);
  char *there = os_map(NULL, MIB);
  memset(from, 'f', MIB);
  memset(there, 't', MIB);
  size_t unmapped = os_counts().unmapped_bytes;
  errno = UNTOUCHED_ERRNO;
  EXPECT_EQ(os_move(from + 256 * KIB, 512 * KIB, there), OS_MOVED);
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
  EXPECT_EQ(os_counts().unmapped_bytes - unmapped, 512 * KIB);
  EXPECT_EQ(there[512 * KIB - 1], 'f');
  EXPECT_EQ(there[512 * KIB], 't');
  EXPECT_EQ(from[256 * KIB - 1], 'f');
  EXPECT_EQ(from[768 * KIB], 'f');
  EXPECT_TRUE(os_map(from + 256 * KIB, 512 * KIB) == from + 256 * KIB); /* nothing is there */
  os_unmap(from, MIB);
  os_unmap(there, MIB);
}

/* There is nothing to move: older systems find that out too late. */
TEST(OsTest, WhatDoesNotMoveLeavesZeroMemoryOrNothing) {
  char *from = os_map(NULL, MIB);
  char *there = os_map(NULL, MIB);
  memset(there, 't', MIB);
  os_unmap(from, MIB);
  errno = UNTOUCHED_ERRNO;
  enum os_moved moved = os_move(from, MIB, there);
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
  EXPECT_NE(moved, OS_MOVED);
  EXPECT_TRUE(moved == OS_LOST || unit_is_zero(there, MIB));
  os_unmap(there, MIB);
}

/* Where two areas that cannot be one meet, a copy is made, of what was touched. */
TEST(OsTest, WhatSpansTwoAreasGrowsToo) {
  enum { PIECES = 4, PIECE = 1 << 20 };
  char *start = os_map(NULL, PIECES * PIECE);
  for (size_t i = 0; i < PIECES; i++) {
    char *piece = os_map(NULL, PIECE);
    piece[PIECE / 2] = (char)(i + 1);
    ASSERT_EQ(os_move(piece, PIECE, start + i * PIECE), OS_MOVED);
  }
  size_t page = os_page_size();
  char *grown = os_remap(start, PIECES * PIECE, 64 * MIB);
  ASSERT_NE(grown, NULL);
  EXPECT_LE(unit_resident(grown, 64 * MIB), PIECES * page);
  for (size_t i = 0; i < PIECES; i++) {
    EXPECT_EQ(grown[i * PIECE + PIECE / 2], i + 1);
  }
  EXPECT_TRUE(unit_is_zero(grown, PIECE / 2) && unit_is_zero(grown + PIECES * PIECE, PIECE));
  if (grown != start) {
    EXPECT_TRUE(os_map(start, PIECES * PIECE) == start); /* nothing is there */
    os_unmap(start, PIECES * PIECE);
  }
  os_unmap(grown, 64 * MIB);
}

TEST(OsTest, AFailureIsNullOrFalseAndKeepsErrno) {
  char *start = os_map(NULL, MIB);
  errno = UNTOUCHED_ERRNO;
  EXPECT_EQ(os_map(NULL, (size_t)1 << 60), NULL);
  EXPECT_EQ(os_map_aligned((size_t)1 << 60, MIB), NULL);
  EXPECT_EQ(os_map_aligned(MIB, (size_t)1 << 60), NULL);
  EXPECT_EQ(os_remap(start, MIB, (size_t)1 << 60), NULL);
  EXPECT_FALSE(os_unmap(start + 1, MIB));
  EXPECT_FALSE(os_purge(start + 1, MIB));
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
  EXPECT_TRUE(unit_is_zero(start, MIB)); /* as it was */
  EXPECT_TRUE(os_purge(start, MIB));
  EXPECT_TRUE(os_unmap(start, MIB));
}

TEST(OsTest, CallsAreCounted) {
  struct os_counts before = os_counts();
  char *start = os_map(NULL, MIB);
  start = os_remap(start, MIB, 2 * MIB);
  os_purge(start, MIB);
  os_purge(start + 1, MIB); /* fails: a call, but no bytes */
  os_unmap(start, 2 * MIB);
  struct os_counts after = os_counts();
  EXPECT_EQ(after.map_calls - before.map_calls, 1);
  EXPECT_EQ(after.remap_calls - before.remap_calls, 1);
  EXPECT_EQ(after.purge_calls - before.purge_calls, 2);
  EXPECT_EQ(after.purged_bytes - before.purged_bytes, MIB);
  EXPECT_EQ(after.unmap_calls - before.unmap_calls, 1);
}

TEST(OsTest, PopulatingAndTouchingMakeResident) {
  char *start = os_map(NULL, 2 * MIB);
  os_populate(start, MIB);
  EXPECT_EQ(unit_resident(start, MIB), MIB);
  EXPECT_EQ(unit_resident(start + MIB, MIB), 0);
  os_touch(start + MIB, 512 * KIB);
  EXPECT_EQ(unit_resident(start + MIB, MIB), 512 * KIB);
  EXPECT_TRUE(unit_is_zero(start, 2 * MIB));
  os_unmap(start, 2 * MIB);
}

static void ask_thread(void *id) { *(long *)id = os_thread_id(); }

TEST(OsTest, ThreadsHaveTheirNumbers) {
  long other = 0;
  unit_in_thread(ask_thread, &other);
  EXPECT_EQ(os_thread_id(), getpid());
  EXPECT_NE(other, 0);
  EXPECT_NE(other, os_thread_id());
}
