/* residency: which goes first, of what is beyond the budget. Made-up holders report in the place of the boxes that own memory, each test in
 * a process of its own. */
#include "cold/residency.h"

#include <string.h>
#include <unistd.h>

#include "cold/huge.h"
#include "cold/huge_kept.h"
#include "cold/huge_ranges.h"
#include "cold/shared_pool.h"
#include "config/config.h"
#include "os/os.h"
#include "os/system.h"
#include "unit/unit.h"

enum { PIECES = 8, ASKED_MAX = 64 };

/* A holder of pieces of a MiB; the oldest first. */
static struct fake {
  uint64_t freed[PIECES]; /* 0: no piece any more */
  bool refuses;
} fakes[HOLDERS];

/* What the holders were asked to give, in this order. */
static struct {
  enum holder holder;
  size_t bytes;
} asked[ASKED_MAX];
static size_t asked_count, looked;

static size_t find_piece(const struct fake *fake) {
  size_t found = PIECES;
  for (size_t i = 0; i < PIECES; i++) {
    if (fake->freed[i] != 0 && (found == PIECES || fake->freed[i] < fake->freed[found])) {
      found = i;
    }
  }
  return found;
}

static uint64_t oldest_of(enum holder holder) {
  looked++;
  size_t piece = find_piece(&fakes[holder]);
  return piece == PIECES ? HOLDER_EMPTY : fakes[holder].freed[piece];
}

/* Gives one piece at a time, however much is asked for. */
static size_t give_back_of(enum holder holder, size_t bytes, uint64_t before) {
  if (before == UINT64_MAX) {
    EXPECT_GT(before, oldest_of(holder)); /* what it is asked for is among it */
  }
  asked[asked_count].holder = holder;
  asked[asked_count].bytes = bytes;
  asked_count++;
  size_t piece = find_piece(&fakes[holder]);
  if (fakes[holder].refuses || piece == PIECES || fakes[holder].freed[piece] >= before) {
    return 0;
  }
  fakes[holder].freed[piece] = 0;
  residency_purged(holder, MIB);
  return MIB;
}

static uint64_t oldest_of_pool(void) { return oldest_of(HOLDER_POOL); }
static uint64_t oldest_of_huge(void) { return oldest_of(HOLDER_HUGE); }
static size_t give_back_of_pool(size_t bytes, uint64_t before) { return give_back_of(HOLDER_POOL, bytes, before); }
static size_t give_back_of_huge(size_t bytes, uint64_t before) { return give_back_of(HOLDER_HUGE, bytes, before); }

static void hold(enum holder holder, size_t piece, uint64_t freed) {
  fakes[holder].freed[piece] = freed;
  residency_activate(holder, MIB, 0);
  residency_deactivate(holder, MIB);
}

/* So much was resident at once, of which 100 MiB were in use: nothing below is a new peak of the former. */
static void resident_before(size_t bytes) {
  residency_recount(HOLDER_HUGE, bytes, 0);
  residency_kept(0, bytes - 100 * MIB);
  residency_settle();
  residency_kept(bytes - 100 * MIB, 0);
}

/* In the place of the boxes that retain memory, which have none; the pieces of one are freed at 1, 4 and 5, of the other at 2, 3
 * and 6. */
static void replace_holders(void) {
  static const struct holder_calls pool = {oldest_of_pool, give_back_of_pool, NULL};
  static const struct holder_calls huge = {oldest_of_huge, give_back_of_huge, NULL};
  option_set("retain_kib", 1 << 20);
  residency_recount(HOLDER_POOL, 0, 0);
  resident_before(200 * MIB);
  residency_recount(HOLDER_HUGE, 100 * MIB, 0);
  residency_join(HOLDER_POOL, &pool);
  residency_join(HOLDER_HUGE, &huge);
  hold(HOLDER_POOL, 0, 4);
  hold(HOLDER_POOL, 1, 1);
  hold(HOLDER_POOL, 2, 5);
  hold(HOLDER_HUGE, 0, 3);
  hold(HOLDER_HUGE, 1, 2);
  hold(HOLDER_HUGE, 2, 6);
}

static void expect_asked(const enum holder *order, size_t count) {
  EXPECT_EQ(asked_count, count);
  for (size_t i = 0; i < count; i++) {
    NOTE("question %zu", i);
    EXPECT_EQ(asked[i].holder, order[i]);
  }
}

static void ask_by_age(void *unused) {
  (void)unused;
  replace_holders();
  residency_settle();
  EXPECT_EQ(asked_count, 0); /* nothing is in excess: nobody is asked, not even for an age */
  EXPECT_EQ(looked, 0);
  option_set("retain_kib", 0);
  residency_settle();
  const enum holder order[] = {HOLDER_POOL, HOLDER_HUGE, HOLDER_HUGE, HOLDER_POOL, HOLDER_POOL, HOLDER_HUGE};
  expect_asked(order, 6);
  for (size_t i = 0; i < 6; i++) {
    EXPECT_EQ(asked[i].bytes, (6 - i) * MIB); /* what is left of it */
  }
  EXPECT_EQ(retained_bytes(), 0);
  residency_settle();
  EXPECT_EQ(asked_count, 6);
}

