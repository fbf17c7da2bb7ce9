#include "filled.h"

#include "support.h"

#include <stdint.h>
#include <string.h>

struct filled {
  char mark; // bench_allocate's
  unsigned char pattern;
  uint32_t size;
  unsigned char bytes[]; // all of them the pattern
};

static unsigned char pattern_of(size_t size) { return (unsigned char)(size * 0x9D); }

void *bench_filled_allocate(size_t size) {
  struct filled *block = bench_allocate(size);
  block->pattern = pattern_of(size);
  block->size = (uint32_t)size;
  memset(block->bytes, block->pattern, size - sizeof *block);
  return block;
}

// All bytes are the pattern where the first one is, and each is as the one before it.
static int is_whole(const struct filled *block) {
  if (block->size < sizeof *block || block->pattern != pattern_of(block->size)) {
    return 0;
  }
  size_t count = block->size - sizeof *block;
  return count == 0 || (block->bytes[0] == block->pattern && memcmp(block->bytes, block->bytes + 1, count - 1) == 0);
}

void bench_filled_free(void *block) {
  const struct filled *filled = block;
  if (!is_whole(filled)) {
    bench_fail("the block of %u bytes at %p was overwritten", (unsigned)filled->size, block);
  }
  bench_free(block);
}

size_t bench_filled_size(const void *block) { return ((const struct filled *)block)->size; }
