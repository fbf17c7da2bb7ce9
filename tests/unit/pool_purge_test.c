/* pool_purge: what the shared pool retains goes back to the operating system. Each test in a process of its own. */
#include "cold/pool_purge.h"

#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/residency.h"
#include "cold/shared_pool.h"
#include "config/config.h"
#include "hakmem.h"
#include "os/system.h"
#include "unit/forks.h"
#include "unit/pool_units.h"
#include "unit/system_calls.h"
#include "unit/unit.h"

/* The system's calls, which a test may have refused, or look on at. */
static atomic_bool refusing;
static void (*_Atomic looking_on)(char *start, size_t bytes);

int madvise(void *start, size_t bytes, int advice) {
  if (advice == MADV_DONTNEED && atomic_load(&refusing)) {
    errno = EINVAL;
    return -1;
  }
  void (*look)(char *, size_t) = atomic_load(&looking_on);
  if (advice == MADV_DONTNEED && look != NULL) {
    look(start, bytes);
  }
  return (int)syscall(SYS_madvise, start, bytes, advice);
}

long syscall(long number, ...) {
  va_list arguments;
  va_start(arguments, number);
  struct system_call call = system_call(number, arguments);
  va_end(arguments);
  if (number == PROCESS_MADVISE && atomic_load(&refusing)) {
    errno = EPERM;
    return -1;
  }
  const struct os_range *ranges = (const struct os_range *)call.argument[1];
  void (*look)(char *, size_t) = atomic_load(&looking_on);
  for (long i = 0; number == PROCESS_MADVISE && look != NULL && i < call.argument[2]; i++) {
    look(ranges[i].start, ranges[i].bytes);
  }
  return system_call_make(&call);
}

int munmap(void *start, size_t bytes) {
  if (atomic_load(&refusing)) {
    errno = ENOMEM;
    return -1;
  }
  return (int)syscall(SYS_munmap, start, bytes);
}

static void keep_some(void *unused) {
  (void)unused;
  retain_all();
  struct slab *slabs[8];
  for (size_t i = 0; i < 8; i++) {
    slabs[i] = pool_take(ALL, USE_PARTS);
  }
  for (size_t i = 0; i < 8; i++) {
    give(slabs[i]);
  }
  size_t retained = retained_bytes();
  EXPECT_EQ(pool_purge(0), 0);
  size_t wanted = 3 * SUPERSLAB_BYTES - UNIT_BYTES;
  size_t purged = os_counts().purged_bytes;
  size_t given_back = pool_purge(wanted);
  EXPECT_EQ(os_counts().purged_bytes - purged, given_back);
  EXPECT_EQ(retained_bytes(), retained - given_back);
  EXPECT_GE(given_back, wanted);
  EXPECT_LT(given_back, wanted + SUPERSLAB_BYTES); /* no run more than it takes */
  option_set("retain_kib", 4096);
  residency_settle();
  EXPECT_EQ(residency_excess(), 0);
  EXPECT_LE(retained_bytes(), 4 * MIB);
  EXPECT_GT(retained_bytes(), 4 * MIB - SUPERSLAB_BYTES);
  size_t calls = os_counts().purge_calls;
  residency_settle();
  EXPECT_EQ(os_counts().purge_calls, calls);
}

TEST(PoolPurgeTest, PurgesNoMoreThanIsAskedFor) { EXPECT_RUNS(keep_some, NULL, ""); }

static void refuse(void *unused) {
  (void)unused;
  retain_all();
  struct superslab *some = make(3);
  struct superslab *whole = make(0);
  size_t retained = retained_bytes();
  size_t active = active_bytes();
  struct superslab some_before = *some;
  struct superslab whole_before = *whole;
  atomic_store(&refusing, true);
  size_t calls = os_counts().purge_calls;
  EXPECT_EQ(pool_purge(SIZE_MAX), 0);
  EXPECT_EQ(os_counts().purge_calls, calls + 1); /* the second run was not tried */
  EXPECT_EQ(pool_unmap(), 0);
  atomic_store(&refusing, false);
  EXPECT_TRUE(pool_is_valid());
  EXPECT_EQ(retained_bytes(), retained);
  EXPECT_EQ(active_bytes(), active);
  EXPECT_EQ(some->free, some_before.free);
  EXPECT_EQ(some->retained, some_before.retained);
  EXPECT_EQ(whole->free, whole_before.free);
  EXPECT_EQ(whole->retained, whole_before.retained);
  EXPECT_FALSE(whole->unmapped);
  struct slab *slab = pool_take(ALL, USE_PARTS);
  EXPECT_EQ(superslab_of_slab(slab), whole);
  EXPECT_GT(slab->dirty, 0);
  give(slab);
  EXPECT_EQ(pool_purge(SIZE_MAX), retained);
}

TEST(PoolPurgeTest, WhatTheSystemRefusesStaysRetained) { EXPECT_RUNS(refuse, NULL, ""); }

