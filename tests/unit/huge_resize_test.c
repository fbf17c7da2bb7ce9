/* huge: blocks that grow and shrink. */
#include "cold/huge.h"

#include <errno.h>
#include <string.h>

#include "cold/residency.h"
#include "config/config.h"
#include "hakmem.h"
#include "os/system.h"
#include "unit/huge_blocks.h"
#include "unit/unit.h"

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
    EXPECT_LE(unit_resident(block + usable, size - usable), os_page_size()); /* no copy: cold/huge_cost.h touches one */
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
  leave_range(12 * MIB);
  char *high = allocate(4 * MIB);
  char *middle = allocate(4 * MIB);
  char *low = allocate(4 * MIB);
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

static void copy_to_a_range(void *unused) {
  (void)unused;
  option_set("retain_kib", 256 * 1024);
  char *grows = hak_malloc(8 * MIB);
  char *freed = hak_malloc(12 * MIB);
  ASSERT_TRUE(grows != NULL && freed != NULL);
  EXPECT_EQ(huge_allocate_roomy(8 * MIB, 12 * MIB), NULL); /* nothing is retained */
  memset(grows, 'g', 8 * MIB);
  memset(freed, 'f', 12 * MIB);
  hak_free(freed);
  EXPECT_EQ(huge_allocate_roomy(8 * MIB, 12 * MIB + 1), NULL);
  EXPECT_EQ(huge_allocate_roomy(10 * MIB, 11 * MIB), NULL); /* a quarter more than it had is not there */
  EXPECT_EQ(huge_allocate_roomy(8 * MIB, 4 * MIB), NULL);
  size_t calls = os_counts().remap_calls + os_counts().map_calls;
  char *moved = hak_realloc(grows, 8 * MIB + 1);
  EXPECT_EQ(moved, freed);
  EXPECT_EQ(retained_bytes(), 8 * MIB + 4 * MIB - os_page_size()); /* where it lay, and behind it */
  for (size_t mib = 9; mib <= 12; mib++) {
    EXPECT_EQ(hak_realloc(moved, mib * MIB), freed);
  }
  EXPECT_EQ(os_counts().remap_calls + os_counts().map_calls, calls);
  EXPECT_EQ(moved[0], 'g');
  EXPECT_EQ(moved[8 * MIB - 1], 'g');
  EXPECT_EQ(retained_bytes(), 8 * MIB);
  EXPECT_EQ(hak_usable_size(moved), 12 * MIB);
  hak_free(moved);
}

TEST(HugeTest, ABlockThatGrowsIsCopiedToARangeWhereItGrowsOn) { EXPECT_RUNS(copy_to_a_range, NULL, ""); }

/* As a list does that is filled, dropped and filled again. */
static void grow_again(void *unused) {
  (void)unused;
  enum { ROUNDS = 20, KNOWN = 5 };
  size_t calls = 0;
  for (int round = 0; round < ROUNDS; round++) {
    calls = round == KNOWN ? os_counts().remap_calls + os_counts().unmap_calls : calls;
    char *list = NULL;
    for (size_t size = 64 * KIB; size < 8 * MIB; size += size / 8) {
      list = hak_realloc(list, size);
      ASSERT_NE(list, NULL);
      memset(list + size / 2, 'l', size / 2);
    }
    hak_free(list);
  }
  EXPECT_LE(os_counts().remap_calls + os_counts().unmap_calls - calls, ROUNDS - KNOWN);
}

TEST(HugeTest, AListThatIsFilledAgainAsksTheSystemForNothing) { EXPECT_RUNS(grow_again, NULL, ""); }

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
