/* superslab_lists: the superslab to take from, or to purge, is found at once. Each test in a process of its own, where the pool
 * holds little else; the pool's own functions bring superslabs into the states that are wanted. */
#include "cold/superslab_find.h"

#include <sched.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/pool_purge.h"
#include "cold/residency.h"
#include "cold/shared_pool.h"
#include "config/config.h"
#include "os/lock.h"
#include "os/system.h"
#include "unit/clock.h"
#include "unit/forks.h"
#include "unit/unit.h"

enum { ALL = SUPERSLAB_UNITS };

/* Gives back what has been used. */
static void give(struct slab *slab) {
  slab->dirty = slab->units;
  pool_give(slab);
}

/* A superslab of which `used` units are in use and the others RETAINED. */
static struct superslab *make(unsigned used) {
  struct slab *slab = pool_take(ALL);
  struct superslab *superslab = superslab_of_slab(slab);
  if (used == 0) {
    give(slab);
  } else if (used < ALL) {
    pool_shrink(slab, ALL - used);
  }
  return superslab;
}

static void retain_all(void) { option_set("retain_kib", 1 << 30); }

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

static void find_room(void *unused) {
  (void)unused;
  retain_all();
  struct superslab *open = make(20);
  struct superslab *draining = make(4);
  struct superslab *whole = make(0);
  pool_lock(0);
  struct superslab *one = find_superslab(0, 1, USE_WHOLE).superslab;
  struct superslab *some = find_superslab(0, 12, USE_PARTS).superslab;
  struct superslab *more = find_superslab(0, 28, USE_WHOLE).superslab;
  struct superslab *all = find_superslab(0, ALL, USE_WHOLE).superslab;
  struct superslab *first_free = lists_find_whole(0, TIER_FREE);
  struct superslab *first_open = lists_find_whole(0, TIER_DRAINING);
  pool_unlock(0);
  EXPECT_EQ(one, open);
  EXPECT_TRUE(superslab_longest_run(some, RUN_FREE) >= 12 && some->tier == TIER_OPEN);
  EXPECT_TRUE(more == draining || more->tier == TIER_OPEN);
  EXPECT_EQ(all, whole);
  EXPECT_EQ(first_free, whole);
  EXPECT_EQ(first_open, NULL);
}

TEST(SuperslabListsTest, FindsRoom) { EXPECT_RUNS(find_room, NULL, ""); }

