/* heap: what one thread owns, and the equation that holds for each of its slabs. */
#include "warm/heap.h"

#include "unit/heaps.h"
#include "warm/collect.h"
#include "warm/drain.h"
#include "warm/put.h"

enum { MANY = 20000 };

static void *blocks[MANY];

TEST(HeapTest, ANewHeapHasAnOwnerAndNothingElse) {
  struct thread_heap *a = new_heap();
  struct thread_heap *b = new_heap();
  ASSERT_NE(a, NULL);
  EXPECT_NE(a->link.owner, b->link.owner);
  EXPECT_EQ(heap_of_link(&a->link), a);
  EXPECT_EQ(a->cache, NULL);
  EXPECT_EQ(a->bound_bytes, 0);
  EXPECT_EQ(heap_state_of(&a->link), HEAP_CHANGING);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    EXPECT_EQ(heap_census(a, size_class).capacity, 0);
    EXPECT_EQ(a->lost_top[size_class], no_magazine_top());
  }
  heap_give(b);
  heap_give(a);
}

TEST(HeapTest, IsChangingFromEnterToLeave) {
  EXPECT_EQ(critical_depth, 0);
  struct thread_heap *heap = new_heap();
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_CHANGING); /* a new one is, until it is whole */
  EXPECT_EQ(critical_depth, 1);
  heap_leave(heap);
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_OWNED);
  EXPECT_EQ(critical_depth, 0);
  heap_enter(heap);
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_CHANGING);
  EXPECT_EQ(critical_depth, 1);
  heap_leave(heap);
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_OWNED);
  EXPECT_EQ(critical_depth, 0);
}

/* ---- random work against a model ---- */

TEST(HeapTest, TheCensusHoldsThroughRandomWork) {
  enum { LIVE_MAX = 3000 };
  static const size_t classes[] = {0, 1, 4, 13, 20, 28, 29, 35, SIZE_CLASS_COUNT - 1};
  enum { CLASSES = sizeof classes / sizeof classes[0] };
  static void *live[CLASSES][LIVE_MAX];
  size_t count[CLASSES] = {0};
  uint64_t seed = unit_seed();
  struct thread_heap *heap = new_heap();
  for (int step = 0; step < 20000; step++) {
    size_t c = unit_below(&seed, CLASSES);
    size_t size_class = classes[c];
    unsigned want = (unsigned)unit_below(&seed, 64) + 1;
    switch (unit_below(&seed, 8)) {
    case 0:
    case 1:
    case 2:
      if (count[c] + want <= LIVE_MAX) {
        unsigned had = take(heap, size_class, &live[c][count[c]], want);
        ASSERT_EQ(had, want);
        for (unsigned i = 0; i < had; i++) {
          struct place place = place_of(live[c][count[c] + i], size_class);
          ASSERT_NE(place.index, PLACE_NONE);
        }
        count[c] += had;
      }
      break;
    case 3:
    case 4:
      want = want < count[c] ? want : (unsigned)count[c];
      count[c] -= want;
      heap_put(heap, size_class, &live[c][count[c]], want);
      break;
    case 5:
      for (; want > 0 && count[c] > 0; want--) {
        size_t i = unit_below(&seed, count[c]);
        post_block(NULL, live[c][i]);
        live[c][i] = live[c][--count[c]];
      }
      break;
    case 6: {
      /* A full magazine goes to the depot, or one comes out of it. */
      void **magazine = depot_pop(&heap->depot, size_class);
      if (magazine != NULL) {
        heap_put_full(heap, size_class, magazine);
      } else if (heap->depot.bytes < MIB) {
        depot_push(&heap->depot, size_class, full_magazine(heap, size_class));
      }
      break;
    }
    default:
      heap_collect(heap);
      break;
    }
    if (step % 50 == 0) {
      expect_census(heap, size_class, count[c]);
    }
  }
  for (size_t c = 0; c < CLASSES; c++) {
    expect_census(heap, classes[c], count[c]);
    heap_put(heap, classes[c], live[c], (unsigned)count[c]);
  }
  heap_drain(heap);
  EXPECT_EQ(heap->bound_bytes, 0);
  EXPECT_TRUE(pool_is_valid());
}

/* ---- out of memory ---- */

static void run_out_of_memory(void *unused) {
  (void)unused;
  const unsigned capacity = size_classes[SIZE_CLASS_COUNT - 1].capacity;
  struct thread_heap *heap = heap_new();
  unit_limit_memory(16 * MIB);
  unsigned had = take(heap, SIZE_CLASS_COUNT - 1, blocks, MANY);
  EXPECT_GT(had, 16 * MIB / SIZE_CLASS_MAX / 2);
  EXPECT_LT(had, MANY);
  EXPECT_EQ(had % capacity, 0);
  void *none = NULL;
  EXPECT_EQ(heap_take(heap, SIZE_CLASS_COUNT - 1, &none, 1), 0);
  EXPECT_EQ(heap_grow(heap, SIZE_CLASS_COUNT - 1, &none, 1), 0);
  EXPECT_EQ(none, NULL);
  expect_census(heap, SIZE_CLASS_COUNT - 1, had);
  /* What is freed can be had again, and all of it comes back. */
  heap_put(heap, SIZE_CLASS_COUNT - 1, &blocks[had - 1], 1);
  EXPECT_EQ(heap_take(heap, SIZE_CLASS_COUNT - 1, &blocks[had - 1], 1), 1);
  heap_put(heap, SIZE_CLASS_COUNT - 1, blocks, had);
  EXPECT_EQ(bound_in_use(heap), 0);
  EXPECT_EQ(take(heap, SIZE_CLASS_COUNT - 1, blocks, had), had);
  unit_limit_memory(SIZE_MAX);
  EXPECT_EQ(take(heap, SIZE_CLASS_COUNT - 1, &blocks[had], MANY - had), MANY - had);
}

TEST(HeapTest, WithoutMemoryItGivesWhatItHasAndStaysWhole) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(run_out_of_memory, NULL, "");
}

/* What has come home may be of slabs that have moved, and what was stolen is another's. */
TEST(HeapTest, LiveBytesAreNeverLessThanNone) {
  struct thread_heap *owner = new_heap();
  struct thread_heap *heap = heap_new();
  void *block;
  EXPECT_EQ(take(heap, 3, &block, 1), 1);
  EXPECT_EQ(heap_live_bytes(heap), size_classes[3].stride);
  depot_push(&heap->depot, 7, full_magazine(owner, 7));
  EXPECT_GT(heap->depot.bytes, heap->used_bytes);
  EXPECT_EQ(heap_live_bytes(heap), 0);
  heap_put_depot(heap);
  EXPECT_EQ(heap_live_bytes(heap), size_classes[3].stride);
}
