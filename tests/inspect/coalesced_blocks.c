/* A program with coalesced blocks: of its blocks of 256 bytes one in 16 is kept, and blocks of 1024 bytes then take the
 * places of others. It prints a line "name address" for one of each kind, and what malloc_info says of the heap as it
 * then stands; then it waits for the end of its input. */
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

enum { SMALL = 60000, STEP = 16, KEPT = SMALL / STEP, UNIT = 65536, COALESCED = 1000, TRIES = 10000 };

static char *small[SMALL], *kept[KEPT], *coalesced[COALESCED];

static char *allocate(size_t size) {
  char *block = malloc(size);
  if (block == NULL) {
    abort();
  }
  return memset(block, 1, size);
}

static void tell(const char *name, const void *block) { printf("%s %p\n", name, block); }

static int compare_units(const void *one, const void *other) {
  uintptr_t first = *(const uintptr_t *)one / UNIT, second = *(const uintptr_t *)other / UNIT;
  return first < second ? -1 : first > second;
}

static void make_sparse(void) {
  for (int i = 0; i < SMALL; i++) {
    small[i] = allocate(256);
  }
  for (int i = 0; i < SMALL; i++) {
    if (i % STEP == 0) {
      kept[i / STEP] = small[i];
    } else {
      free(small[i]);
    }
  }
  qsort(kept, KEPT, sizeof *kept, compare_units);
}

/* The others share no unit with blocks of 256 bytes. */
static bool find_coalesced(void) {
  int found = 0;
  for (int i = 0; i < TRIES && found < COALESCED; i++) {
    char *block = allocate(1024);
    if (bsearch(&block, kept, KEPT, sizeof *kept, compare_units) != NULL) {
      coalesced[found++] = block;
    }
  }
  return found == COALESCED;
}

/* What it gathers is posted when it ends. */
static void *free_and_end(void *block) {
  free(malloc(40));
  free(block);
  return NULL;
}

int main(void) {
  pthread_t thread;
  char end;
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* where the system lets nobody but ancestors read it */
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  size_t (*collect)(void) = (size_t(*)(void))(uintptr_t)dlsym(RTLD_DEFAULT, "hak_collect");
  make_sparse();
  if (collect == NULL || !find_coalesced()) {
    return 1;
  }
  free(coalesced[400]);
  collect(); /* what the thread has cached goes back to the slabs */
  pthread_create(&thread, NULL, free_and_end, coalesced[300]);
  pthread_join(thread, NULL);
  free(coalesced[200]);
  tell("live", coalesced[100]);
  tell("cached", coalesced[200]);
  tell("posted", coalesced[300]);
  tell("in_slab", coalesced[400]);
  tell("small", kept[0]);
#ifdef __GLIBC__
  malloc_info(0, stdout);
#endif
  puts("ready");
  fflush(stdout);
  return read(0, &end, 1) != 0;
}