static void purge_in_turn(void *unused) {
  (void)unused;
  retain_all();
  struct superslab *kept[2];
  struct superslab *made[4];
  kept[0] = make(20);
  kept[1] = make(8);
  struct slab *slabs[4];
  for (size_t i = 0; i < 4; i++) {
    slabs[i] = pool_take(ALL);
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

/* What the system was told of the superslabs. */
static size_t told_huge, told_small;
static unsigned locks_held;       /* while it was told that one is not dense any more */
static struct superslab *changes; /* meanwhile */

int madvise(void *start, size_t bytes, int advice) {
  told_huge += advice == MADV_HUGEPAGE ? bytes : 0;
  told_small += advice == MADV_NOHUGEPAGE && bytes == SUPERSLAB_BYTES;
  locks_held |= advice == MADV_NOHUGEPAGE && bytes == SUPERSLAB_BYTES ? lock_held_ranks() : 0;
  if (changes != NULL) {
    changes->dense = !changes->dense;
    changes = NULL;
  }
  return (int)syscall(SYS_madvise, start, bytes, advice);
}

/* So that every superslab with room is the test's own. */
static void fill_what_is_there(void) {
  size_t before = pool_figures().superslabs;
  while (pool_figures().superslabs == before) {
    ASSERT_NE(pool_take(1), NULL);
  }
  ASSERT_NE(pool_take(ALL - 1), NULL);
}

/* A superslab with `free` units that nobody has used, in huge pages or not. */
static struct superslab *make_dense(unsigned free_units, bool dense) {
  struct slab *slab = pool_take(ALL);
  struct superslab *superslab = superslab_of_slab(slab);
  pool_lock(0);
  bool changed = superslab_set_dense(superslab, dense);
  lists_place(superslab, false);
  pool_unlock(0);
  if (changed) {
    superslab_tell(superslab);
  }
  if (free_units > 0) {
    pool_shrink(slab, free_units);
  }
  return superslab;
}

static struct superslab *find(unsigned units, enum use use) {
  pool_lock(0);
  struct superslab *found = find_superslab(0, units, use).superslab;
  pool_unlock(0);
  return found;
}

/* A superslab for slabs of one unit, after all those that there are. */
static bool next_is_dense(void) {
  struct slab *slab = pool_take(1);
  bool dense = superslab_of_slab(slab)->dense;
  EXPECT_NE(pool_take(ALL - 1), NULL);
  return dense;
}

static void ask_always(void *unused) {
  (void)unused;
  struct superslab *first = superslab_of_slab(pool_take(1));
  EXPECT_FALSE(first->dense);
  fill_what_is_there();
  EXPECT_FALSE(next_is_dense());
  EXPECT_EQ(option_set("thp", thp_always), 0);
  EXPECT_TRUE(next_is_dense());
  EXPECT_EQ(told_huge, pool_figures().superslabs / 2 * SUPERSLAB_BYTES); /* with what is ahead */
  EXPECT_EQ(option_set("thp", thp_never), 0);
  EXPECT_FALSE(next_is_dense());
}

TEST(SuperslabListsTest, HugePagesAreAskedForAtOnceWhereTheyAlwaysAre) { EXPECT_RUNS(ask_always, NULL, ""); }

static void ask_for_the_first(void *unused) {
  (void)unused;
  EXPECT_EQ(option_set("thp", thp_always), 0);
  EXPECT_FALSE(superslab_of_slab(pool_take(1))->dense);
  EXPECT_EQ(told_huge, 0);
}

TEST(SuperslabListsTest, TheFirstSuperslabIsNeverInHugePagesAtOnce) { EXPECT_RUNS(ask_for_the_first, NULL, ""); }

static void find_by_use(void *unused) {
  (void)unused;
  retain_all();
  fill_what_is_there();
  struct superslab *small = make_dense(10, false);
  struct superslab *huge = make_dense(12, true);
  EXPECT_EQ(told_huge, SUPERSLAB_BYTES);
  pool_purge(SIZE_MAX); /* else what is resident comes first; and what is purged in part is not dense any more */
  EXPECT_FALSE(huge->dense);
  EXPECT_EQ(told_small, 1);
  pool_lock(0);
  superslab_set_dense(huge, true);
  lists_place(huge, false);
  bool valid = lists_are_valid(0);
  pool_unlock(0);
  EXPECT_TRUE(valid);
  /* Of both that fit, the one for that use; the fit comes second. */
  EXPECT_EQ(find(9, USE_WHOLE), huge);
  EXPECT_EQ(find(9, USE_PARTS), small);
  EXPECT_EQ(find(9, USE_SMALL), small);
  /* Where one fits, that one, but for what must not lie in huge pages. */
  EXPECT_EQ(find(11, USE_WHOLE), huge);
  EXPECT_EQ(find(11, USE_PARTS), huge);
  struct superslab *other = find(11, USE_SMALL);
  EXPECT_NE(other, huge);
  EXPECT_FALSE(other->dense);
  huge->dense = false; /* in the wrong bins */
  EXPECT_FALSE(pool_is_valid());
  huge->dense = true;
  EXPECT_TRUE(pool_is_valid());
}

TEST(SuperslabListsTest, DenseOnesServeWhatIsUsedWhole) { EXPECT_RUNS(find_by_use, NULL, ""); }

/* An OPEN one of the other kind comes before a DRAINING one. */
static void find_by_tier_first(void *unused) {
  (void)unused;
  retain_all();
  fill_what_is_there();
  struct superslab *open = make_dense(10, false);
  struct superslab *draining = make_dense(28, true);
  EXPECT_EQ(open->tier, TIER_OPEN);
  EXPECT_EQ(draining->tier, TIER_DRAINING);
  EXPECT_EQ(find(9, USE_WHOLE), open);
  EXPECT_EQ(find(11, USE_WHOLE), draining);
}

TEST(SuperslabListsTest, TheTierComesBeforeTheUse) { EXPECT_RUNS(find_by_tier_first, NULL, ""); }

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
  pool_take(ALL);
  EXPECT_FALSE(whole->dense);
  EXPECT_TRUE(pool_is_valid());
}

TEST(SuperslabListsTest, WhatIsPurgedInPartIsNotDense) { EXPECT_RUNS(purge_in_part_and_whole, NULL, ""); }

/* `more` bytes are in use elsewhere when one of two that were purged whole is taken again. */
static struct superslab *take_again(size_t more) {
  retain_all();
  fill_what_is_there();
  struct slab *one = pool_take(ALL), *other = pool_take(ALL);
  give(one);
  give(other);
  EXPECT_EQ(pool_purge(SIZE_MAX), 2 * SUPERSLAB_BYTES);
  residency_activate(HOLDER_HUGE, more, 0);
  return find(1, USE_WHOLE);
}

static void grow_to_the_peak(void *unused) {
  (void)unused;
  EXPECT_TRUE(take_again(SUPERSLAB_BYTES)->dense);
}

static void grow_beyond_it(void *unused) {
  (void)unused;
  EXPECT_FALSE(take_again(SUPERSLAB_BYTES + OS_HUGE_PAGE / 2)->dense); /* of that one, half would stay unused */
}

TEST(SuperslabListsTest, WhatIsUsedAgainIsDenseUpToThePeak) {
  EXPECT_RUNS(grow_to_the_peak, NULL, "");
  EXPECT_RUNS(grow_beyond_it, NULL, "");
}

/* Of two with a run that fits, the one whose run is resident, though the other's fits better, or is in a better tier. */
static void find_resident_first(void *unused) {
  (void)unused;
  retain_all();
  fill_what_is_there();
  struct superslab *purged = make(20);
  pool_purge(SIZE_MAX);
  struct superslab *resident = make(4);
  EXPECT_EQ(resident->tier, TIER_DRAINING);
  EXPECT_EQ(find(12, USE_PARTS), resident);
  EXPECT_EQ(find(1, USE_WHOLE), resident);
  struct slab *slab = pool_take(28);
  EXPECT_EQ(superslab_of_slab(slab), resident);
  EXPECT_EQ(find(12, USE_PARTS), purged);
}

TEST(SuperslabListsTest, WhatIsResidentComesFirst) { EXPECT_RUNS(find_resident_first, NULL, ""); }

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

/* And is taken from first, of two whose runs are as long. */
static void purge_by_change(void *unused) {
  (void)unused;
  retain_all();
  fill_what_is_there();
  struct superslab *first = make(20);
  struct superslab *second = make(20);
  EXPECT_EQ(find(12, USE_PARTS), second);
  pool_lock(0);
  struct superslab *oldest = lists_find_retained(0, UINT64_MAX);
  lists_place(first, false);
  struct superslab *then = lists_find_retained(0, UINT64_MAX);
  pool_unlock(0);
  EXPECT_EQ(oldest, first);
  EXPECT_EQ(then, second);
  EXPECT_EQ(find(12, USE_PARTS), first);
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

static void map_again(void *unused) {
  (void)unused;
  retain_all();
  struct superslab *superslab = make(0);
  memset(superslab->start, 0xEE, SUPERSLAB_BYTES);
  size_t superslabs = pool_figures().superslabs;
  EXPECT_GE(pool_unmap(), SUPERSLAB_BYTES);
  EXPECT_TRUE(superslab->unmapped);
  EXPECT_EQ(pool_figures().superslabs, superslabs);
  size_t small = told_small;
  struct slab *slab = pool_take(ALL);
  EXPECT_EQ(superslab_of_slab(slab), superslab);
  EXPECT_FALSE(superslab->unmapped);
  EXPECT_EQ(told_small, small + 1); /* new memory, which may come in huge pages where they are not forbidden */
  EXPECT_EQ(slab->dirty, 0);
  EXPECT_EQ(slab_start(slab)[0], 0);
  EXPECT_EQ(slab_start(slab)[SUPERSLAB_BYTES - 1], 0);
  memset(slab_start(slab), 1, SUPERSLAB_BYTES);
  give(slab);

  /* Where its place is taken by now it is ours no more. */
  EXPECT_GE(pool_unmap(), SUPERSLAB_BYTES);
  void *taken = os_map(superslab->start, SUPERSLAB_BYTES);
  EXPECT_EQ(taken, superslab->start);
  slab = pool_take(ALL);
  ASSERT_NE(slab, NULL);
  EXPECT_NE(superslab_of_slab(slab), superslab);
  EXPECT_EQ(pool_figures().superslabs, superslabs);
  struct pool_figures figures = pool_figures();
  EXPECT_EQ(figures.tier[TIER_OPEN] + figures.tier[TIER_DRAINING] + figures.tier[TIER_FREE], figures.superslabs);
  EXPECT_TRUE(pool_is_valid());
}

TEST(SuperslabListsTest, WhatGaveItsAddressesBackIsMappedAgain) { EXPECT_RUNS(map_again, NULL, ""); }

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
  size_t index;
  size_t end;
  for (superslab_range(&index, &end); index < end; index++) {
    const struct superslab *superslab = superslab_at(index);
    if (superslab != NULL && !superslab->unmapped) {
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
    struct slab *slab = pool_take(1);
    ASSERT_NE(slab, NULL);
    memset(slab_start(slab), 0xEE, UNIT_BYTES);
  }
  struct slab *whole = pool_take(ALL);
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
