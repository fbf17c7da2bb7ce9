/* background: the helper thread. Each test is a process of its own. */
#include "warm/background.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hakmem.h"
#include "unit/heaps.h"

enum { FAST_MS = 5, PATIENCE_MS = 20000, BLOCKS = 500 };

static void sleep_ms(unsigned milliseconds) { usleep(milliseconds * 1000); }

/* A file of a thread's folder in /proc, as a string. */
static void read_of(long thread, const char *name, char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/task/%ld/%s", thread, name);
  FILE *file = fopen(path, "r");
  size_t length = file == NULL ? 0 : fread(text, 1, size - 1, file);
  text[length] = '\0';
  if (file != NULL) {
    fclose(file);
  }
}

/* The thread named so; 0: there is none. */
static long find_helper(void) {
  long found = 0;
  DIR *threads = opendir("/proc/self/task");
  for (const struct dirent *entry; threads != NULL && (entry = readdir(threads)) != NULL;) {
    char name[32];
    long thread = strtol(entry->d_name, NULL, 10);
    read_of(thread, "comm", name, sizeof name);
    found = strcmp(name, "hakmem\n") == 0 ? thread : found;
  }
  if (threads != NULL) {
    closedir(threads);
  }
  return found;
}

static bool comes_to(bool present) {
  for (unsigned i = 0; i < PATIENCE_MS && (find_helper() != 0) != present; i++) {
    sleep_ms(1);
  }
  return (find_helper() != 0) == present;
}

static void turn(long on) {
  EXPECT_EQ(hak_option_set("background", on), 0);
  ASSERT_TRUE(comes_to(on != 0));
}

/* Milliseconds until nothing is retained. */
static uint64_t until_given_back(void) {
  uint64_t start = os_milliseconds();
  while (retained_bytes() > 0 && os_milliseconds() - start < PATIENCE_MS) {
    sleep_ms(1);
  }
  return os_milliseconds() - start;
}

static void use_and_free(size_t bytes) {
  char *block = hak_malloc(bytes);
  memset(block, 1, bytes);
  hak_free(block);
}

static unsigned long number_in(long thread, const char *file, const char *key, int base) {
  char text[4096];
  read_of(thread, file, text, sizeof text);
  const char *at = strstr(text, key);
  return at == NULL ? 0 : strtoul(at + strlen(key), NULL, base);
}

#define SKIP_WITHOUT_HELPER                                                                                            \
  if (UNIT_SANITIZED || access("/proc/self/task", F_OK) != 0) {                                                        \
    SKIP("needs /proc, and threads of its own");                                                                       \
  }

static void start_and_stop(void *unused) {
  (void)unused;
  EXPECT_EQ(find_helper(), 0);
  for (int round = 0; round < 20; round++) {
    turn(1);
    EXPECT_EQ(hak_option_set("background", 1), 0);
    turn(0);
  }
  for (int round = 0; round < 200; round++) { /* it may not have ended when it is wanted again */
    EXPECT_EQ(hak_option_set("background", round & 1), 0);
  }
  EXPECT_TRUE(comes_to(true));
  turn(0);
}

TEST(BackgroundTest, StartsAndStopsWithTheOption) {
  SKIP_WITHOUT_HELPER
  EXPECT_RUNS(start_and_stop, NULL, "");
}

static void give_back_later(void *unused) {
  (void)unused;
  atomic_store(&background_period, FAST_MS);
  use_and_free(40 * MIB);
  EXPECT_LE(retained_bytes(), 4 * MIB); /* without a helper: the budget */
  turn(1);
  use_and_free(40 * MIB);
  EXPECT_GE(retained_bytes(), 30 * MIB);
  uint64_t taken = until_given_back();
  EXPECT_GE(taken, 900);
  EXPECT_EQ(retained_bytes(), 0);
  void *small[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    small[i] = memset(hak_malloc(30000), 1, 30000);
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    hak_free(small[i]);
  }
  until_given_back();
  EXPECT_EQ(retained_bytes(), 0);
  use_and_free(40 * MIB);
  EXPECT_GE(retained_bytes(), 30 * MIB);
  turn(0);
  EXPECT_LE(retained_bytes(), residency_budget()); /* the last that it does */
}

