/* reclaim: when the operating system refuses, everything that is kept goes back to it. */
#include "cold/reclaim.h"

#include <errno.h>
#include <string.h>

#include "cold/residency.h"
#include "cold/shared_pool.h"
#include "hakmem.h"
#include "os/system.h"
#include "unit/memory_calls.h"
#include "unit/unit.h"

enum { LARGE = 128 * 1024, BLOCKS = 48 * MIB / LARGE };

static void *blocks[BLOCKS];

/* By calloc, whose blocks of LARGE bytes no slab serves. */
static void fill_and_free(size_t size) {
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = hak_calloc(1, size);
    ASSERT_NE(blocks[i], NULL);
    memset(blocks[i], 0x5a, size);
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    hak_free(blocks[i]);
  }
}

static void unmap_and_map_again(void *unused) {
  (void)unused;
  fill_and_free(LARGE);
  size_t superslabs = pool_figures().superslabs;
  size_t mapped = unit_mapped();
  size_t given_back = reclaim();
  EXPECT_GE(given_back, (BLOCKS - 4 * MIB / LARGE) * (size_t)LARGE);
  EXPECT_LE(unit_mapped(), mapped - given_back);
  EXPECT_TRUE(pool_is_valid());
  EXPECT_EQ(reclaim(), 0);

  /* The same superslabs serve again, and their memory is zero. */
  for (size_t i = 0; i < BLOCKS; i++) {
    unsigned char *block = hak_calloc(1, LARGE);
    ASSERT_NE(block, NULL);
    EXPECT_EQ(block[0], 0);
    EXPECT_EQ(block[LARGE - 1], 0);
    memset(block, 1, LARGE);
    blocks[i] = block;
  }
  EXPECT_LE(pool_figures().superslabs, superslabs + 1);
  for (size_t i = 0; i < BLOCKS; i++) {
    hak_free(blocks[i]);
  }
  EXPECT_TRUE(pool_is_valid());
}

TEST(ReclaimTest, FreeSuperslabsGiveTheirAddressesBackAndServeAgain) { EXPECT_RUNS(unmap_and_map_again, NULL, ""); }

static void make_room(void *unused) {
  (void)unused;
  fill_and_free(LARGE);
  unit_limit_memory(4 * MIB);
  /* 48 MiB lie free, in superslabs; a block of 32 MiB takes their place, and the other way round. */
  void *huge = hak_malloc(32 * MIB);
  EXPECT_NE(huge, NULL);
  hak_free(huge);
  for (size_t i = 0; i < 30 * MIB / LARGE; i++) {
    blocks[i] = hak_malloc(LARGE);
    EXPECT_NE(blocks[i], NULL);
  }
  for (size_t i = 0; i < 30 * MIB / LARGE; i++) {
    hak_free(blocks[i]);
  }
  void *block = hak_malloc(16 * MIB);
  EXPECT_NE(block, NULL);
  block = hak_realloc(block, 40 * MIB);
  EXPECT_NE(block, NULL);
  hak_free(block);
  unit_limit_memory(SIZE_MAX);
}

TEST(ReclaimTest, FreedMemoryMakesRoomForBlocksOfAnyKind) {
  if (UNIT_SANITIZED) {
    SKIP("the address space of a sanitized program cannot be limited");
  }
  EXPECT_RUNS(make_room, NULL, "");
}

static void count_calls_of_refusals(void *unused) {
  (void)unused;
  static const size_t sizes[] = {100, 1000, 20000, 100000, 1500000, 5000000, (size_t)1 << 40};
  static void *taken[100000];
  unit_limit_memory(64 * MIB);
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    size_t count = 0;
    while (count < 100000 && (taken[count] = hak_malloc(sizes[s])) != NULL) {
      count++;
    }
    for (size_t i = 0; i < 10; i++) {
      size_t before = memory_calls();
      errno = 0;
      void *block = hak_malloc(sizes[s]);
      if (block == NULL) {
        EXPECT_EQ(errno, ENOMEM);
        EXPECT_LE(memory_calls() - before, 8);
      }
      hak_free(block);
    }
    while (count > 0) {
      hak_free(taken[--count]);
    }
  }
  unit_limit_memory(SIZE_MAX);
}

TEST(ReclaimTest, ARefusalCostsFewCalls) {
  if (UNIT_SANITIZED) {
    SKIP("the address space of a sanitized program cannot be limited");
  }
  EXPECT_RUNS(count_calls_of_refusals, NULL, "");
}
