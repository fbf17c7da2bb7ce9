/* light_fork: a process with light threads forks, or a debugger steps through one of them. Each test is a process of its
 * own. */
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/forks.h"
#include "unit/light_threads.h"
#include "warm/light.h"
#include "warm/release.h"

enum { SIZE = 200 };

/* ---- a debugger ---- */

enum { STEPS_MAX = 3000000, STEPPED = 20 };

static void be_stepped_through(void *unused) {
  (void)unused;
  hak_free(hak_malloc(SIZE));
  pid_t child = fork();
  if (child == 0) {
    alarm(0);
    if (ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0) {
      _exit(2);
    }
    raise(SIGSTOP);
    for (int i = 0; i < STEPPED; i++) {
      hak_free(hak_malloc(SIZE));
    }
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status)) {
    return; /* nobody may trace here */
  }
  size_t steps = 0;
  while (WIFSTOPPED(status) && steps < STEPS_MAX) {
    ASSERT_EQ(ptrace(PTRACE_SINGLESTEP, child, NULL, NULL), 0);
    ASSERT_EQ(waitpid(child, &status, 0), child);
    steps++;
  }
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_GT(steps, STEPPED * 100);
  kill(child, SIGKILL);
}

static void step_through(void *unused) { in_a_light_thread(be_stepped_through, unused); }

TEST(LightForkTest, ADebuggerThatStopsAtEachInstructionComesToTheEnd) {
  if (UNIT_SANITIZED) {
    SKIP("their children of fork() are not to be traced");
  }
  EXPECT_RUNS(step_through, NULL, "");
}

/* ---- fork, of a process with busy light threads ---- */

enum { BUSY = 4, FORKS = 40, KEPT = 12 };

static atomic_bool done;
static atomic_uint busy; /* threads that have started: a sanitizer takes locks of its own until then, and over fork() */

static void be_busy(void *seed) {
  atomic_fetch_add(&busy, 1);
  uint64_t random = (uint64_t)(uintptr_t)seed;
  void *kept[KEPT] = {NULL};
  while (!atomic_load(&done)) {
    size_t i = unit_below(&random, KEPT);
    size_t size = 16 + unit_below(&random, 600);
    thread_cache.light_work = thread_cache.light_work > 1000 ? 500 : thread_cache.light_work; /* for ever */
    if (kept[i] != NULL) {
      EXPECT_EQ(*(size_t *)kept[i], (size_t)seed);
      hak_free(kept[i]);
    }
    kept[i] = hak_malloc(size);
    memset(kept[i], 0, size);
    *(size_t *)kept[i] = (size_t)seed;
  }
  EXPECT_EQ(thread_cache.heap, NULL);
  for (size_t i = 0; i < KEPT; i++) {
    hak_free(kept[i]);
  }
}

/* A block that is in a row and free, or in two rows, stops the child where its bit is set twice; one that is in a row
 * and was handed out is overwritten. */
static void live_in_the_child(void *unused) {
  (void)unused;
  struct unit_thread thread;
  atomic_store(&done, false);
  count_as_heaps_at_once();
  unit_start(&thread, be_busy, (void *)77); // NOLINT(performance-no-int-to-ptr)
  release_free_memory(RELEASE_ALL);
  usleep(1000);
  release_free_memory(RELEASE_ALL);
  atomic_store(&done, true);
  unit_join(&thread);
  release_free_memory(RELEASE_ALL);
  EXPECT_EQ(cpu_cached_bytes(), 0);
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    for (size_t c = 0; c < SIZE_CLASS_COUNT; c++) {
      struct heap_census census = heap_census(heap_of_link(link), c);
      EXPECT_LE(census.free + census.remote + census.cached + census.depot, census.capacity);
    }
  }
}

static void fork_among_busy_threads(void *unused) {
  (void)unused;
  struct unit_thread threads[BUSY];
  fill_up();
  for (size_t i = 0; i < BUSY; i++) {
    unit_start(&threads[i], be_busy, (void *)(i + 1)); // NOLINT(performance-no-int-to-ptr)
  }
  while (atomic_load(&busy) < BUSY) {
    usleep(100);
  }
  for (int i = 0; i < FORKS; i++) {
    usleep(1000);
    EXPECT_FORKS(live_in_the_child, NULL);
    if (i % 4 == 0) {
      release_free_memory(RELEASE_THREAD);
    }
  }
  atomic_store(&done, true);
  for (size_t i = 0; i < BUSY; i++) {
    unit_join(&threads[i]);
  }
  release_free_memory(RELEASE_ALL);
  EXPECT_EQ(live_in_orphans(), 0);
}

TEST(LightForkTest, AChildOfForkHasNothingTwice) {
  if (UNIT_THREAD_SANITIZED) {
    SKIP("there is no thread in the child");
  }
  EXPECT_RUNS(fork_among_busy_threads, NULL, "");
}
