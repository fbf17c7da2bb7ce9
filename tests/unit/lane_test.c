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

/* ---- empty slabs that are kept ---- */

enum { SLABS = 6 };

static struct slab *slab_at(size_t size_class, unsigned s) {
  return place_of(blocks[s * size_classes[size_class].capacity], size_class).slab;
}

/* Blocks of SLABS slabs. */
static struct thread_heap *heap_with_slabs(size_t size_class) {
  struct thread_heap *heap = new_heap();
  const unsigned count = SLABS * size_classes[size_class].capacity;
  EXPECT_EQ(take(heap, size_class, blocks, count), count);
  return heap;
}

static void put_slab(struct thread_heap *heap, size_t size_class, unsigned s) {
  const unsigned capacity = size_classes[size_class].capacity;
  heap_put(heap, size_class, &blocks[s * capacity], capacity);
}

TEST(LaneTest, EmptySlabsAreKeptWithinWhatTheHeapMayKeep) {
  const size_t size_class = size_class_of(4096);
  struct thread_heap *heap = heap_with_slabs(size_class);
  heap->keep = 2 * UNIT_BYTES;
  for (unsigned s = 0; s < SLABS; s++) {
    put_slab(heap, size_class, s);
    EXPECT_EQ(heap->kept.bytes, (s < 2 ? s + 1 : 2) * UNIT_BYTES);
    EXPECT_EQ(heap->bound_bytes, (SLABS - 1 - s) * UNIT_BYTES + heap->kept.bytes);
    EXPECT_TRUE(slab_at(size_class, s)->kept);
  }
  /* Those that were emptied last. */
  EXPECT_EQ(heap->kept.oldest, slab_at(size_class, SLABS - 2));
  EXPECT_EQ(heap->kept.newest, slab_at(size_class, SLABS - 1));
  /* They serve again, without being bound. */
  size_t taken = pool_figures().slabs_taken;
  void *block;
  EXPECT_EQ(heap_take(heap, size_class, &block, 1), 1);
  EXPECT_EQ(place_of(block, size_class).slab, slab_at(size_class, SLABS - 2));
  EXPECT_FALSE(slab_at(size_class, SLABS - 2)->kept);
  EXPECT_EQ(heap->kept.bytes, UNIT_BYTES);
  EXPECT_EQ(heap->kept.oldest, slab_at(size_class, SLABS - 1));
  EXPECT_EQ(pool_figures().slabs_taken, taken);
  lane_release_kept(heap, UNIT_BYTES); /* no more than that is kept */
  EXPECT_EQ(heap->kept.bytes, UNIT_BYTES);
  lane_release_kept(heap, 0);
  EXPECT_EQ(heap->kept.bytes, 0);
  EXPECT_EQ(heap->kept.oldest, NULL);
  EXPECT_EQ(heap->kept.newest, NULL);
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
  heap_put(heap, size_class, &block, 1);
  EXPECT_EQ(bound_in_use(heap), 0);
}

TEST(LaneTest, AHeapThatMayKeepNothingReleasesThemAtOnce) {
  const size_t size_class = size_class_of(4096);
  struct thread_heap *heap = heap_with_slabs(size_class);
  heap->keep = 0;
  for (unsigned s = 0; s < SLABS; s++) {
    put_slab(heap, size_class, s);
    EXPECT_EQ(heap->kept.bytes, 0);
    EXPECT_EQ(heap->bound_bytes, (SLABS - 1 - s) * UNIT_BYTES);
  }
}

TEST(LaneTest, SlabsThatAreInUseInPartServeBeforeEmptyOnes) {
  const size_t size_class = size_class_of(4096);
  struct thread_heap *heap = heap_with_slabs(size_class);
  heap->keep = SLABS * UNIT_BYTES;
  put_slab(heap, size_class, 0);
  heap_put(heap, size_class, &blocks[size_classes[size_class].capacity], 1);
  void *block;
  EXPECT_EQ(heap_take(heap, size_class, &block, 1), 1);
  EXPECT_EQ(place_of(block, size_class).slab, slab_at(size_class, 0)); /* it was there first */
  heap_put(heap, size_class, &block, 1);                               /* and goes to the end now */
  EXPECT_EQ(heap_take(heap, size_class, &block, 1), 1);
  EXPECT_EQ(place_of(block, size_class).slab, slab_at(size_class, 1));
  EXPECT_TRUE(slab_at(size_class, 0)->kept);
}

TEST(LaneTest, AClassThatNeedsASlabGetsOneThatAnotherKeeps) {
  const size_t size_class = size_class_of(4096);
  struct thread_heap *heap = heap_with_slabs(size_class);
  heap->keep = SLABS * UNIT_BYTES;
  put_slab(heap, size_class, 3);
  put_slab(heap, size_class, 1);
  size_t taken = pool_figures().slabs_taken;
  size_t bound = heap->bound_bytes;
  void *block = NULL;
  EXPECT_EQ(take(heap, size_class_of(128), &block, 1), 1);
  EXPECT_EQ(pool_figures().slabs_taken, taken);
  EXPECT_EQ(heap->bound_bytes, bound);
  EXPECT_EQ(place_of(block, size_class_of(128)).slab, slab_at(size_class, 3)); /* the one that was kept longest */
  EXPECT_TRUE(slab_at(size_class, 1)->kept);
}
