/* superslab_lists: the superslab to purge is found at once, and the lists are made anew after a fork. Each test in a process
 * of its own, where the pool holds little else; the pool's own functions bring superslabs into the states that are
 * wanted. */
#include "cold/superslab_lists.h"

#include <sched.h>
#include <string.h>

#include "cold/pool_purge.h"
#include "cold/residency.h"
#include "unit/advice.h"
#include "unit/clock.h"
#include "unit/forks.h"
#include "unit/pool_units.h"
#include "unit/unit.h"

static void leave_and_return(void *unused) {
  (void)unused;
  retain_all();
  struct superslab *superslab = make(ALL);
  pool_lock(0);
  struct list_figures before = *list_figures_of(0);
  lists_leave(superslab);
  struct list_figures between = *list_figures_of(0);
  lists_place(superslab, false);
  struct list_figures after = *list_figures_of(0);
  superslab_give(superslab, 4, ALL - 4, ALL - 4);
  lists_place(superslab, true);
  struct list_figures given = *list_figures_of(0);
  bool valid = lists_are_valid(0);
  struct superslab *retained = lists_find_retained(0, UINT64_MAX);
  pool_unlock(0);
  EXPECT_EQ(before.tier[TIER_OPEN] - between.tier[TIER_OPEN], 1);
  EXPECT_EQ(memcmp(&before, &after, sizeof before), 0);
  EXPECT_EQ(given.tier[TIER_OPEN], between.tier[TIER_OPEN]);
  EXPECT_EQ(given.tier[TIER_DRAINING] - before.tier[TIER_DRAINING], 1);
  EXPECT_EQ(given.superslabs, before.superslabs);
  EXPECT_TRUE(valid);
  EXPECT_EQ(retained, superslab);
}

TEST(SuperslabListsTest, FiguresFollowWhatLeavesAndReturns) { EXPECT_RUNS(leave_and_return, NULL, ""); }

static void purge_in_turn(void *unused) {
  (void)unused;
  retain_all();
  struct superslab *kept[2];
  struct superslab *made[4];
  kept[0] = make(20);
  kept[1] = make(8);
  struct slab *slabs[4];
  for (size_t i = 0; i < 4; i++) {
    slabs[i] = pool_take(ALL, USE_PARTS);
    made[i] = superslab_of_slab(slabs[i]);
  }
  for (size_t i = 0; i < 4; i++) {
    give(slabs[i]);
  }
  /* FREE ones in the order in which they came, and then the others. */
  for (size_t i = 0; i < 6; i++) {
    pool_lock(0);
    struct superslab *next = lists_find_retained(0, UINT64_MAX);
    pool_unlock(0);
    EXPECT_EQ(next, i < 4 ? made[i] : kept[5 - i]);
    pool_purge(1);
  }
  pool_lock(0);
  EXPECT_EQ(lists_find_retained(0, UINT64_MAX), NULL);
  pool_unlock(0);
}

TEST(SuperslabListsTest, WhatWasFreeLongestIsPurgedFirst) { EXPECT_RUNS(purge_in_turn, NULL, ""); }

/* ---- superslabs in huge pages ---- */

static void purge_in_part_and_whole(void *unused) {
  (void)unused;
  retain_all();
  struct superslab *part = make_dense(10, true);
  EXPECT_TRUE(part->dense);
  EXPECT_EQ(pool_purge(SIZE_MAX), 10 * UNIT_BYTES);
  EXPECT_FALSE(part->dense); /* else the system would fill the gap again */
  EXPECT_EQ(told_small, 1);
  EXPECT_EQ(locks_held, 0);
  EXPECT_TRUE(pool_is_valid());
  struct superslab *whole = make_dense(0, true);
  give(&whole->slab[0]);
  EXPECT_EQ(pool_purge(SIZE_MAX), SUPERSLAB_BYTES);
  EXPECT_TRUE(whole->dense);
  EXPECT_EQ(told_small, 1);
  EXPECT_TRUE(pool_is_valid());
  /* What has given its addresses back is mapped again as any other. */
  pool_unmap();
  EXPECT_TRUE(whole->unmapped);
  pool_take(ALL, USE_PARTS);
  EXPECT_FALSE(whole->dense);
  EXPECT_TRUE(pool_is_valid());
}

TEST(SuperslabListsTest, WhatIsPurgedInPartIsNotDense) { EXPECT_RUNS(purge_in_part_and_whole, NULL, ""); }

/* What a purge would break goes last, and while it is an eighth of the peak at most it does not count as excess. */
static void break_last(void *unused) {
  (void)unused;
  retain_all();
  fill_what_is_there();
  struct superslab *whole = make_dense(10, true);
  struct superslab *small = make(20);
  pool_lock(0);
  struct superslab *next = lists_find_retained(0, UINT64_MAX);
  pool_unlock(0);
  EXPECT_EQ(next, small);
  option_set("retain_kib", 0);
  EXPECT_EQ(residency_excess(), 12 * UNIT_BYTES);
  residency_activate(HOLDER_HUGE, 80 * UNIT_BYTES, 0);
  residency_settle();
  EXPECT_EQ(bytes_of_units(whole->retained), 10 * UNIT_BYTES);
  EXPECT_EQ(small->retained, 0);
  EXPECT_TRUE(whole->dense);
  /* A peak no longer that high, and nothing is left that could go more easily. */
  pool_purge(1);
  EXPECT_FALSE(whole->dense);
  EXPECT_EQ(residency_excess(), 0);
  EXPECT_TRUE(pool_is_valid());
}

