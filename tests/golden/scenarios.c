/* Calls whose way through the library is longer than a static walk can follow; callgrind counts what runs in measured_*.
 *
 * Each of the first three takes blocks of a class of its own, so that its magazine is neither full nor empty. The others
 * move COUNT blocks, whole magazines of 63, through the depot and, past its bound, through slabs that keep some of their
 * blocks, so that none is released or bound meanwhile. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

enum { CALLS = 8, MAGAZINE = 63, COUNT = 32 * MAGAZINE, BLOCK = 64, MANY = 32768, KEPT = 16 };
enum { DEPOT = 4096 + 2 * MAGAZINE }; /* more blocks than the depot's 256 KiB hold */

typedef void *new_aligned(size_t size, size_t alignment);

static void *some[COUNT];
static void *many[MANY];

#define MEASURED __attribute__((noinline)) void

MEASURED measured_calloc(void) {
  for (int i = 0; i < CALLS; i++) {
    some[i] = calloc(1, 100);
  }
}

MEASURED measured_realloc(void *block) {
  for (int i = 0; i < CALLS; i++) {
    some[i] = realloc(block, 190 + (size_t)i);
  }
}

MEASURED measured_new_aligned(new_aligned *allocate) {
  for (int i = 0; i < CALLS; i++) {
    some[i] = allocate(384, 64);
  }
}

MEASURED measured_spill_depot(void) {
  for (int i = 0; i < COUNT; i++) {
    free(some[i]);
  }
}

MEASURED measured_refill_depot(void) {
  for (int i = 0; i < COUNT; i++) {
    some[i] = malloc(BLOCK);
  }
}

MEASURED measured_spill_slab(int *next) {
  for (int freed = 0; freed < COUNT; ++*next) {
    if (*next % KEPT == 0) {
      continue;
    }
    free(many[*next]);
    freed++;
  }
}

MEASURED measured_refill_slab(void) {
  for (int i = 0; i < COUNT; i++) {
    some[i] = malloc(BLOCK);
  }
}

static void fill(size_t size, int count) {
  for (int i = 0; i < count; i++) {
    some[i] = malloc(size);
  }
  for (int i = 0; i < count; i++) {
    free(some[i]);
  }
}

static void hits(void) {
  fill(100, 3 * CALLS);
  measured_calloc();
  measured_realloc(malloc(200));
  fill(384, 3 * CALLS);
  new_aligned *allocate = (new_aligned *)dlsym(RTLD_DEFAULT, "_ZnwmSt11align_val_t");
  if (allocate == NULL) {
    exit(2);
  }
  measured_new_aligned(allocate);
}

static void depot(void) {
  fill(BLOCK, COUNT); /* every magazine exists from here on */
  for (int i = 0; i < COUNT; i++) {
    some[i] = malloc(BLOCK);
  }
  measured_spill_depot();
  measured_refill_depot();
}

static void slab(void) {
  for (int i = 0; i < MANY; i++) {
    many[i] = malloc(BLOCK);
  }
  int next = 0;
  for (; next < MANY / 2; next++) {
    if (next % KEPT != 0) {
      free(many[next]);
    }
  }
  measured_spill_slab(&next);
  for (; next < MANY; next++) {
    if (next % KEPT != 0) {
      free(many[next]);
    }
  }
  for (int i = 0; i < DEPOT; i++) {
    many[i] = malloc(BLOCK);
  }
  measured_refill_slab();
}

int main(void) {
  hits();
  depot();
  slab();
  return 0;
}
