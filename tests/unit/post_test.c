/* post: bits of blocks that a thread does not own go to their slabs. */
#include "warm/post.h"

#include "unit/heaps.h"
#include "warm/collect.h"

enum { MANY = 20000 };

static void *blocks[MANY];

TEST(PostTest, PostingAWordEmptiesItsEntry) {
  struct thread_heap *owner = new_heap();
  struct thread_heap *poster = heap_new();
  EXPECT_EQ(take(owner, size_class_of(64), blocks, 128), 128);
  struct slab *slab = place_of(blocks[0], size_class_of(64)).slab;
  poster->words.entry[3] = (struct remote_word){.slab = slab, .bits = 0xF0, .word = 1, .left = 5};
  poster->words.entry[9] = (struct remote_word){.slab = slab, .bits = 0x0F, .word = 0, .left = 5};
  heap_post_word(poster, &poster->words.entry[3]);
  EXPECT_EQ(poster->words.entry[3].slab, NULL);
  EXPECT_EQ(heap_census(owner, size_class_of(64)).remote, 4);
  heap_post(poster);
  EXPECT_EQ(poster->words.entry[9].slab, NULL);
  EXPECT_EQ(heap_census(owner, size_class_of(64)).remote, 8);
  expect_census(owner, size_class_of(64), 120);
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
