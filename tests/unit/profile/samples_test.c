/* samples: what was put is found once. */
#include "profile/samples.h"

#include "cold/cold.h"
#include "os/os.h"
#include "unit/heaps.h"

static const void *at(uintptr_t address) { return (const void *)address; } // NOLINT(performance-no-int-to-ptr)

TEST(SamplesTest, WhatWasPutIsTakenOnce) {
  struct sample got;
  EXPECT_FALSE(samples_take(at(0x10), &got));
  ASSERT_TRUE(samples_put(&(struct sample){.block = at(0x10), .size = 7, .bytes = 70}));
  ASSERT_TRUE(samples_put(&(struct sample){.block = at(0x20), .size = 8, .bytes = 80}));
  EXPECT_EQ(samples_count(), 2);
  EXPECT_TRUE(samples_may_have_big(at(0x10))); /* no address of a slab */
  EXPECT_TRUE(samples_take(at(0x10), &got));
  EXPECT_EQ(got.block, at(0x10));
  EXPECT_EQ(got.size, 7);
  EXPECT_EQ(got.bytes, 70);
  EXPECT_FALSE(samples_may_have_big(at(0x10)));
  EXPECT_FALSE(samples_take(at(0x10), &got));
  EXPECT_TRUE(samples_take(at(0x20), &got));
  EXPECT_EQ(samples_count(), 0);
}

TEST(SamplesTest, Copies) {
  for (uintptr_t i = 1; i <= 100; i++) {
    ASSERT_TRUE(samples_put(&(struct sample){.block = at(i * 64), .size = i}));
  }
  static struct sample copies[200];
  EXPECT_EQ(samples_copy(copies, 200), 100);
  size_t sum = 0;
  for (int i = 0; i < 100; i++) {
    EXPECT_EQ((uintptr_t)copies[i].block, copies[i].size * 64);
    sum += copies[i].size;
  }
  EXPECT_EQ(sum, 5050);
  copies[10].size = 0;
  EXPECT_EQ(samples_copy(copies, 10), 100); /* and no more than there is room for */
  EXPECT_EQ(copies[10].size, 0);
  struct sample got;
  for (uintptr_t i = 1; i <= 100; i++) {
    ASSERT_TRUE(samples_take(at(i * 64), &got));
  }
}

enum { THREADS = 4, EACH = 20000 };

static void put_and_take(void *number) {
  uintptr_t base = (uintptr_t)(*(int *)number + 1) << 32;
  struct sample got;
  for (uintptr_t i = 0; i < EACH; i++) {
    if (!samples_put(&(struct sample){.block = at(base + i * 16), .size = i})) {
      unit_fail(__FILE__, __LINE__, "put");
    }
  }
  for (uintptr_t i = 0; i < EACH; i++) {
    if (!samples_take(at(base + i * 16), &got) || got.size != i) {
      unit_fail(__FILE__, __LINE__, "take");
    }
  }
}

TEST(SamplesTest, ThreadsPutAndTake) {
  struct unit_thread threads[THREADS];
  int numbers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    numbers[i] = i;
    unit_start(&threads[i], put_and_take, &numbers[i]);
  }
  for (int i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_EQ(samples_count(), 0);
}

static void fill(void *unused) {
  (void)unused;
  uintptr_t had = 0;
  while (samples_put(&(struct sample){.block = at((had + 1) * 16), .size = had})) {
    had++;
  }
  EXPECT_EQ(had, SAMPLES_MOST);
  struct sample got;
  EXPECT_TRUE(samples_take(at(16), &got));
  EXPECT_TRUE(samples_put(&got)); /* there is a place again */
}

TEST(SamplesTest, TheirNumberIsBounded) { EXPECT_RUNS(fill, NULL, ""); }

/* ---- fork ---- */

static _Atomic bool holds, may_end;

static void hold_the_lock(void *unused) {
  (void)unused;
  lock_take(LOCK_SAMPLES);
  holds = true;
  while (!may_end) {
  }
  lock_drop(LOCK_SAMPLES);
}

static void in_the_child(void *unused) {
  (void)unused;
  struct sample got;
  EXPECT_TRUE(samples_take(at(0x30), &got));
  EXPECT_EQ(got.size, 9);
  EXPECT_EQ(samples_count(), 0);
  EXPECT_FALSE(samples_may_have_big(at(0x30)));
  EXPECT_TRUE(samples_put(&got));
}

TEST(SamplesTest, AChildOfForkFindsThemWhateverWasHeld) {
  if (UNIT_SANITIZED) {
    SKIP("no threads in the child of fork() under a sanitizer");
  }
  struct unit_thread holder;
  ASSERT_TRUE(samples_put(&(struct sample){.block = at(0x30), .size = 9}));
  unit_start(&holder, hold_the_lock, NULL);
  while (!holds) {
  }
  EXPECT_FORKS(in_the_child, NULL);
  may_end = true;
  unit_join(&holder);
  struct sample got;
  EXPECT_TRUE(samples_take(at(0x30), &got));
}
