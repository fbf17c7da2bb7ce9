/* large: blocks of whole units, up to a superslab. */
#include "cold/large.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/residency.h"
#include "cold/shared_pool.h"
#include "config/config.h"
#include "os/fatal.h"
#include "os/threads.h"
#include "unit/unit.h"

/* What the system was told; the tests run without huge pages, so that residency is counted in small ones. */
static _Atomic size_t advised_huge;

int madvise(void *start, size_t bytes, int advice) {
  advised_huge += advice == MADV_HUGEPAGE ? bytes : 0;
  return (int)syscall(SYS_madvise, start, bytes, advice);
}

static unsigned units_of(size_t size) { return (unsigned)((size + UNIT_BYTES - 1) / UNIT_BYTES); }

static void expect_tags(const char *block, unsigned units, unit_tag first, unit_tag further) {
  EXPECT_EQ(unit_tag_of(block), first);
  for (unsigned unit = 1; unit < units; unit++) {
    EXPECT_EQ(unit_tag_of(block + (size_t)unit * UNIT_BYTES), further);
  }
}

TEST(LargeTest, AnySizeIsWholeUnitsAndAligned) {
  const size_t sizes[] = {1,        32769, UNIT_BYTES - 1, UNIT_BYTES, UNIT_BYTES + 1, 5 * UNIT_BYTES, LARGE_MAX - 1,
                          LARGE_MAX};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    NOTE("size %zu", sizes[i]);
    bool zeroed;
    size_t count = pool_figures().larges_taken;
    char *block = large_allocate(sizes[i], &zeroed);
    ASSERT_NE(block, NULL);
    EXPECT_EQ(pool_figures().larges_taken - count, 1);
    EXPECT_EQ((uintptr_t)block % LARGE_ALIGNMENT, 0);
    EXPECT_EQ(large_usable_size(block, "test"), (size_t)units_of(sizes[i]) * UNIT_BYTES);
    expect_tags(block, units_of(sizes[i]), UNIT_TAG_LARGE, UNIT_TAG_INSIDE);
    memset(block, 0xAB, large_usable_size(block, "test"));
    large_free(block);
    expect_tags(block, units_of(sizes[i]), UNIT_TAG_NONE, UNIT_TAG_NONE);
  }
}

TEST(LargeTest, EverySizeInUnits) {
  char *blocks[SUPERSLAB_UNITS + 1];
  for (unsigned units = 1; units <= SUPERSLAB_UNITS; units++) {
    bool zeroed;
    blocks[units] = large_allocate((size_t)units * UNIT_BYTES, &zeroed);
    ASSERT_NE(blocks[units], NULL);
    memset(blocks[units], (int)units, (size_t)units * UNIT_BYTES);
  }
  for (unsigned units = 1; units <= SUPERSLAB_UNITS; units++) {
    EXPECT_EQ(blocks[units][0], units);
    EXPECT_EQ(memcmp(blocks[units], blocks[units] + 1, (size_t)units * UNIT_BYTES - 1), 0);
    large_free(blocks[units]);
  }
  EXPECT_TRUE(pool_is_valid());
}

static void know_what_is_zero(void *unused) {
  (void)unused;
  bool zeroed;
  char *block = large_allocate(3 * UNIT_BYTES, &zeroed);
  memset(block, 0xEE, 3 * UNIT_BYTES);
  large_free(block);
  unsigned known = 0;
  for (int i = 0; i < 60; i++) {
    unsigned char *next = large_allocate(3 * UNIT_BYTES, &zeroed); /* kept, so that others come */
    ASSERT_NE(next, NULL);
    if (zeroed) {
      known++;
      for (size_t at = 0; at < 3 * UNIT_BYTES; at += 64) {
        ASSERT_EQ(next[at], 0);
      }
    }
  }
  EXPECT_GE(known, 20); /* fresh superslabs were cut on the way */
}

TEST(LargeTest, KnowsWhatIsZero) { EXPECT_RUNS(know_what_is_zero, NULL, ""); }

