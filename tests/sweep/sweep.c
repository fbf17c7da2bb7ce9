/* sweep: every call of the operating system that a mixed run makes fails once, or is forked beside, and each time
 * nothing is lost.
 *
 *   sweep once THREADS       exactly the n-th call fails, for every n of the run
 *   sweep onward THREADS     every call from the n-th on fails, for every n
 *   sweep every THREADS      every n-th call fails, for n from 1 on
 *   sweep limit THREADS      no call fails, but no more than n MiB can be mapped, as under `ulimit -v` or strict overcommit
 *   sweep fork THREADS       another thread forks before the n-th call and after it, while the thread that makes it waits
 *   sweep fork_unmaps THREADS
 *                            the same with the n-th call of munmap
 *   sweep run MODE N THREADS LIVE
 *                            one point of these, in a process of its own
 *
 * A third argument STRIDE tries every STRIDE-th point only. With HAKMEM_LIMIT all points run under a memory limit, which may refuse
 * requests as well; it is lifted when the failures end.
 *
 * The child of such a fork frees the blocks of the threads that it has lost, runs on, and maps memory of its own where
 * the library gave some back, which must stay as it is.
 *
 * The calls of the library's objects pass through os_failures.c; the release library knows nothing of it. Each point checks:
 * a request that is refused gives NULL with ENOMEM and only when a call failed, one that is served leaves errno alone; every
 * block keeps its content; a refusal costs few calls but for those that give back what is retained. Then the failures end:
 * the invariants hold, everything is freed, no block and no memory is lost, and the same run succeeds from beginning to
 * end. */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hakmem.h"
#include "sweep/mixed_run.h"
#include "sweep/os_failures.h"

enum { AT_ONCE = 2, CALLS_LEAST = 200, EVERY_MAX = 64, LIMIT_STEP = 4, LIMIT_MAX = 160, SECONDS = 100 };

/* ---- forks beside a call ---- */

static struct {
  sem_t asked, done;
  pthread_t forks;
  unsigned threads;
  bool ended;
  struct mixed_result result;
} beside;

static void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0) {
  }
}

/* On the thread that makes the call. */
static void wait_for_fork(void) {
  if (!pthread_equal(pthread_self(), beside.forks)) {
    sem_post(&beside.asked);
    wait_for(&beside.done);
  }
}

static void *run_beside(void *unused) {
  beside.result = mixed_run(beside.threads, true);
  os_failures_pause = NULL; /* nobody forks for what the thread's own end calls */
  beside.ended = true;
  sem_post(&beside.asked);
  return unused;
}

static void fork_once(size_t live) {
  pid_t child = fork();
  if (child == 0) {
    alarm(SECONDS); /* a lock that nobody can drop */
    mixed_check_child(beside.threads, live);
    _exit(0);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    fprintf(stderr, "sweep fork: the child ended with status %#x\n", (unsigned)status);
    abort();
  }
}

/* A mixed run on other threads; forks where one of them waits. How many. */
static size_t fork_beside(unsigned threads, size_t live, struct mixed_result *result) {
  pthread_t thread;
  size_t forks = 0;
  beside.forks = pthread_self();
  beside.threads = threads;
  sem_init(&beside.asked, 0, 0);
  sem_init(&beside.done, 0, 0);
  os_failures_pause = wait_for_fork;
  if (pthread_create(&thread, NULL, run_beside, NULL) != 0) {
    abort();
  }
  for (wait_for(&beside.asked); !beside.ended; wait_for(&beside.asked)) {
    fork_once(live);
    forks++;
    sem_post(&beside.done);
  }
  pthread_join(thread, NULL);
  *result = beside.result;
  return forks;
}

/* ---- one point ---- */

static int run_point(char **argument) {
  size_t n = strtoul(argument[1], NULL, 10);
  unsigned threads = (unsigned)strtoul(argument[2], NULL, 10);
  size_t live = strtoul(argument[3], NULL, 10);
  enum os_failures mode = os_failures_mode(argument[0]);
  struct mixed_result result;
  size_t forks = 0;
  if (mode >= OS_FORK) {
    forks = fork_beside(threads, live, &result);
  } else {
    result = mixed_run(threads, mode == OS_FAIL_NONE);
  }
  os_failures_end();
  hak_limit_set(0, 0);
  result.calls = os_calls();
  mixed_check_nothing_lost(live);
  mixed_run(threads, true);
  mixed_check_nothing_lost(live);
  printf("%zu %zu %zu %zu %zu %zu\n", n, result.calls, os_calls_failed() + forks, result.refused,
         result.dearest_refusal, mixed_live_blocks());
  return 0;
}

