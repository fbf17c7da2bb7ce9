/* Opened by deepbind_program.c with RTLD_DEEPBIND: has blocks of its own, and frees those of the program. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

static char *of_constructor;

__attribute__((constructor)) static void first(void) { of_constructor = strdup("of the constructor"); }

char *deepbind_block_of_constructor(void) { return of_constructor; }

void *deepbind_allocate(size_t size) { return malloc(size); }
void *deepbind_resize(void *block, size_t size) { return realloc(block, size); }
void deepbind_free(void *block) { free(block); }

/* The file that has the malloc which this library calls. */
const char *deepbind_malloc_is_of(void) {
  void *(*volatile called)(size_t) = malloc;
  Dl_info info;
  return dladdr((void *)called, &info) ? info.dli_fname : "nobody";
}