TEST(BackgroundTest, WhatIsFreeForOverASecondGoesBack) {
  SKIP_WITHOUT_HELPER
  EXPECT_RUNS(give_back_later, NULL, "");
}

static void stay_used(void *unused) {
  (void)unused;
  atomic_store(&background_period, FAST_MS);
  turn(1);
  use_and_free(40 * MIB);
  size_t unmaps = os_counts().unmap_calls;
  for (unsigned i = 0; i < 100; i++) {
    use_and_free(40 * MIB);
    sleep_ms(20);
  }
  EXPECT_LE(os_counts().unmap_calls, unmaps + 1);
}

TEST(BackgroundTest, WhatIsUsedAgainStays) {
  SKIP_WITHOUT_HELPER
  EXPECT_RUNS(stay_used, NULL, "");
}

static void sleep_when_idle(void *unused) {
  (void)unused;
  turn(1);
  long helper = find_helper(); /* which allocates */
  use_and_free(40 * MIB);
  until_given_back();
  unsigned long switches = 0;
  unsigned long before = 1;
  for (int second = 0; second < 60 && before != switches; second++) { /* a helper that looks on moves in each */
    before = switches;
    sleep_ms(1000);
    switches = number_in(helper, "status", "\nvoluntary_ctxt_switches:", 10);
  }
  unsigned long spent = number_in(helper, "schedstat", "", 10);
  sleep_ms(1500);
  EXPECT_EQ(number_in(helper, "status", "\nvoluntary_ctxt_switches:", 10), switches);
  EXPECT_EQ(number_in(helper, "schedstat", "", 10), spent);
  use_and_free(40 * MIB); /* wakes it */
  until_given_back();
  EXPECT_EQ(retained_bytes(), 0);
  EXPECT_GT(number_in(helper, "status", "\nvoluntary_ctxt_switches:", 10), switches);
}

TEST(BackgroundTest, ItSleepsWhileNothingIsRetained) {
  SKIP_WITHOUT_HELPER
  EXPECT_RUNS(sleep_when_idle, NULL, "");
}

static void block_signals(void *unused) {
  (void)unused;
  turn(1);
  long helper = find_helper();
  unsigned long blocked = number_in(helper, "status", "\nSigBlk:\t", 16);
  for (int number = 1; number < SIGRTMIN; number++) {
    bool is_blocked = (blocked >> (number - 1) & 1) != 0;
    EXPECT_TRUE(is_blocked || number == SIGKILL || number == SIGSTOP || number >= 32);
  }
  sigset_t mine;
  pthread_sigmask(SIG_SETMASK, NULL, &mine);
  EXPECT_FALSE(sigismember(&mine, SIGTERM));
}

TEST(BackgroundTest, EverySignalIsBlockedInItAndNoneElsewhere) {
  SKIP_WITHOUT_HELPER
  EXPECT_RUNS(block_signals, NULL, "");
}

static void leave_blocks(void *blocks) {
  for (size_t i = 0; i < BLOCKS; i++) {
    ((void **)blocks)[i] = memset(hak_malloc(2000), 1, 2000);
  }
}

static void free_blocks(void *blocks) {
  for (size_t i = 0; i < BLOCKS; i++) {
    hak_free(((void **)blocks)[i]);
  }
}

