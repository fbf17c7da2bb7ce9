/* huge: blocks with a mapping of their own. */
#include "cold/huge.h"

#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/huge_ranges.h"
#include "cold/huge_table.h"
#include "cold/large.h"
#include "cold/residency.h"
#include "config/config.h"
#include "os/lock.h"
#include "os/system.h"
#include "unit/unit.h"

static bool zeroed;

static char *allocate(size_t size) { return huge_allocate(size, 1, &zeroed); }

static bool is_zero(const char *block, size_t bytes) {
  return block[0] == 0 && memcmp(block, block + 1, bytes - 1) == 0;
}

TEST(HugeTest, SizesArePageGranular) {
  const size_t page = os_page_size();
  const size_t sizes[] = {1, page - 1, page, page + 1, 3 * MIB, 3 * MIB + 1};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    char *block = allocate(sizes[i]);
    ASSERT_NE(block, NULL);
    EXPECT_EQ(huge_usable_size(block), os_page_ceil(sizes[i]));
    EXPECT_EQ((uintptr_t)block % page, 0);
    memset(block, 1, huge_usable_size(block));
    EXPECT_TRUE(huge_free(block));
    EXPECT_EQ(huge_usable_size(block), 0);
  }
}

TEST(HugeTest, OnlyStartsOfLiveBlocksAreKnown) {
  char *block = allocate(3 * MIB);
  int on_stack;
  EXPECT_EQ(huge_usable_size(block + 4096), 0);
  EXPECT_EQ(huge_usable_size(block - 4096), 0);
  EXPECT_EQ(huge_usable_size(&on_stack), 0);
  EXPECT_FALSE(huge_free(block + 4096));
  EXPECT_FALSE(huge_free(&on_stack));
  EXPECT_FALSE(huge_free(NULL));
  EXPECT_TRUE(huge_free(block));
  EXPECT_FALSE(huge_free(block));
}

TEST(HugeTest, AnInnerAddressFindsItsBlockForMessages) {
  char *block = allocate(3 * MIB);
  EXPECT_EQ(huge_around(block + 1), block);
  EXPECT_EQ(huge_around(block + 3 * MIB - 1), block);
  EXPECT_NE(huge_around(block + 3 * MIB), block);
  EXPECT_NE(huge_around(block - 1), block);
  EXPECT_EQ(huge_around(&zeroed), NULL);
  EXPECT_TRUE(huge_free(block));
  EXPECT_EQ(huge_around(block + 1), NULL);
}

TEST(HugeTest, AlignmentsUpToAGibibyte) {
  for (size_t alignment = 1; alignment <= GIB; alignment *= 2) {
    char *block = huge_allocate(3 * MIB, alignment, &zeroed);
    ASSERT_NE(block, NULL);
    EXPECT_EQ((uintptr_t)block % alignment, 0);
    EXPECT_EQ(huge_usable_size(block), 3 * MIB);
    block[0] = block[3 * MIB - 1] = 1;
    EXPECT_TRUE(huge_free(block));
  }
}

TEST(HugeTest, FiguresCountLiveBlocks) {
  size_t count = huge_count();
  size_t live = huge_live_count();
  size_t bytes = huge_live_bytes();
  size_t active = active_bytes();
  char *a = allocate(3 * MIB);
  char *b = allocate(5 * MIB);
  EXPECT_EQ(huge_count() - count, 2);
  EXPECT_EQ(huge_live_count() - live, 2);
  EXPECT_EQ(huge_live_bytes() - bytes, 8 * MIB);
  EXPECT_EQ(active_bytes() - active, 8 * MIB);
  huge_free(a);
  EXPECT_EQ(huge_live_bytes() - bytes, 5 * MIB);
  huge_free(b);
  EXPECT_EQ(huge_count() - count, 2);
  EXPECT_EQ(huge_live_count(), live);
  EXPECT_EQ(huge_live_bytes(), bytes);
  EXPECT_EQ(active_bytes(), active);
}