TEST(SuperslabListsTest, WhatIsInHugePagesGoesLast) { EXPECT_RUNS(break_last, NULL, ""); }

static void purge_by_change(void *unused) {
  (void)unused;
  retain_all();
  fill_what_is_there();
  struct superslab *first = make(20);
  struct superslab *second = make(20);
  pool_lock(0);
  struct superslab *oldest = lists_find_retained(0, UINT64_MAX);
  lists_place(first, false);
  struct superslab *then = lists_find_retained(0, UINT64_MAX);
  pool_unlock(0);
  EXPECT_EQ(oldest, first);
  EXPECT_EQ(then, second);
  EXPECT_TRUE(pool_is_valid());
}

TEST(SuperslabListsTest, WhatChangedLastIsPurgedLast) { EXPECT_RUNS(purge_by_change, NULL, ""); }

/* Another thread changes it while the system is being told. */
static void tell_again(void *unused) {
  (void)unused;
  struct superslab *superslab = make_dense(0, true);
  size_t huge = told_huge;
  changes = superslab;
  superslab_tell(superslab);
  EXPECT_FALSE(superslab->dense);
  EXPECT_EQ(told_huge, huge + SUPERSLAB_BYTES);
  EXPECT_EQ(told_small, 1);
}

TEST(SuperslabListsTest, TheSystemIsToldWhatIsTrueInTheEnd) { EXPECT_RUNS(tell_again, NULL, ""); }

static void tamper(void *unused) {
  (void)unused;
  retain_all();
  struct superslab *superslab = make(10);
  EXPECT_TRUE(pool_is_valid());
  superslab->retained |= 1; /* in use */
  EXPECT_FALSE(pool_is_valid());
  superslab->retained &= ~1U;
  superslab->free &= ~(1U << 20); /* another longest run */
  superslab->retained &= ~(1U << 20);
  EXPECT_FALSE(pool_is_valid());
  superslab->free |= 1U << 20;
  superslab->retained |= 1U << 20;
  superslab->is_retaining = false;
  EXPECT_FALSE(pool_is_valid());
  superslab->is_retaining = true;
  EXPECT_TRUE(pool_is_valid());
}

TEST(SuperslabListsTest, TheValidatorSeesWhatIsWrong) { EXPECT_RUNS(tamper, NULL, ""); }

/* ---- a lost thread ---- */

static struct superslab *changing, *full, *unmapping;
static size_t superslabs_before;
static atomic_bool torn, mended;

/* Has changed a superslab's sets in part, when the process forks; it gives back the addresses of another. */
static void tear(void *unused) {
  (void)unused;
  pool_lock(0);
  struct superslab before = *changing;
  changing->purging = 0x00F00000;
  changing->free &= ~UINT32_C(0x00F00000);
  changing->retained = (changing->retained & ~UINT32_C(0x00F00000)) | 0xF; /* in use */
  full->bin[RUN_FREE].next = changing;
  full->retained_next = changing;
  unmapping->unmapped = true;
  atomic_store(&torn, true);
  while (!atomic_load(&mended)) {
    sched_yield();
  }
  unmapping->unmapped = false;
  *changing = before;
  pool_unlock(0);
}

static void count_superslabs(size_t *retained, size_t *active) {
  const struct superslab *superslab = NULL;
  while ((superslab = superslab_next(superslab)) != NULL) {
    if (!superslab->unmapped) {
      *retained += bytes_of_units(superslab->retained);
      *active += bytes_of_units(~superslab->free);
    }
  }
}

static void go_on_in_child(void *unused) {
  (void)unused;
  EXPECT_TRUE(pool_is_valid());
  EXPECT_EQ(pool_figures().superslabs, superslabs_before);
  EXPECT_EQ(changing->purging, 0);
  EXPECT_TRUE(superslab_is_valid(changing));
  EXPECT_EQ(changing->retained, UINT32_MAX << 10); /* what was being purged is RETAINED again */
  EXPECT_EQ(changing->free, UINT32_MAX << 10);
  size_t retained = 0;
  size_t active = 0;
  count_superslabs(&retained, &active);
  EXPECT_EQ(retained_bytes(), retained);
  EXPECT_EQ(active_bytes(), active);
  for (unsigned i = 0; i < ALL - 10; i++) {
    struct slab *slab = pool_take(1, USE_WHOLE);
    ASSERT_NE(slab, NULL);
    memset(slab_start(slab), 0xEE, UNIT_BYTES);
  }
  struct slab *whole = pool_take(ALL, USE_PARTS);
  ASSERT_NE(whole, NULL);
  memset(slab_start(whole), 0xEE, SUPERSLAB_BYTES);
  EXPECT_EQ(full->start[5], 7); /* what is in use stays as it is */
  EXPECT_TRUE(pool_is_valid());
  pool_purge(SIZE_MAX);
  EXPECT_EQ(retained_bytes(), 0);
}

static void fork_beside(void *unused) {
  (void)unused;
  struct unit_thread thread;
  retain_all();
  full = make(ALL);
  full->start[5] = 7;
  changing = make(10);
  unmapping = make(0);
  superslabs_before = pool_figures().superslabs;
  unit_start(&thread, tear, NULL);
  while (!atomic_load(&torn)) {
    sched_yield();
  }
  EXPECT_FORKS(go_on_in_child, NULL);
  atomic_store(&mended, true);
  unit_join(&thread);
}

TEST(SuperslabListsTest, TheListsOfALostThreadAreMadeAnew) {
  SKIP_WITHOUT_FORKS;
  EXPECT_RUNS(fork_beside, NULL, "");
}
