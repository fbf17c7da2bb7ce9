/* A signal handler forks in the middle of malloc, free and realloc.
 *
 *   fork_in_handler_program SECONDS THREADS
 *
 * With one thread a timer interrupts the program some thousand times a second. With more, each allocates and is sent signals in
 * turn. Half of the children leave at once, the others return from the handler, which completes the call that was interrupted,
 * and go on with the blocks that they have. Every child is to exit with 0. Nothing but malloc runs in the loops, so that nothing else
 * can be what hangs; then the program says so and ends with status 1. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 48, CHILD_STEPS = 400, THREADS_MAX = 64, CHILD_MS = 20000, STALL_SECONDS = 40, PACE_US = 1000 };

struct block {
  unsigned char *start;
  size_t size;
  unsigned char mark;
};

struct worker {
  pthread_t thread;
  struct block blocks[SLOTS];
  uint64_t random;
  atomic_bool in_handler;
};

static struct worker workers[THREADS_MAX];
static unsigned thread_count;
static __thread struct worker *self;
static atomic_bool stop;
static _Atomic unsigned long forks;
static _Atomic unsigned long steps;
static volatile sig_atomic_t child_steps; /* in a child: steps that are left; 0: this is no child */
static const char *volatile doing = "starting";

static void fail(const char *why) {
  char line[200];
  int length = snprintf(line, sizeof line, "fork_in_handler: %s%s; %lu forks, %lu steps, last: %s\n",
                        child_steps > 0 ? "in a child: " : "", why, forks, steps, doing);
  (void)!write(STDERR_FILENO, line, (size_t)length);
  _exit(1);
}

/* ---- the blocks ---- */

static uint64_t next_random(uint64_t below) {
  self->random = self->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (self->random >> 33) % below;
}

/* One of each path: a cached class, a wide class, a large block, a huge one. */
static size_t some_size(void) {
  switch (next_random(16)) {
  case 0:
    return 40000 + next_random(60000);
  case 1:
    return next_random(4) == 0 ? 3000000 + next_random(100000) : 400000;
  case 2:
  case 3:
    return 5000 + next_random(27000);
  default:
    return 1 + next_random(2000);
  }
}

static void mark(struct block *block) {
  block->start[0] = block->mark;
  block->start[block->size / 2] = block->mark;
  block->start[block->size - 1] = block->mark;
}

static bool is_whole(const struct block *block, size_t size) {
  return block->start[0] == block->mark && (size <= block->size / 2 || block->start[block->size / 2] == block->mark) &&
         (size < block->size || block->start[block->size - 1] == block->mark);
}

static void release(struct block *block) {
  if (block->start != NULL && !is_whole(block, block->size)) {
    fail("a block lost its content");
  }
  doing = "free";
  free(block->start);
  block->start = NULL;
}

static void resize(struct block *block) {
  size_t size = some_size();
  doing = "realloc";
  unsigned char *moved = realloc(block->start, size);
  if (moved == NULL) {
    fail("no memory");
  }
  block->start = moved;
  if (!is_whole(block, size)) {
    fail("realloc lost content");
  }
  block->size = size;
  mark(block);
}

static void take(struct block *block) {
  block->size = some_size();
  block->mark = (unsigned char)(1 + next_random(255));
  bool zeroed = next_random(4) == 0;
  doing = zeroed ? "calloc" : "malloc";
  block->start = zeroed ? calloc(1, block->size) : malloc(block->size);
  if (block->start == NULL) {
    fail("no memory");
  }
  if (zeroed && (block->start[0] != 0 || block->start[block->size / 2] != 0 || block->start[block->size - 1] != 0)) {
    fail("calloc is not zero");
  }
  mark(block);
}

static void step(void) {
  struct block *block = &self->blocks[next_random(SLOTS)];
  if (block->start != NULL && next_random(3) == 0) {
    resize(block);
  } else {
    release(block);
    take(block);
  }
}

static void release_all(void) {
  for (int i = 0; i < SLOTS; i++) {
    release(&self->blocks[i]);
  }
}

static void *work(void *argument) {
  self = argument;
  self->random = (uint64_t)(self - workers) * 77 + 1;
  self->in_handler = false;
  while (!stop || child_steps > 0) {
    step();
    steps++;
    if (child_steps > 0 && --child_steps == 0) {
      release_all();
      _exit(0);
    }
  }
  release_all();
  return NULL;
}

