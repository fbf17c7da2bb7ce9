/* Forks beside threads that allocate while stdio holds a stream's lock.
 *
 *   fork_stdio_program SECONDS THREADS
 *
 * THREADS threads fork, twice as many read lines, and one flushes all streams. getline() allocates under its stream's lock;
 * fflush(NULL) holds the list of streams while it waits for each of them; fork() wants that list. An allocator that lets others
 * wait while it prepares a fork closes the circle. The program ends by itself with status 0; when anyone, a child too, makes no
 * progress it says what each was doing and ends with status 1. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LINE_BYTES = 50000, LINES = 3, THREADS_MAX = 64, WORKERS_MAX = 3 * THREADS_MAX + 1, TICK_MS = 100 };
enum { CHILD_MS = 20000, STALL_MS = 40000 };

struct worker {
  pthread_t thread;
  void (*step)(struct worker *self);
  const char *_Atomic doing;
  _Atomic unsigned long steps;
  unsigned long steps_seen;
  int stalled_ms;
};

static struct worker workers[WORKERS_MAX];
static unsigned worker_count;
static atomic_bool stop;
static atomic_uint running;
static char text[LINES * (LINE_BYTES + 1)];
static __thread FILE *stream;

/* Neither stdio nor malloc: this is said when they hang. */
static void say(const char *words, unsigned number, unsigned long steps, const char *doing) {
  char line[200];
  int length = snprintf(line, sizeof line, "%s %u, %lu steps: %s\n", words, number, steps, doing);
  (void)!write(STDERR_FILENO, line, (size_t)length);
}

static void fail(const char *why) {
  say("fork_stdio: failed with threads:", worker_count, workers[0].steps, why);
  for (unsigned i = 0; i < worker_count; i++) {
    say("  thread", i, workers[i].steps, workers[i].doing);
  }
  _exit(1);
}

static void sleep_us(long us) {
  struct timespec time = {us / 1000000, us % 1000000 * 1000};
  while (nanosleep(&time, &time) != 0 && errno == EINTR) {
  }
}

static void allocate_and_free(void) {
  static const size_t sizes[] = {8, 100, 5000, 50000, 3000000};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    char *block = malloc(sizes[i]);
    if (block == NULL) {
      _exit(2);
    }
    block[sizes[i] - 1] = 1;
    free(block);
  }
}

static void *in_a_thread(void *unused) {
  allocate_and_free();
  return unused;
}

static void be_a_child(bool with_a_thread) {
  allocate_and_free();
  if (with_a_thread) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, in_a_thread, NULL) != 0 || pthread_join(thread, NULL) != 0) {
      _exit(3);
    }
  }
  _exit(0);
}

/* A child that hangs is told from one that is slow by its time alone. */
static void wait_for(pid_t child) {
  int status = 0;
  for (int ms = 0; waitpid(child, &status, WNOHANG) != child; ms++) {
    if (ms > CHILD_MS) {
      kill(child, SIGKILL);
      fail("a child hangs");
    }
    sleep_us(1000);
  }
  if (status != 0) {
    fail("a child failed");
  }
}

static void fork_once(struct worker *self) {
  self->doing = "fork";
  pid_t child = fork();
  if (child == 0) {
    be_a_child(self->steps % 4 == 0);
  }
  if (child < 0) {
    fail("fork is refused");
  }
  self->doing = "waiting for its child";
  wait_for(child);
}

static void read_lines(struct worker *self) {
  self->doing = "getline";
  for (int i = 0; i < LINES; i++) {
    char *line = NULL; /* again each time, so that getline() allocates and grows it under the lock */
    size_t room = 0;
    if (getline(&line, &room, stream) != LINE_BYTES + 1 || line[LINE_BYTES - 1] != 'a' + i) {
      fail("a line is not what it was");
    }
    free(line);
  }
  self->doing = "rewind";
  rewind(stream);
  self->doing = "pause"; /* so that there is time for the threads that fork, and for their children */
  sleep_us(500);
}

static void flush_all(struct worker *self) {
  self->doing = "fflush(NULL)";
  fflush(NULL);
  self->doing = "pause"; /* without one it would keep the list from the threads that fork */
  sleep_us(100);
}

static void *work(void *argument) {
  struct worker *self = argument;
  self->doing = "fmemopen";
  if (self->step == read_lines && (stream = fmemopen(text, sizeof text, "r")) == NULL) {
    fail("no stream");
  }
  while (!stop) {
    self->step(self);
    self->steps++;
  }
  self->doing = "ending";
  if (stream != NULL) {
    fclose(stream);
  }
  self->doing = "ended";
  running--;
  return NULL;
}

static void start(unsigned count, void (*step)(struct worker *self)) {
  for (unsigned i = 0; i < count; i++) {
    struct worker *worker = &workers[worker_count++];
    worker->step = step;
    worker->doing = "starting";
    running++;
    if (pthread_create(&worker->thread, NULL, work, worker) != 0) {
      fail("no thread");
    }
  }
}

static void watch(void) {
  for (unsigned i = 0; i < worker_count; i++) {
    struct worker *worker = &workers[i];
    bool moves = worker->steps != worker->steps_seen || strcmp(worker->doing, "ended") == 0;
    worker->stalled_ms = moves ? 0 : worker->stalled_ms + TICK_MS;
    worker->steps_seen = worker->steps;
    if (worker->stalled_ms > STALL_MS) {
      fail("a thread hangs");
    }
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
  for (int i = 0; i < LINES; i++) {
    memset(text + i * (LINE_BYTES + 1), 'a' + i, LINE_BYTES);
    text[(i + 1) * (LINE_BYTES + 1) - 1] = '\n';
  }
  start((unsigned)threads, fork_once);
  start(2 * (unsigned)threads, read_lines);
  start(1, flush_all);
  for (long ms = 0; running > 0; ms += TICK_MS) {
    sleep_us(TICK_MS * 1000);
    stop = ms >= seconds * 1000;
    watch();
  }
  unsigned long forks = 0;
  for (unsigned i = 0; i < worker_count; i++) {
    pthread_join(workers[i].thread, NULL);
    forks += workers[i].step == fork_once ? workers[i].steps : 0;
  }
  printf("%lu forks\n", forks);
  return 0;
}
