// The main function of every test binary outside unit/. It refuses to test libc: a test that ran on another malloc is no test.

#include <cstdio>
#include <cstring>

#include <dlfcn.h>

#include <gtest/gtest.h>

#include "support/scenario.h"

namespace {

#if defined(HAKMEM_TEST_HAK_ONLY)
const char *const kMustBeOurs[] = {"hak_malloc", "hak_free"};
#else
const char *const kMustBeOurs[] = {"malloc", "free", "calloc", "realloc", "hak_malloc", "_Znwm", "_ZdlPv"};
#endif

bool runs_on_hakmem() {
  for (const char *name : kMustBeOurs) {
    void *address = dlsym(RTLD_DEFAULT, name);
    Dl_info info;
    if (address == nullptr || dladdr(address, &info) == 0 || std::strstr(info.dli_fname, "libhakmem") == nullptr) {
      std::fprintf(stderr, "%s does not come from libhakmem but from %s: this would test another allocator\n", name,
                   address == nullptr ? "nowhere" : info.dli_fname);
      return false;
    }
  }
  return true;
}

} // namespace

int main(int argc, char **argv) {
  if (!runs_on_hakmem()) {
    return 3;
  }
  int code = support::dispatch_scenario(argc, argv);
  if (code >= 0) {
    return code;
  }
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