/* ---- the table ---- */

TEST(HugeTest, TheTableGrowsAsNeeded) {
  enum { MANY = 3000 }; /* 64 entries at first */
  static char *blocks[MANY];
  for (size_t i = 0; i < MANY; i++) {
    blocks[i] = allocate((i % 3 + 1) * os_page_size());
    ASSERT_NE(blocks[i], NULL);
  }
  for (size_t i = 0; i < MANY; i++) {
    ASSERT_EQ(huge_usable_size(blocks[i]), (i % 3 + 1) * os_page_size());
  }
  for (size_t i = 0; i < MANY; i += 2) {
    ASSERT_TRUE(huge_free(blocks[i]));
  }
  for (size_t i = 0; i < MANY; i++) {
    ASSERT_EQ(huge_usable_size(blocks[i]), i % 2 == 0 ? 0 : (i % 3 + 1) * os_page_size());
  }
  for (size_t i = 1; i < MANY; i += 2) {
    ASSERT_TRUE(huge_free(blocks[i]));
  }
}

TEST(HugeTest, RandomCallsAgreeWithAModel) {
  enum { SLOTS = 300 };
  static struct {
    char *block;
    size_t bytes;
    char mark;
  } slots[SLOTS];
  uint64_t seed = unit_seed();
  size_t live = huge_live_count();
  for (int i = 0; i < 30000; i++) {
    size_t s = unit_below(&seed, SLOTS);
    size_t size = (unit_below(&seed, 30) + 1) * os_page_size() - unit_below(&seed, 100);
    if (slots[s].block == NULL) {
      slots[s].block = allocate(size);
      ASSERT_NE(slots[s].block, NULL);
      if (zeroed) {
        ASSERT_TRUE(slots[s].block[0] == 0 && slots[s].block[size - 1] == 0);
      }
    } else {
      ASSERT_EQ(huge_usable_size(slots[s].block), slots[s].bytes);
      ASSERT_EQ(slots[s].block[0], slots[s].mark);
      if (unit_below(&seed, 4) != 0) {
        ASSERT_EQ(slots[s].block[slots[s].bytes - 1], slots[s].mark);
        ASSERT_TRUE(huge_free(slots[s].block));
        slots[s].block = NULL;
        continue;
      }
      char *moved = huge_resize(slots[s].block, size);
      ASSERT_NE(moved, NULL);
      ASSERT_EQ(moved[0], slots[s].mark);
      ASSERT_GE(huge_usable_size(moved), size);
      slots[s].block = moved;
    }
    slots[s].bytes = huge_usable_size(slots[s].block);
    slots[s].mark = (char)unit_random(&seed);
    slots[s].block[0] = slots[s].block[slots[s].bytes - 1] = slots[s].mark;
  }
  for (size_t s = 0; s < SLOTS; s++) {
    if (slots[s].block != NULL) {
      huge_free(slots[s].block);
      slots[s].block = NULL;
    }
  }
  EXPECT_EQ(huge_live_count(), live);
}

/* ---- what is kept ---- */

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
  EXPECT_EQ(allocate(4 * MIB), fitting);
  EXPECT_EQ(retained_bytes(), 13 * MIB);
  EXPECT_EQ(allocate(MIB), fitting + 4 * MIB); /* the rest of it */
  EXPECT_EQ(retained_bytes(), 12 * MIB);
  EXPECT_EQ(allocate(12 * MIB), big);
  EXPECT_EQ(retained_bytes(), 0);
  huge_free(wall);
  huge_free(other_wall);
}

