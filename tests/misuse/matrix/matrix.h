// The matrix of heap misuse: one small function for each kind, run on each of its sizes, each time in a process of its own.
//
// The program links no allocator; it runs on whichever is preloaded, and names it first. A case that comes back has done its
// misuse; it returns whether that had any effect. Which cases a library is to stop stands in promises.json.
//
//   misuse --list        every case: its name, kind, size and suite
//   misuse CASE          runs one case; prints the allocator, and "no effect" or "survived" if it comes back
#ifndef HAKMEM_TESTS_MISUSE_MATRIX_H
#define HAKMEM_TESTS_MISUSE_MATRIX_H

#include <cstddef>

namespace matrix {

constexpr size_t KiB = 1024, MiB = 1024 * KiB;

enum Effect {
  kSurvived, // the misuse went through, and nobody noticed
  kNoEffect  // it went through and did nothing: memory was zero, or not handed out again; or it was refused
};

inline Effect effect_if(bool harmful) { return harmful ? kSurvived : kNoEffect; }

// Which blocks a kind is tried on.
enum Sizes {
  kPublic, // 8 bytes, 4 KiB and 256 KiB, as the public suite of mimalloc-bench has them
  kOurs,   // 64 bytes instead of 8: room for what happens inside a block
  kClass,  // 64 bytes and 4 KiB: what only a slab's blocks know
  kOne     // 4 KiB, or the kind has sizes of its own
};

enum Suite { kOfPublicSuite, kOfOurs };

struct Kind {
  Kind(const char *name, Suite suite, Sizes sizes, Effect (*body)(size_t size));
  const char *name;
  Suite suite;
  Sizes sizes;
  Effect (*body)(size_t size);
  Kind *next = nullptr;
};

// ---- the calls: through pointers that the compiler cannot see through ----

struct Calls {
  void *(*malloc)(size_t size);
  void *(*calloc)(size_t count, size_t size);
  void *(*realloc)(void *block, size_t size);
  void (*free)(void *block);
  void *(*aligned_alloc)(size_t alignment, size_t size);
  size_t (*usable_size)(void *block);
};

extern const volatile Calls heap;

// A value that the compiler knows nothing about.
template <class T> inline T opaque(T value) {
  asm volatile("" : "+r"(value) : : "memory");
  return value;
}

// ---- what the kinds share ----

// The only block of a fresh heap, as the public suite has it; and one among twenty that stay alive.
char *lone_block(size_t size);
char *block_of(size_t size);

// The pointer that is about to be misused.
template <class T> T *announce(T *pointer);
void announce_address(const void *pointer);

void free_elsewhere(void *block); // by a thread that ends at once

// Writes and frees so many blocks of a size.
void churn(size_t size, size_t count);

// Whether all bytes are zero.
bool all_zero(const char *from, size_t bytes);

void write_all(char *from, size_t bytes);
void flip(volatile char *byte); // changes it, whatever it was
void look_at(const volatile char *byte);

[[noreturn]] void give_up(const char *why); // the case cannot be tried: exit status 77

template <class T> T *announce(T *pointer) {
  announce_address(pointer);
  return opaque(pointer);
}

} // namespace matrix

// Effect body(size_t size) follows.
#define MISUSE(name, suite, sizes)                                                                                     \
  static matrix::Effect body_of_##name(size_t size);                                                                   \
  static matrix::Kind kind_##name(#name, suite, sizes, body_of_##name);                                                \
  static matrix::Effect body_of_##name([[maybe_unused]] size_t size)

#endif
