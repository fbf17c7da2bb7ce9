/* lane: slabs that have recycled blocks, and the release of those that are empty. */
#include "warm/lane.h"

#include "unit/heaps.h"
#include "warm/put.h"

enum { MANY = 20000 };

static void *blocks[MANY];

TEST(HeapTest, EmptiedSlabsAreReleased) {
  struct thread_heap *heap = new_heap();
  const unsigned count = 3 * size_classes[size_class_of(192)].capacity;
  EXPECT_EQ(take(heap, size_class_of(192), blocks, count), count);
  EXPECT_EQ(heap->bound_bytes, 3 * UNIT_BYTES);
  char *last = blocks[count - 1];
  heap_put(heap, size_class_of(192), blocks, count - 1);
  EXPECT_EQ(bound_in_use(heap), UNIT_BYTES);
  expect_census(heap, size_class_of(192), 1);
  heap_put(heap, size_class_of(192), (void **)&last, 1);
  EXPECT_EQ(bound_in_use(heap), 0);
  EXPECT_EQ(unit_tag_of(last), UNIT_TAG_NONE);
  EXPECT_EQ(heap_census(heap, size_class_of(192)).capacity, 0);
  EXPECT_EQ(heap->lane[size_class_of(192)].first, NULL);
}

TEST(LaneTest, SlabsThatGainBlocksJoinTheirLaneLast) {
  struct thread_heap *heap = new_heap();
  const unsigned capacity = size_classes[size_class_of(4096)].capacity;
  EXPECT_EQ(take(heap, size_class_of(4096), blocks, 3 * capacity), 3 * capacity);
  EXPECT_EQ(heap->lane[size_class_of(4096)].first, NULL); /* all are full */
  heap_put(heap, size_class_of(4096), &blocks[2 * capacity], 1);
  heap_put(heap, size_class_of(4096), &blocks[0], 1);
  heap_put(heap, size_class_of(4096), &blocks[capacity], 1);
  void *again[3];
  EXPECT_EQ(heap_take(heap, size_class_of(4096), &again[2], 3), 3);
  EXPECT_EQ(again[2], blocks[2 * capacity]);
  EXPECT_EQ(again[1], blocks[0]);
  EXPECT_EQ(again[0], blocks[capacity]);
}
