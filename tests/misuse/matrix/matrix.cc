#include "matrix.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

namespace matrix {

const volatile Calls heap = {malloc, calloc, realloc, free, aligned_alloc, malloc_usable_size};

namespace {

Kind *first_kind = nullptr;

struct SizeRow {
  const char *name;
  size_t bytes;
};

constexpr SizeRow kSizeRows[][3] = {
    {{"small", 8}, {"medium", 4 * KiB}, {"large", 256 * KiB}},
    {{"small", 64}, {"medium", 4 * KiB}, {"large", 256 * KiB}},
    {{"small", 64}, {"medium", 4 * KiB}, {nullptr, 0}},
    {{"one", 4 * KiB}, {nullptr, 0}, {nullptr, 0}},
};

// Without stdio, which allocates.
void say(const char *text) {
  if (write(1, text, std::strlen(text)) < 0) {
    _exit(1);
  }
}

const char *allocator() {
  Dl_info info;
  void *address = dlsym(RTLD_DEFAULT, "malloc");
  return address != nullptr && dladdr(address, &info) != 0 ? info.dli_fname : "unknown";
}

// As JSON: the one reader is a program.
int list() {
  const char *before = "[";
  for (const Kind *kind = first_kind; kind != nullptr; kind = kind->next) {
    for (const SizeRow &size : kSizeRows[kind->sizes]) {
      if (size.name != nullptr) {
        std::printf("%s{\"name\": \"%s.%s\", \"kind\": \"%s\", \"size\": \"%s\", \"suite\": \"%s\"}", before,
                    kind->name, size.name, kind->name, size.name, kind->suite == kOfPublicSuite ? "public" : "ours");
        before = ",\n ";
      }
    }
  }
  std::puts("]");
  return 0;
}

bool is_named(const char *name, const Kind *kind, const char *size) {
  size_t length = std::strlen(kind->name);
  return std::strncmp(name, kind->name, length) == 0 && name[length] == '.' &&
         std::strcmp(name + length + 1, size) == 0;
}

int run(const char *name) {
  for (const Kind *kind = first_kind; kind != nullptr; kind = kind->next) {
    for (const SizeRow &size : kSizeRows[kind->sizes]) {
      if (size.name != nullptr && is_named(name, kind, size.name)) {
        rlimit none = {0, 0};
        setrlimit(RLIMIT_CORE, &none);
        say("allocator ");
        say(allocator());
        say("\n");
        say(kind->body(size.bytes) == kNoEffect ? "no effect\n" : "survived\n");
        return 0;
      }
    }
  }
  std::fprintf(stderr, "there is no case %s; --list lists them\n", name);
  return 2;
}

} // namespace

Kind::Kind(const char *kind_name, Suite kind_suite, Sizes kind_sizes, Effect (*kind_body)(size_t))
    : name(kind_name), suite(kind_suite), sizes(kind_sizes), body(kind_body), next(first_kind) {
  first_kind = this;
}

// ---- what the kinds share ----

static char *allocated(size_t size) {
  auto *block = static_cast<char *>(heap.malloc(size));
  if (block == nullptr) {
    give_up("there is no memory");
  }
  return block;
}

char *lone_block(size_t size) { return opaque(allocated(size)); }

char *block_of(size_t size) {
  char *block = nullptr;
  for (int i = 0; i < 20; i++) {
    char *next = allocated(size);
    block = i == 10 ? next : block;
  }
  return opaque(block);
}

void announce_address(const void *pointer) {
  char line[40];
  int length = std::snprintf(line, sizeof line, "pointer 0x%zx\n", reinterpret_cast<uintptr_t>(pointer));
  line[length] = 0;
  say(line);
}

// Not a std::thread: what that allocates might be the very block that was just freed.
void free_elsewhere(void *block) {
  pthread_t thread;
  auto body = [](void *argument) -> void * {
    heap.free(argument);
    return nullptr;
  };
  if (pthread_create(&thread, nullptr, body, block) != 0) {
    give_up("there is no thread");
  }
  pthread_join(thread, nullptr);
}

void churn(size_t size, size_t count) {
  std::vector<char *> blocks(count);
  for (char *&block : blocks) {
    block = allocated(size);
    write_all(block, size);
  }
  for (char *block : blocks) {
    heap.free(block);
  }
}

bool all_zero(const char *from, size_t bytes) {
  const volatile char *at = from;
  for (size_t i = 0; i < bytes; i++) {
    if (at[i] != 0) {
      return false;
    }
  }
  return true;
}

void write_all(char *from, size_t bytes) {
  volatile char *at = from;
  for (size_t i = 0; i < bytes; i++) {
    at[i] = 'A';
  }
}

void flip(volatile char *byte) { *byte = static_cast<char>(*byte ^ 'A'); }

void look_at(const volatile char *byte) { (void)opaque(*byte); }

void give_up(const char *why) {
  say("not tried: ");
  say(why);
  say("\n");
  _exit(77);
}

} // namespace matrix

int main(int argc, char **argv) {
  if (argc == 2 && std::strcmp(argv[1], "--list") == 0) {
    return matrix::list();
  }
  if (argc == 2) {
    return matrix::run(argv[1]);
  }
  std::fputs("usage: misuse --list | misuse CASE\n", stderr);
  return 2;
}
