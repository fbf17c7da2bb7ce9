/* drain: a heap gives back everything that it holds outside its slabs. */
#include "warm/drain.h"

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/thread.h"

static void *blocks[300];

TEST(DrainTest, DrainingEmptiesTheDepotAndTheWarmPool) {
  struct thread_heap *heap = new_heap();
  const size_t classes[] = {2, 17, SIZE_CLASS_SMALL_COUNT - 1};
  for (size_t i = 0; i < 3; i++) {
    for (int n = 0; n < 4; n++) {
      depot_push(&heap->depot, classes[i], full_magazine(heap, classes[i]));
    }
    struct heap_census census = heap_census(heap, classes[i]);
    EXPECT_EQ(census.depot, 4 * size_classes[classes[i]].magazine);
    expect_census(heap, classes[i], 0);
  }
  heap_drain(heap);
  EXPECT_EQ(heap->depot.bytes, 0);
  EXPECT_EQ(heap->warm_pool.count, 0);
  EXPECT_EQ(heap->bound_bytes, 0);
}

TEST(DrainTest, WhatItHasGatheredIsPostedAndWhatOthersFreedIsCollected) {
  struct thread_heap *heap = new_heap();
  struct thread_heap *other = heap_new();
  const size_t size_class = size_class_of(64);
  EXPECT_EQ(take(heap, size_class, blocks, 200), 200);
  EXPECT_EQ(take(other, size_class, &blocks[200], 70), 70);
  for (size_t i = 0; i < 200; i++) {
    post_block(NULL, blocks[i]);
  }
  struct home_entry *entry = gather_blocks(heap, &blocks[200], 8);
  EXPECT_GT(heap->bound_bytes, 0);
  heap_drain(heap);
  EXPECT_EQ(heap->bound_bytes, 0);
  EXPECT_EQ(entry->tag, 0);
  EXPECT_TRUE(remote_queue_is_empty(&heap->queue));
  EXPECT_EQ(heap_census(other, size_class).remote, 8);
  expect_census(other, size_class, 62);
}

static void drain_own(void *unused) {
  (void)unused;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    for (size_t i = 0; i < 150; i++) {
      blocks[i] = gate_malloc_class(size_class);
    }
    for (size_t i = 0; i < 150; i++) {
      gate_free(blocks[i]);
    }
  }
  struct thread_heap *heap = thread_heap();
  heap_enter(heap);
  thread_drain(heap);
  heap_leave(heap);
  EXPECT_EQ(heap->bound_bytes, 0);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    EXPECT_EQ(thread_cache.top[size_class], no_magazine_top());
    EXPECT_EQ(heap_census(heap, size_class).capacity, 0);
  }
  heap_enter(heap);
  thread_drain(heap); /* of nothing */
  heap_leave(heap);
  EXPECT_EQ(heap->bound_bytes, 0);
}

TEST(DrainTest, AThreadsOwnMagazinesGoBackFirst) { on_a_fresh_thread(drain_own, NULL); }
