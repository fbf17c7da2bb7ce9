/* figures: what the heap holds, against what is known to be in it. */
#include "report/figures.h"

#include <string.h>

#include "unit/heaps.h"

enum { BLOCKS = 5000 };

static void *blocks[BLOCKS];

static struct heap_figures take_figures(void) {
  struct heap_figures figures;
  figures_take(&figures);
  EXPECT_EQ(figures.changing, 0);
  struct slab_figures sum = {0};
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    const struct slab_figures *one = &figures.by_class[size_class];
    EXPECT_EQ(one->bound, one->live + one->cached + one->free + one->holes + one->fresh + one->rest);
    EXPECT_EQ(one->live, one->blocks * size_classes[size_class].stride);
    sum.bound += one->bound;
    sum.live += one->live;
    sum.slabs += one->slabs;
  }
  EXPECT_EQ(figures.slabs.bound, sum.bound);
  EXPECT_EQ(figures.slabs.live, sum.live);
  EXPECT_EQ(figures.slabs.slabs, sum.slabs);
  return figures;
}

static void count_known(void *unused) {
  (void)unused;
  struct heap_figures before = take_figures();
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = hak_malloc(112);
  }
  void *large = hak_malloc(100 * KIB);
  void *huge = hak_malloc(5 * MIB);
  struct heap_figures with = take_figures();
  size_t size_class = class_of(blocks[0]);
  EXPECT_EQ(with.by_class[size_class].blocks - before.by_class[size_class].blocks, BLOCKS);
  EXPECT_EQ(with.slabs.live - before.slabs.live, (size_t)BLOCKS * 112);
  EXPECT_EQ(with.large - before.large, 2 * UNIT_BYTES);
  EXPECT_EQ(with.large_blocks - before.large_blocks, 1);
  EXPECT_EQ(with.huge_blocks - before.huge_blocks, 1);
  EXPECT_GE(with.huge - before.huge, 5 * MIB);
  EXPECT_EQ(figures_blocks(&with) - figures_blocks(&before), BLOCKS + 2);
  EXPECT_GE(figures_held(&with), figures_live(&with));
  for (size_t i = 0; i < BLOCKS; i++) {
    hak_free(blocks[i]);
  }
  hak_free(large);
  hak_free(huge);
  struct heap_figures after = take_figures();
  EXPECT_EQ(figures_live(&after), figures_live(&before));
  EXPECT_EQ(figures_blocks(&after), figures_blocks(&before));
  EXPECT_GT(after.slabs.cached, 0);
  EXPECT_GE(after.kept, 2 * UNIT_BYTES); /* the large block's */
}

TEST(FiguresTest, LiveIsWhatTheProgramHolds) { unit_in_thread(count_known, NULL); }

static void free_them(void *unused) {
  (void)unused;
  for (size_t i = 0; i < BLOCKS; i++) {
    hak_free(blocks[i]);
  }
  EXPECT_EQ(take_figures().by_class[class_of(blocks[0])].blocks, 0);
}

static void free_elsewhere(void *unused) {
  (void)unused;
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = hak_malloc(3000);
  }
  EXPECT_EQ(take_figures().by_class[class_of(blocks[0])].blocks, BLOCKS);
  unit_in_thread(free_them, NULL);
  EXPECT_EQ(take_figures().by_class[class_of(blocks[0])].blocks, 0);
}

TEST(FiguresTest, WhatAnotherThreadHasFreedIsNotLive) { unit_in_thread(free_elsewhere, NULL); }

static void in_child(void *before) {
  struct heap_figures *figures = before;
  EXPECT_EQ(take_figures().slabs.live, figures->slabs.live);
}

static void wait_in(void *turn) {
  void *some[100];
  for (size_t i = 0; i < 100; i++) {
    some[i] = hak_malloc(500);
  }
  for (size_t i = 0; i < 50; i++) {
    hak_free(some[i]);
  }
  atomic_fetch_add((atomic_int *)turn, 1);
  while (atomic_load((atomic_int *)turn) < 2) {
  }
}

TEST(FiguresTest, AChildOfForkHasThoseOfItsParent) {
  if (UNIT_SANITIZED) {
    SKIP("there is no thread in the child");
  }
  atomic_int turn = 0;
  struct unit_thread thread;
  unit_start(&thread, wait_in, &turn);
  while (atomic_load(&turn) < 1) {
  }
  struct heap_figures figures = take_figures();
  EXPECT_FORKS(in_child, &figures);
  atomic_store(&turn, 2);
  unit_join(&thread);
}
