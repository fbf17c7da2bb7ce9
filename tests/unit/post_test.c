/* post: bits of blocks that a thread does not own go to their slabs. */
#include "warm/post.h"

#include "unit/heaps.h"
#include "warm/collect.h"

enum { MANY = 40000 };

static void *blocks[MANY];

TEST(PostTest, WhatIsGatheredIsPostedAsBits) {
  struct thread_heap *owner = new_heap();
  struct thread_heap *poster = heap_new();
  EXPECT_EQ(take(owner, size_class_of(64), blocks, 128), 128);
  EXPECT_EQ(take(owner, size_class_of(1024), &blocks[128], 5), 5);
  struct home_entry *small = gather_blocks(poster, &blocks[60], 8); /* of two words */
  struct home_entry *other = gather_blocks(poster, &blocks[128], 5);
  EXPECT_NE(small, other);
  heap_post(poster);
  EXPECT_EQ(small->tag, 0);
  EXPECT_EQ(other->tag, 0);
  EXPECT_EQ(heap_census(owner, size_class_of(64)).remote, 8);
  EXPECT_EQ(heap_census(owner, size_class_of(1024)).remote, 5);
  expect_census(owner, size_class_of(64), 120);
  expect_census(owner, size_class_of(1024), 0);
  heap_collect(owner);
  expect_census(owner, size_class_of(64), 120);
}

TEST(PostTest, AFullMagazineGoesHomeAsItIs) {
  struct thread_heap *owner = new_heap();
  struct thread_heap *poster = heap_new();
  const size_t size_class = size_class_of(64);
  const unsigned holds = size_classes[size_class].magazine;
  owner->share = 8 * MIB;
  EXPECT_EQ(take(owner, size_class, blocks, 2 * holds), 2 * holds);
  size_t published = heap_publications();
  struct home_entry *entry = gather_blocks(poster, blocks, holds);
  void **magazine = magazine_of(entry->top);
  EXPECT_FALSE(home_push(entry, blocks[holds])); /* it is full */
  heap_send_home(poster, entry);
  EXPECT_EQ(entry->tag, 0);
  EXPECT_EQ(heap_publications() - published, 1);
  EXPECT_EQ(heap_census(owner, size_class).remote, 0); /* no bit */
  EXPECT_FALSE(home_stack_is_empty(&owner->returned));
  /* The owner has it in its depot, unopened. */
  heap_collect(owner);
  EXPECT_TRUE(home_stack_is_empty(&owner->returned));
  EXPECT_EQ(heap_census(owner, size_class).depot, holds);
  expect_census(owner, size_class, holds);
  EXPECT_EQ(depot_pop(&owner->depot, size_class), magazine);
  /* One that is not full is posted. */
  heap_send_home(poster, gather_blocks(poster, &blocks[holds], holds - 1));
  EXPECT_TRUE(home_stack_is_empty(&owner->returned));
  EXPECT_EQ(heap_census(owner, size_class).remote, holds - 1);
}

TEST(PostTest, WhileManyMagazinesWaitTheNextIsPosted) {
  struct thread_heap *owner = new_heap();
  struct thread_heap *poster = heap_new();
  const size_t size_class = size_class_of(64);
  const unsigned holds = size_classes[size_class].magazine;
  owner->share = 8 * MIB;
  const unsigned all = (HOME_WAITING_MOST + 1) * holds;
  EXPECT_EQ(take(owner, size_class, blocks, all), all);
  for (unsigned i = 0; i < HOME_WAITING_MOST; i++) {
    heap_send_home(poster, gather_blocks(poster, &blocks[(size_t)i * holds], holds));
    EXPECT_EQ(heap_census(owner, size_class).remote, 0);
  }
  heap_send_home(poster, gather_blocks(poster, &blocks[all - holds], holds));
  EXPECT_EQ(heap_census(owner, size_class).remote, holds);
  /* When the owner has taken them the next one goes home again. */
  heap_collect(owner);
  expect_census(owner, size_class, 0);
  EXPECT_EQ(take(owner, size_class, blocks, holds), holds);
  heap_send_home(poster, gather_blocks(poster, blocks, holds));
  EXPECT_EQ(heap_census(owner, size_class).remote, 0);
  EXPECT_FALSE(home_stack_is_empty(&owner->returned));
}

TEST(PostTest, AnOrphanIsCollectedByThoseWhoPublishToIt) {
  enum { SLABS = 64, UNCOLLECTED_MAX = 16 };
  for (int with_heap = 0; with_heap < 2; with_heap++) {
    struct thread_heap *orphan = new_heap();
    struct thread_heap *poster = with_heap ? heap_new() : NULL;
    const unsigned capacity = size_classes[size_class_of(4096)].capacity;
    EXPECT_EQ(take(orphan, size_class_of(4096), blocks, SLABS * capacity), SLABS * capacity);
    heap_give(orphan);
    for (unsigned i = 0; i < SLABS * capacity; i++) {
      post_block(poster, blocks[i]);
    }
    EXPECT_EQ(heap_state_of(&orphan->link), HEAP_ORPHAN);
    EXPECT_LE(orphan->bound_bytes, UNCOLLECTED_MAX * UNIT_BYTES);
    EXPECT_EQ(orphan->warm_pool.count, 0);
    EXPECT_EQ(heap_claim_this(orphan), orphan);
    heap_collect(orphan);
    EXPECT_EQ(orphan->bound_bytes, 0);
  }
}
