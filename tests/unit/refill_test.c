/* refill: a block for a malloc whose magazine is empty, and blocks for those that follow. */
#include "warm/refill.h"

#include <errno.h>

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/release.h"
#include "warm/thread.h"

static void refill_each_class(void *unused) {
  (void)unused;
  errno = UNTOUCHED_ERRNO;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    char *block = refill_exact(size_classes[size_class].stride, size_class);
    ASSERT_NE(block, NULL);
    EXPECT_EQ(class_of(block), size_class);
    EXPECT_EQ(place_of(block, size_class).slab->size_class, size_class);
    EXPECT_NE(place_of(block, size_class).index, PLACE_NONE);
    expect_own_census(size_class, 1);
    gate_free(block);
    expect_own_census(size_class, 0);
  }
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
}

TEST(RefillTest, RefillStartsTheThreadAndServesEveryClass) { on_a_fresh_thread(refill_each_class, NULL); }

static void refill_in_order(void *unused) {
  (void)unused;
  pool_purge(SIZE_MAX);
  char *first = gate_malloc_class(size_class_of(192));
  /* Lowest addresses first through many refills, from memory that was never used. */
  for (size_t i = 1; i < 300; i++) {
    ASSERT_EQ(gate_malloc_class(size_class_of(192)), first + i * 192);
  }
}

TEST(RefillTest, BlocksComeInTheOrderOfTheirAddresses) { on_a_fresh_thread(refill_in_order, NULL); }

static void refill_by_halves(void *unused) {
  (void)unused;
  enum { MANY = 4 * MAGAZINE_SLOTS };
  static void *blocks[MANY];
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    for (size_t i = 0; i < MANY; i++) {
      blocks[i] = gate_malloc_class(size_class);
      ASSERT_NE(blocks[i], NULL);
    }
    for (size_t i = 0; i < MANY; i++) {
      if (i % 8 != 0) {
        gate_free(blocks[i]); /* the others keep the slabs, which then have far more than a batch */
      }
    }
    (void)release_free_memory(RELEASE_ALL);
    void *block = refill_exact(size_classes[size_class].stride, size_class);
    void **top = thread_cache.top[size_class];
    void **bottom = magazine_bottom(magazine_of(top), size_classes[size_class].magazine);
    EXPECT_EQ(*bottom, NULL);
    EXPECT_EQ(top - bottom + 1, (size_classes[size_class].magazine + 1) / 2);
    gate_free(block);
    for (size_t i = 0; i < MANY; i += 8) {
      gate_free(blocks[i]);
    }
  }
}

TEST(WarmTest, ABatchIsHalfAMagazine) { on_a_fresh_thread(refill_by_halves, NULL); }

static void borrow_from_the_next_class(void *unused) {
  (void)unused;
  void *next = gate_malloc_class(size_class_of(224));
  gate_free(next);
  void *block = refill(192, size_class_of(192));
  EXPECT_EQ(block, next); /* resident before fresh */
  void *exact = refill_exact(192, size_class_of(192));
  EXPECT_EQ(class_of(exact), size_class_of(192));
  gate_free(block); /* goes back to its own */
  EXPECT_EQ(gate_malloc_class(size_class_of(224)), next);
  gate_free(next);
  gate_free(exact);
  /* The last class has no next one. */
  block = refill(SIZE_CLASS_MAX, SIZE_CLASS_COUNT - 1);
  EXPECT_EQ(class_of(block), SIZE_CLASS_COUNT - 1);
  gate_free(block);
}

TEST(RefillTest, RefillMayGiveABlockOfTheNextClass) { on_a_fresh_thread(borrow_from_the_next_class, NULL); }

/* Whatever earlier tests have left of it. */
static void run_out_of(size_t size_class) {
  while (*thread_cache.top[size_class] != NULL || heap_has_recycled(thread_heap(), size_class)) {
    gate_malloc_class(size_class); /* left to the end of the thread */
  }
}

/* From a class that has enough: so many blocks are borrowed, and then the one that borrows grows. */
enum { BORROWED_MOST = 64 };

static void expect_borrows(size_t size_class) {
  static void *narrow[BORROWED_MOST];
  for (size_t i = 0; i < BORROWED_MOST; i++) {
    narrow[i] = refill(size_classes[size_class].stride, size_class);
    EXPECT_EQ(class_of(narrow[i]), size_class + 1);
  }
  void *own = refill(size_classes[size_class].stride, size_class);
  EXPECT_EQ(class_of(own), size_class);
  for (size_t i = 0; i < BORROWED_MOST; i++) {
    gate_free(narrow[i]);
  }
}

