/* retain: how much empty memory is kept. The boxes that own memory report here; the tests report in their place, each
 * in a process of its own, where next to nothing else is retained. */
#include "cold/retain.h"

#include <unistd.h>

#include "config/options.h"
#include "os/system.h"
#include "unit/unit.h"

enum { START = 2 * 1024 * 1024 }; /* HAKMEM_RETAIN_KIB in the balanced profile */

static void count(void *unused) {
  (void)unused;
  size_t active = active_bytes();
  size_t retained = retained_bytes();
  retain_activate(RETAIN_HUGE, 10 * MIB, 0);
  EXPECT_EQ(active_bytes() - active, 10 * MIB);
  EXPECT_EQ(retained_bytes(), retained);
  retain_deactivate(RETAIN_HUGE, 4 * MIB);
  EXPECT_EQ(active_bytes() - active, 6 * MIB);
  EXPECT_EQ(retained_bytes() - retained, 4 * MIB);
  retain_activate(RETAIN_HUGE, MIB, 3 * MIB);
  EXPECT_EQ(active_bytes() - active, 10 * MIB);
  EXPECT_EQ(retained_bytes() - retained, MIB);
  retain_drop(RETAIN_HUGE, 2 * MIB);
  EXPECT_EQ(active_bytes() - active, 8 * MIB);
  EXPECT_EQ(retained_bytes() - retained, MIB);
  retain_purged(RETAIN_HUGE, MIB);
  EXPECT_EQ(retained_bytes(), retained);
}

TEST(RetainTest, ActiveAndRetainedAreWhatWasReported) { EXPECT_RUNS(count, NULL, ""); }

static void watch_the_peak(void *unused) {
  (void)unused;
  size_t now = active_bytes() + retained_bytes();
  retain_activate(RETAIN_HUGE, 100 * MIB, 0);
  EXPECT_EQ(peak_committed_bytes(), now + 100 * MIB);
  retain_deactivate(RETAIN_HUGE, 60 * MIB);
  EXPECT_EQ(peak_committed_bytes(), now + 100 * MIB);
  retain_activate(RETAIN_HUGE, 10 * MIB, 20 * MIB);
  EXPECT_EQ(peak_committed_bytes(), now + 110 * MIB); /* what is retained counts, too */
  retain_purged(RETAIN_HUGE, 40 * MIB);
  retain_drop(RETAIN_HUGE, 70 * MIB);
  EXPECT_EQ(peak_committed_bytes(), now + 110 * MIB);
}

TEST(RetainTest, ThePeakCountsActiveAndRetained) { EXPECT_RUNS(watch_the_peak, NULL, ""); }

static void exceed(void *unused) {
  (void)unused;
  EXPECT_EQ(retain_budget(), START);
  size_t retained = retained_bytes();
  EXPECT_EQ(retain_excess(), 0);
  retain_activate(RETAIN_HUGE, 10 * MIB, 0);
  retain_deactivate(RETAIN_HUGE, 2 * MIB - retained);
  EXPECT_EQ(retain_excess(), 0);
  retain_deactivate(RETAIN_HUGE, 1);
  EXPECT_EQ(retain_excess(), 1);
  retain_deactivate(RETAIN_HUGE, MIB);
  EXPECT_EQ(retain_excess(), MIB + 1);
  EXPECT_EQ(option_set("retain_kib", 0), 0);
  EXPECT_EQ(retain_budget(), 0);
  EXPECT_EQ(retain_excess(), 3 * MIB + 1);
  EXPECT_EQ(option_set("retain_kib", 1 << 20), 0);
  EXPECT_EQ(retain_budget(), GIB);
  EXPECT_EQ(retain_excess(), 0);
}

TEST(RetainTest, TheBudgetStartsAtTheOption) { EXPECT_RUNS(exceed, NULL, ""); }

static void raise_by_what_came_back(void *unused) {
  (void)unused;
  retain_activate(RETAIN_HUGE, 100 * MIB, 0);
  size_t budget = retain_budget();
  retain_faulted_back(10 * MIB); /* none of it had been purged */
  EXPECT_EQ(retain_budget(), budget);
  retain_deactivate(RETAIN_HUGE, 20 * MIB);
  retain_purged(RETAIN_HUGE, 20 * MIB);
  EXPECT_EQ(retain_budget(), budget);
  retain_faulted_back(5 * MIB);
  EXPECT_EQ(retain_budget(), budget + 5 * MIB);
  retain_faulted_back(50 * MIB); /* no more than the other 15 */
  EXPECT_EQ(retain_budget(), budget + 20 * MIB);
  retain_faulted_back(10 * MIB);
  EXPECT_EQ(retain_budget(), budget + 20 * MIB);
}

