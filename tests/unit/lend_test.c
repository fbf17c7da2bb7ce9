/* lend: the hand-shake. The test is the helper, and looks all the time, at heaps of any age. */
#include "warm/lend.h"

#include <string.h>
#include <unistd.h>

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/collect.h"
#include "warm/lost_threads.h"
#include "warm/put.h"
#include "warm/thread.h"

enum { THREADS = 4, SLOTS = 600, BLOCKS = 500, CHILDS_BLOCKS = 10000, STRESS_MS = 3000 };

static atomic_bool stop, all_borrow;

/* A block that knows its size and its place, from its first byte to its last. */
struct block {
  size_t size;
  char *bytes;
};

static _Atomic(char *) handed_over[SLOTS]; /* blocks of 64 bytes, freed by whoever finds them */

static void fill(struct block *block, uint64_t *random) {
  block->size = unit_below(random, (size_t)1 << (unit_below(random, 64) == 0 ? 18 : 11)) + 1;
  block->bytes = gate_malloc(block->size);
  memset(block->bytes, (int)(uintptr_t)block, block->size);
}

static void empty(struct block *block) {
  if (block->bytes != NULL) {
    EXPECT_EQ(block->bytes[0], (char)(uintptr_t)block);
    EXPECT_EQ(block->bytes[block->size - 1], (char)(uintptr_t)block);
    gate_free(block->bytes);
    block->bytes = NULL;
  }
}

/* As before a heap grows. */
static void look_as_one_that_grows(void) {
  struct thread_heap *heap = thread_cache.heap;
  if (heap != NULL) {
    heap_enter(heap);
    lend_look(0);
    heap_leave(heap);
  }
}

/* Works hard and sleeps by turns. */
static void work(void *seed) {
  uint64_t random = (uintptr_t)seed;
  struct block blocks[SLOTS] = {0};
  while (!atomic_load(&stop)) {
    for (size_t turn = unit_below(&random, 20000); turn > 0; turn--) {
      struct block *block = &blocks[unit_below(&random, SLOTS)];
      empty(block);
      fill(block, &random);
      if (turn % 8 == 0) {
        gate_free(atomic_exchange(&handed_over[unit_below(&random, SLOTS)], gate_malloc(64)));
      }
      if (turn % 512 == 0 && atomic_load(&all_borrow)) {
        look_as_one_that_grows();
      }
    }
    if (unit_below(&random, 4) == 0) {
      for (size_t i = 0; i < SLOTS; i++) {
        empty(&blocks[i]);
      }
    }
    usleep((unsigned)unit_below(&random, 3000));
  }
  for (size_t i = 0; i < SLOTS; i++) {
    empty(&blocks[i]);
  }
}

static void help(void *unused) {
  (void)unused;
  lend_begin();
  for (size_t looks = 0; !atomic_load(&stop); looks++) {
    lend_look(0);
    usleep(looks % 4 == 0 ? 1000 : 0);
  }
}

static void stress(void *unused) {
  (void)unused;
  struct unit_thread threads[THREADS];
  struct unit_thread helper;
  unit_start(&helper, help, NULL);
  for (uintptr_t i = 0; i < THREADS; i++) {
    unit_start(&threads[i], work, (void *)(unit_seed() + i));
  }
  usleep(STRESS_MS * 1000);
  atomic_store(&stop, true);
  for (size_t i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  unit_join(&helper);
  size_t borrowed = 0;
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    borrowed += heap_of_link(link)->borrower.done != 0;
  }
  EXPECT_GE(borrowed, os_barrier_begin() ? THREADS : 0);
  for (size_t i = 0; i < SLOTS; i++) {
    gate_free(handed_over[i]);
  }
  struct thread_heap *heap = thread_heap();
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      heap_census(heap_of_link(link), size_class);
    }
    EXPECT_TRUE(link == &heap->link || heap_state_of(link) == HEAP_ORPHAN);
  }
  EXPECT_TRUE(pool_is_valid());
}

TEST(LendTest, HeapsAreLentWhileTheirThreadsWorkAndSleep) { EXPECT_RUNS(stress, NULL, ""); }

static void stress_all(void *unused) {
  atomic_store(&all_borrow, true);
  stress(unused);
}

TEST(LendTest, SeveralThreadsMayBorrow) { EXPECT_RUNS(stress_all, NULL, ""); }

/* ---- what is done ---- */

static void *of_sleeper[BLOCKS];
static struct thread_heap *sleeper;
static atomic_bool asleep;