TEST(ResidencyTest, TheHolderOfWhatWasFreedFirstIsAskedFirst) { EXPECT_RUNS(ask_by_age, NULL, ""); }

static void ask_for_the_excess(void *unused) {
  (void)unused;
  replace_holders();
  option_set("retain_kib", 4 * 1024);
  residency_settle();
  EXPECT_EQ(asked[0].bytes, 2 * MIB); /* none of what may stay */
  EXPECT_EQ(asked_count, 2);
  EXPECT_EQ(retained_bytes(), 4 * MIB);
  hold(HOLDER_POOL, 3, 7);
  residency_settle(); /* one MiB is not worth a call */
  EXPECT_EQ(asked_count, 2);
}

TEST(ResidencyTest, TheExcessGoesAndNoMore) { EXPECT_RUNS(ask_for_the_excess, NULL, ""); }

static void wait_for_more(void *unused) {
  (void)unused;
  resident_before(600 * MIB);
  replace_holders(); /* 100 MiB were in use at once, or some more: a 64th of that may wait */
  option_set("retain_kib", 6 * 1024 - 1536);
  EXPECT_EQ(residency_excess(), MIB + MIB / 2);
  residency_settle();
  EXPECT_EQ(asked_count, 0);
  option_set("retain_kib", 4 * 1024);
  residency_settle();
  EXPECT_EQ(retained_bytes(), 4 * MIB);
  residency_activate(HOLDER_HUGE, 400 * MIB, 0);
  residency_settle();
  EXPECT_EQ(retained_bytes(), 4 * MIB);
  residency_drop(HOLDER_HUGE, 400 * MIB); /* 2 MiB at most */
  option_set("retain_kib", 2 * 1024);
  residency_settle();
  EXPECT_EQ(retained_bytes(), 4 * MIB);
  option_set("retain_kib", 2 * 1024 - 1);
  residency_settle();
  EXPECT_EQ(retained_bytes(), MIB);
}

static void wait_for_nothing(void *unused) {
  (void)unused;
  replace_holders();
  EXPECT_FALSE(residency_is_due(MIB)); /* a 64th of 100 MiB is more */
  EXPECT_TRUE(residency_is_due(2 * MIB));
  option_set("retain_kib", 0);
  EXPECT_TRUE(residency_is_due(1));
  residency_settle();
  EXPECT_EQ(retained_bytes(), 0);
  hold(HOLDER_POOL, 3, 7);
  residency_settle();
  EXPECT_EQ(retained_bytes(), 0);
}

TEST(ResidencyTest, TheExcessWaitsUntilItIsWorthASystemCall) {
  EXPECT_RUNS(wait_for_more, NULL, "");
  EXPECT_RUNS(wait_for_nothing, NULL, "");
}

static void take(enum holder holder, size_t bytes) {
  residency_activate(holder, bytes, 0);
  residency_settle();
}

static void make_way(void *unused) {
  (void)unused;
  replace_holders(); /* 106 MiB are resident, of which 6 are retained, and more may be; 200 were resident */
  take(HOLDER_HUGE, 94 * MIB);
  EXPECT_EQ(asked_count, 0);
  take(HOLDER_POOL, 3 * MIB);
  EXPECT_EQ(asked[0].bytes, 3 * MIB);
  EXPECT_EQ(asked[1].bytes, 2 * MIB); /* what is left of it, of the other holder */
  EXPECT_EQ(retained_bytes(), 4 * MIB);
  residency_settle();
  EXPECT_EQ(retained_bytes(), 4 * MIB); /* once */
  residency_drop(HOLDER_HUGE, 20 * MIB);
  take(HOLDER_HUGE, 20 * MIB); /* no more than there was */
  EXPECT_EQ(retained_bytes(), 4 * MIB);
  take(HOLDER_HUGE, 20 * MIB);
  take(HOLDER_HUGE, 20 * MIB);
  EXPECT_EQ(retained_bytes(), 0);
  size_t asked_so_far = asked_count;
  take(HOLDER_HUGE, 20 * MIB);
  EXPECT_EQ(asked_count, asked_so_far); /* nobody has any: nobody is asked, which takes locks */
}

TEST(ResidencyTest, WhatIsRetainedMakesWayForANewPeak) { EXPECT_RUNS(make_way, NULL, ""); }

static void make_no_way(void *unused) {
  (void)unused;
  replace_holders();
  memset(fakes, 0, sizeof fakes);
  residency_recount(HOLDER_POOL, 0, 0);
  residency_recount(HOLDER_HUGE, 200 * MIB, 0);
  hold(HOLDER_POOL, 3, os_milliseconds()); /* it may be used again soon */
  uint64_t start = os_milliseconds();
  for (size_t i = 0; i < 100; i++) {
    take(HOLDER_HUGE, 20 * MIB);
  }
  EXPECT_EQ(retained_bytes(), MIB);
  EXPECT_GT(asked_count, 0);
  EXPECT_LE(asked_count, HOLDERS * (os_milliseconds() - start + 1)); /* in vain, but not each time */
}

