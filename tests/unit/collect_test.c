/* collect: what other threads have freed to a heap becomes free blocks of its slabs. */
#include "warm/collect.h"

#include "unit/heaps.h"
#include "warm/put.h"

enum { MANY = 20000 };

static void *blocks[MANY];

TEST(HeapTest, WhatOthersFreeIsRemoteUntilItIsCollected) {
  struct thread_heap *heap = new_heap();
  EXPECT_EQ(take(heap, size_class_of(256), blocks, 600), 600); /* three slabs */
  size_t published = heap_publications();
  for (size_t i = 0; i < 600; i += 2) {
    post_block(NULL, blocks[i]);
  }
  EXPECT_EQ(heap_publications() - published, 3);
  EXPECT_EQ(heap_census(heap, size_class_of(256)).remote, 300);
  expect_census(heap, size_class_of(256), 300);
  heap_collect(heap);
  EXPECT_EQ(heap_census(heap, size_class_of(256)).remote, 0);
  expect_census(heap, size_class_of(256), 300);
  for (size_t i = 1; i < 600; i += 2) {
    post_block(NULL, blocks[i]);
  }
  EXPECT_EQ(heap_publications() - published, 6);
  heap_collect(heap);
  EXPECT_EQ(bound_in_use(heap), 0);
}

TEST(HeapTest, AnEmptySlabThatIsQueuedIsReleasedOnlyOnceCollected) {
  struct thread_heap *heap = new_heap();
  const unsigned capacity = size_classes[size_class_of(4096)].capacity;
  EXPECT_EQ(take(heap, size_class_of(4096), blocks, capacity), capacity);
  struct slab *slab = place_of(blocks[0], size_class_of(4096)).slab;
  /* Another thread has posted bits, holds the token, and has not yet queued the slab. */
  EXPECT_TRUE(remote_post(slab, 0, 1));
  EXPECT_EQ(slab_collect(slab), 1);
  heap_put(heap, size_class_of(4096), &blocks[1], capacity - 1);
  heap_collect(heap);
  EXPECT_TRUE(slab_is_empty(slab));
  lane_release_kept(heap, 0);
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
  remote_enqueue(&heap->queue, slab);
  heap_collect(heap);
  EXPECT_EQ(bound_in_use(heap), 0);
}