/* ---- all points ---- */

struct point {
  size_t n, calls, failed, refused, dearest, live;
};

static FILE *start_point(const char *self, const char *mode, size_t n, unsigned threads, size_t live) {
  char command[512];
  snprintf(command, sizeof command, "HAKMEM_TEST_FAIL=%s:%zu HAKMEM_SS_PREFAULT=%d exec '%s' run %s %zu %u %zu", mode,
           n, strcmp(mode, "every") != 0, self, mode, n, threads, live);
  FILE *output = popen(command, "r");
  if (output == NULL) {
    perror("popen");
    exit(1);
  }
  return output;
}

/* False when the point failed; it has said why. */
static bool end_point(FILE *output, const char *mode, size_t n, struct point *point) {
  int read = fscanf(output, "%zu %zu %zu %zu %zu %zu", &point->n, &point->calls, &point->failed, &point->refused,
                    &point->dearest, &point->live);
  int status = pclose(output);
  if (status != 0 || read != 6) {
    fprintf(stderr, "sweep %s: point %zu ended with status %#x\n", mode, n, (unsigned)status);
    return false;
  }
  return true;
}

struct totals {
  size_t points, hit, refused, dearest, wrong;
};

static void add_point(struct totals *totals, const struct point *point) {
  totals->points++;
  totals->hit += point->failed > 0;
  totals->refused += point->refused;
  totals->dearest = point->dearest > totals->dearest ? point->dearest : totals->dearest;
}

static struct totals try_points(const char *self, const char *mode, unsigned threads, size_t first, size_t last,
                                size_t step, size_t live) {
  struct totals totals = {0};
  for (size_t n = first; n <= last; n += AT_ONCE * step) {
    FILE *output[AT_ONCE] = {NULL};
    for (size_t i = 0; i < AT_ONCE && n + i * step <= last; i++) {
      output[i] = start_point(self, mode, n + i * step, threads, live);
    }
    for (size_t i = 0; i < AT_ONCE && output[i] != NULL; i++) {
      struct point point = {0};
      if (end_point(output[i], mode, n + i * step, &point)) {
        add_point(&totals, &point);
      } else {
        totals.wrong++;
      }
    }
  }
  return totals;
}

static int sweep(const char *self, const char *mode, unsigned threads, size_t stride) {
  struct point whole = {0};
  bool forks = os_failures_mode(mode) >= OS_FORK;
  const char *whole_mode = forks ? mode : "none"; /* on a thread too, and none forks */
  if (!end_point(start_point(self, whole_mode, 0, threads, SIZE_MAX), whole_mode, 0, &whole)) {
    return 1;
  }
  size_t first = 1;
  size_t last = whole.calls;
  size_t step = stride;
  if (strcmp(mode, "every") == 0) {
    last = EVERY_MAX;
  } else if (strcmp(mode, "limit") == 0) {
    first = LIMIT_STEP;
    step = stride * LIMIT_STEP;
    last = LIMIT_MAX;
  }
  struct totals totals = try_points(self, mode, threads, first, last, step, whole.live);
  printf("sweep %s, %u thread%s: the run makes %zu calls of the operating system; %zu points tried, %s in %zu of "
         "them; %zu requests refused, at most %zu calls for one besides giving back; %zu points failed\n",
         mode, threads, threads == 1 ? "" : "s", whole.calls, totals.points + totals.wrong,
         forks ? "another thread forked" : "a call failed", totals.hit, totals.refused, totals.dearest, totals.wrong);
  bool may_refuse = strcmp(mode, "once") != 0 && !forks;
  if (whole.calls < (forks ? CALLS_LEAST / 10 : CALLS_LEAST) || totals.hit == 0 ||
      (may_refuse && totals.refused == 0)) {
    fprintf(stderr, "sweep: the run is too small to say anything\n");
    return 1;
  }
  return totals.wrong == 0 ? 0 : 1;
}

int main(int argc, char **argv) {
  if (argc == 6 && strcmp(argv[1], "run") == 0) {
    return run_point(argv + 2);
  }
  if (argc < 3 || argc > 4 || os_failures_mode(argv[1]) == OS_FAIL_NONE) {
    fprintf(stderr, "usage: %s once|onward|every|limit|fork|fork_unmaps THREADS [STRIDE]\n", argv[0]);
    return 2;
  }
  return sweep(argv[0], argv[1], (unsigned)strtoul(argv[2], NULL, 10), argc == 4 ? strtoul(argv[3], NULL, 10) : 1);
}