static void fill_and_sleep(void *unused) {
  (void)unused;
  for (size_t i = 0; i < BLOCKS; i++) {
    of_sleeper[i] = memset(gate_malloc(2000), 1, 2000);
  }
  sleeper = thread_cache.heap;
  atomic_store(&asleep, true);
  while (!atomic_load(&stop)) {
    usleep(1000);
  }
  gate_free(gate_malloc(2000));
  heap_enter(thread_cache.heap);
  heap_take_returned(thread_cache.heap); /* where nobody has done so for it */
  heap_leave(thread_cache.heap);
  expect_own_census(size_class_of(2000), 0);
}

static void post_gathered(void) {
  heap_enter(thread_cache.heap);
  heap_post(thread_cache.heap);
  heap_leave(thread_cache.heap);
}

/* A thread that has freed nothing itself: others do, all that it has. */
static void begin_sleeper(struct unit_thread *thread) {
  gate_free(gate_malloc(1));
  hold_orphans();
  unit_start(thread, fill_and_sleep, NULL);
  while (!atomic_load(&asleep)) {
    usleep(1000);
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    gate_free(of_sleeper[i]);
  }
  post_gathered();
}

static void end_sleeper(struct unit_thread *thread) {
  atomic_store(&stop, true);
  unit_join(thread);
}

static void free_of_sleeper(void *unused) {
  (void)unused;
  struct unit_thread thread;
  begin_sleeper(&thread);
  EXPECT_TRUE(lend_is_pending() || !os_barrier_begin());
  lend_look(0);
  if (os_barrier_begin()) {
    EXPECT_LE(sleeper->bound_bytes, UNIT_BYTES); /* what its magazine has blocks of */
  }
  size_t bound = sleeper->bound_bytes;
  lend_look(0); /* nothing has changed: nothing is lent */
  EXPECT_EQ(sleeper->bound_bytes, bound);
  end_sleeper(&thread);
}

TEST(LendTest, WhatIsFreedToAThreadThatSleepsGoesBack) { EXPECT_RUNS(free_of_sleeper, NULL, ""); }

/* By blocks that no slab of its has room for. */
static void grow(void) {
  for (size_t i = 0; i < BLOCKS; i++) {
    memset(gate_malloc(3000), 1, 3000);
  }
}

static void grow_beside_sleeper(void *unused) {
  (void)unused;
  struct unit_thread thread;
  begin_sleeper(&thread);
  size_t bound = sleeper->bound_bytes;
  EXPECT_GT(bound, BLOCKS * 2000);
  size_t active = active_bytes();
  for (size_t i = 0; i < 4; i++) { /* an early look finds that it sleeps, a later one that it has for long enough */
    usleep(30000);
    grow();
  }
  if (os_barrier_begin()) {
    EXPECT_LE(sleeper->bound_bytes, UNIT_BYTES);
    EXPECT_LE(active_bytes() + bound / 2, active + heap_live_bytes(thread_cache.heap));
  }
  end_sleeper(&thread);
}

TEST(LendTest, AHeapThatGrowsCollectsForAThreadThatSleeps) { EXPECT_RUNS(grow_beside_sleeper, NULL, ""); }

enum { SLEEPERS = 20, EACH = 40, AT_ONCE = 8 };

static struct thread_heap *sleepers[SLEEPERS];

static unsigned freed_to(void) {
  unsigned count = 0;
  for (size_t i = 0; i < SLEEPERS; i++) {
    count += atomic_load(&sleepers[i]->queue.first) != NULL || !home_stack_is_empty(&sleepers[i]->returned);
  }
  return count;
}

static void free_to_sleepers(void) {
  void *blocks[EACH];
  for (size_t i = 0; i < SLEEPERS; i++) {
    sleepers[i] = new_heap();
    EXPECT_EQ(take(sleepers[i], size_class_of(64), blocks, EACH), EACH);
    heap_leave(sleepers[i]);
    for (size_t k = 0; k < EACH; k++) {
      gate_free(blocks[k]);
    }
  }
  post_gathered();
}

/* Who grows pays for few at a time; none is left out. */
static void grow_beside_many(void *unused) {
  (void)unused;
  struct unit_thread thread;
  begin_sleeper(&thread);
  free_to_sleepers();
  unsigned left = freed_to();
  EXPECT_EQ(left, SLEEPERS);
  for (size_t i = 0; i < 2 * SLEEPERS / AT_ONCE && left > 0 && os_barrier_begin(); i++) {
    usleep(30000);
    heap_enter(thread_cache.heap);
    lend_for_growth(os_milliseconds());
    heap_leave(thread_cache.heap);
    unsigned before = left;
    left = freed_to();
    EXPECT_LE(before - left, AT_ONCE);
  }
  EXPECT_EQ(left, os_barrier_begin() ? 0 : SLEEPERS);
  end_sleeper(&thread);
}

