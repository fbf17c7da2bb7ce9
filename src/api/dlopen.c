/* dlopen under the C library's name: the same, without RTLD_DEEPBIND.
 *
 * That flag lets a library look a name up in itself and in what it needs first, and every library needs the C library:
 * its malloc and free would be the C library's, while the rest of the process has these. The first block that one of
 * them hands to the other ends the process. Extensions of PHP are opened so.
 *
 * Only the shared libraries have it: in a program that is linked statically there is no next dlopen. */
#include <dlfcn.h>

#ifdef RTLD_DEEPBIND

#include <stdatomic.h>
#include <stddef.h>

#include "hakmem.h"

typedef void *dlopen_function(const char *file, int mode);

static dlopen_function *next_dlopen(void) {
  static dlopen_function *_Atomic found;
  dlopen_function *next = atomic_load_explicit(&found, memory_order_relaxed);
  if (next == NULL) {
    next = (dlopen_function *)dlsym(RTLD_NEXT, "dlopen");
    atomic_store_explicit(&found, next, memory_order_relaxed);
  }
  return next;
}

/* The call is the last thing done, and must be compiled as a jump: by the address to which it returns the dynamic
 * linker knows whose DT_RUNPATH and whose namespace count. NULL without a next one; dlerror says so then. */
HAK_API void *dlopen(const char *file, int mode) {
  dlopen_function *next = next_dlopen();
  return next != NULL ? next(file, mode & ~RTLD_DEEPBIND) : NULL;
}

#endif
