/* exit_check: misuse that still lies in the caches of the thread that ends the process. */
#include "warm/exit_check.h"

#include <stdlib.h>
#include <string.h>

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/drain.h"
#include "warm/put.h"
#include "warm/thread.h"

enum { BLOCKS = 6 * MAGAZINE_SLOTS };

static void check(void) {
  heap_enter(thread_heap());
  exit_check(thread_cache.heap);
  heap_leave(thread_cache.heap);
}

/* ---- where nothing is wrong only the caches change ---- */

static void cache_much_and_check(void *unused) {
  (void)unused;
  static void *blocks[SIZE_CLASS_COUNT][BLOCKS];
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    for (size_t i = 0; i < BLOCKS; i++) {
      blocks[size_class][i] = gate_malloc_class(size_class);
      ASSERT_NE(blocks[size_class][i], NULL);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
      if (i % 5 != 0) {
        gate_free(blocks[size_class][i]);
      }
    }
  }
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    gate_free(gate_malloc_class(size_class)); /* caches are emptied when much is freed */
  }
  struct thread_heap *heap = thread_cache.heap;
  size_t bound_bytes = heap->bound_bytes;
  size_t keep = heap->keep;
  size_t cached = 0;
  size_t in_depot = 0;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    struct heap_census before = heap_census(heap, size_class);
    cached += before.cached;
    in_depot += before.depot;
  }
  EXPECT_GT(cached, 0);
  EXPECT_GT(in_depot, 0);
  struct os_counts counts = os_counts();
  for (int i = 0; i < 2; i++) {
    check();
    struct os_counts now = os_counts();
    EXPECT_EQ(memcmp(&now, &counts, sizeof now), 0); /* no system call */
    EXPECT_EQ(heap->bound_bytes, bound_bytes);       /* no slab is released */
    EXPECT_EQ(heap->keep, keep);
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      NOTE("class %zu", size_class);
      struct heap_census after = heap_census(heap, size_class);
      EXPECT_EQ(after.cached + after.depot, 0);
      expect_own_census(size_class, (BLOCKS + 4) / 5);
    }
  }
  /* What runs later goes on. */
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    gate_free(gate_malloc_class(size_class));
    for (size_t i = 0; i < BLOCKS; i += 5) {
      gate_free(blocks[size_class][i]);
    }
    expect_own_census(size_class, 0);
  }
}

TEST(ExitCheckTest, NothingIsReleasedAndNoSystemCallIsMade) { on_a_fresh_thread(cache_much_and_check, NULL); }

/* So many heaps there are that magazines hold next to nothing. */
static void cache_in_small_magazines_and_check(void *unused) {
  enum { HEAPS = 60 };
  for (int i = 0; i < HEAPS; i++) {
    EXPECT_NE(heap_new(), NULL);
  }
  on_a_fresh_thread(cache_much_and_check, unused);
}

TEST(ExitCheckTest, NorInSmallMagazines) { EXPECT_RUNS(cache_in_small_magazines_and_check, NULL, ""); }

static void check_with_no_magazine(void *unused) {
  (void)unused;
  check();
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    EXPECT_EQ(thread_cache.top[size_class], no_magazine_top());
  }
}

TEST(ExitCheckTest, AThreadThatHasCachedNothingPasses) { on_a_fresh_thread(check_with_no_magazine, NULL); }

static struct {
  void *blocks[5];
  struct thread_heap *owner;
} lent;

static void gather_and_check(void *unused) {
  (void)unused;
  thread_heap();
  for (size_t i = 0; i < 5; i++) {
    gate_free(lent.blocks[i]);
  }
  EXPECT_EQ(heap_census(lent.owner, size_class_of(1500)).remote, 0);
  check();
  EXPECT_EQ(heap_census(lent.owner, size_class_of(1500)).remote, 5);
}

TEST(ExitCheckTest, WhatIsGatheredIsPosted) {
  lent.owner = thread_heap();
  for (size_t i = 0; i < 5; i++) {
    lent.blocks[i] = gate_malloc_class(size_class_of(1500));
  }
  on_a_fresh_thread(gather_and_check, NULL);
}

/* ---- misuse ---- */

#define DOUBLE_FREE "hakmem: double free: pointer \\1, class of 64 bytes, slab \\2, thread \\3\n"

static void twice_in_the_magazine(void *unused) {
  (void)unused;
  void *a = gate_malloc_class(size_class_of(64));
  void *b = gate_malloc_class(size_class_of(64));
  gate_free(a);
  gate_free(b);
  gate_free(a);
  announce(a, unit_of(a));
  check();
}

/* A magazine of three blocks: above them and below their NULL lies what was there before. */
static void twice_in_a_small_magazine(void *unused) {
  (void)unused;
  void *a = gate_malloc_class(size_class_of(64));
  void *b = gate_malloc_class(size_class_of(64));
  struct thread_heap *heap = thread_cache.heap;
  heap_enter(heap);
  thread_drain(heap);
  void **bottom = depot_take_empty(&heap->depot, 3);
  heap_leave(heap);
  for (void **slot = magazine_of(bottom); slot <= magazine_full_top(magazine_of(bottom)); slot++) {
    *slot = (void *)(uintptr_t)0x10;
  }
  *bottom = NULL;
  thread_cache.top[size_class_of(64)] = bottom;
  gate_free(a);
  gate_free(b);
  gate_free(a);
  EXPECT_EQ(thread_cache.top[size_class_of(64)], magazine_full_top(magazine_of(bottom)));
  announce(a, unit_of(a));
  check();
}

