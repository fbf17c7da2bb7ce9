// A program that is not linked with hakmem opens the library at run time and uses hak_* from many threads, some of which were
// started before. It runs on two heaps at once: malloc is that of libc.
//
//   dlopen_program LIBRARY threads    works from many threads
//   dlopen_program LIBRARY close      closes the library while threads that used it still run
//   dlopen_program LIBRARY cancel     opens the library in a thread that is to be cancelled at the next chance; with a variable in
//                                     the environment that the library warns of, which must be no such chance

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <pthread.h>

namespace {

void *(*hak_malloc)(size_t);
void *(*hak_calloc)(size_t, size_t);
void *(*hak_realloc)(void *, size_t);
void (*hak_free)(void *);
size_t (*hak_usable_size)(const void *);
size_t (*hak_collect)();
const char *(*hak_version)();

#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      std::fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                     \
      std::_Exit(1);                                                                                                   \
    }                                                                                                                  \
  } while (0)

template <class Function> void find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) {
    std::fprintf(stderr, "%s is missing\n", name);
    std::_Exit(1);
  }
}

void work(unsigned seed, std::atomic<void *> *slots, unsigned slot_count) {
  unsigned x = seed * 2654435761u + 1;
  for (int i = 0; i < 20000; i++) {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    size_t size = x % 2000 + 1;
    auto *block = static_cast<unsigned char *>(i % 4 == 0 ? hak_calloc(1, size) : hak_malloc(size));
    REQUIRE(block != nullptr && hak_usable_size(block) >= size);
    REQUIRE(i % 4 != 0 || (block[0] == 0 && block[size - 1] == 0));
    std::memset(block, static_cast<int>(size), size);
    if (i % 16 == 0) {
      block = static_cast<unsigned char *>(hak_realloc(block, size * 2));
      REQUIRE(block != nullptr && block[size - 1] == static_cast<unsigned char>(size));
    }
    hak_free(slots[x / 4096 % slot_count].exchange(block));
    // Between the calls, the other heap works as ever.
    std::free(std::malloc(size));
  }
}

// As the library starts it holds locks of its own and of the loader: were the thread cancelled there, nobody could go on.
void open_in_a_cancelled_thread(char *path) {
  auto body = [](void *library_path) -> void * {
    pthread_cancel(pthread_self());
    return dlopen(static_cast<char *>(library_path), RTLD_NOW | RTLD_LOCAL);
  };
  pthread_t thread;
  void *opened = nullptr;
  REQUIRE(pthread_create(&thread, nullptr, body, path) == 0);
  REQUIRE(pthread_join(thread, &opened) == 0);
  std::printf("the thread was %s\n", opened == PTHREAD_CANCELED ? "cancelled in the library" : "not cancelled");
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  REQUIRE(argc == 3);
  bool close_early = std::strcmp(argv[2], "close") == 0;
  if (std::strcmp(argv[2], "cancel") == 0) {
    open_in_a_cancelled_thread(argv[1]);
  }
  static std::atomic<void *> slots[256];
  std::atomic<bool> opened{false};
  std::atomic<int> worked{0};
  std::atomic<bool> closed{false};
  std::vector<std::thread> threads;
  auto body = [&](unsigned seed) {
    while (!opened) {
      std::this_thread::yield();
    }
    work(seed, slots, 256);
    worked++;
    while (close_early && !closed) {
      std::this_thread::yield();
    }
  };
  for (unsigned i = 0; i < 8; i++) { // older than the library
    threads.emplace_back(body, i);
  }
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    std::fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  find(library, "hak_malloc", hak_malloc);
  find(library, "hak_calloc", hak_calloc);
  find(library, "hak_realloc", hak_realloc);
  find(library, "hak_free", hak_free);
  find(library, "hak_usable_size", hak_usable_size);
  find(library, "hak_collect", hak_collect);
  find(library, "hak_version", hak_version);

  // malloc is still that of libc: opening the library with RTLD_LOCAL interposes nothing.
  Dl_info info;
  REQUIRE(dladdr(dlsym(RTLD_DEFAULT, "malloc"), &info) != 0 && std::strstr(info.dli_fname, "libhakmem") == nullptr);

  opened = true;
  for (unsigned i = 8; i < 32; i++) {
    threads.emplace_back(body, i);
  }
  work(1000, slots, 256);
  while (worked < static_cast<int>(threads.size())) {
    std::this_thread::yield();
  }
  for (auto &slot : slots) {
    hak_free(slot.exchange(nullptr));
  }
  hak_collect();
  std::printf("hakmem %s, opened at run time, worked from %zu threads\n", hak_version(), threads.size() + 1);
  if (close_early) {
    dlclose(library);
    closed = true;
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  return 0;
}
