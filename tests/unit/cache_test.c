/* cache: magazines that are full and empty by their addresses alone. */
#include "hot/cache.h"

#include <string.h>

#include "hakmem.h"
#include "unit/unit.h"
#include "warm/depot.h"
#include "warm/warm.h"

/* Pointers to nothing: whoever reads or writes a block through one stops the test. */
static void *block_number(size_t i) { return (void *)(0x1000 + 16 * i); }

static _Alignas(MAGAZINE_BYTES) void *magazine[MAGAZINE_SLOTS];

static void on_a_new_thread(void *unused) {
  (void)unused;
  EXPECT_EQ(thread_cache.state, THREAD_NEW);
  EXPECT_EQ(thread_cache.heap, NULL);
  EXPECT_EQ(thread_cache.self, UNIT_TAG_NOBODY);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    EXPECT_EQ(cache_pop(size_class), NULL);
    EXPECT_EQ(cache_pop(size_class), NULL);
    EXPECT_FALSE(cache_push(size_class, block_number(1)));
    EXPECT_EQ(cache_pop(size_class), NULL);
    EXPECT_EQ(magazine_of(thread_cache.top[size_class]), (void **)no_magazine);
  }
  EXPECT_EQ(thread_cache.state, THREAD_NEW);
}

TEST(CacheTest, AThreadThatHasNotStartedHasOneMagazineThatIsEmptyAndFull) { unit_in_thread(on_a_new_thread, NULL); }

static void exact_bounds(void *unused) {
  (void)unused;
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    const size_t holds = size_classes[size_class].magazine;
    memset(magazine, 0xAA, sizeof magazine);
    void **bottom = magazine_bottom(magazine, size_classes[size_class].magazine);
    *bottom = NULL;
    thread_cache.top[size_class] = bottom;
    EXPECT_EQ(cache_pop(size_class), NULL);

    size_t pushed = 0;
    while (pushed < MAGAZINE_SLOTS && cache_push(size_class, block_number(pushed))) {
      pushed++;
    }
    EXPECT_EQ(pushed, holds);
    void **full = thread_cache.top[size_class];
    EXPECT_EQ(full, &magazine[MAGAZINE_SLOTS - 1]);
    EXPECT_FALSE(cache_push(size_class, block_number(1000)));
    EXPECT_EQ(thread_cache.top[size_class], full);
    EXPECT_FALSE(cache_push(size_class, block_number(pushed - 1))); /* it lies on top, too */
    EXPECT_EQ(thread_cache.top[size_class], full);

    for (size_t i = pushed; i-- > 0;) {
      EXPECT_EQ(cache_pop(size_class), block_number(i));
    }
    EXPECT_EQ(cache_pop(size_class), NULL);
    EXPECT_EQ(thread_cache.top[size_class], bottom);
    thread_cache.top[size_class] = no_magazine_top();
  }
}

TEST(CacheTest, AMagazineTakesItsClassesNumberAndGivesTheLastFirst) { unit_in_thread(exact_bounds, NULL); }

static void random_stack(void *seed) {
  const size_t size_class = 4;
  void *model[MAGAZINE_SLOTS];
  size_t count = 0;
  *magazine_bottom(magazine, size_classes[size_class].magazine) = NULL;
  thread_cache.top[size_class] = magazine_bottom(magazine, size_classes[size_class].magazine);
  for (int i = 0; i < 100000; i++) {
    if (unit_random(seed) % 2 == 0) {
      void *block = block_number(unit_below(seed, 100000));
      bool pushed = cache_push(size_class, block);
      bool twice = count > 0 && model[count - 1] == block;
      ASSERT_EQ(pushed, count < size_classes[size_class].magazine && !twice);
      if (pushed) {
        model[count++] = block;
      }
    } else {
      void *block = cache_pop(size_class);
      ASSERT_EQ(block, count == 0 ? NULL : model[--count]);
    }
  }
  thread_cache.top[size_class] = no_magazine_top();
}

static void push_what_lies_on_top(void *unused) {
  (void)unused;
  const size_t size_class = 4;
  memset(magazine, 0xAA, sizeof magazine);
  void **bottom = magazine_bottom(magazine, size_classes[size_class].magazine);
  *bottom = NULL;
  thread_cache.top[size_class] = bottom;
  EXPECT_TRUE(cache_push(size_class, block_number(1)));
  EXPECT_FALSE(cache_push(size_class, block_number(1)));
  EXPECT_EQ(thread_cache.top[size_class], bottom + 1);
  EXPECT_EQ(bottom[1], block_number(1));
  EXPECT_EQ((uintptr_t)bottom[2], UINTPTR_MAX / 0xFF * 0xAA); /* nothing is written */
  EXPECT_TRUE(cache_push(size_class, block_number(2)));
  EXPECT_TRUE(cache_push(size_class, block_number(1))); /* not on top: it goes in */
  thread_cache.top[size_class] = no_magazine_top();
}

TEST(CacheTest, WhatLiesOnTopIsNotTakenAgain) { unit_in_thread(push_what_lies_on_top, NULL); }

TEST(CacheTest, BehavesAsAStack) {
  uint64_t seed = unit_seed();
  unit_in_thread(random_stack, &seed);
}

TEST(CacheTest, EveryMagazineOfAStartedThreadIsWhole) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    void *block = refill_exact(size_classes[size_class].stride, size_class);
    ASSERT_NE(block, NULL);
    hak_free(block);
    void **top = thread_cache.top[size_class];
    void **of = magazine_of(top);
    EXPECT_EQ((uintptr_t)of % MAGAZINE_BYTES, 0);
    EXPECT_NE(of, (void **)no_magazine);
    EXPECT_GT(top, magazine_bottom(of, size_classes[size_class].magazine));
    EXPECT_EQ(*magazine_bottom(of, size_classes[size_class].magazine), NULL);
    EXPECT_EQ(*top, block);
  }
}
