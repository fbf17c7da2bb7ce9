/* lock: a mutex a rank; debug builds check the order; a child of fork() is told what is torn. */
#include "os/lock.h"

#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/unit.h"

enum { THREADS = 4, ROUNDS = 20000, ALL_RANKS = (1 << LOCK_RANKS) - 1 };

static size_t guarded;

static void count_up(void *unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++) {
    EXPECT_FALSE(lock_take(LOCK_BIG));
    guarded++;
    lock_drop(LOCK_BIG);
  }
}

TEST(LockTest, OneThreadAtATime) {
  struct unit_thread threads[THREADS];
  guarded = 0;
  for (size_t i = 0; i < THREADS; i++) {
    unit_start(&threads[i], count_up, NULL);
  }
  for (size_t i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_EQ(guarded, THREADS * ROUNDS);
}

TEST(LockTest, RisingRanksMayBeHeldTogether) {
  unsigned held = 0;
  for (enum lock_rank rank = LOCK_START; rank < LOCK_RANKS; rank++) {
    EXPECT_FALSE(lock_take(rank));
    held |= 1U << rank;
    EXPECT_EQ(lock_held_ranks(), held);
    EXPECT_EQ(critical_depth, rank + 1);
  }
  for (enum lock_rank rank = LOCK_RANKS; rank-- > LOCK_START;) {
    lock_drop(rank);
    held &= ~(1U << rank);
    EXPECT_EQ(lock_held_ranks(), held);
  }
  EXPECT_EQ(critical_depth, 0);
  /* What has been dropped may be taken again, below others that came and went. */
  lock_take(LOCK_META);
  lock_drop(LOCK_META);
  lock_take(LOCK_ORPHANS);
  lock_take(LOCK_POOL);
  lock_drop(LOCK_POOL);
  lock_take(LOCK_HUGE);
  lock_drop(LOCK_HUGE);
  lock_drop(LOCK_ORPHANS);
}

static void take_on_a_thread_of_its_own(void *unused) {
  (void)unused;
  EXPECT_EQ(lock_held_ranks(), 0);
  lock_take(LOCK_ORPHANS);
  EXPECT_EQ(lock_held_ranks(), 1U << LOCK_ORPHANS);
  lock_drop(LOCK_ORPHANS);
}

TEST(LockTest, TheOrderIsEachThreadsOwn) {
  lock_take(LOCK_POOL);
  unit_in_thread(take_on_a_thread_of_its_own, NULL);
  lock_drop(LOCK_POOL);
}

#if HAKMEM_VALIDATE
static void take_lower(void *unused) {
  (void)unused;
  lock_take(LOCK_POOL);
  lock_take(LOCK_ORPHANS);
}

static void take_the_same_rank(void *unused) {
  (void)unused;
  lock_take(LOCK_POOL);
  lock_take(LOCK_POOL);
}

static void take_between(void *unused) {
  (void)unused;
  lock_take(LOCK_ORPHANS);
  lock_take(LOCK_META);
  lock_take(LOCK_HUGE);
}

static void drop_what_is_not_held(void *unused) {
  (void)unused;
  lock_take(LOCK_ORPHANS);
  lock_drop(LOCK_META);
}

TEST(LockTest, DebugBuildsStopAtTheWrongOrder) {
  const char *line = "hakmem: invariant broken: held_ranks >> rank == 0 at .*lock\\.c:[0-9]+\n";
  EXPECT_STOPS(take_lower, NULL, line);
  EXPECT_STOPS(take_the_same_rank, NULL, line);
  EXPECT_STOPS(take_between, NULL, line);
  EXPECT_STOPS(drop_what_is_not_held, NULL, "hakmem: invariant broken: .*held_ranks.* at .*lock\\.c:[0-9]+\n");
}
#endif

/* ---- forks ---- */

static struct {
  pthread_barrier_t taken, done;
  unsigned ranks;
} holder;

static void hold(void *unused) {
  (void)unused;
  for (enum lock_rank rank = LOCK_START; rank < LOCK_RANKS; rank++) {
    if ((holder.ranks >> rank & 1) != 0) {
      EXPECT_FALSE(lock_take(rank));
    }
  }
  pthread_barrier_wait(&holder.taken);
  pthread_barrier_wait(&holder.done);
  for (enum lock_rank rank = LOCK_RANKS; rank-- > LOCK_START;) {
    if ((holder.ranks >> rank & 1) != 0) {
      lock_drop(rank);
    }
  }
}

/* Calls `forks` while another thread holds these ranks. The main thread is in a critical section, so that in the child only
 * the test takes locks. */
static void beside_a_holder(unsigned ranks, void (*forks)(void)) {
  struct unit_thread thread;
  holder.ranks = ranks;
  pthread_barrier_init(&holder.taken, NULL, 2);
  pthread_barrier_init(&holder.done, NULL, 2);
  unit_start(&thread, hold, NULL);
  pthread_barrier_wait(&holder.taken);
  critical_enter();
  forks();
  critical_leave();
  pthread_barrier_wait(&holder.done);
  unit_join(&thread);
  /* The parent's locks are as they were. */
  for (enum lock_rank rank = LOCK_START; rank < LOCK_RANKS; rank++) {
    EXPECT_FALSE(lock_take(rank));
    lock_drop(rank);
  }
}

static void expect_torn_once(enum lock_rank rank, bool torn) {
  NOTE("rank %d", (int)rank);
  EXPECT_EQ(lock_take(rank), torn);
  EXPECT_EQ(lock_held_ranks() >> rank & 1, 1);
  lock_drop(rank);
  EXPECT_FALSE(lock_take(rank));
  lock_drop(rank);
}

static void take_each(void *unused) {
  (void)unused;
  for (enum lock_rank rank = LOCK_START; rank < LOCK_RANKS; rank++) {
    expect_torn_once(rank, (holder.ranks >> rank & 1) != 0);
  }
  EXPECT_EQ(lock_held_ranks(), 0);
}

static void fork_and_take_each(void) { EXPECT_FORKS(take_each, NULL); }

TEST(LockTest, WhatALostThreadHeldIsFreeAndTornOnce) {
  for (enum lock_rank rank = LOCK_START; rank < LOCK_RANKS; rank++) {
    beside_a_holder(1U << rank, fork_and_take_each);
  }
  beside_a_holder(ALL_RANKS, fork_and_take_each);
  beside_a_holder(0, fork_and_take_each);
}

static void take_in_a_child_of_the_child(void *unused) {
  (void)unused;
  EXPECT_FORKS(take_each, NULL); /* the torn ones that the child has not taken */
  take_each(NULL);
}

static void fork_and_fork_again(void) { EXPECT_FORKS(take_in_a_child_of_the_child, NULL); }

TEST(LockTest, ATornLockIsTornInAChildOfTheChildToo) { beside_a_holder(ALL_RANKS, fork_and_fork_again); }

enum { OWN = 1 << LOCK_ORPHANS | 1 << LOCK_HUGE };

static void drop_own_and_take_each(void *unused) {
  (void)unused;
  EXPECT_EQ(lock_held_ranks(), OWN);
  /* What is torn above them is found so at once. */
  expect_torn_once(LOCK_POOL, true);
  expect_torn_once(LOCK_META, true);
  lock_drop(LOCK_HUGE);
  expect_torn_once(LOCK_HUGE, false);
  expect_torn_once(LOCK_BIG, true);
  lock_drop(LOCK_ORPHANS);
  expect_torn_once(LOCK_ORPHANS, false);
  expect_torn_once(LOCK_START, true);
}

static void fork_with_locks_of_its_own(void) {
  lock_take(LOCK_ORPHANS);
  lock_take(LOCK_HUGE);
  EXPECT_FORKS(drop_own_and_take_each, NULL);
  lock_drop(LOCK_HUGE);
  lock_drop(LOCK_ORPHANS);
}

TEST(LockTest, WhatTheForkingThreadHoldsStaysHeld) { beside_a_holder(ALL_RANKS & ~OWN, fork_with_locks_of_its_own); }

/* ---- counts ---- */

static struct unit_thread waiter;

static void take_once(void *unused) {
  (void)unused;
  lock_take(LOCK_BIG);
  lock_drop(LOCK_BIG);
}

static void let_another_wait(void) {
  unit_start(&waiter, take_once, NULL);
  usleep(1000); /* as a rule it waits by then */
}

TEST(LockTest, CountsHowOftenItWasTakenAndWaitedFor) {
  struct lock_counts before = lock_counts(LOCK_BIG);
  take_once(NULL);
  take_once(NULL);
  EXPECT_EQ(lock_counts(LOCK_BIG).taken, before.taken + 2);
  EXPECT_EQ(lock_counts(LOCK_BIG).waited, before.waited);

  before = lock_counts(LOCK_BIG);
  size_t rounds = 0;
  do {
    beside_a_holder(1U << LOCK_BIG, let_another_wait);
    unit_join(&waiter);
    rounds++;
  } while (lock_counts(LOCK_BIG).waited == before.waited);
  /* The holder, the one that waits, and once when they are done. */
  EXPECT_EQ(lock_counts(LOCK_BIG).taken, before.taken + 3 * rounds);
  EXPECT_LE(lock_counts(LOCK_BIG).waited, before.waited + 2 * rounds);
}

static void expect_to_count_on(void *before) {
  EXPECT_EQ(lock_counts(LOCK_META).taken, *(uint64_t *)before);
  lock_take(LOCK_META);
  lock_drop(LOCK_META);
  EXPECT_EQ(lock_counts(LOCK_META).taken, *(uint64_t *)before + 1);
}

TEST(LockTest, AChildCountsOnFromItsParent) {
  lock_take(LOCK_META);
  lock_drop(LOCK_META);
  uint64_t before = lock_counts(LOCK_META).taken;
  EXPECT_GT(before, 0);
  critical_enter(); /* in the child only the test takes locks */
  EXPECT_FORKS(expect_to_count_on, &before);
  critical_leave();
}

/* ---- a child that takes a lock before it has said that it is one ---- */

static long bare_fork(void) {
  long child = syscall(SYS_clone, (long)SIGCHLD, 0L, 0L, 0L, 0L);
  if (child == 0) {
    alarm(20);
  }
  return child;
}

static void expect_to_exit_with_0(long child) {
  int status = -1;
  EXPECT_EQ(waitpid((pid_t)child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

static void fork_without_handlers(void) {
  lock_fork_prepare();
  long child = bare_fork();
  if (child == 0) {
    bool torn = lock_take(LOCK_POOL);
    lock_drop(LOCK_POOL);
    bool torn_again = lock_take(LOCK_POOL);
    lock_drop(LOCK_POOL);
    lock_fork_child();
    bool other_torn = lock_take(LOCK_META);
    lock_drop(LOCK_META);
    _exit(torn && !torn_again && other_torn ? 0 : 1);
  }
  lock_fork_parent();
  expect_to_exit_with_0(child);
}

TEST(LockTest, AHandlerBeforeOursFindsOutByItself) {
  if (UNIT_THREAD_SANITIZED) {
    SKIP("the sanitizer does not know of the fork");
  }
  beside_a_holder(1U << LOCK_POOL | 1U << LOCK_META, fork_without_handlers);
}

/* ---- another library's handler in the child, which runs before ours, forks ---- */

extern char one_thread __asm__("__libc_single_threaded") __attribute__((weak));

static bool take_torn(void) {
  bool lost = lock_fork_child();
  bool torn = lock_take(LOCK_POOL);
  lock_drop(LOCK_POOL);
  return lost && torn;
}

static void fork_in_the_child_before_ours(void) {
  lock_fork_prepare();
  long child = bare_fork();
  if (child == 0) {
    if (&one_thread != NULL) {
      one_thread = 1; /* as the C library has it in a child */
    }
    lock_fork_prepare();
    long child_of_the_child = bare_fork();
    if (child_of_the_child == 0) {
      _exit(take_torn() ? 0 : 1);
    }
    lock_fork_parent();
    int status = -1;
    bool whole = waitpid((pid_t)child_of_the_child, &status, 0) == child_of_the_child && status == 0;
    _exit(whole && take_torn() ? 0 : 1);
  }
  lock_fork_parent();
  expect_to_exit_with_0(child);
}

TEST(LockTest, AHandlerBeforeOursMayFork) {
  if (UNIT_THREAD_SANITIZED) {
    SKIP("the sanitizer does not know of the fork");
  }
  beside_a_holder(1U << LOCK_POOL, fork_in_the_child_before_ours);
}
