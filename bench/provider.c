#include "provider.h"

#include "support.h"

#include <dlfcn.h>

const char *bench_provider(const char *symbol) {
  Dl_info info;
  void *address = dlsym(RTLD_DEFAULT, symbol);
  if (address == NULL || dladdr(address, &info) == 0 || info.dli_fname == NULL) {
    bench_fail("the library that serves %s could not be found", symbol);
  }
  return info.dli_fname;
}