/* As above; the end of the program finds it. */
static void twice_and_exit(void *unused) {
  (void)unused;
  void *a = gate_malloc_class(size_class_of(64));
  void *b = gate_malloc_class(size_class_of(64));
  gate_free(a);
  gate_free(b);
  gate_free(a);
  announce(a, unit_of(a));
  exit(0);
}

/* Frees so many of a class that magazines go to the depot. */
static void fill_the_depot(void **blocks) {
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = gate_malloc_class(size_class_of(64));
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    gate_free(blocks[i]);
  }
  EXPECT_GT(heap_census(thread_cache.heap, size_class_of(64)).depot, 2 * MAGAZINE_SLOTS);
}

static void in_the_depot_and_the_magazine(void *unused) {
  (void)unused;
  static void *blocks[BLOCKS];
  fill_the_depot(blocks);
  void *const a = thread_cache.heap->depot.full[size_class_of(64)][MAGAZINE_SLOTS / 2];
  gate_free(a);
  announce(a, unit_of(a));
  check();
}

static void twice_in_the_depot(void *unused) {
  (void)unused;
  static void *blocks[BLOCKS];
  fill_the_depot(blocks);
  void **magazine = thread_cache.heap->depot.full[size_class_of(64)];
  void *const a = magazine[MAGAZINE_SLOTS / 2];
  ((void **)magazine[0])[MAGAZINE_SLOTS - 1] = a;
  announce(a, unit_of(a));
  check();
}

static void in_the_slab_and_the_magazine(void *unused) {
  (void)unused;
  void *a = gate_malloc_class(size_class_of(64));
  heap_put(thread_cache.heap, size_class_of(64), &a, 1);
  gate_free(a);
  announce(a, unit_of(a));
  check();
}

static void free_on_a_thread(void *block) { gate_free(block); }

static void by_another_thread_and_in_the_magazine(void *unused) {
  (void)unused;
  void *a = gate_malloc_class(size_class_of(64));
  unit_in_thread(free_on_a_thread, a);
  gate_free(a);
  announce(a, unit_of(a));
  check();
}

TEST(ExitCheckTest, ADoubleFreeStopsTheProgram) {
  EXPECT_STOPS(twice_in_the_magazine, NULL, ANNOUNCED DOUBLE_FREE);
  EXPECT_STOPS(twice_in_a_small_magazine, NULL, ANNOUNCED DOUBLE_FREE);
  EXPECT_STOPS(in_the_depot_and_the_magazine, NULL, ANNOUNCED DOUBLE_FREE);
  EXPECT_STOPS(twice_in_the_depot, NULL, ANNOUNCED DOUBLE_FREE);
  EXPECT_STOPS(in_the_slab_and_the_magazine, NULL, ANNOUNCED DOUBLE_FREE);
  EXPECT_STOPS(by_another_thread_and_in_the_magazine, NULL, ANNOUNCED DOUBLE_FREE);
}

TEST(ExitCheckTest, TheEndOfTheProgramChecks) { EXPECT_STOPS(twice_and_exit, NULL, ANNOUNCED DOUBLE_FREE); }

static void end_within_a_call(void *unused) {
  (void)unused;
  void *a = gate_malloc_class(size_class_of(64));
  void *b = gate_malloc_class(size_class_of(64));
  gate_free(a);
  gate_free(b);
  gate_free(a);
  heap_enter(thread_cache.heap); /* a signal handler that interrupted malloc calls exit() */
  exit(0);
}

TEST(ExitCheckTest, AHeapThatIsChangingIsNotLookedAt) { EXPECT_RUNS(end_within_a_call, NULL, ""); }

static void inside_a_block(void *offset) {
  char *a = gate_malloc_class(size_class_of(1024));
  gate_free(a + (uintptr_t)offset);
  announce(a + (uintptr_t)offset, unit_of(a));
  check();
}

TEST(ExitCheckTest, AnInteriorPointerStopsTheProgram) {
  const char *line =
      ANNOUNCED "hakmem: free of an interior pointer: pointer \\1, class of 1024 bytes, slab \\2, thread \\3\n";
  EXPECT_STOPS(inside_a_block, (void *)16, line);
  EXPECT_STOPS(inside_a_block, (void *)1016, line);
}

static void of_a_slab_that_is_no_more(void *unused) {
  (void)unused;
  static void *blocks[UNIT_BYTES / 4096];
  const size_t size_class = size_class_of(4096);
  const unsigned capacity = size_classes[size_class].capacity;
  struct thread_heap *heap = thread_heap();
  ASSERT_EQ(take(heap, size_class, blocks, capacity), capacity);
  void *spare = gate_malloc_class(size_class); /* of another slab, so that the thread has a magazine */
  gate_free(spare);
  gate_free(blocks[3]);
  announce(blocks[3], NULL);
  heap_put(heap, size_class, blocks, capacity);
  lane_release_kept(heap, 0); /* the slab is empty, and gone */
  check();
}

static void of_a_slab_that_is_no_more_on_a_thread(void *unused) {
  on_a_fresh_thread(of_a_slab_that_is_no_more, unused);
}

TEST(ExitCheckTest, ABlockOfASlabThatIsNoMoreStopsTheProgram) {
  EXPECT_STOPS(of_a_slab_that_is_no_more_on_a_thread, NULL,
               ANNOUNCED "hakmem: double free: pointer \\1, class of 4096 bytes, a slab that is no more, thread \\3\n");
}
