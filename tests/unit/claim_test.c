/* claim: a heap that nobody has becomes somebody's, whole. */
#include "warm/claim.h"

#include <string.h>

#include "unit/heaps.h"
#include "warm/put.h"

enum { MANY = 20000 };

static void *blocks[MANY];

static const size_t cached_classes[] = {1, 20, 36};
enum { CLASSES = 3, SMALL_CLASS = 12 };

/* An owned heap that nobody uses, with a few blocks in the magazines of a thread that is not there, and a depot. One of the magazines
 * is full, and may hold no more than three; what lies below its NULL is of an earlier use. */
static struct thread_heap *heap_of_a_lost_thread(void) {
  struct thread_heap *heap = new_heap();
  for (size_t i = 0; i < CLASSES; i++) {
    size_t size_class = cached_classes[i];
    void **bottom = empty_magazine(heap, size_class);
    EXPECT_EQ(take(heap, size_class, bottom + 1, 2), 2);
    heap->lost_top[size_class] = bottom + 2;
    depot_push(&heap->depot, size_class, full_magazine(heap, size_class));
    EXPECT_GT(heap->bound_bytes, 0);
  }
  void **bottom = depot_take_empty(&heap->depot, 3);
  memset(magazine_of(bottom), 0x11, (size_t)(bottom - magazine_of(bottom)) * sizeof *bottom);
  EXPECT_EQ(take(heap, SMALL_CLASS, bottom + 1, 3), 3);
  heap->lost_top[SMALL_CLASS] = bottom + 3;
  return heap;
}

static void expect_nothing_outside_the_slabs(struct thread_heap *heap) {
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_CHANGING);
  EXPECT_EQ(heap->bound_bytes, 0);
  EXPECT_EQ(heap->depot.bytes, 0);
  EXPECT_EQ(heap->depot.filled, 0);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    EXPECT_EQ(heap->lost_top[size_class], no_magazine_top());
    EXPECT_EQ(heap->depot.full[size_class], NULL);
    EXPECT_EQ(heap_census(heap, size_class).capacity, 0);
  }
}

TEST(ClaimTest, ALostHeapTakesBackWhatItsThreadHadCached) {
  struct thread_heap *heap = heap_of_a_lost_thread();
  heap_leave(heap);
  registry_lose(&heap->link);
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_LOST);
  EXPECT_EQ(heap_claim_this(heap), heap);
  expect_nothing_outside_the_slabs(heap);
  EXPECT_EQ(critical_depth, 1);
  /* Once is enough. */
  heap_give(heap);
  EXPECT_EQ(heap_claim_this(heap), heap);
  expect_nothing_outside_the_slabs(heap);
  heap_give(heap);
  EXPECT_EQ(critical_depth, 0);
}

TEST(ClaimTest, ATornHeapIsBuiltAnew) {
  struct thread_heap *heap = heap_of_a_lost_thread();
  const size_t size_class = size_class_of(192);
  const unsigned capacity = size_classes[size_class].capacity;
  EXPECT_EQ(take(heap, size_class, blocks, 2 * capacity), 2 * capacity);
  heap_put(heap, size_class, blocks, 100);
  /* Half changed: lists that lead nowhere, and counts of another moment. */
  heap->lane[size_class].first = NULL;
  heap->depot.bytes = 12345;
  heap->depot.filled = 0;
  heap->bound_bytes = 1;
  heap->warm_pool.count = WARM_POOL_MAX;
  heap->warm_pool.unit[0] = heap->warm_pool.unit[WARM_POOL_MAX - 1] = place_of(blocks[0], size_class).slab;
  place_of(blocks[0], size_class).slab->free_count = 7;
  registry_lose(&heap->link);
  critical_leave();
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_TORN);
  EXPECT_EQ(heap_claim_this(heap), heap);
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_CHANGING);
  EXPECT_EQ(heap->bound_bytes, 2 * UNIT_BYTES);
  EXPECT_EQ(heap->depot.bytes, 0);
  EXPECT_LE(heap->warm_pool.count, CLASSES + 1); /* the slabs of the cached blocks, and nothing from before */
  for (unsigned i = 0; i < heap->warm_pool.count; i++) {
    EXPECT_EQ(heap->warm_pool.unit[i]->free, NULL);
  }
  expect_census(heap, size_class, 2 * capacity - 100);
  for (size_t i = 0; i < CLASSES; i++) {
    EXPECT_EQ(heap_census(heap, cached_classes[i]).capacity, 0); /* all was free */
  }
  heap_put(heap, size_class, &blocks[100], 2 * capacity - 100);
  EXPECT_EQ(heap->bound_bytes, 0);
  heap_give(heap);
}

