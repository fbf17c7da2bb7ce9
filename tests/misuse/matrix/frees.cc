// Frees of what is no live block: twice, inside, elsewhere.

#include <cstdint>

#include <alloca.h>
#include <sys/mman.h>

#include "matrix.h"

using namespace matrix;

namespace {

// A round costs an allocator some system calls where the blocks are large.
size_t rounds(size_t size, size_t many) { return size >= 64 * KiB ? many / 64 : many; }

void allocate_and_free(size_t size, size_t many) {
  for (size_t i = 0; i < rounds(size, many); i++) {
    heap.free(heap.malloc(size));
  }
}

// ---- twice ----

MISUSE(double_free, kOfPublicSuite, kPublic) {
  char *block = announce(lone_block(size));
  heap.free(block);
  heap.free(block);
  return kSurvived;
}

MISUSE(double_free_delayed, kOfPublicSuite, kPublic) {
  char *block = announce(lone_block(size));
  heap.free(block);
  allocate_and_free(size, 1024);
  heap.free(block);
  return kSurvived;
}

MISUSE(double_free_interleaved, kOfPublicSuite, kPublic) {
  char *block = announce(lone_block(size)), *other = lone_block(size);
  heap.free(block);
  heap.free(other);
  heap.free(block);
  return kSurvived;
}

MISUSE(double_free_and_reuse, kOfPublicSuite, kPublic) {
  char *block = announce(lone_block(size));
  heap.free(block);
  heap.free(block);
  allocate_and_free(size, 256 * KiB);
  return kSurvived;
}

MISUSE(double_free_of_a_reused_block, kOfPublicSuite, kPublic) {
  char *block = announce(lone_block(size));
  heap.free(block);
  char *next = lone_block(size);
  heap.free(block);
  heap.free(next);
  return kSurvived;
}

MISUSE(double_free_among_others, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  char *others[200];
  for (char *&other : others) {
    other = lone_block(size);
  }
  heap.free(block);
  for (char *other : others) {
    heap.free(other);
  }
  heap.free(block);
  return kSurvived;
}

MISUSE(double_free_by_another_thread, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  heap.free(block);
  free_elsewhere(block);
  return kSurvived;
}

MISUSE(double_free_after_another_thread, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  free_elsewhere(block);
  heap.free(block);
  return kSurvived;
}

MISUSE(double_free_by_two_other_threads, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  free_elsewhere(block);
  free_elsewhere(block);
  return kSurvived;
}

// A server that goes on with blocks of another size: nothing it does has to do with the one freed twice.
MISUSE(double_free_in_a_server, kOfOurs, kClass) {
  char *block = announce(block_of(size)), *other = lone_block(size);
  heap.free(block);
  heap.free(other);
  heap.free(block);
  char *batch[8];
  for (int i = 0; i < 400000; i++) {
    for (char *&one : batch) {
      one = lone_block(20000);
    }
    for (char *one : batch) {
      heap.free(one);
    }
  }
  return kSurvived;
}

// ---- inside ----

// Its start is 8 bytes further, or 1, or a page.
Effect free_inside(size_t size, ptrdiff_t offset) {
  heap.free(announce(lone_block(size) + offset));
  return kSurvived;
}

MISUSE(invalid_free_unaligned, kOfPublicSuite, kPublic) { return free_inside(size, 1); }
MISUSE(invalid_free_8_further, kOfPublicSuite, kPublic) { return free_inside(size, 8); }
MISUSE(invalid_free_4_KiB_further, kOfPublicSuite, kPublic) { return free_inside(size, 4 * KiB); }
MISUSE(invalid_free_1_GiB_further, kOfPublicSuite, kPublic) { return free_inside(size, 1024 * MiB); }
MISUSE(invalid_free_16_before, kOfOurs, kOurs) { return free_inside(size, -16); }

MISUSE(invalid_free_inside, kOfOurs, kOurs) {
  heap.free(announce(block_of(size) + size / 2));
  return kSurvived;
}

MISUSE(invalid_free_inside_by_another_thread, kOfOurs, kOurs) {
  free_elsewhere(announce(block_of(size) + size / 2));
  return kSurvived;
}

MISUSE(realloc_of_an_interior_pointer, kOfOurs, kOurs) {
  return effect_if(heap.realloc(announce(block_of(size) + size / 2), 2 * size) != nullptr);
}

// The last bytes of 64 KiB: a slab whose blocks do not divide it has no block there.
MISUSE(invalid_free_behind_the_last_block, kOfOurs, kOne) {
  auto last = reinterpret_cast<uintptr_t>(block_of(40)) | 0xffff;
  heap.free(announce(reinterpret_cast<char *>(last - 15)));
  return kSurvived;
}

// ---- elsewhere ----

MISUSE(invalid_free_of_1, kOfPublicSuite, kPublic) {
  heap.free(announce(reinterpret_cast<char *>(opaque(uintptr_t{1}))));
  return kSurvived;
}

template <size_t bytes> Effect free_an_array() {
  alignas(16) char array[bytes];
  array[0] = 1;
  heap.free(announce(array));
  return kSurvived;
}

MISUSE(invalid_free_of_the_stack, kOfPublicSuite, kPublic) {
  return size <= 8 ? free_an_array<16>() : size <= 4 * KiB ? free_an_array<4 * KiB>() : free_an_array<256 * KiB>();
}

MISUSE(invalid_free_of_alloca, kOfPublicSuite, kPublic) {
  auto *bytes = static_cast<char *>(alloca(size));
  write_all(bytes, size);
  heap.free(announce(bytes));
  return kSurvived;
}

// What an uninitialised variable holds: rarely an address at all.
MISUSE(invalid_free_of_garbage, kOfOurs, kOne) {
  heap.free(announce(reinterpret_cast<char *>(opaque(uintptr_t{0x4141414141414140}))));
  return kSurvived;
}

alignas(64) char static_data[4096];

MISUSE(invalid_free_of_static_data, kOfOurs, kOne) {
  heap.free(lone_block(size));
  heap.free(announce(static_data + 64));
  return kSurvived;
}

MISUSE(invalid_free_of_code, kOfOurs, kOne) {
  heap.free(announce(reinterpret_cast<char *>(&free_inside)));
  return kSurvived;
}

char *mapped(int protection) {
  void *map = mmap(nullptr, 4 * MiB, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) {
    give_up("there is no memory");
  }
  return static_cast<char *>(map) + 64 * KiB;
}

MISUSE(invalid_free_of_a_mapping, kOfOurs, kOne) {
  heap.free(announce(mapped(PROT_READ | PROT_WRITE)));
  return kSurvived;
}

MISUSE(invalid_free_of_unreadable_memory, kOfOurs, kOne) {
  heap.free(announce(mapped(PROT_NONE)));
  return kSurvived;
}

MISUSE(realloc_of_static_data, kOfOurs, kOne) {
  return effect_if(heap.realloc(announce(static_data + 64), 100) != nullptr);
}

MISUSE(usable_size_of_static_data, kOfOurs, kOne) {
  return effect_if(heap.usable_size(announce(static_data + 64)) != 0);
}

} // namespace