static void empty_an_orphan(void *unused) {
  (void)unused;
  static void *blocks[BLOCKS];
  atomic_store(&background_period, FAST_MS);
  turn(1);
  hak_free(hak_malloc(1)); /* this thread has its own heap, and adopts none */
  on_a_fresh_thread(leave_blocks, blocks);
  struct thread_heap *orphan = atomic_load(&place_of(blocks[0], class_of(blocks[0])).slab->heap);
  free_blocks(blocks);
  heap_enter(thread_cache.heap);
  heap_post(thread_cache.heap);
  heap_leave(thread_cache.heap);
  for (unsigned i = 0; i<PATIENCE_MS &&*(volatile size_t *)&orphan->bound_bytes> 0; i++) {
    sleep_ms(1);
  }
  EXPECT_EQ(orphan->bound_bytes, 0);
}

TEST(BackgroundTest, HeapsThatNobodyHasAreEmptied) {
  SKIP_WITHOUT_HELPER
  EXPECT_RUNS(empty_an_orphan, NULL, "");
}

static void child(void *unused) {
  (void)unused;
  long value = 1;
  EXPECT_EQ(hak_option_get("background", &value), 0);
  EXPECT_EQ(value, 0);
  EXPECT_EQ(find_helper(), 0);
  EXPECT_EQ(residency_budget(), residency_steady_budget());
  use_and_free(4 * MIB); /* what comes back of it raises the budget, but not up to what follows */
  EXPECT_LE(retained_bytes(), residency_steady_budget());
  turn(1);
  use_and_free(200 * MIB);
  EXPECT_GT(retained_bytes(), residency_steady_budget());
  turn(0);
}

static void fork_with_it(void *unused) {
  (void)unused;
  turn(1);
  use_and_free(4 * MIB);
  EXPECT_FORKS(child, NULL);
  EXPECT_NE(find_helper(), 0);
}

TEST(BackgroundTest, AChildHasNoneUntilItAsksForOne) {
  SKIP_WITHOUT_HELPER
  EXPECT_RUNS(fork_with_it, NULL, "");
}

/* ---- the job ---- */

static atomic_uint jobs;

static void count_job(void) { atomic_fetch_add(&jobs, 1); }

static bool jobs_come_to(unsigned least) {
  for (unsigned i = 0; i < PATIENCE_MS && atomic_load(&jobs) < least; i++) {
    sleep_ms(1);
  }
  return atomic_load(&jobs) >= least;
}

static void do_a_job(void *unused) {
  (void)unused;
  EXPECT_TRUE(background_each(FAST_MS, count_job));
  EXPECT_TRUE(comes_to(true));
  EXPECT_TRUE(jobs_come_to(3));
  use_and_free(40 * MIB);
  EXPECT_LE(retained_bytes(), residency_budget()); /* it gives nothing back, and nothing more is retained */
  EXPECT_EQ(hak_option_set("background", 1), 0);
  use_and_free(40 * MIB);
  until_given_back();
  EXPECT_TRUE(jobs_come_to(atomic_load(&jobs) + 3));
  sleep_ms(300); /* it has nothing to give back, and sleeps but for the job */
  EXPECT_TRUE(jobs_come_to(atomic_load(&jobs) + 3));
  EXPECT_EQ(hak_option_set("background", 0), 0);
  EXPECT_TRUE(jobs_come_to(atomic_load(&jobs) + 3));
  EXPECT_NE(find_helper(), 0);
}

TEST(BackgroundTest, ItDoesAJobWithAndWithoutTheOption) {
  SKIP_WITHOUT_HELPER
  EXPECT_RUNS(do_a_job, NULL, "");
}

static void child_of_a_job(void *unused) {
  (void)unused;
  EXPECT_EQ(find_helper(), 0);
}

static void fork_with_a_job(void *unused) {
  (void)unused;
  EXPECT_TRUE(background_each(FAST_MS, count_job));
  EXPECT_TRUE(jobs_come_to(1));
  EXPECT_FORKS(child_of_a_job, NULL);
  EXPECT_TRUE(jobs_come_to(atomic_load(&jobs) + 1));
}

TEST(BackgroundTest, AChildHasNoHelperForAJob) {
  SKIP_WITHOUT_HELPER
  EXPECT_RUNS(fork_with_a_job, NULL, "");
}