static void raise_up_to_the_peak(void *unused) {
  (void)unused;
  size_t peak = active_bytes() + 8 * MIB;
  retain_activate(RETAIN_HUGE, 8 * MIB, 0);
  for (int i = 0; i < 20; i++) {
    retain_deactivate(RETAIN_HUGE, 2 * MIB);
    retain_purged(RETAIN_HUGE, 2 * MIB);
    retain_activate(RETAIN_HUGE, 2 * MIB, 0);
    retain_faulted_back(2 * MIB);
  }
  EXPECT_GE(retain_budget(), START + 8 * MIB);
  EXPECT_LE(retain_budget(), START + peak);
}

TEST(RetainTest, WhatIsFaultedBackAtOnceRaisesTheBudget) {
  EXPECT_RUNS(raise_by_what_came_back, NULL, "");
  EXPECT_RUNS(raise_up_to_the_peak, NULL, "");
}

static void grow_beside_what_is_kept(void *unused) {
  (void)unused;
  option_set("retain_kib", 64 * 1024);
  retain_activate(RETAIN_HUGE, 200 * MIB, 0);
  retain_deactivate(RETAIN_HUGE, 60 * MIB);
  EXPECT_EQ(retain_excess(), 0); /* the sum is what it was at the peak */
  retain_activate(RETAIN_HUGE, 50 * MIB, 0);
  EXPECT_GE(retain_excess(), 25 * MIB); /* 50 MiB above it, of which a part may be */
  EXPECT_LE(retain_excess(), 50 * MIB);
  retain_purged(RETAIN_HUGE, 50 * MIB);
  EXPECT_EQ(retain_excess(), 0);
  retain_activate(RETAIN_HUGE, 200 * MIB, 0); /* a new peak */
  EXPECT_LE(retain_excess(), 10 * MIB);       /* there is no more than that to give back */
}

TEST(RetainTest, WhatIsKeptDoesNotRaiseThePeak) { EXPECT_RUNS(grow_beside_what_is_kept, NULL, ""); }

static void come_back_late(void *unused) {
  (void)unused;
  retain_activate(RETAIN_HUGE, 100 * MIB, 0);
  retain_deactivate(RETAIN_HUGE, 20 * MIB);
  retain_purged(RETAIN_HUGE, 20 * MIB);
  usleep(1100 * 1000);
  size_t budget = retain_budget();
  retain_faulted_back(20 * MIB);
  EXPECT_EQ(retain_budget(), budget);
}

TEST(RetainTest, WhatIsFaultedBackLaterDoesNot) { EXPECT_RUNS(come_back_late, NULL, ""); }

static void lie_unused(void *unused) {
  (void)unused;
  retain_activate(RETAIN_HUGE, 100 * MIB, 0);
  retain_deactivate(RETAIN_HUGE, 40 * MIB);
  retain_purged(RETAIN_HUGE, 40 * MIB);
  retain_faulted_back(40 * MIB);
  size_t budget = retain_budget();
  EXPECT_EQ(budget, START + 40 * MIB);
  /* 30 MiB lie there while a little is handed out and comes back. */
  retain_deactivate(RETAIN_HUGE, 30 * MIB);
  for (int i = 0; i < 5; i++) {
    usleep(250 * 1000);
    retain_activate(RETAIN_HUGE, 0, MIB);
    retain_deactivate(RETAIN_HUGE, MIB);
  }
  retain_activate(RETAIN_HUGE, 0, MIB);
  retain_deactivate(RETAIN_HUGE, MIB);
  usleep(1050 * 1000);
  retain_activate(RETAIN_HUGE, 0, MIB);
  EXPECT_LT(retain_budget(), budget);
  EXPECT_GE(retain_budget(), START);
  /* By half of what was never needed, more than once in that time. */
  EXPECT_LE(retain_budget(), budget - 29 * MIB / 2);
}

TEST(RetainTest, WhatLiesUnusedLowersTheBudget) { EXPECT_RUNS(lie_unused, NULL, ""); }

static void never_below_the_start(void *unused) {
  (void)unused;
  retain_activate(RETAIN_HUGE, 100 * MIB, 0);
  retain_deactivate(RETAIN_HUGE, 50 * MIB);
  for (int i = 0; i < 3; i++) {
    usleep(1050 * 1000);
    retain_activate(RETAIN_HUGE, 0, 4096);
    retain_deactivate(RETAIN_HUGE, 4096);
  }
  EXPECT_EQ(retain_budget(), START);
}

TEST(RetainTest, TheBudgetNeverFallsBelowTheOption) { EXPECT_RUNS(never_below_the_start, NULL, ""); }