static void borrow_again_and_again(void *unused) {
  (void)unused;
  enum { MANY = 2 * BORROWED_MOST };
  static void *wide[MANY];
  const size_t size_class = size_class_of(192);
  for (size_t i = 0; i < MANY; i++) {
    wide[i] = gate_malloc_class(size_class + 1);
  }
  for (size_t i = 0; i < MANY; i++) {
    gate_free(wide[i]);
  }
  run_out_of(size_class);
  expect_borrows(size_class);
  run_out_of(size_class);
  expect_borrows(size_class);
}

TEST(RefillTest, AClassThatBorrowsAgainAndAgainGrows) { on_a_fresh_thread(borrow_again_and_again, NULL); }

static void borrow_some(void *heap) {
  *(struct thread_heap **)heap = thread_heap();
  thread_heap()->lane[0].borrowed = BORROWED_MOST - 1;
}

static void end_after_borrowing(void *unused) {
  (void)unused;
  struct thread_heap *heap = NULL;
  unit_in_thread(borrow_some, &heap);
  ASSERT_NE(heap, NULL);
  EXPECT_EQ(heap->lane[0].borrowed, 0); /* who has the heap next begins anew */
}

TEST(RefillTest, WhatAThreadHasBorrowedEndsWithIt) { EXPECT_RUNS(end_after_borrowing, NULL, ""); }

static void borrow_what_is_recycled(void *unused) {
  (void)unused;
  enum { MANY = 4 * MAGAZINE_SLOTS + 1 };
  static void *wide[MANY];
  const size_t size_class = size_class_of(192);
  void *kept = NULL;
  for (size_t bytes = 0; bytes < 9 * MIB; bytes += 4 * KIB) {
    kept = keep_block(kept, 4 * KIB); /* no small heap */
  }
  for (size_t i = 0; i < MANY; i++) {
    wide[i] = gate_malloc_class(size_class + 1);
  }
  ASSERT_NE(*thread_cache.top[size_class + 1], NULL);
  void *own = refill(192, size_class); /* what the next class has carved stays its own */
  EXPECT_EQ(class_of(own), size_class);
  run_out_of(size_class);
  for (size_t i = 1; i < MANY / 4; i++) {
    gate_free(wide[i]);
  }
  void *cached = refill(192, size_class); /* its magazine is more than half full: freed blocks */
  EXPECT_EQ(class_of(cached), size_class + 1);
  gate_free(cached);
  for (size_t i = MANY / 4; i < MANY; i++) {
    gate_free(wide[i]);
  }
  (void)release_free_memory(RELEASE_ALL);
  void *recycled = refill(192, size_class);
  EXPECT_EQ(class_of(recycled), size_class + 1);
  gate_free(recycled);
  gate_free(own);
  gate_free(wide[0]);
  free_kept(kept);
}

TEST(RefillTest, BeyondASmallHeapOnlyFreedBlocksAreLent) { on_a_fresh_thread(borrow_what_is_recycled, NULL); }

static void exchange_with_the_depot(void *unused) {
  (void)unused;
  const size_t size_class = size_class_of(64);
  const unsigned holds = size_classes[size_class].magazine;
  static void *blocks[3 * MAGAZINE_SLOTS];
  for (size_t i = 0; i < 3U * holds; i++) {
    blocks[i] = gate_malloc_class(size_class);
  }
  for (size_t i = 0; i < 3U * holds; i++) {
    gate_free(blocks[i]);
  }
  struct depot *depot = &thread_cache.heap->depot;
  void **newest = depot->full[size_class];
  ASSERT_NE(newest, NULL);
  while (*thread_cache.top[size_class] != NULL) {
    gate_malloc_class(size_class);
  }
  void **empty = magazine_of(thread_cache.top[size_class]);
  void *last = *magazine_full_top(newest);
  EXPECT_EQ(refill_exact(size_classes[size_class].stride, size_class), last);
  EXPECT_EQ(magazine_of(thread_cache.top[size_class]), newest);
  EXPECT_EQ(thread_cache.top[size_class], magazine_full_top(newest) - 1);
  EXPECT_EQ(depot->empty, empty);
}

TEST(RefillTest, AFullMagazineOfTheDepotIsExchanged) { on_a_fresh_thread(exchange_with_the_depot, NULL); }

static void refill_consistently(void *unused) {
  (void)unused;
  EXPECT_EQ(thread_cache.state, THREAD_NEW);
  void *block = refill(48, 3);
  EXPECT_EQ(thread_cache.state, THREAD_STARTED);
  EXPECT_EQ(heap_state_of(&thread_cache.heap->link), HEAP_OWNED);
  EXPECT_EQ(critical_depth, 0);
  gate_free(block);
}

TEST(RefillTest, TheHeapIsOwnedAgainAfterwards) { on_a_fresh_thread(refill_consistently, NULL); }
