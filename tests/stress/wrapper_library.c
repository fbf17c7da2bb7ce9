/* Preloaded before libhakmem: wraps malloc and its friends and finds the real ones through dlsym on the first call, as tracers
 * do. dlsym may itself allocate: until all names are found, a small buffer serves. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

_Atomic unsigned long wrapper_library_calls;

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);

static char buffer[65536] __attribute__((aligned(16)));
static size_t buffer_used;
static int finding;

static void *from_buffer(size_t size) {
  void *block = buffer + buffer_used;
  buffer_used += (size + 15) & ~(size_t)15;
  if (buffer_used > sizeof buffer) {
    abort();
  }
  return block;
}

/* False while the names are being looked up: the call comes from within dlsym. */
static int found(void) {
  if (!real_free && !finding) {
    finding = 1;
    *(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
    *(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
    *(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
    *(void **)&real_free = dlsym(RTLD_NEXT, "free");
    finding = 0;
  }
  return real_free != NULL;
}

void *malloc(size_t size) {
  wrapper_library_calls++;
  return found() ? real_malloc(size) : from_buffer(size);
}

void *calloc(size_t count, size_t size) {
  wrapper_library_calls++;
  return found() ? real_calloc(count, size) : from_buffer(count * size);
}

void *realloc(void *block, size_t size) {
  wrapper_library_calls++;
  if (!found()) {
    abort();
  }
  return real_realloc(block, size);
}

void free(void *block) {
  wrapper_library_calls++;
  if (((char *)block < buffer || (char *)block >= buffer + sizeof buffer) && found()) {
    real_free(block);
  }
}