TEST(ClaimTest, WhoHasAHeapKeepsIt) {
  struct thread_heap *heap = new_heap();
  EXPECT_EQ(heap_claim_this(heap), NULL); /* changing */
  heap_leave(heap);
  EXPECT_EQ(heap_claim_this(heap), NULL);
  EXPECT_EQ(critical_depth, 0);
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_OWNED);
  EXPECT_EQ(heap_claim_oldest(), NULL);
  EXPECT_EQ(critical_depth, 0);
}

TEST(ClaimTest, TheOneThatHasHadNobodyForTheLongestTimeComesFirst) {
  struct thread_heap *heaps[4];
  heaps[0] = new_heap();
  for (size_t i = 1; i < 4; i++) {
    heaps[i] = heap_new();
  }
  heap_give(heaps[2]);
  heap_give(heaps[0]);
  heap_leave(heaps[3]);
  registry_lose(&heaps[3]->link);
  registry_lose(&heaps[1]->link);
  critical_leave();
  EXPECT_EQ(heap_claim_this(heaps[0]), heaps[0]); /* out of turn */
  heap_give(heaps[0]);
  const size_t order[] = {2, 3, 1, 0};
  for (size_t i = 0; i < 4; i++) {
    struct thread_heap *heap = heap_claim_oldest();
    EXPECT_EQ(heap, heaps[order[i]]);
    EXPECT_EQ(heap_state_of(&heap->link), HEAP_CHANGING);
    EXPECT_EQ(critical_depth, i + 1);
  }
  EXPECT_EQ(heap_claim_oldest(), NULL);
  EXPECT_EQ(heap_claim_newest(), NULL);
  for (size_t i = 0; i < 4; i++) {
    heap_give(heaps[i]);
    EXPECT_EQ(heap_state_of(&heaps[i]->link), HEAP_ORPHAN);
  }
  EXPECT_EQ(critical_depth, 0);
  EXPECT_EQ(heap_claim_newest(), heaps[3]);
  EXPECT_EQ(heap_claim_oldest(), heaps[0]);
  heap_give(heaps[3]); /* again the last */
  EXPECT_EQ(heap_claim_newest(), heaps[3]);
  EXPECT_EQ(heap_claim_newest(), heaps[2]);
  EXPECT_EQ(heap_claim_newest(), heaps[1]); /* the only one is both */
  EXPECT_EQ(heap_claim_newest(), NULL);
  for (size_t i = 0; i < 4; i++) {
    heap_give(heaps[i]);
  }
}

/* ---- the table of states ---- */

static const bool legal[HEAP_STATES][HEAP_STATES] = {
    [HEAP_OWNED] = {[HEAP_CHANGING] = true, [HEAP_LOST] = true},
    [HEAP_CHANGING] = {[HEAP_OWNED] = true, [HEAP_ORPHAN] = true, [HEAP_TORN] = true},
    [HEAP_ORPHAN] = {[HEAP_CHANGING] = true},
    [HEAP_LOST] = {[HEAP_CHANGING] = true},
    [HEAP_TORN] = {[HEAP_CHANGING] = true},
};

struct step {
  enum heap_state from, to;
};

static void change_state(void *argument) {
  const struct step *step = argument;
  struct heap_link link = {0};
  atomic_store(&link.state, (uint8_t)step->from);
  EXPECT_EQ(heap_state_of(&link), step->from);
  EXPECT_EQ(heap_has_nobody(&link), step->from == HEAP_ORPHAN || step->from == HEAP_LOST || step->from == HEAP_TORN);
  heap_state_set(&link, step->to);
  EXPECT_EQ(heap_state_of(&link), step->to);
}

TEST(ClaimTest, StatesChangeInTheWaysOfTheTable) {
  for (enum heap_state from = HEAP_OWNED; from < HEAP_STATES; from++) {
    for (enum heap_state to = HEAP_OWNED; to < HEAP_STATES; to++) {
      if (legal[from][to]) {
        struct step step = {from, to};
        change_state(&step);
      }
    }
  }
}

#if HAKMEM_VALIDATE
TEST(ClaimTest, DebugBuildsStopAtAnyOther) {
  for (enum heap_state from = HEAP_OWNED; from < HEAP_STATES; from++) {
    for (enum heap_state to = HEAP_OWNED; to < HEAP_STATES; to++) {
      if (!legal[from][to]) {
        struct step step = {from, to};
        NOTE("from %d to %d", (int)from, (int)to);
        EXPECT_STOPS(change_state, &step, "hakmem: invariant broken: .*legal.* at .*registry\\.c:[0-9]+\n");
      }
    }
  }
}

static void give_what_is_owned(void *unused) {
  (void)unused;
  struct thread_heap *heap = heap_new();
  heap_leave(heap);
  heap_give(heap);
}

TEST(ClaimTest, OnlyAHeapThatIsChangingIsGivenAway) {
  EXPECT_STOPS(give_what_is_owned, NULL, "hakmem: invariant broken: .*legal.* at .*registry\\.c:[0-9]+\n");
}
#endif
