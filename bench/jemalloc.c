// What jemalloc has beside the standard functions, on the allocator that serves: a program that is linked with jemalloc
// passes what it gets there to free and malloc_usable_size, which most others cannot follow. A part of the witness, so
// that such a program can be measured on each of them.
#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void *mallocx(size_t size, int flags);
EXPORTED void *rallocx(void *block, size_t size, int flags);
EXPORTED size_t xallocx(void *block, size_t size, size_t extra, int flags);
EXPORTED size_t sallocx(const void *block, int flags);
EXPORTED void dallocx(void *block, int flags);
EXPORTED void sdallocx(void *block, size_t size, int flags);
EXPORTED size_t nallocx(size_t size, int flags);

enum { LG_ALIGNMENT = 0x3f, ZERO = 0x40, USUAL_ALIGNMENT = 8 };

static size_t alignment_of(int flags) { return (size_t)1 << (flags & LG_ALIGNMENT); }
static size_t usable(const void *block) { return malloc_usable_size((void *)(uintptr_t)block); }

static void *zero_from(void *block, size_t from, int flags) {
  size_t end = block == NULL || (flags & ZERO) == 0 ? 0 : usable(block);
  if (end > from) {
    memset((char *)block + from, 0, end - from);
  }
  return block;
}

static void *allocate(size_t size, int flags) {
  if (alignment_of(flags) <= USUAL_ALIGNMENT) {
    return malloc(size);
  }
  void *block = NULL;
  return posix_memalign(&block, alignment_of(flags), size) == 0 ? block : NULL;
}

void *mallocx(size_t size, int flags) { return zero_from(allocate(size, flags), 0, flags); }

void *rallocx(void *block, size_t size, int flags) {
  size_t had = usable(block);
  void *resized;
  if (alignment_of(flags) <= USUAL_ALIGNMENT) {
    resized = realloc(block, size);
  } else if ((resized = allocate(size, flags)) != NULL) {
    memcpy(resized, block, had < size ? had : size);
    free(block);
  }
  return zero_from(resized, had, flags);
}

size_t xallocx(void *block, size_t size, size_t extra, int flags) {
  (void)size;
  (void)extra;
  (void)flags;
  return usable(block);
}

size_t sallocx(const void *block, int flags) {
  (void)flags;
  return usable(block);
}

void dallocx(void *block, int flags) {
  (void)flags;
  free(block);
}

void sdallocx(void *block, size_t size, int flags) {
  (void)size;
  (void)flags;
  free(block);
}

size_t nallocx(size_t size, int flags) {
  (void)flags;
  return size;
}
