/* adopt: slabs of orphans go to heaps that need them. */
#include "warm/adopt.h"

#include "unit/heaps.h"
#include "warm/put.h"
#include "warm/whole.h"

enum { MANY = 20000 };

static void *blocks[MANY];

/* As long ago as it takes for nobody to wait for it. */
static void give_long_ago(struct thread_heap *orphan) {
  heap_give(orphan);
  orphan->link.ended_at = 0;
}

TEST(AdoptTest, SlabsOfAnOrphanAreAdoptedBeforeTheProcessGrows) {
  struct thread_heap *orphan = new_heap();
  struct thread_heap *heap = heap_new();
  const unsigned capacity = size_classes[size_class_of(1024)].capacity;
  EXPECT_EQ(take(orphan, size_class_of(1024), blocks, 2 * capacity), 2 * capacity);
  post_block(NULL, blocks[5]);
  give_long_ago(orphan);
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
  EXPECT_EQ(bound_in_use(heap), 0);
  EXPECT_EQ(heap_claim_this(orphan), orphan);
}

TEST(AdoptTest, CoalescedBlocksStaySo) {
  enum { PARTS = 4 };
  struct thread_heap *orphan = new_heap();
  struct thread_heap *heap = heap_new();
  const size_t size_class = size_class_of(1024);
  const unsigned capacity = size_classes[size_class].capacity;
  EXPECT_EQ(take(orphan, size_class, blocks, capacity), capacity);
  struct slab *slab = place_of(blocks[0], size_class).slab;
  heap_put(orphan, size_class, blocks, 2 + PARTS);
  ASSERT_TRUE(slab_coalesce(slab, 1, PARTS));
  orphan->used_bytes += (size_t)PARTS * 1024;
  give_long_ago(orphan);
  adopt_from_orphan(heap, size_class);
  EXPECT_EQ(atomic_load(&slab->heap), heap);
  EXPECT_TRUE(unit_tag_is_coalesced(unit_tag_of(blocks[0])));
  EXPECT_EQ(unit_tag_owner(unit_tag_of(blocks[0])), heap->link.owner);
  EXPECT_EQ(heap->used_bytes, (size_t)(capacity - 2) * 1024);
  heap_put(heap, size_class_of(PARTS * 1024) - 1, &blocks[1], 1); /* as one that is not used to its end */
  heap_put(heap, size_class, &blocks[2 + PARTS], capacity - 2 - PARTS);
  EXPECT_EQ(heap->used_bytes, 0);
  EXPECT_EQ(bound_in_use(heap), 0);
  EXPECT_EQ(heap_claim_this(orphan), orphan);
}

TEST(AdoptTest, ASlabWhoseTokenIsHeldStays) {
  struct thread_heap *orphan = new_heap();
  struct thread_heap *heap = heap_new();
  const size_t size_class = size_class_of(1024);
  const unsigned capacity = size_classes[size_class].capacity;
  EXPECT_EQ(take(orphan, size_class, blocks, 2 * capacity), 2 * capacity);
  struct slab *held = place_of(blocks[0], size_class).slab;
  struct slab *other = place_of(blocks[capacity], size_class).slab;
  heap_put(orphan, size_class, &blocks[3], 1);
  heap_put(orphan, size_class, &blocks[capacity + 3], 1);
  EXPECT_TRUE(remote_token_take(held)); /* somebody is about to queue it */
  give_long_ago(orphan);
  adopt_from_orphan(heap, size_class);
  EXPECT_EQ(atomic_load(&held->heap), orphan);
  EXPECT_EQ(unit_tag_owner(unit_tag_of(blocks[0])), orphan->link.owner);
  EXPECT_EQ(atomic_load(&other->heap), heap);
  EXPECT_EQ(unit_tag_owner(unit_tag_of(blocks[capacity])), heap->link.owner);
  EXPECT_EQ(atomic_load(&other->token), 0);
  EXPECT_EQ(heap->lane[size_class].first, other);
  EXPECT_EQ(orphan->bound_bytes, UNIT_BYTES);
  remote_token_give(held);
  adopt_from_orphan(heap, size_class); /* the heap has one with room: one more is not taken */
  EXPECT_EQ(atomic_load(&held->heap), orphan);
}

TEST(AdoptTest, WhatWasPostedComesAlong) {
  struct thread_heap *orphan = new_heap();
  struct thread_heap *heap = heap_new();
  const size_t size_class = size_class_of(1024);
  EXPECT_EQ(take(orphan, size_class, blocks, 20), 20);
  heap_put(orphan, size_class, blocks, 1);
  give_long_ago(orphan);
  for (size_t i = 1; i < 11; i++) {
    post_block(NULL, blocks[i]);
  }
  adopt_from_orphan(heap, size_class);
  struct heap_census census = heap_census(heap, size_class);
  EXPECT_EQ(census.remote, 0);
  EXPECT_EQ(census.capacity - census.free, 9);
  EXPECT_EQ(heap_census(orphan, size_class).capacity, 0);
  heap_put(heap, size_class, &blocks[11], 9);
  EXPECT_EQ(bound_in_use(heap), 0);
}

TEST(AdoptTest, TheFreshMemoryOfAnAdoptedSlabCountsAsUsed) {
  struct thread_heap *orphan = new_heap();
  struct thread_heap *heap = heap_new();
  const size_t size_class = size_class_of(1024);
  pool_purge(SIZE_MAX);
  EXPECT_EQ(take(orphan, size_class, blocks, 4), 4);
  struct slab *slab = place_of(blocks[0], size_class).slab;
  EXPECT_FALSE(slab_is_carved(slab));
  EXPECT_EQ(orphan->lane[size_class].carving, slab);
  heap_put(orphan, size_class, blocks, 1);
  give_long_ago(orphan);
  adopt_from_orphan(heap, size_class);
  EXPECT_EQ(orphan->lane[size_class].carving, NULL);
  EXPECT_EQ(atomic_load(&slab->heap), heap);
  EXPECT_TRUE(slab_is_carved(slab)); /* its new owner carves another one */
  EXPECT_EQ(slab_recycled(slab), size_classes[size_class].capacity - 3U);
  EXPECT_EQ(heap->lane[size_class].carving, NULL);
}

TEST(AdoptTest, TheHeapOfAThreadThatEndedJustNowIsLeftToTheNextThread) {
  struct thread_heap *orphan = new_heap();
  struct thread_heap *heap = heap_new();
  const size_t size_class = size_class_of(1024);
  EXPECT_EQ(take(orphan, size_class, blocks, 4), 4);
  struct slab *slab = place_of(blocks[0], size_class).slab;
  heap_put(orphan, size_class, blocks, 1);
  heap_give(orphan);
  adopt_from_orphan(heap, size_class);
  EXPECT_EQ(atomic_load(&slab->heap), orphan);
  EXPECT_EQ(heap->lane[size_class].first, NULL);
  /* Two: the one that ended first gives its slabs. */
  struct thread_heap *another = heap_new();
  heap_give(another);
  adopt_from_orphan(heap, size_class);
  EXPECT_EQ(atomic_load(&slab->heap), heap);
  EXPECT_EQ(heap->lane[size_class].first, slab);
}
