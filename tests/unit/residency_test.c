/* residency: how much empty memory is kept. The boxes that own memory report here; the tests report in their place, each
 * in a process of its own, where next to nothing else is retained. */
#include "cold/residency.h"

#include <unistd.h>

#include "cold/pool_parts.h"
#include "config/config.h"
#include "unit/unit.h"

/* HAKMEM_RETAIN_KIB in the balanced profile; what came back at once raises the budget by sixteen times as much. */
enum { START = 2 * 1024 * 1024, RAISE = 16 };

static void activate(size_t fresh_bytes, size_t reused_bytes) {
  residency_activate(HOLDER_HUGE, fresh_bytes, reused_bytes);
  residency_settle();
}

static void count(void *unused) {
  (void)unused;
  size_t active = active_bytes();
  size_t retained = retained_bytes();
  activate(10 * MIB, 0);
  EXPECT_EQ(active_bytes() - active, 10 * MIB);
  EXPECT_EQ(retained_bytes(), retained);
  residency_deactivate(HOLDER_HUGE, 4 * MIB);
  EXPECT_EQ(active_bytes() - active, 6 * MIB);
  EXPECT_EQ(retained_bytes() - retained, 4 * MIB);
  activate(MIB, 3 * MIB);
  EXPECT_EQ(active_bytes() - active, 10 * MIB);
  EXPECT_EQ(retained_bytes() - retained, MIB);
  residency_drop(HOLDER_HUGE, 2 * MIB);
  EXPECT_EQ(active_bytes() - active, 8 * MIB);
  EXPECT_EQ(retained_bytes() - retained, MIB);
  residency_purged(HOLDER_HUGE, MIB);
  EXPECT_EQ(retained_bytes(), retained);
}

TEST(ResidencyTest, ActiveAndRetainedAreWhatWasReported) { EXPECT_RUNS(count, NULL, ""); }

static void watch_the_peak(void *unused) {
  (void)unused;
  size_t now = active_bytes() + retained_bytes();
  activate(100 * MIB, 0);
  EXPECT_EQ(peak_committed_bytes(), now + 100 * MIB);
  residency_deactivate(HOLDER_HUGE, 60 * MIB);
  EXPECT_EQ(peak_committed_bytes(), now + 100 * MIB);
  activate(10 * MIB, 20 * MIB);
  EXPECT_EQ(peak_committed_bytes(), now + 110 * MIB); /* what is retained counts, too */
  residency_purged(HOLDER_HUGE, 40 * MIB);
  residency_drop(HOLDER_HUGE, 70 * MIB);
  EXPECT_EQ(peak_committed_bytes(), now + 110 * MIB);
}

TEST(ResidencyTest, ThePeakCountsActiveAndRetained) { EXPECT_RUNS(watch_the_peak, NULL, ""); }

static void exceed(void *unused) {
  (void)unused;
  EXPECT_EQ(residency_budget(), START);
  size_t retained = retained_bytes();
  EXPECT_EQ(residency_excess(), 0);
  activate(10 * MIB, 0);
  residency_deactivate(HOLDER_HUGE, 2 * MIB - retained);
  EXPECT_EQ(residency_excess(), 0);
  residency_deactivate(HOLDER_HUGE, 1);
  EXPECT_EQ(residency_excess(), 1);
  residency_deactivate(HOLDER_HUGE, MIB);
  EXPECT_EQ(residency_excess(), MIB + 1);
  EXPECT_EQ(option_set("retain_kib", 0), 0);
  EXPECT_EQ(residency_budget(), 0);
  EXPECT_EQ(residency_excess(), 3 * MIB + 1);
  EXPECT_EQ(option_set("retain_kib", 1 << 20), 0);
  EXPECT_EQ(residency_budget(), GIB);
  EXPECT_EQ(residency_excess(), 0);
}

TEST(ResidencyTest, TheBudgetStartsAtTheOption) { EXPECT_RUNS(exceed, NULL, ""); }

static void raise_by_what_came_back(void *unused) {
  (void)unused;
  activate(100 * MIB, 0);
  size_t budget = residency_budget();
  residency_faulted_back(10 * MIB); /* none of it had been purged */
  EXPECT_EQ(residency_budget(), budget);
  residency_deactivate(HOLDER_HUGE, 4 * MIB);
  residency_purged(HOLDER_HUGE, 4 * MIB);
  EXPECT_EQ(residency_budget(), budget);
  residency_faulted_back(MIB);
  EXPECT_EQ(residency_budget(), budget + RAISE * MIB);
  residency_faulted_back(50 * MIB); /* no more than the other three */
  EXPECT_EQ(residency_budget(), budget + RAISE * 4 * MIB);
  residency_faulted_back(10 * MIB);
  EXPECT_EQ(residency_budget(), budget + RAISE * 4 * MIB);
}