TEST(LargeTest, MemoryThatWasUsedIsNotCalledZero) {
  bool zeroed;
  char *block = large_allocate(LARGE_MAX, &zeroed);
  memset(block, 0xEE, LARGE_MAX);
  large_free(block);
  for (int i = 0; i < 50; i++) {
    char *next = large_allocate(LARGE_MAX, &zeroed);
    ASSERT_NE(next, NULL);
    if (next == block) {
      EXPECT_EQ(zeroed, next[0] == 0);
      return;
    }
  }
}

static void resize(void *unused) {
  (void)unused;
  bool zeroed;
  /* A superslab of its own: the rest of it is free. */
  char *whole = large_allocate(LARGE_MAX, &zeroed);
  EXPECT_TRUE(large_resize(whole, 2 * UNIT_BYTES));
  char *block = whole;
  memset(block, 0x42, 2 * UNIT_BYTES);
  EXPECT_EQ(large_usable_size(block, "test"), 2 * UNIT_BYTES);
  expect_tags(block, 2, UNIT_TAG_LARGE, UNIT_TAG_INSIDE);
  for (unsigned unit = 2; unit < SUPERSLAB_UNITS; unit++) {
    EXPECT_EQ(unit_tag_of(block + (size_t)unit * UNIT_BYTES), UNIT_TAG_NONE);
  }
  /* Grows over them, and again up to the end. */
  EXPECT_TRUE(large_resize(block, 10 * UNIT_BYTES));
  expect_tags(block, 10, UNIT_TAG_LARGE, UNIT_TAG_INSIDE);
  EXPECT_EQ(unit_tag_of(block + 10 * UNIT_BYTES), UNIT_TAG_NONE);
  EXPECT_TRUE(large_resize(block, LARGE_MAX));
  EXPECT_EQ(large_usable_size(block, "test"), LARGE_MAX);
  EXPECT_EQ(block[2 * UNIT_BYTES - 1], 0x42);
  /* The same number of units is no change. */
  EXPECT_TRUE(large_resize(block, LARGE_MAX - 5));
  EXPECT_EQ(large_usable_size(block, "test"), LARGE_MAX);
  EXPECT_TRUE(large_resize(block, 1));
  EXPECT_EQ(large_usable_size(block, "test"), UNIT_BYTES);
  EXPECT_EQ(block[UNIT_BYTES - 1], 0x42);
  /* A neighbour stops it. */
  struct superslab *superslab = superslab_of(block);
  while (superslab->free != 0) {
    EXPECT_NE(large_allocate(1, &zeroed), NULL);
  }
  EXPECT_FALSE(large_resize(block, 2 * UNIT_BYTES));
  EXPECT_EQ(large_usable_size(block, "test"), UNIT_BYTES);
  EXPECT_EQ(block[0], 0x42);
  EXPECT_TRUE(pool_is_valid());
}

TEST(LargeTest, GrowsAndShrinksInPlace) { EXPECT_RUNS(resize, NULL, ""); }

/* ---- misuse ---- */

static void announce(const char *block) { notice("block %p thread %ld", block, os_thread_id()); }

#define ANNOUNCED "block (" ANY_POINTER ") thread (" ANY_NUMBER ")\n"

static char *two_units_and_a_half(void) {
  bool zeroed;
  return large_allocate(5 * UNIT_BYTES / 2, &zeroed);
}

static void free_inside(void *offset) {
  char *block = two_units_and_a_half();
  announce(block);
  large_free(block + (uintptr_t)offset);
}

static void ask_inside(void *offset) {
  char *block = two_units_and_a_half();
  announce(block);
  large_usable_size(block + (uintptr_t)offset, "malloc_usable_size");
}

static void resize_inside(void *offset) {
  char *block = two_units_and_a_half();
  announce(block);
  large_resize(block + (uintptr_t)offset, UNIT_BYTES);
}

static void free_twice(void *unused) {
  (void)unused;
  char *block = two_units_and_a_half();
  announce(block);
  large_free(block);
  large_free(block);
}

