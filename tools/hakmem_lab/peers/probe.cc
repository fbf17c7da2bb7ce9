// Says which library the malloc family comes from, one name and path a line, after two threads have used it.
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <thread>
#include <vector>

static const char *const names[] = {
    "malloc", "free", "calloc", "realloc", "posix_memalign", "aligned_alloc", "malloc_usable_size", "_Znwm", "_ZdlPv"};

static void allocate_and_free() {
  std::vector<char *> blocks;
  for (size_t size = 1; size < 3000000; size += 1 + size / 3) {
    char *block = static_cast<char *>(realloc(malloc(size), 2 * size));
    char *zeroed = static_cast<char *>(calloc(size, 1));
    void *aligned = nullptr;
    if (!block || !zeroed || zeroed[size - 1] != 0 || malloc_usable_size(block) < 2 * size)
      abort();
    if (posix_memalign(&aligned, 256, size) != 0 || reinterpret_cast<size_t>(aligned) % 256 != 0)
      abort();
    memset(block, 1, 2 * size);
    memset(aligned, 2, size);
    free(zeroed);
    free(aligned);
    blocks.push_back(block);
  }
  for (char *block : blocks)
    free(block);
}

int main(int argc, char **argv) {
  std::thread first(allocate_and_free), second(allocate_and_free);
  first.join();
  second.join();
  for (const char *name : names) {
    Dl_info info;
    void *address = dlsym(RTLD_DEFAULT, name);
    if (!address || !dladdr(address, &info))
      return 1;
    printf("%s %s\n", name, info.dli_fname);
  }
  if (argc > 1) {
    bool (*holds)() = reinterpret_cast<bool (*)()>(dlsym(RTLD_DEFAULT, argv[1]));
    printf("%s %s\n", argv[1], holds && holds() ? "yes" : "no");
  }
  return 0;
}