static void raise_up_to_the_peak(void *unused) {
  (void)unused;
  size_t peak = active_bytes() + 8 * MIB;
  activate(8 * MIB, 0);
  for (int i = 0; i < 20; i++) {
    residency_deactivate(HOLDER_HUGE, 2 * MIB);
    residency_purged(HOLDER_HUGE, 2 * MIB);
    activate(2 * MIB, 0);
    residency_faulted_back(2 * MIB);
  }
  EXPECT_GE(residency_budget(), START + 8 * MIB);
  EXPECT_LE(residency_budget(), START + peak);
}

TEST(ResidencyTest, WhatIsFaultedBackAtOnceRaisesTheBudget) {
  EXPECT_RUNS(raise_by_what_came_back, NULL, "");
  EXPECT_RUNS(raise_up_to_the_peak, NULL, "");
}

static void grow_beside_what_is_kept(void *unused) {
  (void)unused;
  option_set("retain_kib", 192 * 1024);
  activate(200 * MIB, 0);
  residency_deactivate(HOLDER_HUGE, 120 * MIB);
  EXPECT_EQ(residency_excess(), 0); /* the sum is what it was at the peak */
  activate(110 * MIB, 0);
  EXPECT_GE(residency_excess(), 34 * MIB); /* 110 above it: a quarter of the peak and an eighth of the budget may be */
  EXPECT_LE(residency_excess(), 38 * MIB);
  residency_purged(HOLDER_HUGE, 110 * MIB);
  EXPECT_EQ(residency_excess(), 0);
  activate(200 * MIB, 0);                  /* a new peak */
  EXPECT_LE(residency_excess(), 10 * MIB); /* there is no more than that to give back */
}

TEST(ResidencyTest, WhatIsRetainedDoesNotRaiseThePeak) { EXPECT_RUNS(grow_beside_what_is_kept, NULL, ""); }

static void keep_more_in_parts(void *unused) {
  (void)unused;
  option_set("retain_kib", 80 * 1024);
  activate(200 * MIB, 0);
  EXPECT_GE(residency_allowance(), 60 * MIB); /* a quarter of the peak and an eighth of the budget, */
  EXPECT_LE(residency_allowance(), 61 * MIB);
  parts_raise(2);
  EXPECT_EQ(residency_allowance(), 80 * MIB); /* or a half, which is more than the budget */
  option_set("retain_kib", 1 << 20);
  EXPECT_GE(residency_allowance(), 228 * MIB);
  EXPECT_LE(residency_allowance(), 229 * MIB);
}

TEST(ResidencyTest, WhereThePoolIsDividedMoreIsRetained) { EXPECT_RUNS(keep_more_in_parts, NULL, ""); }

static size_t whole;

static uint64_t oldest_of_none(void) { return HOLDER_EMPTY; }
static size_t give_none_back(size_t bytes, uint64_t before) { return (void)bytes, (void)before, 0; }
static size_t whole_now(void) { return whole; }

static void break_huge_pages_late(void *unused) {
  (void)unused;
  static const struct holder_calls huge = {oldest_of_none, give_none_back, whole_now};
  residency_join(HOLDER_HUGE, &huge);
  option_set("retain_kib", 0);
  activate(80 * MIB, 0);
  residency_deactivate(HOLDER_HUGE, 30 * MIB);
  whole = 28 * MIB;
  EXPECT_GE(residency_excess(), 19 * MIB); /* but for an eighth of the peak */
  EXPECT_LE(residency_excess(), 20 * MIB);
  whole = 5 * MIB;
  EXPECT_EQ(residency_excess(), retained_bytes() - 5 * MIB);
  whole = 0;
  EXPECT_EQ(residency_excess(), retained_bytes());
}

TEST(ResidencyTest, HugePagesInUseAreBrokenLate) { EXPECT_RUNS(break_huge_pages_late, NULL, ""); }

static void keep_in_heaps(void *unused) {
  (void)unused;
  option_set("retain_kib", 64 * 1024);
  activate(200 * MIB, 0);
  size_t used = used_bytes();
  residency_kept(0, 50 * MIB);
  EXPECT_EQ(used_bytes(), used - 50 * MIB);
  EXPECT_EQ(active_bytes() - used_bytes() - hole_bytes(), 50 * MIB);
  residency_deactivate(HOLDER_HUGE, 20 * MIB);
  EXPECT_EQ(residency_allowance(), 64 * MIB);
  EXPECT_EQ(residency_excess(), 6 * MIB); /* it counts as what is retained, as far as there is such */
  residency_kept(50 * MIB, 10 * MIB);
  EXPECT_EQ(residency_excess(), 0);
  residency_kept(10 * MIB, 100 * MIB);
  EXPECT_EQ(residency_excess(), 20 * MIB);
  activate(60 * MIB, 0); /* no new peak: 100 of 240 are empty */
  EXPECT_LE(residency_allowance(), 64 * MIB);
  residency_kept(100 * MIB, 0);
  EXPECT_EQ(used_bytes(), used + 40 * MIB);
}

