/* adopt: slabs of orphans go to heaps that need them. */
#include "warm/adopt.h"

#include "unit/heaps.h"
#include "warm/put.h"

enum { MANY = 20000 };

static void *blocks[MANY];

TEST(AdoptTest, SlabsOfAnOrphanAreAdoptedBeforeTheProcessGrows) {
  struct thread_heap *orphan = new_heap();
  struct thread_heap *heap = heap_new();
  const unsigned capacity = size_classes[size_class_of(1024)].capacity;
  EXPECT_EQ(take(orphan, size_class_of(1024), blocks, 2 * capacity), 2 * capacity);
  post_block(NULL, blocks[5]);
  heap_give(orphan);
  size_t adoptions = registry_adoptions();
  size_t taken = pool_figures().slabs_taken;

  void *block = NULL;
  EXPECT_EQ(heap_take(heap, size_class_of(1024), &block, 1), 0);
  ASSERT_EQ(heap_grow(heap, size_class_of(1024), &block, 1), 1);
  EXPECT_EQ(block, blocks[5]);
  EXPECT_EQ(pool_figures().slabs_taken, taken);
  EXPECT_EQ(registry_adoptions() - adoptions, 1);
  EXPECT_EQ(heap_state_of(&orphan->link), HEAP_ORPHAN);
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
  EXPECT_EQ(orphan->bound_bytes, UNIT_BYTES);
  EXPECT_EQ(unit_tag_owner(unit_tag_of(block)), heap->link.owner);
  EXPECT_EQ(atomic_load(&place_of(block, size_class_of(1024)).slab->heap), heap);
  expect_census(heap, size_class_of(1024), capacity);
  expect_census(orphan, size_class_of(1024), capacity);
  /* Its other blocks are the new owner's to take back. */
  heap_put(heap, size_class_of(1024), blocks, capacity);
  EXPECT_EQ(heap->bound_bytes, 0);
  EXPECT_EQ(heap_claim_this(orphan), orphan);
}