TEST(LargeTest, OnlyTheStartIsTheBlock) {
  EXPECT_STOPS(free_inside, (void *)16,
               ANNOUNCED "hakmem: free of an interior pointer: pointer " ANY_POINTER
                         " lies 16 bytes inside the large block \\1 of 196608 bytes, thread \\2\n");
  EXPECT_STOPS(free_inside, (void *)(2 * UNIT_BYTES),
               ANNOUNCED "hakmem: free of an interior pointer: pointer " ANY_POINTER
                         " lies 131072 bytes inside the large block \\1 of 196608 bytes, thread \\2\n");
  EXPECT_STOPS(ask_inside, (void *)70000,
               ANNOUNCED "hakmem: malloc_usable_size of an interior pointer: pointer " ANY_POINTER
                         " lies 70000 bytes inside the large block \\1 of 196608 bytes, thread \\2\n");
  EXPECT_STOPS(resize_inside, (void *)1,
               ANNOUNCED "hakmem: misaligned realloc: pointer " ANY_POINTER
                         " lies 1 bytes inside the large block \\1 of 196608 bytes, thread \\2\n");
}

TEST(LargeTest, ADoubleFreeStopsTheProgram) {
  EXPECT_STOPS(free_twice, NULL, ANNOUNCED "hakmem: double free: pointer \\1, a large block, thread \\2\n");
}

static char *_Atomic contested;
static _Atomic unsigned arrived;

static void free_contested(void *unused) {
  (void)unused;
  atomic_fetch_add(&arrived, 1);
  while (atomic_load(&arrived) < 2) {
  }
  large_free(atomic_load(&contested));
}

static void two_threads_free_one_block(void *unused) {
  (void)unused;
  struct unit_thread threads[2];
  atomic_store(&contested, two_units_and_a_half());
  unit_start(&threads[0], free_contested, NULL);
  unit_start(&threads[1], free_contested, NULL);
  unit_join(&threads[0]);
  unit_join(&threads[1]);
}

TEST(LargeTest, OfTwoThreadsThatFreeOneBlockOnlyOneSucceeds) {
  for (int i = 0; i < 20; i++) {
    EXPECT_STOPS(two_threads_free_one_block, NULL,
                 "hakmem: double free: pointer " ANY_POINTER ", a large block, thread " ANY_NUMBER "\n");
  }
}

/* ---- many threads ---- */

static void churn(void *seed_value) {
  enum { SLOTS = 12 };
  char *blocks[SLOTS] = {NULL};
  size_t sizes[SLOTS];
  uint64_t seed = (uintptr_t)seed_value;
  for (int i = 0; i < 3000; i++) {
    size_t s = unit_below(&seed, SLOTS);
    bool zeroed;
    size_t size = unit_below(&seed, 8 * UNIT_BYTES) + 1;
    if (blocks[s] == NULL) {
      blocks[s] = large_allocate(size, &zeroed);
      ASSERT_NE(blocks[s], NULL);
      if (zeroed) {
        ASSERT_EQ(blocks[s][size - 1], 0);
      }
      sizes[s] = size;
    } else {
      ASSERT_EQ(blocks[s][0], s);
      ASSERT_EQ(blocks[s][sizes[s] - 1], s);
      if (unit_below(&seed, 3) == 0 && large_resize(blocks[s], size)) {
        ASSERT_EQ(blocks[s][0], s);
        sizes[s] = size;
      } else {
        large_free(blocks[s]);
        blocks[s] = NULL;
        continue;
      }
    }
    blocks[s][0] = (char)s;
    blocks[s][sizes[s] - 1] = (char)s;
  }
  for (size_t s = 0; s < SLOTS; s++) {
    if (blocks[s] != NULL) {
      large_free(blocks[s]);
    }
  }
}

