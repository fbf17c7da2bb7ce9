/* critical: what waits for the end of a thread's critical sections. */
#include "os/critical.h"

#include "os/os.h"
#include "unit/unit.h"

static unsigned ran;
static uint32_t depth_then;

static void work(void) {
  ran++;
  depth_then = critical_depth;
  EXPECT_EQ(critical_deferred, NULL); /* it is forgotten before it runs */
}

TEST(CriticalTest, OutsideWorkIsDoneAtOnce) {
  ran = 0;
  EXPECT_EQ(critical_depth, 0);
  critical_defer(work);
  EXPECT_EQ(ran, 1);
  critical_enter();
  critical_leave();
  EXPECT_EQ(ran, 1); /* and once */
}

TEST(CriticalTest, InsideItIsDoneWhenTheOutermostIsLeft) {
  ran = 0;
  critical_enter();
  critical_enter();
  critical_defer(work);
  EXPECT_EQ(critical_deferred, work);
  critical_enter();
  critical_leave();
  EXPECT_EQ(ran, 0);
  critical_leave();
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(critical_depth, 1);
  critical_leave();
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(depth_then, 0);
  EXPECT_EQ(critical_deferred, NULL);
  critical_enter();
  critical_leave();
  EXPECT_EQ(ran, 1);
}

TEST(CriticalTest, ALockIsASection) {
  ran = 0;
  lock_take(LOCK_BIG);
  EXPECT_EQ(critical_depth, 1);
  critical_defer(work);
  lock_take(LOCK_META);
  lock_drop(LOCK_META);
  EXPECT_EQ(ran, 0);
  lock_drop(LOCK_BIG);
  EXPECT_EQ(ran, 1);
}

static void work_with_sections_of_its_own(void) {
  critical_enter();
  critical_enter();
  critical_leave();
  critical_leave();
  work();
}

TEST(CriticalTest, TheWorkMayHaveSectionsOfItsOwn) {
  ran = 0;
  critical_enter();
  critical_defer(work_with_sections_of_its_own);
  critical_leave();
  EXPECT_EQ(ran, 1);
}

static void be_elsewhere(void *unused) {
  (void)unused;
  EXPECT_EQ(critical_depth, 0);
  critical_enter();
  EXPECT_EQ(critical_depth, 1);
}

TEST(CriticalTest, TheDepthIsEachThreadsOwn) {
  critical_enter();
  critical_enter();
  unit_in_thread(be_elsewhere, NULL);
  EXPECT_EQ(critical_depth, 2);
  critical_leave();
  critical_leave();
  EXPECT_EQ(critical_depth, 0);
}

static void other_work(void) { ran += 10; }

TEST(CriticalTest, WhatASignalHandlerWantsWaitsToo) {
  ran = 0;
  EXPECT_TRUE(critical_try_defer(work));
  EXPECT_EQ(ran, 1);
  critical_enter();
  EXPECT_TRUE(critical_try_defer(work));
  EXPECT_TRUE(critical_try_defer(work)); /* a second signal */
  EXPECT_EQ(ran, 1);
  critical_leave();
  EXPECT_EQ(ran, 2);
}

TEST(CriticalTest, ItDoesNotTakeThePlaceOfOtherWork) {
  ran = 0;
  critical_enter();
  critical_defer(other_work);
  EXPECT_FALSE(critical_try_defer(work));
  critical_leave();
  EXPECT_EQ(ran, 10);
}
