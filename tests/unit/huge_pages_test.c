/* huge: where the system is asked for huge pages. */
#include "cold/huge.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/residency.h"
#include "config/config.h"
#include "os/system.h"
#include "unit/clock.h"
#include "unit/huge_blocks.h"
#include "unit/unit.h"

/* What the system was told, by the calls of this thread; the tests run without huge pages, so that residency is counted in small
 * ones. */
static size_t advised_huge;

/* Of that, what was unmapped later; of the first calls. */
static size_t advised_and_unmapped;
static struct os_range advised[256];
static size_t advised_count;

int madvise(void *start, size_t bytes, int advice) {
  advised_huge += advice == MADV_HUGEPAGE ? bytes : 0;
  if (advice == MADV_HUGEPAGE && advised_count < sizeof advised / sizeof *advised) {
    advised[advised_count++] = (struct os_range){start, bytes};
  }
  return (int)syscall(SYS_madvise, start, bytes, advice);
}

int munmap(void *start, size_t bytes) {
  for (size_t i = 0; i < advised_count; i++) {
    uintptr_t from = (uintptr_t)advised[i].start, to = from + advised[i].bytes;
    from = from > (uintptr_t)start ? from : (uintptr_t)start;
    to = to < (uintptr_t)start + bytes ? to : (uintptr_t)start + bytes;
    advised_and_unmapped += from < to ? to - from : 0;
  }
  return (int)syscall(SYS_munmap, start, bytes);
}

enum { BLOCK = 8 * 1024 * 1024 };

static char *allocate_and_use(size_t used) {
  char *block = allocate(BLOCK);
  memset(block, 1, used);
  return block;
}

static void use_the_beginning(void *unused) {
  (void)unused;
  option_set("retain_kib", 0);
  char *blocks[8];
  for (size_t i = 0; i < 8; i++) {
    blocks[i] = allocate_and_use(5000);
  }
  for (size_t i = 0; i < 8; i++) {
    EXPECT_TRUE(huge_free(blocks[i]));
  }
  for (size_t i = 0; i < 8; i++) {
    EXPECT_TRUE(huge_free(allocate_and_use(5000)));
  }
  char *grows = allocate_and_use(5000);
  grows = huge_resize(grows, 3 * BLOCK);
  grows = huge_resize(grows, 9 * BLOCK);
  EXPECT_EQ(advised_huge, 0);
}

static void use_whole(void *unused) {
  (void)unused;
  option_set("retain_kib", 0);
  enum { BLOCKS = 8, SPARSE = 64 };
  char *blocks[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = allocate_and_use(BLOCK);
  }
  EXPECT_GE(advised_huge,
            (BLOCKS - 2) * BLOCK); /* but for the first, of which nothing was known, and one that is looked at */
  for (size_t i = 0; i < BLOCKS; i++) {
    EXPECT_TRUE(huge_free(blocks[i]));
  }
  /* One after another, each unmapped before the next. */
  size_t before = advised_huge;
  for (size_t i = 0; i < BLOCKS; i++) {
    huge_purge();
    EXPECT_TRUE(huge_free(allocate_and_use(BLOCK)));
  }
  huge_purge();
  EXPECT_GE(advised_huge - before, (BLOCKS - 2) * BLOCK);
  /* Smaller than a huge page: of no use. */
  before = advised_huge;
  huge_free(allocate(OS_HUGE_PAGE - os_page_size()));
  EXPECT_EQ(advised_huge, before);
  /* Then they are used in part again, one beside another; what tells so is one now and then. */
  for (size_t i = 0; i < SPARSE; i++) {
    ASSERT_NE(allocate_and_use(5000), NULL);
  }
  before = advised_huge;
  for (size_t i = 0; i < SPARSE; i++) {
    ASSERT_NE(allocate_and_use(5000), NULL);
  }
  EXPECT_EQ(advised_huge, before);
}

/* From then on fresh blocks may come in huge pages. */
static void use_two_whole(void) {
  option_set("retain_kib", 0);
  for (size_t i = 0; i < 2; i++) {
    allocate_and_use(BLOCK);
  }
}

