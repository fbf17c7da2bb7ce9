/* huge: what is kept of freed blocks, and used again. */
#include "cold/huge.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/limit.h"
#include "cold/residency.h"
#include "config/config.h"
#include "os/system.h"
#include "unit/huge_blocks.h"
#include "unit/unit.h"

static void keep_and_use_again(void *unused) {
  (void)unused;
  option_set("retain_kib", 64 * 1024);
  char *first = allocate(10 * MIB);
  EXPECT_TRUE(zeroed);
  memset(first, 1, 10 * MIB);
  size_t maps = os_counts().map_calls;
  EXPECT_TRUE(huge_free(first));
  EXPECT_EQ(retained_bytes(), 10 * MIB);
  char *again = allocate(10 * MIB);
  EXPECT_EQ(again, first);
  EXPECT_FALSE(zeroed);
  EXPECT_EQ(again[5 * MIB], 1);
  EXPECT_EQ(os_counts().map_calls, maps);
  EXPECT_EQ(retained_bytes(), 0);
}

static void cut_the_best_fit(void *unused) {
  (void)unused;
  option_set("retain_kib", 64 * 1024);
  huge_purge();
  char *big = allocate(12 * MIB);
  char *wall = allocate(3 * MIB);
  char *fitting = allocate(5 * MIB);
  char *other_wall = allocate(3 * MIB);
  huge_free(big);
  huge_free(fitting);
  EXPECT_EQ(allocate(4 * MIB), fitting + MIB);
  EXPECT_EQ(retained_bytes(), 13 * MIB);
  EXPECT_EQ(allocate(MIB), fitting); /* the rest of it */
  EXPECT_EQ(retained_bytes(), 12 * MIB);
  EXPECT_EQ(allocate(12 * MIB), big);
  EXPECT_EQ(retained_bytes(), 0);
  huge_free(wall);
  huge_free(other_wall);
}

static void join_neighbours(void *unused) {
  (void)unused;
  option_set("retain_kib", 64 * 1024);
  char *whole = leave_range(12 * MIB);
  char *parts[3];
  for (size_t i = 0; i < 3; i++) {
    parts[i] = allocate(4 * MIB);
    EXPECT_EQ(parts[i], whole + (2 - i) * 4 * MIB);
  }
  huge_free(parts[0]);
  huge_free(parts[2]);
  huge_free(parts[1]);
  EXPECT_EQ(allocate(12 * MIB), whole);
}

static void cut_aligned(void *unused) {
  (void)unused;
  option_set("retain_kib", 64 * 1024);
  char *whole = allocate(16 * MIB);
  huge_free(whole);
  char *block = huge_allocate(4 * MIB, 4 * MIB, &zeroed);
  EXPECT_EQ((uintptr_t)block % (4 * MIB), 0);
  EXPECT_TRUE(block >= whole && block + 4 * MIB <= whole + 16 * MIB);
  EXPECT_EQ(retained_bytes(), 12 * MIB);
  huge_free(block);
  EXPECT_EQ(allocate(16 * MIB), whole);
}

TEST(HugeTest, WhatIsKeptIsUsedAgain) {
  EXPECT_RUNS(keep_and_use_again, NULL, "");
  EXPECT_RUNS(cut_the_best_fit, NULL, "");
  EXPECT_RUNS(join_neighbours, NULL, "");
  EXPECT_RUNS(cut_aligned, NULL, "");
}

static void keep_within(void *kib) {
  option_set("retain_kib", (long)(uintptr_t)kib);
  option_set("thp", 0); /* else what a block leaves of its huge page might go back before */
  const size_t budget = (uintptr_t)kib * KIB;
  enum { BLOCKS = 40 };
  char *blocks[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = allocate((i % 5 + 1) * MIB + 4096);
    memset(blocks[i], 1, (i % 5 + 1) * MIB);
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    huge_free(blocks[(i * 7) % BLOCKS]);
    EXPECT_LE(retained_bytes(), budget + (budget == 0 ? 0 : peak_committed_bytes() / 64));
  }
  /* Most of it is used: a little more than what is in excess goes, and what goes is cut between huge pages. */
  size_t kept = retained_bytes();
  EXPECT_GE(kept + kept / 4 + OS_HUGE_PAGE, budget);
  EXPECT_EQ(huge_purge(), kept);
}

/* Each is much less than is worth a system call: so much may wait for one, and as much until it is looked at. */
static void keep_small_ones_within(void *kib) {
  option_set("retain_kib", (long)(uintptr_t)kib);
  option_set("thp", 0);
  const size_t budget = (uintptr_t)kib * KIB;
  enum { BLOCKS = 1000, SIZE = 64 * KIB };
  static char *blocks[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = allocate(SIZE);
    memset(blocks[i], 1, SIZE);
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    huge_free(blocks[i]);
    EXPECT_LE(retained_bytes(), budget + (budget == 0 ? 0 : 2 * (peak_committed_bytes() / 64)));
  }
  EXPECT_GE(peak_committed_bytes() / 64, 8 * SIZE);
}

