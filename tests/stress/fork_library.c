/* A library whose fork handlers allocate, free, fork and wait for a thread that allocates, and whose constructor forks. It is
 * loaded on both sides of hakmem, so that its handlers are registered before hakmem's constructor has run and after. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void use_malloc(void) {
  static const size_t sizes[] = {8, 100, 1000, 5000, 30000, 100000, 3000000};
  void *blocks[7 * 40];
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
    size_t size = sizes[i % 7];
    blocks[i] = malloc(size);
    if (blocks[i] == NULL) {
      abort();
    }
    memset(blocks[i], 1, size < 64 ? size : 64);
  }
  for (size_t i = 0; i < sizeof blocks / sizeof blocks[0]; i++) {
    free(blocks[i]);
  }
}

static void *in_a_thread(void *unused) {
  use_malloc();
  return unused;
}

static void run_a_thread(void) {
  pthread_t thread;
  if (pthread_create(&thread, NULL, in_a_thread, NULL) != 0 || pthread_join(thread, NULL) != 0) {
    abort();
  }
}

static void fork_once(void) {
  pid_t pid = fork();
  if (pid < 0) {
    abort();
  }
  if (pid == 0) {
    alarm(20);
    use_malloc();
    run_a_thread();
    _exit(0);
  }
  int status = 0;
  if (waitpid(pid, &status, 0) != pid || status != 0) {
    static const char line[] = "a child of the library failed\n";
    (void)!write(STDERR_FILENO, line, sizeof line - 1);
    abort();
  }
}

static __thread int depth;

/* Threads that a library ends before a fork, as some that compute do: the end of a thread needs the allocator. */
static void prepare(void) {
  use_malloc();
  if (depth == 0) {
    run_a_thread();
    depth = 1;
    fork_once();
    depth = 0;
  }
}

static void go_on(void) { use_malloc(); }

__attribute__((constructor)) static void loaded(void) {
  void *block = malloc(100);
  pthread_atfork(prepare, go_on, go_on);
  fork_once();
  free(block);
}
