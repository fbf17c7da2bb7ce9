/* Seventeen threads: the last has no heap of its own. It prints a line "name address" for a block that it holds and for
 * one that it has freed; then all wait for the end of its input. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { HEAPS = 16 };

static pthread_barrier_t turn;

static void *have_a_heap(void *unused) {
  free(malloc(100));
  pthread_barrier_wait(&turn);
  pause();
  return unused;
}

static void *have_none(void *unused) {
  char *live = memset(malloc(700), 1, 700);
  char *freed = memset(malloc(700), 1, 700);
  printf("live %p\n", (void *)live);
  printf("cached %p\n", (void *)freed);
  free(freed);
  pthread_barrier_wait(&turn);
  pause();
  return unused;
}

int main(void) {
  pthread_t thread;
  char end;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* where the system lets nobody but ancestors read it */
  free(malloc(1));
  pthread_barrier_init(&turn, NULL, 2);
  for (int i = 0; i < HEAPS; i++) {
    if (pthread_create(&thread, NULL, i < HEAPS - 1 ? have_a_heap : have_none, NULL) != 0) {
      return 1;
    }
    pthread_barrier_wait(&turn);
  }
  puts("ready");
  fflush(stdout);
  return read(0, &end, 1) != 0;
}
