/* bind: a heap that has used up a class's slabs gets another one. */
#include "warm/bind.h"

#include "unit/heaps.h"
#include "warm/drain.h"
#include "warm/put.h"

enum { MANY = 20000 };

static void *blocks[MANY];

static size_t class_bytes(size_t size_class) { return (size_t)size_classes[size_class].units * UNIT_BYTES; }

TEST(BindTest, BindsASlabOnlyWhenItHasNoneToCarve) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    struct thread_heap *heap = new_heap();
    const unsigned capacity = size_classes[size_class].capacity;
    ASSERT_EQ(take(heap, size_class, blocks, capacity), capacity);
    EXPECT_EQ(heap->bound_bytes, class_bytes(size_class));
    for (unsigned i = 1; i < capacity; i++) {
      ASSERT_EQ((char *)blocks[i], (char *)blocks[0] + (size_t)i * size_classes[size_class].stride);
    }
    expect_census(heap, size_class, capacity);
    heap_put(heap, size_class, &blocks[capacity / 2], 1);
    EXPECT_EQ(take(heap, size_class, &blocks[capacity / 2], 1), 1);
    EXPECT_EQ(heap->bound_bytes, class_bytes(size_class));
    EXPECT_EQ(take(heap, size_class, &blocks[capacity], 1), 1);
    EXPECT_EQ(heap->bound_bytes, 2 * class_bytes(size_class));
    expect_census(heap, size_class, capacity + 1);
    heap_put(heap, size_class, blocks, capacity + 1);
    EXPECT_EQ(bound_in_use(heap), 0);
    heap_drain(heap);
  }
}

/* A slab in memory that was used in part: blocks of that part come first, and it is carved on from there. */
TEST(BindTest, ASlabInPartlyUsedMemoryServesRecycledBlocksFirst) {
  const size_t size_class = SIZE_CLASS_SMALL_COUNT - 1;
  const unsigned capacity = size_classes[size_class].capacity;
  pool_purge(SIZE_MAX);
  struct thread_heap *heap = new_heap();
  ASSERT_EQ(take(heap, size_class, blocks, 3), 3);
  char *start = blocks[0];
  heap_put(heap, size_class, blocks, 3);
  EXPECT_EQ(bound_in_use(heap), 0);
  size_t retained = retained_bytes();
  EXPECT_GT(retained, 0);
  EXPECT_LT(retained, (size_t)SLAB_UNITS_MAX * UNIT_BYTES);
  ASSERT_TRUE(heap_bind(heap, size_class));
  struct lane *lane = &heap->lane[size_class];
  ASSERT_NE(lane->first, NULL);
  EXPECT_EQ(slab_start(lane->first), start);
  EXPECT_EQ(lane->carving, lane->first); /* both at once */
  EXPECT_EQ(take(heap, size_class, blocks, capacity), capacity);
  for (unsigned i = 0; i < capacity; i++) {
    EXPECT_EQ((char *)blocks[i], start + (size_t)i * size_classes[size_class].stride);
  }
  EXPECT_EQ(lane->first, NULL);
  EXPECT_EQ(lane->carving, NULL);
  expect_census(heap, size_class, capacity);
  heap_put(heap, size_class, blocks, capacity);
  EXPECT_EQ(bound_in_use(heap), 0);
}

/* A large block that the thread has freed becomes a slab of as many units, where it lies. */
TEST(BindTest, ARunOfTheSameLengthBecomesTheSlab) {
  struct thread_heap *heap = new_heap();
  bool zeroed;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    void *longer = large_allocate(7 * UNIT_BYTES, &zeroed);
    void *between = large_allocate(1, &zeroed);
    void *fits = large_allocate(class_bytes(size_class), &zeroed);
    runs_give(&heap->runs, large_end(longer), SIZE_MAX);
    runs_give(&heap->runs, large_end(fits), SIZE_MAX);
    ASSERT_TRUE(heap_bind(heap, size_class));
    struct slab *slab = heap->lane[size_class].first;
    ASSERT_NE(slab, NULL);
    EXPECT_EQ((void *)slab_start(slab), fits);
    EXPECT_TRUE(slab_is_valid(slab));
    EXPECT_EQ(slab_recycled(slab), size_classes[size_class].capacity); /* all of it was used */
    EXPECT_EQ(runs_count(&heap->runs), 1);
    ASSERT_EQ(take(heap, size_class, blocks, 2), 2);
    heap_put(heap, size_class, blocks, 2);
    heap_drain(heap);
    large_free(between);
  }
  EXPECT_EQ(bound_in_use(heap), 0);
}

