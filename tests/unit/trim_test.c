/* trim: free pages inside partly used slabs go back to the system. */
#include "warm/trim.h"

#include <string.h>
#include <unistd.h>

#include "unit/unit.h"
#include "warm/census.h"
#include "warm/put.h"
#include "warm/take.h"

/* Blocks of a page, 16 to a slab: what is free is what can be given back. */
enum { CAPACITY = UNIT_BYTES / 4096, SLABS = 3, AGE_MS = 500 };

#define CLASS size_class_of(4096)

static char *blocks[SLABS][CAPACITY];

static char *take(struct thread_heap *heap, size_t size_class) {
  void *block = NULL;
  if (heap_take(heap, size_class, &block, 1) == 0) {
    heap_grow(heap, size_class, &block, 1);
  }
  return block;
}

/* A heap with SLABS slabs, every block taken and resident, at one moment. */
static struct thread_heap *new_heap(void) {
  enum heap_state was;
  while (registry_take(&was) != NULL) {
  }
  struct thread_heap *heap = heap_new();
  for (size_t s = 0; s < SLABS; s++) {
    for (size_t i = 0; i < CAPACITY; i++) {
      blocks[s][i] = take(heap, CLASS);
      memset(blocks[s][i], 0x77, 4096);
    }
  }
  /* As if all that took no time, which it does on a busy machine. */
  heap->trimmed_at = heap->now;
  for (size_t s = 0; s < SLABS; s++) {
    place_of(blocks[s][0], CLASS).slab->taken_at = heap->now;
  }
  return heap;
}

static void put(struct thread_heap *heap, size_t slab, size_t from, size_t to) {
  heap_put(heap, CLASS, (void *const *)&blocks[slab][from], (unsigned)(to - from));
}

static size_t resident(size_t slab) { return unit_resident(blocks[slab][0], UNIT_BYTES) / 4096; }

static size_t purged(void) { return os_counts().purged_bytes; }

static bool page_is_4k(void) { return os_page_size() == 4096; }

TEST(TrimTest, AllFreePagesGoBackWhateverTheirAge) {
  if (!page_is_4k()) {
    SKIP("speaks of pages of 4 KiB");
  }
  struct thread_heap *heap = new_heap();
  put(heap, 0, 0, 3);
  put(heap, 1, 5, 15);
  size_t before = purged();
  trim_all(heap);
  EXPECT_EQ(purged() - before, 13 * 4096);
  EXPECT_EQ(resident(0), 13);
  EXPECT_EQ(resident(1), 6);
  EXPECT_EQ(resident(2), 16);
  EXPECT_EQ(blocks[0][3][4095], 0x77);
  EXPECT_EQ(blocks[1][4][0], 0x77);
  EXPECT_EQ(blocks[1][15][0], 0x77);
  struct heap_census census = heap_census(heap, CLASS);
  EXPECT_EQ(census.free, 13);
}

TEST(TrimTest, WhatHasBeenGivenBackIsNotGivenBackAgain) {
  if (!page_is_4k()) {
    SKIP("speaks of pages of 4 KiB");
  }
  struct thread_heap *heap = new_heap();
  put(heap, 0, 0, 8);
  trim_all(heap);
  size_t before = purged();
  trim_all(heap);
  EXPECT_EQ(purged() - before, 0);
}

TEST(TrimTest, OnlySlabsThatNobodyTakesFromAreAged) {
  if (!page_is_4k()) {
    SKIP("speaks of pages of 4 KiB");
  }
  struct thread_heap *heap = new_heap();
  put(heap, 0, 0, 8);
  put(heap, 1, 0, 8);
  heap->now += AGE_MS - 1;
  trim_aged(heap);
  EXPECT_EQ(resident(0), 16);

  EXPECT_EQ(take(heap, CLASS), blocks[0][0]);
  heap->now += 1;
  trim_aged(heap);
  EXPECT_EQ(resident(0), 16);
  EXPECT_EQ(resident(1), 8);
  heap->now += AGE_MS;
  trim_aged(heap);
  EXPECT_EQ(resident(0), 9);
}

TEST(TrimTest, AtMostTwiceASecond) {
  if (!page_is_4k()) {
    SKIP("speaks of pages of 4 KiB");
  }
  struct thread_heap *heap = new_heap();
  put(heap, 0, 0, 8);
  heap->now += 10 * AGE_MS;
  trim_aged(heap);
  EXPECT_EQ(resident(0), 8);
  put(heap, 1, 0, 8);
  heap->now += AGE_MS - 1;
  trim_aged(heap);
  EXPECT_EQ(resident(1), 16);
  heap->now += 1;
  trim_aged(heap);
  EXPECT_EQ(resident(1), 8);
}

TEST(TrimTest, ASlabAgainOnlyOnceAnEighthMoreIsFree) {
  if (!page_is_4k()) {
    SKIP("speaks of pages of 4 KiB");
  }
  struct thread_heap *heap = new_heap();
  put(heap, 0, 0, 8);
  heap->now += 10 * AGE_MS;
  trim_aged(heap);
  EXPECT_EQ(resident(0), 8);
  size_t before = purged();
  heap->now += 10 * AGE_MS;
  trim_aged(heap);
  EXPECT_EQ(purged() - before, 0);
  put(heap, 0, 8, 12);
  heap->now += 10 * AGE_MS;
  trim_aged(heap);
  EXPECT_EQ(resident(0), 4);
  EXPECT_GE(purged() - before, 4 * 4096);
}

TEST(TrimTest, AHeapThatGrowsGivesBackFirst) {
  if (!page_is_4k()) {
    SKIP("speaks of pages of 4 KiB");
  }
  struct thread_heap *heap = new_heap();
  put(heap, 0, 0, 8);
  usleep((AGE_MS + 50) * 1000);
  EXPECT_NE(take(heap, size_class_of(64)), NULL); /* binds a slab of another class */
  EXPECT_EQ(resident(0), 8);
}
