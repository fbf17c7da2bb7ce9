/* visit: what the program holds is visited, and nothing else. */
#include "warm/visit.h"

#include <errno.h>
#include <stdlib.h>

#include "hakmem.h"
#include "unit/heaps.h"

enum { BLOCKS = 3000 };

static void *held[BLOCKS];
static size_t sizes[BLOCKS];

struct visit {
  size_t count[BLOCKS]; /* how often each of `held` was visited */
  size_t all, bytes, most;
};

static int compare(const void *left, const void *right) {
  uintptr_t one = *(const uintptr_t *)left;
  uintptr_t other = *(const uintptr_t *)right;
  return (one > other) - (one < other);
}

static bool note(void *block, size_t bytes, int size_class, void *context) {
  struct visit *visit = context;
  void **place = bsearch(&block, held, BLOCKS, sizeof held[0], compare);
  EXPECT_EQ(bytes, hak_usable_size(block));
  EXPECT_TRUE(bytes > 2 * MIB    ? size_class == VISIT_HUGE
              : bytes > 32 * KIB ? size_class == VISIT_LARGE
                                 : size_class == (int)class_of(block));
  if (place != NULL) {
    visit->count[place - held]++;
  }
  visit->all++;
  visit->bytes += bytes;
  return visit->all < visit->most;
}

static struct visit all;

static const struct visit *look(size_t most) {
  all = (struct visit){.most = most};
  EXPECT_EQ(visit_live(note, &all), 0);
  return &all;
}

/* Small, large and huge ones. */
static void allocate(void) {
  uint64_t seed = 1;
  for (size_t i = 0; i < BLOCKS; i++) {
    sizes[i] = i % 500 == 0 ? 3 * MIB : i % 100 == 0 ? 100 * KIB : unit_below(&seed, 4000) + 1;
    held[i] = hak_malloc(sizes[i]);
  }
  qsort(held, BLOCKS, sizeof held[0], compare);
}

static void visit_known(void *unused) {
  (void)unused;
  look(SIZE_MAX);
  size_t before = all.all;
  size_t bytes_before = all.bytes;
  allocate();
  look(SIZE_MAX);
  EXPECT_EQ(all.all - before, BLOCKS);
  size_t bytes = 0;
  for (size_t i = 0; i < BLOCKS; i++) {
    EXPECT_EQ(all.count[i], 1);
    bytes += hak_usable_size(held[i]);
  }
  EXPECT_EQ(all.bytes - bytes_before, bytes);
  for (size_t i = 0; i < BLOCKS; i += 2) {
    hak_free(held[i]);
  }
  look(SIZE_MAX);
  for (size_t i = 0; i < BLOCKS; i++) {
    EXPECT_EQ(all.count[i], i % 2);
  }
  for (size_t i = 1; i < BLOCKS; i += 2) {
    hak_free(held[i]);
  }
  look(SIZE_MAX);
  EXPECT_EQ(all.all, before);
  EXPECT_EQ(all.bytes, bytes_before);
}

TEST(VisitTest, EachLiveBlockIsVisitedOnce) { on_a_fresh_thread(visit_known, NULL); }

static void free_half(void *unused) {
  (void)unused;
  for (size_t i = 0; i < BLOCKS; i += 2) {
    hak_free(held[i]); /* gathered, sent home, posted */
  }
  look(SIZE_MAX);
  for (size_t i = 0; i < BLOCKS; i++) {
    EXPECT_EQ(all.count[i], i % 2);
  }
}

static void free_by_another(void *unused) {
  (void)unused;
  allocate();
  unit_in_thread(free_half, NULL);
  look(SIZE_MAX);
  for (size_t i = 0; i < BLOCKS; i++) {
    EXPECT_EQ(all.count[i], i % 2);
  }
  for (size_t i = 1; i < BLOCKS; i += 2) {
    hak_free(held[i]);
  }
}

TEST(VisitTest, WhatAnotherThreadHasFreedIsNotVisited) { on_a_fresh_thread(free_by_another, NULL); }

TEST(VisitTest, ItCanBeStopped) {
  allocate();
  look(10);
  EXPECT_EQ(all.all, 10);
  for (size_t i = 0; i < BLOCKS; i++) {
    hak_free(held[i]);
  }
}

static bool free_and_allocate(void *block, size_t bytes, int size_class, void *context) {
  (void)bytes;
  (void)size_class;
  void **place = bsearch(&block, held, BLOCKS, sizeof held[0], compare);
  size_t *freed = context;
  if (place != NULL) {
    hak_free(block);
    hak_free(hak_malloc(100));
    ++*freed;
  }
  return true;
}

static void free_all_in_it(void *unused) {
  (void)unused;
  size_t freed = 0;
  allocate();
  EXPECT_EQ(visit_live(free_and_allocate, &freed), 0);
  EXPECT_EQ(freed, BLOCKS);
  look(SIZE_MAX);
  for (size_t i = 0; i < BLOCKS; i++) {
    EXPECT_EQ(all.count[i], 0);
  }
}

TEST(VisitTest, TheFunctionMayFreeAndAllocate) { on_a_fresh_thread(free_all_in_it, NULL); }

static void without_memory(void *unused) {
  (void)unused;
  size_t counted = counted_bytes();
  hak_free(hak_malloc(100));
  unit_limit_memory(0);
  errno = UNTOUCHED_ERRNO;
  EXPECT_EQ(visit_live(note, &all), ENOMEM);
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
  unit_limit_memory(SIZE_MAX);
  size_t now = counted_bytes();
  EXPECT_GE(now, counted);
  EXPECT_EQ(look(SIZE_MAX)->most, SIZE_MAX);
  EXPECT_EQ(counted_bytes(), now); /* the set is counted no more */
}

TEST(VisitTest, WithoutMemoryNothingIsVisited) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(without_memory, NULL, "");
}

static void under_a_limit(void *unused) {
  (void)unused;
  hak_free(hak_malloc(100));
  hak_limit_set(0, counted_bytes() + 4096);
  EXPECT_EQ(visit_live(note, &all), ENOMEM);
  hak_limit_set(0, 0);
  EXPECT_EQ(visit_live(note, &all), 0);
}

TEST(VisitTest, ItKeepsTheLimit) { EXPECT_RUNS(under_a_limit, NULL, ""); }