/* A slab of the class, all of it used and freed; the heap keeps it. */
static char *keep_slab(struct thread_heap *heap, size_t size_class) {
  const unsigned capacity = size_classes[size_class].capacity;
  EXPECT_EQ(take(heap, size_class, blocks, capacity), capacity);
  char *start = blocks[0];
  heap->keep = SIZE_MAX;
  heap_put(heap, size_class, blocks, capacity);
  EXPECT_TRUE(slab_is_valid(place_of(start, size_class).slab));
  return start;
}

static char *start_of_new_slab(struct thread_heap *heap, size_t size_class) {
  void *block;
  EXPECT_EQ(take(heap, size_class, &block, 1), 1);
  return slab_start(place_of(block, size_class).slab);
}

TEST(BindTest, AnEmptySlabThatIsKeptBecomesOneOfAnotherClass) {
  const size_t widest = SIZE_CLASS_COUNT - 1;
  const size_t next = SIZE_CLASS_COUNT - 2;
  ASSERT_EQ(size_classes[widest].units, size_classes[next].units);
  struct thread_heap *heap = new_heap();
  char *narrow = keep_slab(heap, size_class_of(4096));
  char *wide = keep_slab(heap, widest);
  EXPECT_EQ(lane_kept(heap, size_classes[widest].units), place_of(wide, widest).slab);
  size_t bound = heap->bound_bytes;
  EXPECT_EQ(start_of_new_slab(heap, next), wide);
  EXPECT_EQ(start_of_new_slab(heap, size_class_of(1024)), narrow);
  EXPECT_EQ(heap->bound_bytes, bound);
  EXPECT_EQ(heap->kept.bytes, 0);
  EXPECT_EQ(lane_kept(heap, 1), NULL);
}

TEST(BindTest, AWideSlabThatIsKeptGivesAUnit) {
  struct thread_heap *heap = new_heap();
  const size_t widest = SIZE_CLASS_COUNT - 1;
  char *wide = keep_slab(heap, widest);
  char *start = start_of_new_slab(heap, size_class_of(1024));
  EXPECT_GE(start, wide);
  EXPECT_LT(start, wide + class_bytes(widest));
  EXPECT_EQ(heap->kept.bytes, 0);
}

static unsigned free_slots(struct thread_heap *heap, size_t size_class) {
  return heap->lane[size_class].first != NULL ? slab_recycled(heap->lane[size_class].first) : 0;
}

TEST(BindTest, WhatOthersFreedComesBeforeANewSlab) {
  const size_t size_class = size_class_of(1024);
  const unsigned capacity = size_classes[size_class].capacity;
  struct thread_heap *heap = new_heap();
  ASSERT_EQ(take(heap, size_class, blocks, capacity), capacity);
  post_block(NULL, blocks[9]);
  EXPECT_TRUE(heap_bind(heap, size_class));
  EXPECT_EQ(free_slots(heap, size_class), 1);
  EXPECT_EQ(heap->bound_bytes, UNIT_BYTES);
}

static void grow(void *unused) {
  (void)unused;
  enum { SMALL = 16 };
  const size_t size_class = size_class_of(4096);
  const unsigned capacity = size_classes[size_class].capacity;
  struct thread_heap *heap = new_heap();
  for (unsigned slabs = 0; slabs < SMALL; slabs++) {
    size_t before = pool_figures().slabs_taken;
    ASSERT_EQ(take(heap, size_class, &blocks[slabs * capacity], capacity), capacity);
    EXPECT_EQ(pool_figures().slabs_taken - before, 1);
    EXPECT_EQ(heap->warm_pool.count, 0);
  }
  size_t before = pool_figures().slabs_taken;
  ASSERT_EQ(take(heap, size_class, &blocks[SMALL * capacity], 1), 1);
  EXPECT_EQ(pool_figures().slabs_taken - before, WARM_POOL_MAX);
  EXPECT_EQ(heap->warm_pool.count, WARM_POOL_MAX - 1);
  heap_put(heap, size_class, blocks, SMALL * capacity + 1);
  heap_drain(heap);
  EXPECT_EQ(heap->bound_bytes, 0);
}

/* In a process of its own: what a heap may take ahead is its part of what all heaps may. */
TEST(BindTest, ASmallHeapTakesOneUnitAndALargerOneSeveral) { EXPECT_RUNS(grow, NULL, ""); }