/* ---- figures that several holders change ---- */

static void never_below_nothing(void *unused) {
  (void)unused;
  size_t active = active_bytes();
  size_t retained = retained_bytes();
  for (enum retain_holder holder = RETAIN_POOL; holder < RETAIN_HOLDERS; holder++) {
    retain_recount(holder, MIB, MIB);
    retain_drop(holder, 3 * MIB);
    retain_purged(holder, 3 * MIB);
  }
  EXPECT_EQ(active_bytes(), 0);
  EXPECT_EQ(retained_bytes(), 0);
  retain_deactivate(RETAIN_HUGE, 2 * MIB); /* more than there is */
  EXPECT_EQ(active_bytes(), 0);
  retain_activate(RETAIN_HUGE, 0, 5 * MIB);
  EXPECT_EQ(retained_bytes(), 0);
  retain_recount(RETAIN_POOL, active, retained);
  retain_recount(RETAIN_HUGE, 0, 0);
}

TEST(RetainTest, NoFigureFallsBelowNothing) { EXPECT_RUNS(never_below_nothing, NULL, ""); }

static void count_anew(void *unused) {
  (void)unused;
  retain_activate(RETAIN_POOL, 7 * MIB, 0);
  retain_activate(RETAIN_HUGE, 100 * MIB, 0);
  retain_deactivate(RETAIN_HUGE, 30 * MIB);
  retain_recount(RETAIN_POOL, 10 * MIB, 4 * MIB);
  EXPECT_EQ(active_bytes(), 80 * MIB); /* the other holder's figures stay */
  EXPECT_EQ(retained_bytes(), 34 * MIB);
  retain_recount(RETAIN_HUGE, 20 * MIB, 2 * MIB);
  EXPECT_EQ(active_bytes(), 30 * MIB);
  EXPECT_EQ(retained_bytes(), 6 * MIB);
}

TEST(RetainTest, AHolderCountsAnew) { EXPECT_RUNS(count_anew, NULL, ""); }

enum { SHARE_STEPS = 200000, PIECE = 4096 };

static void purge_often(void *unused) {
  (void)unused;
  for (int i = 0; i < SHARE_STEPS; i++) {
    retain_purged(RETAIN_HUGE, PIECE);
  }
}

static void fault_back_often(void *unused) {
  (void)unused;
  for (int i = 0; i < SHARE_STEPS; i++) {
    retain_faulted_back(3 * PIECE);
    if (retain_budget() > START + (size_t)SHARE_STEPS * PIECE) {
      break;
    }
  }
}

/* What has been purged raises the budget once, however many fault memory back at the same time: were what is left of it to
 * fall below nothing, the budget would rise up to the peak. */
static void fault_back_at_once(void *unused) {
  (void)unused;
  struct unit_thread threads[3];
  retain_activate(RETAIN_POOL, 64 * GIB, 0);
  unit_start(&threads[0], fault_back_often, NULL);
  unit_start(&threads[1], fault_back_often, NULL);
  unit_start(&threads[2], purge_often, NULL);
  for (size_t i = 0; i < 3; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_LE(retain_budget(), START + (size_t)SHARE_STEPS * PIECE);
}

TEST(RetainTest, WhatWasPurgedCountsOnceForAllThreads) { EXPECT_RUNS(fault_back_at_once, NULL, ""); }

static void hold_and_let_go(void *holder_value) {
  enum retain_holder holder = (enum retain_holder)(uintptr_t)holder_value;
  for (int i = 0; i < SHARE_STEPS; i++) {
    retain_activate(holder, 2 * PIECE, 0);
    retain_deactivate(holder, PIECE);
    retain_activate(holder, 0, PIECE);
    retain_drop(holder, PIECE);
    retain_deactivate(holder, PIECE);
    retain_purged(holder, PIECE);
  }
}

static void tell_at_once(void *unused) {
  (void)unused;
  struct unit_thread threads[RETAIN_HOLDERS];
  size_t active = active_bytes();
  size_t retained = retained_bytes();
  for (uintptr_t holder = 0; holder < RETAIN_HOLDERS; holder++) {
    unit_start(&threads[holder], hold_and_let_go, (void *)holder);
  }
  for (size_t holder = 0; holder < RETAIN_HOLDERS; holder++) {
    unit_join(&threads[holder]);
  }
  EXPECT_LE(active_bytes() - active, MIB); /* what the test's own threads took, where malloc is ours */
  EXPECT_EQ(retained_bytes(), retained);
}

TEST(RetainTest, HoldersTellAtTheSameTime) { EXPECT_RUNS(tell_at_once, NULL, ""); }