/* ---- the handler ---- */

static void wait_for(pid_t child) {
  int status = 0;
  struct timespec pause = {0, 200000};
  for (int turns = 0; waitpid(child, &status, WNOHANG) != child; turns++) {
    if (turns > CHILD_MS * 5) {
      kill(child, SIGKILL);
      fail("a child hangs");
    }
    nanosleep(&pause, NULL);
  }
  if (status != 0) {
    fail(WIFSIGNALED(status) ? "a child was ended by a signal" : "a child failed");
  }
}

/* Once, from the end of the handler: a timer that repeats would be due again before a step is made. */
static void set_timer(void) {
  if (thread_count == 1 && !stop) {
    struct itimerval once = {.it_value = {0, 100 + (suseconds_t)(forks * 7919 % (2 * PACE_US - 200))}};
    setitimer(ITIMER_REAL, &once, NULL);
  }
}

static void interrupted(int signal_number) {
  (void)signal_number;
  if (self == NULL || child_steps > 0 || stop) {
    return;
  }
  int saved = errno;
  unsigned long number = forks++;
  pid_t child = fork();
  if (child == 0 && number % 2 == 0) {
    _exit(0);
  } else if (child == 0) {
    child_steps = CHILD_STEPS;
  } else if (child < 0) {
    fail("fork is refused");
  } else {
    wait_for(child);
    set_timer();
    self->in_handler = false;
  }
  errno = saved;
}

/* Sent by a timer of its own each second; children do not inherit it. */
static void watch(int signal_number) {
  static unsigned long seen;
  static int stalled;
  (void)signal_number;
  unsigned long now = forks + steps;
  stalled = now == seen ? stalled + 1 : 0;
  seen = now;
  if (stalled > STALL_SECONDS) {
    fail("no progress");
  }
}

static void handle(int signal_number, void (*handler)(int)) {
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
  sigaction(signal_number, &action, NULL);
}

static void start_watch(void) {
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGUSR2};
  struct itimerspec each_second = {{1, 0}, {1, 0}};
  timer_t timer;
  handle(SIGUSR2, watch);
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0 || timer_settime(timer, 0, &each_second, NULL) != 0) {
    fail("no timer");
  }
}

/* ---- one thread, or several ---- */

static time_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec;
}

static time_t end_at;

/* At the end of the time for the program of one thread, which has nobody else to look at the clock. */
static void timer_due(int signal_number) {
  if (child_steps == 0 && now() >= end_at) {
    stop = true;
  }
  interrupted(signal_number);
}

static void run_one(void) {
  handle(SIGALRM, timer_due);
  self = &workers[0];
  set_timer();
  work(&workers[0]);
}

static void run_several(void) {
  handle(SIGUSR1, interrupted);
  for (unsigned i = 0; i < thread_count; i++) {
    workers[i].in_handler = true; /* until it has started */
    if (pthread_create(&workers[i].thread, NULL, work, &workers[i]) != 0) {
      fail("no thread");
    }
  }
  struct timespec pace = {0, PACE_US * 1000};
  for (unsigned i = 0; now() < end_at; i = (i + 1) % thread_count) {
    /* Not while it is in the handler: it would make no step between two. */
    if (!atomic_exchange(&workers[i].in_handler, true)) {
      pthread_kill(workers[i].thread, SIGUSR1);
    }
    nanosleep(&pace, NULL);
  }
  stop = true;
  for (unsigned i = 0; i < thread_count; i++) {
    pthread_join(workers[i].thread, NULL);
  }
}

int main(int argc, char **argv) {
  long seconds = argc == 3 ? atol(argv[1]) : 0, threads = argc == 3 ? atol(argv[2]) : 0;
  if (seconds < 1 || threads < 1 || threads > THREADS_MAX) {
    fprintf(stderr, "usage: %s SECONDS THREADS (up to %d)\n", argv[0], THREADS_MAX);
    return 2;
  }
  if (getenv("LD_PRELOAD") != NULL && dlsym(RTLD_DEFAULT, "hak_malloc") == NULL) {
    fprintf(stderr, "this does not run on hakmem\n");
    return 3;
  }
  thread_count = (unsigned)threads;
  end_at = now() + seconds;
  start_watch();
  thread_count == 1 ? run_one() : run_several();
  printf("%lu forks, %lu steps\n", forks, steps);
  return 0;
}