static void join_neighbours(void *unused) {
  (void)unused;
  option_set("retain_kib", 64 * 1024);
  char *whole = allocate(12 * MIB);
  memset(whole, 1, 12 * MIB);
  huge_free(whole);
  char *parts[3];
  for (size_t i = 0; i < 3; i++) {
    parts[i] = allocate(4 * MIB);
    EXPECT_EQ(parts[i], whole + i * 4 * MIB);
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
  const size_t budget = (uintptr_t)kib * KIB;
  enum { BLOCKS = 40 };
  char *blocks[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = allocate((i % 5 + 1) * MIB + 4096);
    memset(blocks[i], 1, (i % 5 + 1) * MIB);
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    huge_free(blocks[(i * 7) % BLOCKS]);
    EXPECT_LE(retained_bytes(), budget);
  }
  /* Most of it is used: a little more than what is in excess goes, and what goes is cut between huge pages. */
  size_t kept = retained_bytes();
  EXPECT_GE(kept + kept / 4 + OS_HUGE_PAGE, budget);
  EXPECT_EQ(huge_purge(), kept);
}

TEST(HugeTest, WhatIsKeptStaysWithinTheBudget) {
  EXPECT_RUNS(keep_within, (void *)0, "");
  EXPECT_RUNS(keep_within, (void *)2048, "");
  EXPECT_RUNS(keep_within, (void *)(30 * 1024), "");
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
  EXPECT_TRUE(is_zero(block, 10 * MIB));
}

TEST(HugeTest, PurgingUnmapsWhatIsKept) { EXPECT_RUNS(purge_all, NULL, ""); }

/* More free ranges than the table of them has places: nothing may be lost. */
static void keep_very_many(void *unused) {
  (void)unused;
  enum { MANY = 400 };
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

/* ---- resizing ---- */

static void grow_at_the_peak(void *unused) {
  (void)unused;
  option_set("retain_kib", 64 * 1024);
  char *grows = allocate(10 * MIB);
  char *freed = allocate(20 * MIB);
  memset(freed, 1, 20 * MIB);
  huge_free(freed);
  option_set("retain_kib", 0);
  EXPECT_EQ(retained_bytes(), 20 * MIB);
  grows = huge_resize(grows, 12 * MIB);
  ASSERT_NE(grows, NULL);
  EXPECT_EQ(residency_excess(), 0);
  EXPECT_EQ(retained_bytes(), 0);
  huge_free(grows);
}

TEST(HugeTest, GrowingGivesTheExcessBack) { EXPECT_RUNS(grow_at_the_peak, NULL, ""); }

TEST(HugeTest, GrowsByRemappingAndKeepsTheContent) {
  const size_t filled = 3 * MIB;
  char *block = allocate(filled);
  for (size_t at = 0; at < filled; at += 4096) {
    *(size_t *)(block + at) = at;
  }
  size_t remaps = os_counts().remap_calls;
  size_t usable = filled;
  for (size_t size = filled * 3 / 2; size < 100 * MIB; size += size / 2) {
    block = huge_resize(block, size);
    ASSERT_NE(block, NULL);
    EXPECT_GE(huge_usable_size(block), size);
    EXPECT_EQ(unit_resident(block + usable, size - usable), 0); /* no copy, and nothing touched */
    usable = huge_usable_size(block);
    for (size_t at = 0; at < usable; at += 4096) {
      ASSERT_EQ(*(size_t *)(block + at), at < filled ? at : 0);
    }
  }
  EXPECT_GE(os_counts().remap_calls - remaps, 6);
  block = huge_resize(block, filled);
  ASSERT_NE(block, NULL);
  EXPECT_EQ(huge_usable_size(block), filled);
  for (size_t at = 0; at < filled; at += 4096) {
    ASSERT_EQ(*(size_t *)(block + at), at);
  }
  EXPECT_TRUE(huge_free(block));
}

static void resize_a_cut(void *unused) {
  (void)unused;
  option_set("retain_kib", 256 * 1024);
  char *whole = allocate(12 * MIB);
  memset(whole, 1, 12 * MIB);
  huge_free(whole);
  char *low = allocate(4 * MIB);
  char *middle = allocate(4 * MIB);
  char *high = allocate(4 * MIB);
  EXPECT_EQ(middle, low + 4 * MIB);
  EXPECT_EQ(high, middle + 4 * MIB);
  memset(low, 'l', 4 * MIB);
  memset(middle, 'm', 4 * MIB);
  memset(high, 'h', 4 * MIB);
  char *moved = huge_resize(middle, 9 * MIB); /* its neighbours stay where they are */
  ASSERT_NE(moved, NULL);
  EXPECT_NE(moved, middle);
  EXPECT_EQ(moved[0], 'm');
  EXPECT_EQ(moved[4 * MIB - 1], 'm');
  EXPECT_EQ(low[4 * MIB - 1], 'l');
  EXPECT_EQ(high[0], 'h');
  huge_free(moved);
  huge_free(low);
  huge_free(high);
}

TEST(HugeTest, APartOfAKeptRangeGrowsToo) { EXPECT_RUNS(resize_a_cut, NULL, ""); }

/* Where a block has been moved to by the system it may lie beside another mapping with which it cannot be merged.
 * When both are free they are neighbours all the same, and a block cut across their border grows as any other. */
static void resize_across_mappings(void *unused) {
  (void)unused;
  option_set("retain_kib", 256 * 1024);
  char *top = allocate(MIB);
  char *block = allocate(MIB); /* below it, where the system places from the top down */
  memset(top, 1, MIB);
  memset(block, 2, MIB);
  char *moved = huge_resize(block, MIB + 512 * KIB);
  char *again = allocate(MIB);
  ASSERT_TRUE(moved != NULL && again != NULL);
  memset(again, 3, MIB);
  size_t bytes = huge_usable_size(moved);
  bool neighbours = moved + bytes == again;
  huge_free(moved);
  huge_free(again);
  char *across = allocate(bytes + MIB);
  EXPECT_TRUE(!neighbours || across == moved);
  across[bytes - 1] = 'x';
  across[bytes] = 'y';
  char *grown = huge_resize(across, 10 * MIB);
  ASSERT_NE(grown, NULL);
  EXPECT_EQ(grown[bytes - 1], 'x');
  EXPECT_EQ(grown[bytes], 'y');
  huge_free(grown);
  huge_free(top);
}

TEST(HugeTest, ABlockAcrossJoinedMappingsGrowsToo) { EXPECT_RUNS(resize_across_mappings, NULL, ""); }

static void run_out_of_memory(void *unused) {
  (void)unused;
  char *block = allocate(8 * MIB);
  memset(block, 7, 8 * MIB);
  unit_limit_memory(4 * MIB);
  errno = 4711;
  EXPECT_EQ(allocate(16 * MIB), NULL);
  EXPECT_EQ(huge_allocate(3 * MIB, 64 * MIB, &zeroed), NULL);
  EXPECT_EQ(huge_resize(block, 40 * MIB), NULL);
  EXPECT_EQ(errno, 4711);
  EXPECT_EQ(huge_usable_size(block), 8 * MIB);
  EXPECT_EQ(block[8 * MIB - 1], 7);
  /* The room ahead is given up before the growth is. */
  char *moved = huge_resize(block, 11 * MIB + 512 * KIB);
  ASSERT_NE(moved, NULL);
  EXPECT_EQ(huge_usable_size(moved), 11 * MIB + 512 * KIB);
  EXPECT_EQ(moved[8 * MIB - 1], 7);
  unit_limit_memory(SIZE_MAX);
  EXPECT_NE(allocate(16 * MIB), NULL);
}

TEST(HugeTest, WithoutMemoryThereIsNullAndNothingChanges) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(run_out_of_memory, NULL, "");
}

TEST(HugeTest, ImpossibleSizesGiveNull) {
  EXPECT_EQ(allocate((size_t)1 << 50), NULL);
  EXPECT_EQ(allocate((size_t)PTRDIFF_MAX / 2), NULL);
  char *block = allocate(3 * MIB);
  EXPECT_EQ(huge_resize(block, (size_t)PTRDIFF_MAX / 2), NULL);
  EXPECT_EQ(huge_resize(block, (size_t)1 << 50), NULL);
  EXPECT_EQ(huge_usable_size(block), 3 * MIB);
  huge_free(block);
}

/* ---- huge pages ---- */

/* What the system was told, by the calls of this thread; the tests run without huge pages, so that residency is counted in small
 * ones. */
static size_t advised_huge;

int madvise(void *start, size_t bytes, int advice) {
  advised_huge += advice == MADV_HUGEPAGE ? bytes : 0;
  return (int)syscall(SYS_madvise, start, bytes, advice);
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

/* Blocks that end behind their last huge page come in huge pages each: the end tells. They begin with one, too. */
static void use_ends(void *unused) {
  (void)unused;
  option_set("retain_kib", 0);
  enum { BLOCKS = 32, END = 100 * 1024 };
  for (size_t i = 0; i < 2; i++) {
    allocate_and_use(BLOCK);
  }
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

/* ---- many threads ---- */

static void churn(void *seed_value) {
  enum { SLOTS = 16 };
  char *blocks[SLOTS] = {NULL};
  uint64_t seed = (uintptr_t)seed_value;
  for (int i = 0; i < 2000; i++) {
    size_t s = unit_below(&seed, SLOTS);
    size_t size = (unit_below(&seed, 200) + 1) * os_page_size();
    if (blocks[s] == NULL) {
      bool is_zeroed;
      blocks[s] = huge_allocate(size, 4096, &is_zeroed);
      ASSERT_NE(blocks[s], NULL);
      if (is_zeroed) {
        ASSERT_EQ(blocks[s][size - 1], 0);
      }
    } else {
      ASSERT_EQ(blocks[s][0], s + 1);
      if (unit_below(&seed, 3) != 0) {
        ASSERT_TRUE(huge_free(blocks[s]));
        blocks[s] = NULL;
        continue;
      }
      blocks[s] = huge_resize(blocks[s], size);
      ASSERT_NE(blocks[s], NULL);
      ASSERT_EQ(blocks[s][0], s + 1);
    }
    blocks[s][0] = (char)(s + 1);
    blocks[s][size - 1] = (char)(s + 1);
  }
  for (size_t s = 0; s < SLOTS; s++) {
    if (blocks[s] != NULL) {
      ASSERT_TRUE(huge_free(blocks[s]));
    }
  }
}

TEST(HugeTest, ManyThreads) {
  struct unit_thread threads[4];
  uint64_t seed = unit_seed() % 1000 + 1;
  size_t live = huge_live_count();
  for (size_t i = 0; i < 4; i++) {
    unit_start(&threads[i], churn, (void *)(uintptr_t)(seed + i));
  }
  for (size_t i = 0; i < 4; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_EQ(huge_live_count(), live);
}

/* ---- a lost thread ---- */

enum { HELD = 30, FORKS = 80 };

static char *held[HELD];
static atomic_bool torn, done;

/* Every block that is held is there and whole, new ones lie elsewhere, and the sums are what there is. */
static void use_all(void *unused) {
  (void)unused;
  enum { NEW = 40 };
  static char *fresh[NEW];
  for (size_t i = 0; i < HELD; i++) {
    ASSERT_EQ(huge_usable_size(held[i]), (i % 7 + 1) * os_page_size());
    ASSERT_EQ(held[i][0], (char)(i + 1));
  }
  size_t live = huge_live_count();
  size_t bytes = huge_live_bytes();
  for (size_t i = 0; i < NEW; i++) {
    fresh[i] = allocate((i % 9 + 1) * os_page_size());
    ASSERT_NE(fresh[i], NULL);
    memset(fresh[i], 0xEE, huge_usable_size(fresh[i]));
  }
  for (size_t i = 0; i < NEW; i += 2) {
    fresh[i] = huge_resize(fresh[i], (i % 5 + 3) * os_page_size());
    ASSERT_NE(fresh[i], NULL);
    ASSERT_EQ(fresh[i][0], (char)0xEE);
  }
  EXPECT_EQ(huge_live_count() - live, NEW);
  for (size_t i = 0; i < NEW; i++) {
    ASSERT_TRUE(huge_free(fresh[i]));
  }
  EXPECT_EQ(huge_live_count(), live);
  EXPECT_EQ(huge_live_bytes(), bytes);
  for (size_t i = 0; i < HELD; i++) {
    ASSERT_EQ(held[i][0], (char)(i + 1));
    ASSERT_EQ(held[i][(i % 7 + 1) * os_page_size() - 1], (char)(i + 1));
    ASSERT_TRUE(huge_free(held[i]));
    ASSERT_FALSE(huge_free(held[i]));
  }
  EXPECT_EQ(huge_live_count(), live - HELD);
  huge_purge();
}

static void hold_some(void) {
  for (size_t i = 0; i < HELD; i++) {
    held[i] = allocate((i % 7 + 1) * os_page_size());
    memset(held[i], (int)(i + 1), (i % 7 + 1) * os_page_size());
  }
}

/* Has a block out of the table, whose bytes are in no sum any more, and one in it that is in no sum yet. */
static void tear(void *unused) {
  (void)unused;
  char *mine = allocate(5 * os_page_size());
  lock_take(LOCK_HUGE);
  struct huge_entry *entry = huge_table_find(mine);
  huge_table_remove(entry);
  struct huge_entry *other = huge_table_find(held[0]);
  size_t bytes = other->bytes;
  other->bytes = 0;
  huge_table_remove(other);
  other->bytes = bytes;
  other->start = held[0];
  huge_ranges_give((struct huge_range){mine, 5 * os_page_size(), 1});
  atomic_store(&torn, true);
  while (!atomic_load(&done)) {
    sched_yield();
  }
  lock_drop(LOCK_HUGE);
}

static void count_in_child(void *live) {
  EXPECT_EQ(huge_live_count(), (uintptr_t)live);
  EXPECT_EQ(retained_bytes(), huge_ranges_bytes());
  use_all(NULL);
  EXPECT_EQ(huge_ranges_bytes(), 0);
  EXPECT_EQ(retained_bytes(), 0);
}

static void fork_beside(void *unused) {
  (void)unused;
  struct unit_thread thread;
  hold_some();
  size_t live = huge_live_count();
  unit_start(&thread, tear, NULL);
  while (!atomic_load(&torn)) {
    sched_yield();
  }
  EXPECT_FORKS(count_in_child, (void *)live);
  atomic_store(&done, true);
  unit_join(&thread);
}

static void hammer(void *seed_value) {
  while (!atomic_load(&done)) {
    churn(seed_value);
  }
}

static void fork_often(void *kib) {
  struct unit_thread threads[2];
  option_set("retain_kib", (long)(uintptr_t)kib);
  hold_some();
  for (uintptr_t i = 0; i < 2; i++) {
    unit_start(&threads[i], hammer, (void *)(i + 1));
  }
  for (size_t i = 0; i < FORKS; i++) {
    EXPECT_FORKS(use_all, NULL);
  }
  atomic_store(&done, true);
  for (size_t i = 0; i < 2; i++) {
    unit_join(&threads[i]);
  }
  use_all(NULL);
}

TEST(HugeTest, TheTableOfALostThreadIsMended) {
  if (UNIT_THREAD_SANITIZED) {
    SKIP("there is no thread in the child of fork() under this sanitizer");
  }
  EXPECT_RUNS(fork_beside, NULL, "");
}

TEST(HugeTest, AForkAtAnyMomentLeavesUsableBlocks) {
  if (UNIT_THREAD_SANITIZED) {
    SKIP("there is no thread in the child of fork() under this sanitizer");
  }
  EXPECT_RUNS(fork_often, (void *)0, "");
  EXPECT_RUNS(fork_often, (void *)4096, "");
}
