/* threads: what the system says of threads, and how they wait for each other. */
#include "os/threads.h"

#include <errno.h>
#include <sched.h>

#include "unit/unit.h"

enum { UNTOUCHED = 4711 };

static _Atomic uint32_t ran;

static void *run(void *unused) {
  (void)unused;
  atomic_store(&ran, 1);
  os_wake(&ran);
  return NULL;
}

TEST(ThreadsTest, AThreadStartsAndErrnoIsKept) {
  atomic_store(&ran, 0);
  errno = UNTOUCHED;
  ASSERT_TRUE(os_thread_start(run, 0));
  while (atomic_load(&ran) == 0) {
    os_wait(&ran, 0);
  }
  EXPECT_EQ(errno, UNTOUCHED);
}

/* As where a process may have no more threads. A malloc that succeeds may have tried to start the background thread. */
TEST(ThreadsTest, AThreadThatCannotStartLeavesErrnoAlone) {
  errno = UNTOUCHED;
  EXPECT_FALSE(os_thread_start(run, SIZE_MAX / 4));
  EXPECT_EQ(errno, UNTOUCHED);
}

TEST(ThreadsTest, WhatTheSystemSaysLeavesErrnoAlone) {
  errno = UNTOUCHED;
  EXPECT_EQ(os_noted_thread(os_note_thread()), os_thread_id());
  os_rseq_bytes();
  os_restart_is_known();
  os_barrier_begin();
  os_wait(&ran, atomic_load(&ran) + 1); /* the word is another: EAGAIN */
  os_wait_for(&ran, atomic_load(&ran), 1);
  os_yield();
  os_processors();
  EXPECT_EQ(errno, UNTOUCHED);
}

static void stay_on_one(void *unused) {
  (void)unused;
  cpu_set_t allowed, one;
  ASSERT_EQ(sched_getaffinity(0, sizeof allowed, &allowed), 0);
  EXPECT_EQ(os_processors(), (size_t)CPU_COUNT(&allowed));
  CPU_ZERO(&one);
  for (int i = 0; CPU_COUNT(&one) == 0; i++) {
    if (CPU_ISSET(i, &allowed)) {
      CPU_SET(i, &one);
    }
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
  EXPECT_EQ(os_processors(), 1);
}

TEST(ThreadsTest, AThreadKnowsOnHowManyProcessorsItMayRun) { EXPECT_RUNS(stay_on_one, NULL, ""); }
