/* Preloaded: allocates in its constructor and destructor, and keeps a block from the first to the last. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 5000 };

static char *blocks[BLOCKS];
static char *kept;

int early_library_ran;

static void fail(const char *what) {
  (void)!write(2, what, strlen(what));
  _exit(1);
}

static void allocate_and_free(void) {
  for (int i = 0; i < BLOCKS; i++) {
    size_t size = (size_t)i % 3000 + 1;
    blocks[i] = i % 3 ? malloc(size) : calloc(size, 1);
    if (!blocks[i]) {
      fail("early library: no memory\n");
    }
    memset(blocks[i], i, size);
  }
  for (int i = 0; i < BLOCKS; i++) {
    if (blocks[i][0] != (char)i) {
      fail("early library: a block lost its content\n");
    }
    free(blocks[i]);
  }
}

static void at_exit(void) { allocate_and_free(); }

__attribute__((constructor(101))) static void first(void) {
  kept = malloc(100000);
  if (!kept) {
    fail("early library: no memory\n");
  }
  memset(kept, 7, 100000);
  allocate_and_free();
  atexit(at_exit);
  early_library_ran = 1;
}

__attribute__((destructor(101))) static void last(void) {
  if (kept[99999] != 7) {
    fail("early library: the kept block lost its content\n");
  }
  free(kept);
  allocate_and_free();
}
