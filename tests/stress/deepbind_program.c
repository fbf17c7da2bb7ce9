/* A plain program, to be run with LD_PRELOAD naming libhakmem: opens the library beside this file with RTLD_DEEPBIND,
 * as PHP opens its extensions, and hands blocks to it and back.
 *
 * It names the library without a folder. Only this program's DT_RUNPATH has the folder, so the dynamic linker must know
 * who opens it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                          \
      _Exit(1);                                                                                                        \
    }                                                                                                                  \
  } while (0)

static void *found(void *library, const char *name) {
  void *address = dlsym(library, name);
  if (address == NULL) {
    fprintf(stderr, "%s is missing\n", name);
    _Exit(1);
  }
  return address;
}

int main(void) {
  REQUIRE(dlopen("libdeepbind-that-is-nowhere.so", RTLD_NOW | RTLD_DEEPBIND) == NULL);
  const char *error = dlerror();
  REQUIRE(error != NULL && strstr(error, "libdeepbind-that-is-nowhere.so") != NULL);

  void *library = dlopen("libstress_deepbind.so", RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
  if (library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    _Exit(1);
  }
  REQUIRE(dlsym(RTLD_DEFAULT, "deepbind_allocate") == NULL); // the other flags stay
  char *(*block_of_constructor)(void) = (char *(*)(void))found(library, "deepbind_block_of_constructor");
  void *(*allocate)(size_t) = (void *(*)(size_t))found(library, "deepbind_allocate");
  void *(*resize)(void *, size_t) = (void *(*)(void *, size_t))found(library, "deepbind_resize");
  void (*release)(void *) = (void (*)(void *))found(library, "deepbind_free");
  const char *(*malloc_is_of)(void) = (const char *(*)(void))found(library, "deepbind_malloc_is_of");

  if (strstr(malloc_is_of(), "libhakmem") == NULL) {
    fprintf(stderr, "the malloc of the opened library is of %s\n", malloc_is_of());
    _Exit(1);
  }
  REQUIRE(strcmp(block_of_constructor(), "of the constructor") == 0);
  free(block_of_constructor());
  static const size_t sizes[] = {1, 100, 5000, 100000, 5000000};
  for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    char *here = malloc(sizes[i]);
    char *there = allocate(sizes[i]);
    REQUIRE(here != NULL && there != NULL);
    memset(here, 1, sizes[i]);
    memset(there, 2, sizes[i]);
    here = resize(here, 2 * sizes[i]);
    there = realloc(there, 2 * sizes[i]);
    REQUIRE(here != NULL && there != NULL && here[sizes[i] - 1] == 1 && there[sizes[i] - 1] == 2);
    release(here);
    free(there);
  }
  REQUIRE(dlclose(library) == 0);
  return 0;
}