/* An end tells of a block of twice what was in use before and 128 MiB at most. */
static void use_suddenly(void *unused) {
  (void)unused;
  enum { END = 100 * 1024 };
  use_two_whole();
  size_t most = 2 * residency_peak_used() + 128 * MIB;
  size_t larger = (most & ~(size_t)(OS_HUGE_PAGE - 1)) + END;
  size_t before = advised_huge;
  memset(allocate(larger), 1, larger);
  EXPECT_EQ(advised_huge, before);
  ASSERT_NE(allocate(larger), NULL); /* it is no more than the other, which is in use */
  EXPECT_EQ(advised_huge - before, os_page_ceil(larger));
}

/* Blocks that end behind their last huge page come in huge pages each: the end tells. They begin with one, too. */
static void use_ends(void *unused) {
  (void)unused;
  enum { BLOCKS = 32, END = 100 * 1024 };
  use_two_whole();
  size_t before = advised_huge;
  size_t bytes = os_page_ceil(BLOCK + END);
  for (size_t i = 0; i < BLOCKS; i++) {
    char *block = allocate(bytes);
    EXPECT_EQ((uintptr_t)block % OS_HUGE_PAGE, 0);
    memset(block, 1, bytes);
  }
  EXPECT_EQ(advised_huge - before, BLOCKS * bytes);
  /* Where the beginning is used only, what follows the next that is looked at comes in small ones. */
  for (size_t i = 0; i < BLOCKS; i++) {
    memset(allocate(bytes), 1, 5000);
  }
  before = advised_huge;
  for (size_t i = 0; i < BLOCKS; i++) {
    memset(allocate(bytes), 1, 5000);
  }
  EXPECT_EQ(advised_huge, before);
}

/* So does every third: it is the probe, and the others need not lie in small pages. */
static void use_some_ends(void *unused) {
  (void)unused;
  enum { BLOCKS = 60, END = 100 * 1024 };
  use_two_whole();
  size_t before = advised_huge;
  size_t expected = 0;
  for (size_t i = 0; i < BLOCKS; i++) {
    size_t bytes = os_page_ceil(i % 3 == 2 ? BLOCK + END : BLOCK);
    memset(allocate(bytes), 1, bytes);
    expected += bytes;
  }
  EXPECT_EQ(advised_huge - before, expected);
}

/* But for as much as lies between two probes: of what is used in part after that, all is in small pages. */
static void use_large_parts(void *unused) {
  (void)unused;
  use_two_whole();
  size_t before = advised_huge;
  ASSERT_NE(allocate(GIB), NULL);
  EXPECT_EQ(advised_huge, before);
  use_two_whole();
  before = advised_huge;
  for (size_t i = 0; i < 64; i++) {
    memset(allocate(BLOCK), 1, 5000);
  }
  EXPECT_LE(advised_huge, before + 2 * 128 * MIB);
}

/* Blocks below 8 MiB share huge pages, once they were used whole. */
static void share_huge_pages(void *unused) {
  (void)unused;
  enum { BLOCKS = 64 };
  static const size_t sizes[] = {300 * KIB, 1900 * KIB, 5000 * KIB, 1300 * KIB};
  size_t bytes = 0;
  option_set("retain_kib", 64 * 1024);
  for (size_t i = 0; i < BLOCKS; i++) {
    size_t size = sizes[i % 4];
    memset(allocate(size), 1, size);
    bytes += size;
  }
  /* But for the first ones, and the probes; at most 16 MiB are mapped ahead. What has no place below those goes again. */
  EXPECT_GE(advised_huge, bytes - 16 * MIB);
  EXPECT_LE(advised_huge - advised_and_unmapped, bytes + 16 * MIB);
  /* One rest, and one for each probe, as it is mapped below. */
  EXPECT_LE(retained_bytes(), 3 * OS_HUGE_PAGE);
}

static void share_none_where_little_is_used(void *unused) {
  (void)unused;
  for (size_t i = 0; i < 4; i++) {
    memset(allocate(700 * KIB), 1, 700 * KIB);
  }
  EXPECT_EQ(advised_huge, 0);
}

static void share_none_aligned(void *unused) {
  (void)unused;
  for (size_t i = 0; i < 32; i++) {
    char *block = huge_allocate(MIB, 64 * KIB, &zeroed);
    EXPECT_EQ((uintptr_t)block & (64 * KIB - 1), 0);
    memset(block, 1, MIB);
  }
  EXPECT_EQ(advised_huge, 0);
}

