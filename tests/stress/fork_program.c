/* Forks beside threads that allocate; fork_library.c is loaded with it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int stop;

static void *be_busy(void *unused) {
  void *blocks[100] = {0};
  for (unsigned i = 0; !stop; i++) {
    free(blocks[i % 100]);
    blocks[i % 100] = malloc(i * 7 % 5000);
  }
  for (unsigned i = 0; i < 100; i++) {
    free(blocks[i]);
  }
  return unused;
}

int main(void) {
  pthread_t threads[2];
  alarm(100);
  for (int i = 0; i < 2; i++) {
    if (pthread_create(&threads[i], NULL, be_busy, NULL) != 0) {
      return 1;
    }
  }
  for (int i = 0; i < 25; i++) {
    pid_t pid = fork();
    if (pid == 0) {
      alarm(20);
      stop = 1;
      be_busy(NULL);
      _exit(0);
    }
    int status = 0;
    if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
      fprintf(stderr, "child %d ended with status %#x\n", i, (unsigned)status);
      return 1;
    }
  }
  stop = 1;
  for (int i = 0; i < 2; i++) {
    pthread_join(threads[i], NULL);
  }
  puts("done");
  return 0;
}