TEST(ResidencyTest, WhatWasJustFreedDoesNot) { EXPECT_RUNS(make_no_way, NULL, ""); }

/* Of whatever age, the oldest first; and faulted back it raises no budget. */
static void make_way_for_so_much(void *unused) {
  (void)unused;
  replace_holders();
  size_t budget = residency_budget();
  size_t retained = retained_bytes();
  residency_make_way(3 * MIB);
  EXPECT_EQ(retained_bytes(), retained - 3 * MIB);
  residency_faulted_back(3 * MIB);
  EXPECT_EQ(residency_budget(), budget);
  residency_make_way(100 * MIB); /* all there is */
  EXPECT_EQ(retained_bytes(), 0);
  residency_make_way(0);
}

TEST(ResidencyTest, WhatMakesWayRaisesNoBudget) { EXPECT_RUNS(make_way_for_so_much, NULL, ""); }

static void refuse_once(void *unused) {
  (void)unused;
  replace_holders();
  fakes[HOLDER_POOL].refuses = true; /* it has the oldest */
  option_set("retain_kib", 0);
  residency_settle();
  const enum holder order[] = {HOLDER_POOL, HOLDER_HUGE, HOLDER_HUGE, HOLDER_HUGE,
                               HOLDER_POOL, HOLDER_POOL, HOLDER_POOL, HOLDER_POOL};
  expect_asked(order, 4); /* asked once in vain */
  EXPECT_EQ(retained_bytes(), 3 * MIB);
  residency_settle(); /* once more: both refuse, or have none */
  expect_asked(order, 5);
  fakes[HOLDER_POOL].refuses = false;
  residency_settle();
  expect_asked(order, 8);
  EXPECT_EQ(retained_bytes(), 0);
}

TEST(ResidencyTest, AHolderThatRefusesIsNotAskedAgain) { EXPECT_RUNS(refuse_once, NULL, ""); }

/* 40 MiB that were freed first go, and not the pool's units, which are in use now and then. */
static void keep_what_is_in_use(void *unused) {
  (void)unused;
  enum { RUNS = 8, RUN_UNITS = 8 };
  bool zeroed;
  option_set("retain_kib", 64 * 1024);
  char *huge = huge_allocate(40 * MIB, 1, &zeroed);
  ASSERT_NE(huge, NULL);
  memset(huge, 1, 40 * MIB);
  residency_activate(HOLDER_HUGE, 40 * MIB, 0);
  residency_settle(); /* what follows is no new peak */
  residency_drop(HOLDER_HUGE, 40 * MIB);
  char *late = huge_allocate(8 * MIB, 1, &zeroed);
  EXPECT_TRUE(huge_free(huge));
  EXPECT_EQ(huge_ranges_bytes(), 40 * MIB);
  usleep(20 * 1000); /* as far as the clock can tell */
  struct slab *runs[RUNS];
  for (size_t i = 0; i < RUNS; i++) {
    runs[i] = pool_take(RUN_UNITS, USE_PARTS);
    ASSERT_NE(runs[i], NULL);
    memset(slab_start(runs[i]), 1, RUN_UNITS * UNIT_BYTES);
  }
  size_t purged = os_counts().purged_bytes;
  for (size_t i = 0; i < RUNS; i++) {
    runs[i]->dirty = RUN_UNITS;
    pool_give(runs[i]);
  }
  EXPECT_EQ(retained_bytes(), 40 * MIB + RUNS * RUN_UNITS * UNIT_BYTES);
  option_set("retain_kib", 16 * 1024);
  for (int i = 0; i < 4; i++) { /* small traffic */
    struct slab *slab = pool_take(1, USE_WHOLE);
    slab->dirty = 1;
    pool_give(slab);
  }
  EXPECT_LE(retained_bytes(), 16 * MIB);
  EXPECT_EQ(os_counts().purged_bytes, purged); /* none of the pool's */
  EXPECT_LE(huge_ranges_bytes(), 16 * MIB - RUNS * RUN_UNITS * UNIT_BYTES);
  /* What lies longer than the rest of the range goes before it. */
  huge_purge();
  size_t retained = retained_bytes();
  usleep(20 * 1000);
  EXPECT_TRUE(huge_free(late));
  EXPECT_EQ(huge_ranges_bytes(), 8 * MIB);
  option_set("retain_kib", 10 * 1024);
  residency_settle();
  EXPECT_LT(retained_bytes() - huge_ranges_bytes(), retained);
  EXPECT_GT(os_counts().purged_bytes, purged);
  EXPECT_EQ(huge_ranges_bytes(), 8 * MIB);
}

TEST(ResidencyTest, ALargeRangeThatWasFreedFirstGoesBeforeThePoolsUnits) { EXPECT_RUNS(keep_what_is_in_use, NULL, ""); }
