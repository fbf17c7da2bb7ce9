/* Calls whose way through the library is longer than a static walk can follow; callgrind counts what runs in measured_*.
 *
 * Each of the first four takes blocks of a class of its own, so that its magazine is neither full nor empty. The others
 * move COUNT blocks, whole magazines of 63, through the depot, and out of slabs of which some blocks live, so that none is
 * released or bound meanwhile. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>

enum { HAK_PURGE_THREAD = 1 };

enum { CALLS = 8, MAGAZINE = 63, COUNT = 32 * MAGAZINE, BLOCK = 64, MANY = 32768, KEPT = 16 };
typedef void *new_aligned(size_t size, size_t alignment);
typedef size_t collect(int level);

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

/* The smallest class that serves is far from the one that has as many bytes. */
MEASURED measured_posix_memalign(void) {
  for (int i = 0; i < CALLS; i++) {
    if (posix_memalign(&some[i], 4096, 100) != 0) {
      exit(2);
    }
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
  fill(4096, CALLS + CALLS / 2);
  measured_posix_memalign();
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
  for (int i = 0; i < MANY; i++) {
    if (i % KEPT != 0) {
      free(many[i]);
    }
  }
  collect *empty_caches = (collect *)dlsym(RTLD_DEFAULT, "hak_purge");
  if (empty_caches == NULL) {
    exit(2);
  }
  empty_caches(HAK_PURGE_THREAD); /* else the depot would have them all */
  measured_refill_slab();
}

int main(void) {
  hits();
  depot();
  slab();
  return 0;
}
