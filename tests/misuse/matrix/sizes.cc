// Sizes: blocks of zero bytes, sizes that no block can have, frees and deletes that name another size or another form.

#include <cstdint>
#include <cstring>
#include <new>
#include <string>

#include <dlfcn.h>
#include <sys/mman.h>

#include "matrix.h"

using namespace matrix;

namespace {

// ---- zero bytes ----

char *empty_block() {
  auto *block = static_cast<char *>(heap.malloc(opaque(size_t{0})));
  if (block == nullptr) {
    give_up("malloc(0) returns NULL");
  }
  return announce(block);
}

MISUSE(zero_size_read, kOfPublicSuite, kPublic) {
  look_at(empty_block());
  return kSurvived;
}

MISUSE(zero_size_read_and_free, kOfPublicSuite, kPublic) {
  char *block = empty_block();
  look_at(block);
  heap.free(block);
  return kSurvived;
}

MISUSE(zero_size_write, kOfPublicSuite, kPublic) {
  flip(empty_block());
  return kSurvived;
}

MISUSE(zero_size_write_and_free, kOfPublicSuite, kPublic) {
  char *block = empty_block();
  flip(block);
  heap.free(block);
  return kSurvived;
}

MISUSE(zero_size_write_after_free, kOfOurs, kOne) {
  char *block = empty_block();
  heap.free(block);
  flip(block);
  return kSurvived;
}

MISUSE(zero_size_double_free, kOfOurs, kOne) {
  char *block = empty_block();
  heap.free(block);
  heap.free(block);
  return kSurvived;
}

MISUSE(zero_size_of_calloc, kOfOurs, kOne) {
  flip(announce(static_cast<char *>(heap.calloc(opaque(size_t{0}), 8))));
  return kSurvived;
}

// ---- sizes that cannot be ----

Effect refused(void *block) { return effect_if(block != nullptr); }

MISUSE(malloc_of_minus_2, kOfPublicSuite, kPublic) { return refused(heap.malloc(opaque(~size_t{1}))); }
MISUSE(malloc_of_minus_a_size, kOfOurs, kOurs) { return refused(heap.malloc(0 - size)); }
MISUSE(malloc_of_half_the_address_space, kOfOurs, kOne) { return refused(heap.malloc(PTRDIFF_MAX)); }
MISUSE(calloc_that_overflows, kOfOurs, kOurs) { return refused(heap.calloc(SIZE_MAX / size + 2, size)); }
MISUSE(aligned_alloc_of_minus_64, kOfOurs, kOne) { return refused(heap.aligned_alloc(64, ~size_t{63})); }

MISUSE(realloc_to_minus_2, kOfOurs, kOurs) {
  char *block = block_of(size);
  void *moved = heap.realloc(block, opaque(~size_t{1}));
  heap.free(block);
  return refused(moved);
}

// ---- another size, another form ----

MISUSE(free_sized_too_large, kOfOurs, kOurs) {
  auto *free_sized = reinterpret_cast<void (*)(void *, size_t)>(dlsym(RTLD_DEFAULT, "free_sized"));
  if (free_sized == nullptr) {
    give_up("there is no free_sized");
  }
  free_sized(announce(block_of(size)), 10 * size);
  return kSurvived;
}

MISUSE(free_sized_too_small, kOfOurs, kOurs) {
  auto *free_sized = reinterpret_cast<void (*)(void *, size_t)>(dlsym(RTLD_DEFAULT, "free_sized"));
  if (free_sized == nullptr) {
    give_up("there is no free_sized");
  }
  free_sized(announce(block_of(10 * size)), size);
  return kSurvived;
}

MISUSE(free_aligned_sized_too_large, kOfOurs, kOurs) {
  auto *free_it = reinterpret_cast<void (*)(void *, size_t, size_t)>(dlsym(RTLD_DEFAULT, "free_aligned_sized"));
  if (free_it == nullptr) {
    give_up("there is no free_aligned_sized");
  }
  free_it(announce(heap.aligned_alloc(64, size)), 64, 10 * size);
  return kSurvived;
}

MISUSE(delete_with_too_large_a_size, kOfOurs, kOurs) {
  ::operator delete(announce(::operator new(size)), 10 * size);
  return kSurvived;
}

MISUSE(delete_with_too_small_a_size, kOfOurs, kOurs) {
  ::operator delete(announce(::operator new(10 * size)), size);
  return kSurvived;
}

struct Wide {
  size_t words[9];
};

MISUSE(delete_of_another_type, kOfPublicSuite, kOne) {
  delete announce(reinterpret_cast<Wide *>(opaque(new char)));
  return kSurvived;
}

MISUSE(delete_array_of_a_char, kOfPublicSuite, kOne) {
  delete[] announce(opaque(new char));
  return kSurvived;
}

MISUSE(delete_array_of_a_string, kOfPublicSuite, kOne) {
  delete[] announce(opaque(new std::string));
  return kSurvived;
}

MISUSE(delete_of_an_array_of_char, kOfPublicSuite, kOne) {
  delete announce(opaque(new char[size]));
  return kSurvived;
}

MISUSE(delete_of_an_array_of_strings, kOfPublicSuite, kOne) {
  delete announce(opaque(new std::string[size]));
  return kSurvived;
}

MISUSE(free_of_what_new_made, kOfOurs, kOurs) {
  heap.free(announce(::operator new(size)));
  return kSurvived;
}

MISUSE(delete_of_what_malloc_made, kOfOurs, kOurs) {
  ::operator delete(announce(block_of(size)));
  return kSurvived;
}

// ---- code in a block ----

MISUSE(code_in_a_block_runs, kOfPublicSuite, kPublic) {
  char *block = announce(lone_block(size));
#if defined(__aarch64__)
  const uint32_t code[] = {0xd65f03c0}; // ret
#else
  const unsigned char code[] = {0xc3}; // ret
#endif
  std::memcpy(block, code, sizeof code);
  __builtin___clear_cache(block, block + sizeof code);
  reinterpret_cast<void (*)()>(opaque(block))();
  return kSurvived;
}

} // namespace