static void unmap_all(void *unused) {
  (void)unused;
  retain_all();
  enum { WHOLE = 5 };
  struct slab *slabs[WHOLE];
  for (size_t i = 0; i < WHOLE; i++) {
    slabs[i] = pool_take(ALL, USE_PARTS);
  }
  struct superslab *some = make(3);
  for (size_t i = 0; i < WHOLE; i++) {
    give(slabs[i]);
  }
  size_t mapped = unit_mapped();
  size_t retained = retained_bytes();
  size_t unmapped = pool_unmap();
  EXPECT_GE(unmapped, WHOLE * SUPERSLAB_BYTES);
  EXPECT_LE(unit_mapped(), mapped - unmapped);
  EXPECT_EQ(retained - retained_bytes(), WHOLE * SUPERSLAB_BYTES);
  EXPECT_EQ(some->start[UNIT_BYTES], (char)0xEE);
  EXPECT_EQ(pool_unmap(), 0);
  EXPECT_TRUE(pool_is_valid());
}

TEST(PoolPurgeTest, WhatIsWhollyFreeGivesItsAddressesBack) { EXPECT_RUNS(unmap_all, NULL, ""); }

/* ---- while the system empties a run ---- */

static struct superslab *watched;
static size_t looks;

static void take_meanwhile(char *start, size_t bytes) {
  atomic_store(&looking_on, NULL);
  looks++;
  EXPECT_EQ(start, watched->start + 10 * UNIT_BYTES);
  EXPECT_EQ(bytes, (ALL - 10) * UNIT_BYTES);
  EXPECT_EQ(watched->purging, UINT32_MAX << 10);
  EXPECT_EQ(watched->free & watched->purging, 0);
  EXPECT_EQ(watched->retained & watched->purging, 0);
  EXPECT_TRUE(pool_is_valid());
  for (unsigned i = 0; i < 2 * ALL; i++) {
    struct slab *slab = pool_take(1, USE_WHOLE);
    ASSERT_TRUE(superslab_of_slab(slab) != watched);
  }
}

static void take_while_it_is_purged(void *unused) {
  (void)unused;
  retain_all();
  watched = make(10);
  atomic_store(&looking_on, take_meanwhile);
  EXPECT_GT(pool_purge(SIZE_MAX), 0);
  EXPECT_EQ(looks, 1);
  EXPECT_EQ(watched->purging, 0);
  EXPECT_EQ(watched->purged, UINT32_MAX << 10);
  EXPECT_EQ(watched->free, UINT32_MAX << 10);
  EXPECT_TRUE(pool_is_valid());
}

TEST(PoolPurgeTest, ARunThatIsPurgedCannotBeTaken) { EXPECT_RUNS(take_while_it_is_purged, NULL, ""); }

static struct superslab *beside;

/* Called for each of two runs. */
static void take_of_neither(char *start, size_t bytes) {
  struct superslab *superslab = superslab_of(start);
  looks++;
  EXPECT_TRUE(superslab == watched || superslab == beside);
  EXPECT_EQ((size_t)__builtin_popcount(superslab->purging) * UNIT_BYTES, bytes);
  EXPECT_EQ(superslab->free, 0);
  EXPECT_TRUE(pool_is_valid());
  struct slab *slab = pool_take(1, USE_WHOLE);
  EXPECT_TRUE(superslab_of_slab(slab) != watched && superslab_of_slab(slab) != beside);
}

static void purge_at_once(void *unused) {
  (void)unused;
  retain_all();
  watched = make(10);
  beside = make(20);
  size_t calls = os_counts().purge_calls;
  atomic_store(&looking_on, take_of_neither);
  EXPECT_EQ(pool_purge(SIZE_MAX), (size_t)(2 * ALL - 30) * UNIT_BYTES);
  atomic_store(&looking_on, NULL);
  EXPECT_EQ(looks, 2);
  EXPECT_EQ(os_counts().purge_calls, calls + 1);
  EXPECT_EQ(watched->purged, UINT32_MAX << 10);
  EXPECT_EQ(beside->purged, UINT32_MAX << 20);
  EXPECT_EQ(watched->purging | beside->purging, 0);
  EXPECT_TRUE(pool_is_valid());
}

TEST(PoolPurgeTest, RunsOfSeveralSuperslabsArePurgedAtOnce) {
  if (!system_knows_process_madvise()) {
    SKIP("the system does not know process_madvise for its own process");
  }
  EXPECT_RUNS(purge_at_once, NULL, "");
}

static atomic_bool purging, forked;

static void wait_for_fork(char *start, size_t bytes) {
  (void)start;
  (void)bytes;
  atomic_store(&looking_on, NULL);
  atomic_store(&purging, true);
  while (!atomic_load(&forked)) {
    sched_yield();
  }
}

static void purge(void *unused) {
  (void)unused;
  pool_purge(SIZE_MAX);
}

