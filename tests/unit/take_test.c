/* take: blocks of a heap's slabs, for a magazine. */
#include "warm/take.h"

#include "unit/heaps.h"
#include "warm/put.h"

enum { MANY = 20000 };

static void *blocks[MANY];

TEST(TakeTest, TakesRecycledBlocksLowestFirstFromTheSlotDownwards) {
  pool_purge(SIZE_MAX); /* so that the slab's memory is fresh */
  struct thread_heap *heap = new_heap();
  ASSERT_EQ(take(heap, size_class_of(64), blocks, 20), 20);
  void *const given[] = {blocks[7], blocks[11], blocks[2], blocks[5]};
  heap_put(heap, size_class_of(64), given, 4);
  void *slot[10] = {NULL};
  EXPECT_EQ(heap_take(heap, size_class_of(64), &slot[8], 3), 3);
  EXPECT_EQ(slot[9], NULL);
  EXPECT_EQ(slot[8], blocks[2]);
  EXPECT_EQ(slot[7], blocks[5]);
  EXPECT_EQ(slot[6], blocks[7]);
  EXPECT_EQ(slot[5], NULL);
  EXPECT_EQ(heap_take(heap, size_class_of(64), &slot[8], 5), 1); /* no more than there are */
  EXPECT_EQ(slot[8], blocks[11]);
  EXPECT_EQ(heap_take(heap, size_class_of(64), &slot[8], 5), 0);
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
}

TEST(TakeTest, GrowsFromFreshMemoryAPageAtATime) {
  pool_purge(SIZE_MAX);
  struct thread_heap *heap = new_heap();
  void *slot[64];
  EXPECT_EQ(heap_take(heap, size_class_of(64), &slot[63], 64), 0);
  EXPECT_EQ(bound_in_use(heap), 0);
  EXPECT_EQ(heap_grow(heap, size_class_of(64), &slot[63], 40), 40);
  char *start = slot[63];
  for (size_t i = 0; i < 40; i++) {
    ASSERT_EQ(slot[63 - i], start + i * 64);
  }
  EXPECT_EQ(heap_take(heap, size_class_of(64), &slot[63], 1), 0);
  size_t rest_of_page = os_page_size() / 64 - 40;
  EXPECT_EQ(heap_grow(heap, size_class_of(64), &slot[63], 40), rest_of_page < 40 ? rest_of_page : 40);
  EXPECT_EQ(slot[63], start + 40 * 64);
  EXPECT_EQ(unit_resident(start, UNIT_BYTES), 0); /* and none of it is touched */
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
}

TEST(TakeTest, TakeCollectsBeforeItBinds) {
  struct thread_heap *heap = new_heap();
  const unsigned capacity = size_classes[size_class_of(1024)].capacity;
  EXPECT_EQ(take(heap, size_class_of(1024), blocks, capacity), capacity);
  post_block(NULL, blocks[17]);
  post_block(NULL, blocks[40]);
  void *again[2];
  EXPECT_EQ(heap_take(heap, size_class_of(1024), &again[1], 2), 2);
  EXPECT_EQ(again[1], blocks[17]);
  EXPECT_EQ(again[0], blocks[40]);
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
}
