/* A plain program, to be run with LD_PRELOAD naming libhakmem and one of the libraries beside this file.
 *
 * HAKMEM_TEST_EXPECT says which: "early" or "wrapper". */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_hakmem(void *function) {
  Dl_info info;
  return function && dladdr(function, &info) && strstr(info.dli_fname, "libhakmem");
}

static void *work(void *seed) {
  char *blocks[1000] = {0};
  unsigned x = *(unsigned *)seed + 1;
  for (int i = 0; i < 50000; i++) {
    x = x * 1664525u + 1013904223u;
    char **slot = &blocks[(x >> 8) % 1000];
    free(*slot);
    *slot = malloc(x >> 20);
    if (!*slot) {
      return NULL;
    }
    if (x >> 20) {
      **slot = 1;
    }
  }
  for (int i = 0; i < 1000; i++) {
    free(blocks[i]);
  }
  return seed;
}

int main(void) {
  const char *expected = getenv("HAKMEM_TEST_EXPECT");
  int wrapped = expected && strcmp(expected, "wrapper") == 0;
  int *ran = dlsym(RTLD_DEFAULT, "early_library_ran");
  unsigned long *calls = dlsym(RTLD_DEFAULT, "wrapper_library_calls");
  if (!is_hakmem(dlsym(RTLD_DEFAULT, "posix_memalign")) || is_hakmem(dlsym(RTLD_DEFAULT, "malloc")) == wrapped ||
      !is_hakmem(dlsym(RTLD_DEFAULT, "hak_malloc"))) {
    fprintf(stderr, "this does not run on hakmem\n");
    return 3;
  }
  if (wrapped ? !calls || *calls == 0 : !ran || *ran != 1) {
    fprintf(stderr, "the preloaded library did not run\n");
    return 3;
  }
  pthread_t threads[4];
  unsigned seeds[4] = {0, 1, 2, 3};
  for (int i = 0; i < 4; i++) {
    if (pthread_create(&threads[i], NULL, work, &seeds[i])) {
      return 1;
    }
  }
  for (int i = 0; i < 4; i++) {
    void *result;
    pthread_join(threads[i], &result);
    if (!result) {
      return 1;
    }
  }
  /* dlerror keeps a string of its own in each thread. */
  dlsym(RTLD_DEFAULT, "no_such_function");
  puts(dlerror() ? "done" : "no error?");
  return 0;
}