static void go_on_in_child(void *unused) {
  (void)unused;
  EXPECT_EQ(watched->purging, 0);
  EXPECT_EQ(watched->retained, UINT32_MAX << 10);
  EXPECT_EQ(watched->free, UINT32_MAX << 10);
  EXPECT_TRUE(pool_is_valid());
  struct slab *slab = pool_take(ALL - 10, USE_PARTS);
  EXPECT_EQ(superslab_of_slab(slab), watched);
  EXPECT_GT(slab->dirty, 0);
  memset(slab_start(slab), 1, (ALL - 10) * UNIT_BYTES);
  give(slab);
  EXPECT_TRUE(pool_is_valid());
}

static void fork_while_it_is_purged(void *unused) {
  (void)unused;
  struct unit_thread thread;
  retain_all();
  pool_purge(SIZE_MAX);
  watched = make(10);
  size_t retained = retained_bytes();
  atomic_store(&looking_on, wait_for_fork);
  unit_start(&thread, purge, NULL);
  while (!atomic_load(&purging)) {
    sched_yield();
  }
  EXPECT_FORKS(go_on_in_child, NULL);
  EXPECT_EQ(retained_bytes(), retained);
  atomic_store(&forked, true);
  unit_join(&thread);
  EXPECT_EQ(watched->purged, UINT32_MAX << 10);
}

TEST(PoolPurgeTest, WhatALostThreadWasPurgingIsRetainedAgain) {
  SKIP_WITHOUT_FORKS;
  EXPECT_RUNS(fork_while_it_is_purged, NULL, "");
}

static struct slab *given;

static void give_it(void *unused) {
  (void)unused;
  give(given);
}

static void count_in_child(void *retained) {
  pool_unlock(0);
  EXPECT_EQ(retained_bytes(), (size_t)(uintptr_t)retained);
  pool_give(given);
  EXPECT_EQ(retained_bytes(), (size_t)(uintptr_t)retained + UNIT_BYTES);
}

/* It has told of it, and waits for the lock. */
static void fork_while_it_is_given(void *unused) {
  (void)unused;
  struct unit_thread thread;
  retain_all();
  given = pool_take(1, USE_WHOLE);
  size_t retained = retained_bytes();
  pool_lock(0);
  unit_start(&thread, give_it, NULL);
  while (retained_bytes() != retained + UNIT_BYTES) {
    sched_yield();
  }
  EXPECT_FORKS(count_in_child, (void *)(uintptr_t)retained);
  pool_unlock(0);
  unit_join(&thread);
  EXPECT_EQ(retained_bytes(), retained + UNIT_BYTES);
}

TEST(PoolPurgeTest, WhatALostThreadWasGivingCountsAsWhatItIs) {
  SKIP_WITHOUT_FORKS;
  EXPECT_RUNS(fork_while_it_is_given, NULL, "");
}

/* ---- forks at many moments ---- */

enum { FORKS = 80, SLOTS = 12 };

static atomic_bool done;

static size_t size_of(uint64_t *seed) { return unit_below(seed, 2 * MIB - 40 * KIB) + 40 * KIB; }

static void take_and_give(uint64_t *seed, size_t steps, void **blocks) {
  for (size_t i = 0; i < steps; i++) {
    size_t s = unit_below(seed, SLOTS);
    if (blocks[s] == NULL) {
      size_t size = size_of(seed);
      blocks[s] = hak_malloc(size);
      ASSERT_NE(blocks[s], NULL);
      ((char *)blocks[s])[0] = ((char *)blocks[s])[size - 1] = (char)s;
    } else if (unit_below(seed, 3) == 0) {
      blocks[s] = hak_realloc(blocks[s], size_of(seed));
      ASSERT_EQ(((char *)blocks[s])[0], (char)s);
    } else {
      ASSERT_EQ(((char *)blocks[s])[0], (char)s);
      hak_free(blocks[s]);
      blocks[s] = NULL;
    }
  }
}

static void hammer(void *seed_value) {
  uint64_t seed = (uintptr_t)seed_value;
  void *blocks[SLOTS] = {NULL};
  while (!atomic_load(&done)) {
    take_and_give(&seed, 100, blocks);
    sched_yield();
  }
}

static void *held[SLOTS];

static void use_the_pool(void *seed_value) {
  uint64_t seed = (uintptr_t)seed_value;
  EXPECT_TRUE(pool_is_valid());
  take_and_give(&seed, 200, held);
  hak_collect();
  EXPECT_EQ(retained_bytes(), 0);
  EXPECT_TRUE(pool_is_valid());
  struct pool_figures figures = pool_figures();
  EXPECT_EQ(figures.tier[TIER_OPEN] + figures.tier[TIER_DRAINING] + figures.tier[TIER_FREE], figures.superslabs);
}

static void fork_often(void *unused) {
  (void)unused;
  uint64_t seed = unit_seed();
  option_set("retain_kib", 512); /* so that much is purged */
  take_and_give(&seed, 50, held);
  fork_beside_two(FORKS, hammer, &done, use_the_pool, seed);
}

TEST(PoolPurgeTest, AForkAtAnyMomentLeavesAUsablePool) {
  SKIP_WITHOUT_FORKS;
  EXPECT_RUNS(fork_often, NULL, "");
}
