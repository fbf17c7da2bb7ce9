/* trim: free pages inside partly used slabs go back to the system. */
#include "warm/trim.h"

#include <string.h>
#include <unistd.h>

#include "hot/hot.h"
#include "unit/unit.h"
#include "warm/census.h"
#include "warm/put.h"
#include "warm/release.h"
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
  while (registry_take(REGISTRY_OLDEST, &was) != NULL) {
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

TEST(TrimTest, ASlabAgainOnlyOnceMoreIsFree) {
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

TEST(TrimTest, ASlabAgainOnlyOnceASixteenthMoreIsFree) {
  if (!page_is_4k()) {
    SKIP("speaks of pages of 4 KiB");
  }
  enum { SMALL = UNIT_BYTES / 1024 }; /* 64 blocks, four to a page */
  struct thread_heap *heap = new_heap();
  const size_t size_class = size_class_of(1024);
  static void *small[SMALL];
  for (size_t i = 0; i < SMALL; i++) {
    small[i] = take(heap, size_class);
    memset(small[i], 1, 1024);
  }
  heap_put(heap, size_class, &small[0], 8);
  heap->now += 10 * AGE_MS;
  trim_aged(heap);
  EXPECT_EQ(unit_resident(small[0], UNIT_BYTES), UNIT_BYTES - 2 * 4096);
  heap_put(heap, size_class, &small[8], 3);
  heap->now += 10 * AGE_MS;
  size_t before = purged();
  trim_aged(heap);
  EXPECT_EQ(purged(), before);
  heap_put(heap, size_class, &small[11], 1);
  heap->now += 10 * AGE_MS;
  trim_aged(heap);
  EXPECT_EQ(purged() - before, 4096);
  EXPECT_EQ(unit_resident(small[0], UNIT_BYTES), UNIT_BYTES - 3 * 4096);
}

/* The lanes are not looked through for nothing: slabs with holes are the last to serve. */
TEST(TrimTest, SlabsWithHolesServeLast) {
  if (!page_is_4k()) {
    SKIP("speaks of pages of 4 KiB");
  }
  struct thread_heap *heap = new_heap();
  put(heap, 0, 0, 8);
  trim_all(heap);
  put(heap, 1, 0, 3);
  EXPECT_EQ(trim_all(heap), 3 * 4096); /* the first is passed over: nothing has changed */
  put(heap, 2, 4, 6);
  EXPECT_EQ(resident(2), 16);
  char *block = take(heap, CLASS);
  EXPECT_EQ(block, blocks[0][0]);
  trim_all(heap);
  EXPECT_EQ(resident(2), 14);
}

/* ---- a heap that declines ---- */

enum { MANY = 64 * 1024, SIZE = 1000, WAVE = 4 * 1024, APART = 64 };

static void **many(void) {
  static void *own[MANY];
  for (size_t i = 0; i < MANY; i++) {
    own[i] = gate_malloc(SIZE);
    memset(own[i], (int)i | 1, SIZE);
  }
  return own;
}

/* One block in 64 lives on: no slab is empty, but most pages are. */
static void decline(void *unused) {
  (void)unused;
  size_t before = purged();
  void **own = many();
  EXPECT_EQ(purged(), before); /* growth gives nothing back */
  struct thread_heap *heap = thread_cache.heap;
  size_t bound = heap->bound_bytes;
  EXPECT_GE(bound, (size_t)MANY * SIZE);
  size_t calls = os_counts().purge_calls;
  size_t most = 0;
  for (size_t i = 0; i < MANY; i++) {
    if (i % APART != 0) {
      gate_free(own[i]);
    }
    size_t now = purged() - before;
    most = now > most ? now : most;
  }
  /* No further call: but for what the thread may cache all of it is back. */
  EXPECT_EQ(heap->bound_bytes, bound);
  EXPECT_GE(most, (size_t)MANY * SIZE / 2);
  EXPECT_GE(most, (size_t)MANY * SIZE - heap->share - 2 * (size_t)MANY * SIZE / 16 - (size_t)MANY / APART * 4096);
  EXPECT_GE(hole_bytes(), most);
  EXPECT_LE(os_counts().purge_calls - calls, bound / UNIT_BYTES); /* ranges of several slabs by one call */
  for (size_t i = 0; i < MANY; i += APART) {
    for (size_t at = 0; at < SIZE; at++) {
      ASSERT_EQ(((char *)own[i])[at], (char)(i | 1));
    }
  }
  /* Each page once. */
  size_t once = purged();
  for (size_t i = 0; i < MANY; i += APART) {
    gate_free(own[i]);
  }
  release_free_memory(RELEASE_ALL);
  EXPECT_LE(once - before, bound);
  EXPECT_LT(hole_bytes(), MIB);
}

/* Blocks that come and go in waves that the thread may cache. */
static void make_waves(void *unused) {
  (void)unused;
  void **own = many();
  size_t before = purged();
  size_t calls = os_counts().purge_calls;
  for (int wave = 0; wave < 50; wave++) {
    for (size_t i = MANY - WAVE; i < MANY; i++) {
      gate_free(own[i]);
    }
    for (size_t i = MANY - WAVE; i < MANY; i++) {
      own[i] = gate_malloc(SIZE);
      memset(own[i], 1, SIZE);
    }
  }
  EXPECT_EQ(purged(), before);
  EXPECT_EQ(os_counts().purge_calls, calls);
}

/* The same blocks again and again, all but one in 64, by one of two threads with a heap: once that has raised the budget
 * nothing goes back but for what grows in their place. */
static void make_large_waves(void *unused) {
  (void)unused;
  static void *others[2 * MANY];
  void **own = many();
  size_t after_half = 0;
  for (int wave = 0; wave < 12; wave++) {
    for (size_t i = 0; i < MANY; i++) {
      if (i % APART != 0) {
        gate_free(own[i]);
      }
    }
    after_half = wave == 5 ? purged() : after_half;
    for (size_t i = 0; i < MANY; i++) {
      if (i % APART != 0) {
        own[i] = gate_malloc(SIZE);
        memset(own[i], 1, SIZE);
      }
    }
  }
  size_t before = purged();
  EXPECT_LE(before - after_half, (size_t)MANY * SIZE / 4);

  size_t peak = residency_peak_used();
  for (size_t i = 0; i < MANY; i++) {
    if (i % APART != 0) {
      gate_free(own[i]);
    }
  }
  EXPECT_LE(purged() - before, (size_t)MANY * SIZE / 4);
  for (size_t i = 0; i < 2 * (size_t)MANY; i++) {
    others[i] = gate_malloc(SIZE / 2); /* no slab of the others has blocks for them */
    memset(others[i], 1, SIZE / 2);
  }
  EXPECT_GE(purged() - before, (size_t)MANY * SIZE / 2);
  EXPECT_LE(residency_peak_used(), peak + peak / 4);
}

static void on_a_thread(void *body) { unit_in_thread((void (*)(void *))(uintptr_t)body, NULL); }

TEST(TrimTest, AHeapThatDeclinesGivesFreePagesBackByItself) {
  EXPECT_RUNS(on_a_thread, (void *)(uintptr_t)decline, "");
}

TEST(TrimTest, NeitherGrowthNorWavesThatMayBeCachedGiveAnythingBack) {
  EXPECT_RUNS(on_a_thread, (void *)(uintptr_t)make_waves, "");
}

TEST(TrimTest, LargeWavesBesideAThreadThatSleepsGiveNothingBackUntilOthersGrow) {
  EXPECT_RUNS(on_a_thread, (void *)(uintptr_t)make_large_waves, "");
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