TEST(ResidencyTest, WhatHeapsKeepIsNotInUse) { EXPECT_RUNS(keep_in_heaps, NULL, ""); }

static void come_back_late(void *unused) {
  (void)unused;
  activate(100 * MIB, 0);
  residency_deactivate(HOLDER_HUGE, 20 * MIB);
  residency_purged(HOLDER_HUGE, 20 * MIB);
  usleep(1100 * 1000);
  size_t budget = residency_budget();
  residency_faulted_back(20 * MIB);
  EXPECT_EQ(residency_budget(), budget);
}

TEST(ResidencyTest, WhatIsFaultedBackLaterDoesNot) { EXPECT_RUNS(come_back_late, NULL, ""); }

static void lie_unused(void *unused) {
  (void)unused;
  activate(100 * MIB, 0);
  residency_deactivate(HOLDER_HUGE, 40 * MIB);
  residency_purged(HOLDER_HUGE, 3 * MIB);
  residency_faulted_back(3 * MIB);
  size_t budget = residency_budget();
  EXPECT_EQ(budget, START + RAISE * 3 * MIB);
  /* 30 MiB and more lie there while a little is handed out and comes back. */
  residency_deactivate(HOLDER_HUGE, 30 * MIB);
  for (int i = 0; i < 5; i++) {
    usleep(250 * 1000);
    activate(0, MIB);
    residency_settle();
    residency_deactivate(HOLDER_HUGE, MIB);
    residency_settle();
  }
  activate(0, MIB);
  residency_deactivate(HOLDER_HUGE, MIB);
  residency_settle();
  usleep(1050 * 1000);
  activate(0, MIB);
  residency_settle();
  EXPECT_LT(residency_budget(), budget);
  EXPECT_GE(residency_budget(), START);
  /* By half of what was never needed, more than once in that time. */
  EXPECT_LE(residency_budget(), budget - 29 * MIB / 2);
}

TEST(ResidencyTest, WhatLiesUnusedLowersTheBudget) { EXPECT_RUNS(lie_unused, NULL, ""); }

static void never_below_the_start(void *unused) {
  (void)unused;
  activate(100 * MIB, 0);
  residency_deactivate(HOLDER_HUGE, 50 * MIB);
  for (int i = 0; i < 3; i++) {
    usleep(1050 * 1000);
    activate(0, 4096);
    residency_deactivate(HOLDER_HUGE, 4096);
    residency_settle();
  }
  EXPECT_EQ(residency_budget(), START);
}

TEST(ResidencyTest, TheBudgetNeverFallsBelowTheOption) { EXPECT_RUNS(never_below_the_start, NULL, ""); }

/* ---- figures that several holders change ---- */

static void never_below_nothing(void *unused) {
  (void)unused;
  size_t active = active_bytes();
  size_t retained = retained_bytes();
  for (enum holder holder = HOLDER_POOL; holder < HOLDERS; holder++) {
    residency_recount(holder, MIB, MIB);
    residency_drop(holder, 3 * MIB);
    residency_purged(holder, 3 * MIB);
  }
  EXPECT_EQ(active_bytes(), 0);
  EXPECT_EQ(retained_bytes(), 0);
  residency_deactivate(HOLDER_HUGE, 2 * MIB); /* more than there is */
  EXPECT_EQ(active_bytes(), 0);
  activate(0, 5 * MIB);
  EXPECT_EQ(retained_bytes(), 0);
  residency_recount(HOLDER_POOL, active, retained);
  residency_recount(HOLDER_HUGE, 0, 0);
}

TEST(ResidencyTest, NoFigureFallsBelowNothing) { EXPECT_RUNS(never_below_nothing, NULL, ""); }

static void count_anew(void *unused) {
  (void)unused;
  residency_activate(HOLDER_POOL, 7 * MIB, 0);
  activate(100 * MIB, 0);
  residency_deactivate(HOLDER_HUGE, 30 * MIB);
  residency_recount(HOLDER_POOL, 10 * MIB, 4 * MIB);
  EXPECT_EQ(active_bytes(), 80 * MIB); /* the other holder's figures stay */
  EXPECT_EQ(retained_bytes(), 34 * MIB);
  residency_recount(HOLDER_HUGE, 20 * MIB, 2 * MIB);
  EXPECT_EQ(active_bytes(), 30 * MIB);
  EXPECT_EQ(retained_bytes(), 6 * MIB);
}