/* A block is longer by what its end leaves of a huge page, unless that is much of the page, or of the block. */
static void end_in_huge_page(void *unused) {
  (void)unused;
  static const struct {
    size_t asked, has;
  } blocks[] = {
      {BLOCK + MIB, BLOCK + OS_HUGE_PAGE},
      {BLOCK + MIB / 2, BLOCK + MIB / 2},
      {OS_HUGE_PAGE + MIB * 3 / 2, OS_HUGE_PAGE + MIB * 3 / 2}, /* it shares one */
      {2 * BLOCK + MIB / 2, 2 * BLOCK + OS_HUGE_PAGE},
      {4 * BLOCK + MIB / 4, 4 * BLOCK + MIB / 4},
  };
  use_two_whole();
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
    NOTE("%zu bytes", blocks[i].asked);
    char *block = allocate(os_page_ceil(blocks[i].asked));
    EXPECT_EQ(huge_usable_size(block), os_page_ceil(blocks[i].has));
  }
}

static void never(void *unused) {
  (void)unused;
  option_set("retain_kib", 0);
  option_set("thp", 0);
  for (size_t i = 0; i < 4; i++) {
    huge_resize(allocate_and_use(BLOCK), 3 * BLOCK);
  }
  EXPECT_EQ(advised_huge, 0);
}

static void always(void *unused) {
  (void)unused;
  option_set("retain_kib", 0);
  option_set("thp", 2);
  for (size_t i = 0; i < 4; i++) {
    allocate_and_use(1);
    EXPECT_EQ(advised_huge, (i + 1) * BLOCK);
  }
}

TEST(HugeTest, HugePagesWhereBlocksAreUsedWhole) {
  EXPECT_RUNS(use_the_beginning, NULL, "");
  EXPECT_RUNS(use_whole, NULL, "");
  EXPECT_RUNS(use_ends, NULL, "");
  EXPECT_RUNS(use_some_ends, NULL, "");
  EXPECT_RUNS(use_large_parts, NULL, "");
  EXPECT_RUNS(end_in_huge_page, NULL, "");
  EXPECT_RUNS(share_huge_pages, NULL, "");
  EXPECT_RUNS(share_none_where_little_is_used, NULL, "");
  EXPECT_RUNS(share_none_aligned, NULL, "");
  EXPECT_RUNS(never, NULL, "");
  EXPECT_RUNS(always, NULL, "");
}

/* The system's areas that a range lies in, in whole or in part. */
static size_t count_areas(const char *start, size_t bytes) {
  size_t areas = 0;
  char line[512];
  uintptr_t from;
  uintptr_t to;
  FILE *file = fopen("/proc/self/maps", "r");
  if (file == NULL) {
    return 0;
  }
  while (fgets(line, sizeof line, file) != NULL) {
    if (sscanf(line, "%lx-%lx", &from, &to) == 2) {
      areas += from < (uintptr_t)start + bytes && to > (uintptr_t)start;
    }
  }
  fclose(file);
  return areas;
}

/* What is advised in part, or named in part, is no longer one area, and cannot be moved by one call. */
static void grow_in_one_area(void *unused) {
  (void)unused;
  option_set("retain_kib", 0);
  huge_free(allocate_and_use(BLOCK));
  char *block = allocate_and_use(BLOCK);
  size_t used = BLOCK;
  for (int i = 0; i < 6; i++) {
    size_t remaps = os_counts().remap_calls;
    block = huge_resize(block, used + used / 2);
    ASSERT_NE(block, NULL);
    EXPECT_EQ(os_counts().remap_calls - remaps, 1);
    EXPECT_EQ(count_areas(block, huge_usable_size(block)), 1);
    memset(block + used, 1, used / 2);
    used += used / 2;
  }
  EXPECT_GE(advised_huge, used); /* and all of it was advised */
  EXPECT_EQ(block[used - 1], 1);
  block = huge_resize(block, BLOCK);
  EXPECT_EQ(count_areas(block, huge_usable_size(block)), 1);
}

TEST(HugeTest, ABlockThatGrowsStaysOneArea) { EXPECT_RUNS(grow_in_one_area, NULL, ""); }

TEST(HugeTest, ABlockFarLargerThanAllBeforeLiesInSmallPages) { EXPECT_RUNS(use_suddenly, NULL, ""); }
