/* A program with blocks of every kind. It prints a line "name address" for each, and what malloc_info says of the heap
 * as it then stands; then it waits for the end of its input, or (argument "crash") is killed by SIGSEGV. */
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

enum { OTHERS = 200, HOME = 63, SMALL = 20000 };

static char global[64];
static void *others[OTHERS];
static void *volatile passed_on;
static pthread_barrier_t turn;

static void *allocate(size_t size) {
  char *block = malloc(size);
  if (block == NULL) {
    abort();
  }
  memset(block, 1, size);
  return block;
}

static void tell(const char *name, const void *block) { printf("%s %p\n", name, block); }

/* Has blocks that others free, and lives on. */
static void *own(void *unused) {
  for (int i = 0; i < OTHERS; i++) {
    others[i] = allocate(200);
  }
  pthread_barrier_wait(&turn);
  pause();
  return unused;
}

/* Frees one block of the other thread, and ends: what it gathered is posted. */
static void *free_and_end(void *unused) {
  free(allocate(40));
  free(passed_on);
  return unused;
}

int main(int argc, char **argv) {
  char local = 0;
  pthread_t thread;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* where the system lets nobody but ancestors read it */
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  pthread_barrier_init(&turn, NULL, 2);

  void *first = allocate(1000);
  void *in_slab = allocate(1000);
  void *last = allocate(1000);
  void *single = allocate(4000);
  free(in_slab);
  size_t (*collect)(void) = (size_t(*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "hak_collect");
  if (collect == NULL) {
    return 1; /* it does not run on hakmem */
  }
  collect(); /* what the thread has cached goes back to the slabs */
  tell("in_slab", in_slab);
  tell("beside_in_slab", first);
  tell("also_beside", last);
  tell("single", single);

  void *live = allocate(100);
  void *cached = allocate(100);
  void **many = allocate(SMALL * sizeof *many);
  for (int i = 0; i < SMALL; i++) {
    many[i] = allocate(64);
  }
  for (int i = 0; i < SMALL; i++) {
    if (i % 100 != 0) {
      free(many[i]);
    }
  }
  tell("live", live);
  tell("one_in_a_hundred", many[300]);

  void *large = allocate(100000);
  void *huge = allocate(5000000);
  tell("large", large);
  tell("huge", huge);

  pthread_create(&thread, NULL, own, NULL);
  pthread_barrier_wait(&turn);
  passed_on = others[150];
  pthread_t ends;
  pthread_create(&ends, NULL, free_and_end, NULL);
  pthread_join(ends, NULL);
  for (int i = 0; i <= HOME; i++) {
    free(others[i]);
  }
  tell("posted", others[150]);
  tell("sent_home", others[5]);
  tell("gathered", others[HOME]);
  tell("other", others[100]);

  /* Last, so that nothing else takes the memory. */
  void *freed_large = allocate(100000);
  void *freed_huge = allocate(3000000);
  free(freed_large);
  free(freed_huge);
  tell("freed_large", freed_large);
  tell("freed_huge", freed_huge);
  free(cached); /* a large or huge block may empty the caches */
  tell("cached", cached);

  tell("global", global);
  tell("local", &local);
  tell("code", (const void *)(uintptr_t)main);
  tell("program", argv);
#ifdef __GLIBC__
  malloc_info(0, stdout);
#endif
  puts("ready");
  fflush(stdout);
  if (argc > 1 && strcmp(argv[1], "crash") == 0) {
    *(volatile int *)0 = 1;
  }
  return read(0, &local, 1) != 0;
}