TEST(LendTest, AHeapThatGrowsBorrowsFewAtATime) { EXPECT_RUNS(grow_beside_many, NULL, ""); }

/* ---- forks ---- */

static struct thread_heap *other;

static void check_own(void *unused) {
  (void)unused;
  struct thread_heap *heap = thread_cache.heap;
  EXPECT_EQ(heap->lent, HEAP_LENT_NOT);
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_OWNED);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    heap_census(heap, size_class); /* no block is cached and free */
  }
  static char *blocks[CHILDS_BLOCKS];
  for (size_t i = 0; i < CHILDS_BLOCKS; i++) {
    blocks[i] = gate_malloc(i % 700 + 8);
    memcpy(blocks[i], &i, sizeof i);
  }
  for (size_t i = 0; i < CHILDS_BLOCKS; i++) {
    EXPECT_EQ(memcmp(blocks[i], &i, sizeof i), 0);
    gate_free(blocks[i]);
  }
  if (other != NULL) {
    EXPECT_EQ(other->lent, HEAP_LENT_NOT);
    EXPECT_TRUE(heap_has_nobody(&other->link));
    struct thread_heap *claimed = heap_claim_this(other);
    EXPECT_TRUE(claimed == other);
    heap_census(other, size_class_of(64));
    heap_give(other);
  }
}

TEST(LendTest, AChildGetsItsOwnHeapBackFromTheHelper) {
  char *block = gate_malloc(64); /* there are cached ones beside it */
  for (size_t i = 0; i < 200; i++) {
    of_sleeper[i] = gate_malloc(100);
  }
  for (size_t i = 0; i < 200; i += 2) {
    gate_free(of_sleeper[i]);
  }
  struct thread_heap *heap = thread_cache.heap;
  struct slab *carving = heap->lane[size_class_of(100)].carving;
  atomic_store(&heap->lent, HEAP_LENT);
  heap->lane[size_class_of(100)].carving = NULL; /* as in the midst of work on it */
  EXPECT_FORKS(check_own, NULL);
  heap->lane[size_class_of(100)].carving = carving;
  atomic_store(&heap->lent, HEAP_LENT_NOT);
  gate_free(block);
}

TEST(LendTest, AChildFindsWhatTheHelperHadTorn) {
  gate_free(gate_malloc(1));
  other = new_heap();
  void *blocks[40];
  ASSERT_EQ(take(other, size_class_of(64), blocks, 40), 40);
  heap_put(other, size_class_of(64), blocks, 20);
  heap_leave(other);
  atomic_store(&other->lent, HEAP_LENT);
  EXPECT_FORKS(check_own, NULL);
  atomic_store(&other->lent, HEAP_LENT_NOT);
  other = NULL;
}

/* A handler of another library, which is called first, may need the heap at once. */
TEST(LendTest, AChildThatNeedsItsHeapBeforeItIsMendedTakesItBack) {
  gate_free(gate_malloc(1));
  struct thread_heap *heap = thread_cache.heap;
  heap_borrower_lost = lost_threads_take_back;
  heap_borrower = os_process_id() + 1; /* as it is in the child */
  atomic_store(&heap->lent, HEAP_LENT);
  heap_enter(heap);
  EXPECT_EQ(heap->lent, HEAP_LENT_NOT);
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_CHANGING);
  heap_leave(heap);
  check_own(NULL);
}

static void borrow_on_and_on(void *unused) {
  (void)unused;
  gate_free(gate_malloc(1));
  while (!atomic_load(&stop)) {
    look_as_one_that_grows();
  }
}

static void borrow_from_all(void *unused) {
  (void)unused;
  gate_free(gate_malloc(1));
  free_to_sleepers();
  lend_look(0);
  EXPECT_EQ(freed_to(), os_barrier_begin() ? 0 : SLEEPERS);
}

static void fork_beside_who_borrows(void *unused) {
  (void)unused;
  struct unit_thread thread;
  unit_start(&thread, borrow_on_and_on, NULL);
  for (size_t i = 0; i < 50; i++) {
    EXPECT_FORKS(borrow_from_all, NULL);
  }
  atomic_store(&stop, true);
  unit_join(&thread);
}

TEST(LendTest, AChildMayBorrowWhateverItsParentWasDoing) { EXPECT_RUNS(fork_beside_who_borrows, NULL, ""); }
