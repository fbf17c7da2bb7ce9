/* A program, run with HAKMEM_GUARD_EVERY=1, with live guarded samples and freed ones. It prints a line "name address"
 * for each, and then waits for the end of its input. */
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

int main(void) {
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY); /* where the system lets nobody but ancestors read it */
  setvbuf(stdout, NULL, _IOFBF, 1 << 16);
  setvbuf(stdin, NULL, _IONBF, 0); /* no block more while it waits */
  char *live = malloc(100);
  char *freed = malloc(5000);
  char *large = malloc(200000);
  char *freed_large = malloc(300000);
  memset(live, 1, 100);
  memset(large, 1, 200000);
  free(freed);
  free(freed_large);
  printf("live %p\nfreed %p\n", (void *)live, (void *)freed);
  printf("large %p\nfreed_large %p\n", (void *)large, (void *)freed_large);
  malloc_info(0, stdout);
  printf("ready\n");
  fflush(stdout);
  return getchar() == EOF ? 0 : 1;
}