TEST(HugeTest, WhatIsKeptStaysWithinTheBudget) {
  EXPECT_RUNS(keep_within, (void *)0, "");
  EXPECT_RUNS(keep_within, (void *)2048, "");
  EXPECT_RUNS(keep_within, (void *)(30 * 1024), "");
  EXPECT_RUNS(keep_small_ones_within, (void *)0, "");
  EXPECT_RUNS(keep_small_ones_within, (void *)2048, "");
}

static void purge_all(void *unused) {
  (void)unused;
  option_set("retain_kib", 64 * 1024);
  size_t mapped = unit_mapped();
  char *block = allocate(10 * MIB);
  memset(block, 1, 10 * MIB);
  huge_free(block);
  EXPECT_EQ(retained_bytes(), 10 * MIB);
  EXPECT_EQ(huge_purge(), 10 * MIB);
  EXPECT_EQ(retained_bytes(), 0);
  EXPECT_EQ(huge_purge(), 0);
  EXPECT_LE(unit_mapped(), mapped + MIB);
  block = allocate(10 * MIB);
  EXPECT_TRUE(zeroed);
  EXPECT_TRUE(unit_is_zero(block, 10 * MIB));
}

TEST(HugeTest, PurgingUnmapsWhatIsKept) { EXPECT_RUNS(purge_all, NULL, ""); }

/* More free ranges than the table of them has places: nothing may be lost. */
static void keep_very_many(void *unused) {
  (void)unused;
  enum { MANY = 3 * RANGES_MAX };
  static char *blocks[MANY];
  option_set("retain_kib", 1024 * 1024);
  huge_purge();
  for (size_t i = 0; i < MANY; i++) {
    blocks[i] = allocate(64 * KIB);
    blocks[i][0] = 1;
  }
  size_t active = active_bytes();
  for (size_t i = 0; i < MANY; i += 2) {
    EXPECT_TRUE(huge_free(blocks[i]));
  }
  EXPECT_EQ(active - active_bytes(), MANY / 2 * 64 * KIB);
  EXPECT_LE(retained_bytes(), MANY / 2 * 64 * KIB);
  EXPECT_GT(retained_bytes(), 0);
  size_t kept = retained_bytes();
  EXPECT_EQ(huge_purge(), kept);
  EXPECT_EQ(retained_bytes(), 0);
  for (size_t i = 1; i < MANY; i += 2) {
    EXPECT_EQ(blocks[i][0], 1);
    EXPECT_TRUE(huge_free(blocks[i]));
  }
}

TEST(HugeTest, MoreIsFreedThanCanBeKept) { EXPECT_RUNS(keep_very_many, NULL, ""); }

/* ---- what the system refuses ---- */

static bool refuses;

static int call(long number, long start, long bytes, long advice) {
  if (refuses) {
    errno = EINVAL;
    return -1;
  }
  return (int)syscall(number, start, bytes, advice);
}

int munmap(void *start, size_t bytes) { return call(SYS_munmap, (long)start, (long)bytes, 0); }
int madvise(void *start, size_t bytes, int advice) { return call(SYS_madvise, (long)start, (long)bytes, advice); }

/* More free ranges than the table of them has places, and none goes back. */
static void keep_what_is_refused(void *unused) {
  (void)unused;
  enum { MANY = 3 * RANGES_MAX };
  static char *blocks[MANY];
  option_set("retain_kib", 1024 * 1024);
  for (size_t i = 0; i < MANY; i++) {
    blocks[i] = allocate(64 * KIB);
  }
  size_t counted = counted_bytes();
  size_t others = counted - huge_counted_bytes();
  refuses = true;
  for (size_t i = 0; i < MANY; i += 2) {
    EXPECT_TRUE(huge_free(blocks[i]));
    EXPECT_EQ(counted_bytes(), counted);
    ASSERT_EQ(counted_bytes() - huge_counted_bytes(), others);
  }
  refuses = false;
  for (size_t i = 1; i < MANY; i += 2) {
    EXPECT_TRUE(huge_free(blocks[i]));
  }
  huge_purge();
  EXPECT_LT(counted_bytes(), counted);
  EXPECT_EQ(counted_bytes() - huge_counted_bytes(), others);
}

TEST(HugeTest, WhatTheSystemRefusesToTakeBackIsCountedOn) { EXPECT_RUNS(keep_what_is_refused, NULL, ""); }