TEST(LargeTest, ManyThreads) {
  struct unit_thread threads[4];
  uint64_t seed = unit_seed() % 1000 + 1;
  for (size_t i = 0; i < 4; i++) {
    unit_start(&threads[i], churn, (void *)(uintptr_t)(seed + i));
  }
  for (size_t i = 0; i < 4; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_TRUE(pool_is_valid());
}

/* ---- growing in place ---- */

static void grow_at_the_peak(void *unused) {
  (void)unused;
  enum { UNITS = 8 };
  bool zeroed;
  /* Three quarters of a superslab become empty behind a small block, while retention allows it. */
  char *small = large_allocate((size_t)UNITS * UNIT_BYTES, &zeroed);
  char *big = large_allocate((size_t)20 * UNIT_BYTES, &zeroed);
  memset(big, 1, (size_t)20 * UNIT_BYTES);
  option_set("retain_kib", 64 * 1024);
  large_free(big);
  option_set("retain_kib", 0);
  EXPECT_GT(retained_bytes(), 0);
  EXPECT_TRUE(large_resize(small, (size_t)(UNITS + 2) * UNIT_BYTES));
  EXPECT_EQ(residency_excess(), 0);
  large_free(small);
}

TEST(LargeTest, GrowingInPlaceGivesTheExcessBack) { EXPECT_RUNS(grow_at_the_peak, NULL, ""); }

/* ---- huge pages ---- */

enum { MANY = 600, SIZE = 500 * 1000, FEW = 160 };

static char *blocks_of[MANY];

static void allocate_many(size_t from, size_t to, size_t used) {
  bool zeroed;
  for (size_t i = from; i < to; i++) {
    blocks_of[i] = large_allocate(SIZE, &zeroed);
    ASSERT_NE(blocks_of[i], NULL);
    memset(blocks_of[i], 1, used);
  }
}

static void free_many(size_t from, size_t to) {
  for (size_t i = from; i < to; i++) {
    large_free(blocks_of[i]);
  }
}

/* Of each of many blocks a page: in huge pages they would take a hundred times as much. */
static void use_the_beginning(void *unused) {
  (void)unused;
  allocate_many(0, MANY, 1);
  free_many(0, MANY / 2);
  allocate_many(0, MANY / 2, 1);
  EXPECT_EQ(advised_huge, 0);
  for (int i = 0; i < 20; i++) { /* purged and used again, soon */
    free_many(0, MANY);
    allocate_many(0, MANY, 1);
  }
  EXPECT_EQ(advised_huge, 0);
}

static void use_whole(void *unused) {
  (void)unused;
  allocate_many(0, MANY, SIZE);
  EXPECT_GE(advised_huge, (size_t)MANY * SIZE / 2);
}

/* Those that a program uses whole say nothing of those that it uses in part. */
static void use_whole_and_then_in_part(void *unused) {
  (void)unused;
  allocate_many(0, MANY / 2, SIZE);
  EXPECT_GT(advised_huge, 0);
  allocate_many(MANY / 2, MANY / 2 + FEW, 1);
  size_t before = advised_huge;
  allocate_many(MANY / 2 + FEW, MANY, 1);
  EXPECT_EQ(advised_huge, before);
}

static void use_in_part_and_then_whole(void *unused) {
  (void)unused;
  allocate_many(0, MANY / 2, 1);
  EXPECT_EQ(advised_huge, 0);
  allocate_many(MANY / 2, MANY, SIZE);
  EXPECT_GE(advised_huge, (size_t)(MANY / 2) * SIZE / 2);
}

/* A huge page would make resident what lies between them, too. */
static void use_whole_what_half_fills_a_unit(void *unused) {
  (void)unused;
  enum { HALF = UNIT_BYTES / 2 + 1000, ENOUGH = 1000 };
  bool zeroed;
  for (int i = 0; i < ENOUGH; i++) {
    char *block = large_allocate(HALF, &zeroed);
    ASSERT_NE(block, NULL);
    memset(block, 1, HALF);
  }
  EXPECT_EQ(advised_huge, 0);
}

static void never(void *unused) {
  (void)unused;
  option_set("thp", 0);
  allocate_many(0, MANY, SIZE);
  EXPECT_EQ(advised_huge, 0);
}

TEST(LargeTest, HugePagesWhereBlocksAreUsedWhole) {
  EXPECT_RUNS(use_the_beginning, NULL, "");
  EXPECT_RUNS(use_whole, NULL, "");
  EXPECT_RUNS(use_whole_and_then_in_part, NULL, "");
  EXPECT_RUNS(use_in_part_and_then_whole, NULL, "");
  EXPECT_RUNS(use_whole_what_half_fills_a_unit, NULL, "");
  EXPECT_RUNS(never, NULL, "");
}