TEST(ResidencyTest, AHolderCountsAnew) { EXPECT_RUNS(count_anew, NULL, ""); }

enum { SHARE_STEPS = 200000, PIECE = 4096 };

static void purge_often(void *unused) {
  (void)unused;
  for (int i = 0; i < SHARE_STEPS; i++) {
    residency_purged(HOLDER_HUGE, PIECE);
  }
}

static void fault_back_often(void *unused) {
  (void)unused;
  for (int i = 0; i < SHARE_STEPS; i++) {
    residency_faulted_back(3 * PIECE);
    if (residency_budget() > START + (size_t)RAISE * SHARE_STEPS * PIECE) {
      break;
    }
  }
}

/* What has been purged raises the budget once, however many fault memory back at the same time: were what is left of it to
 * fall below nothing, the budget would rise up to the peak. */
static void fault_back_at_once(void *unused) {
  (void)unused;
  struct unit_thread threads[3];
  residency_activate(HOLDER_POOL, 64 * GIB, 0);
  unit_start(&threads[0], fault_back_often, NULL);
  unit_start(&threads[1], fault_back_often, NULL);
  unit_start(&threads[2], purge_often, NULL);
  for (size_t i = 0; i < 3; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_LE(residency_budget(), START + (size_t)RAISE * SHARE_STEPS * PIECE);
}

TEST(ResidencyTest, WhatWasPurgedCountsOnceForAllThreads) { EXPECT_RUNS(fault_back_at_once, NULL, ""); }

static void hold_and_let_go(void *holder_value) {
  enum holder holder = (enum holder)(uintptr_t)holder_value;
  for (int i = 0; i < SHARE_STEPS; i++) {
    residency_activate(holder, 2 * PIECE, 0);
    residency_deactivate(holder, PIECE);
    residency_activate(holder, 0, PIECE);
    residency_drop(holder, PIECE);
    residency_deactivate(holder, PIECE);
    residency_purged(holder, PIECE);
  }
}

static void tell_at_once(void *unused) {
  (void)unused;
  struct unit_thread threads[HOLDERS];
  size_t active = active_bytes();
  size_t retained = retained_bytes();
  for (uintptr_t holder = 0; holder < HOLDERS; holder++) {
    unit_start(&threads[holder], hold_and_let_go, (void *)holder);
  }
  for (size_t holder = 0; holder < HOLDERS; holder++) {
    unit_join(&threads[holder]);
  }
  EXPECT_LE(active_bytes() - active, MIB); /* what the test's own threads took, where malloc is ours */
  EXPECT_EQ(retained_bytes(), retained);
}

TEST(ResidencyTest, HoldersTellAtTheSameTime) { EXPECT_RUNS(tell_at_once, NULL, ""); }

/* ---- what is in use, but not resident ---- */

static void count_fresh(void *unused) {
  (void)unused;
  size_t before = hole_bytes();
  residency_fresh(10 * UNIT_BYTES, 1);
  residency_fresh(8 * UNIT_BYTES, SLAB_UNITS_MAX);
  residency_holes_made(5 * 4096);
  EXPECT_EQ(hole_bytes() - before, 18 * UNIT_BYTES + 5 * 4096);
  residency_fresh_used(3 * UNIT_BYTES, 1);
  residency_fresh_used(8 * UNIT_BYTES, SLAB_UNITS_MAX);
  residency_holes_closed(2 * 4096);
  EXPECT_EQ(hole_bytes() - before, 7 * UNIT_BYTES + 3 * 4096);
  /* A hole that is filled within a second raises the budget, as a unit that is faulted back does. */
  size_t budget = residency_budget();
  activate(100 * MIB, 0);
  residency_hole_filled(4096);
  EXPECT_EQ(residency_budget() - budget, RAISE * 4096);
  EXPECT_EQ(hole_bytes() - before, 7 * UNIT_BYTES + 2 * 4096);
  /* 7 units of one are fresh: few, if there are 42. */
  for (unsigned i = 0; i < 7 * 6 - 1; i++) {
    residency_unit_bound();
  }
  size_t other_units = (before + UNIT_BYTES - 1) / UNIT_BYTES * 6;
  if (before == 0) {
    EXPECT_FALSE(residency_units_are_dense());
  }
  for (size_t i = 0; i <= other_units; i++) {
    residency_unit_bound();
  }
  EXPECT_TRUE(residency_units_are_dense());
  residency_fresh(other_units * UNIT_BYTES + UNIT_BYTES, 1);
  EXPECT_FALSE(residency_units_are_dense());
}

TEST(ResidencyTest, FreshMemoryAndHolesAreInUseButNotResident) { EXPECT_RUNS(count_fresh, NULL, ""); }
