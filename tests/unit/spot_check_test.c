/* spot_check: what long-lived caches hide is found, class by class. */
#include "warm/spot_check.h"

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/thread.h"

enum { TICKS_A_CHECK = 65 * 256 };

static void tick(unsigned times) {
  for (unsigned i = 0; i < times; i++) {
    if (heap_tick(thread_cache.heap)) {
      spot_check_round(thread_cache.heap);
    }
  }
}

static void free_some_of(size_t size) {
  void *blocks[20];
  for (size_t i = 0; i < 20; i++) {
    blocks[i] = gate_malloc_class(size_class_of(size));
  }
  for (size_t i = 0; i < 20; i++) {
    gate_free(blocks[i]);
  }
}

static size_t cached_of(size_t size) {
  struct heap_census census = heap_census(thread_cache.heap, size_class_of(size));
  return census.cached + census.depot;
}

static void classes_in_turn(void *unused) {
  (void)unused;
  thread_heap();
  static const size_t sizes[] = {64, 500, 20000};
  for (size_t i = 0; i < 3; i++) {
    free_some_of(sizes[i]);
  }
  EXPECT_GT(cached_of(64), 0);
  EXPECT_GT(cached_of(500), 0);
  EXPECT_GT(cached_of(20000), 0);
  tick(TICKS_A_CHECK);
  EXPECT_EQ(cached_of(64), 0);
  EXPECT_GT(cached_of(500), 0);
  tick(TICKS_A_CHECK);
  EXPECT_EQ(cached_of(500), 0);
  EXPECT_GT(cached_of(20000), 0);
  free_some_of(64);
  tick(TICKS_A_CHECK);
  EXPECT_EQ(cached_of(20000), 0);
  EXPECT_GT(cached_of(64), 0);
  tick(TICKS_A_CHECK);
  EXPECT_EQ(cached_of(64), 0);
  for (size_t i = 0; i < 3; i++) {
    expect_own_census(size_class_of(sizes[i]), 0);
    free_some_of(sizes[i]); /* it goes on */
  }
  tick(4 * TICKS_A_CHECK);
}

TEST(SpotCheckTest, TheClassesTakeTurns) { on_a_fresh_thread(classes_in_turn, NULL); }

static void nothing_is_cached(void *unused) {
  (void)unused;
  thread_heap();
  tick(3 * TICKS_A_CHECK);
}

TEST(SpotCheckTest, WithoutAnyCachedBlockNothingHappens) { on_a_fresh_thread(nothing_is_cached, NULL); }

static void free_twice_and_go_on(void *unused) {
  (void)unused;
  void *a = gate_malloc(64);
  void *b = gate_malloc(64);
  gate_free(a);
  gate_free(b);
  gate_free(a);
  announce(a, unit_of(a));
  for (int i = 0; i < 10000000; i++) { /* a server that has nothing more to do with that size */
    free_some_of(20000);
  }
}

static void free_inside_and_go_on(void *unused) {
  (void)unused;
  char *a = gate_malloc(64);
  gate_free(a + 16);
  announce(a + 16, unit_of(a));
  for (int i = 0; i < 10000000; i++) {
    free_some_of(20000);
  }
}

TEST(SpotCheckTest, AServerThatGoesOnFindsIt) {
  EXPECT_STOPS(free_twice_and_go_on, NULL,
               ANNOUNCED "hakmem: double free: pointer \\1, class of 64 bytes, slab \\2, thread \\3\n");
  EXPECT_STOPS(free_inside_and_go_on, NULL,
               ANNOUNCED "hakmem: free of an interior pointer: pointer \\1, class of 64 bytes, slab \\2, thread \\3\n");
}
