// Reads and writes outside a block.

#include <cstdint>
#include <cstring>

#include <sys/mman.h>

#include "matrix.h"

using namespace matrix;

namespace {

void *(*const volatile copy)(void *to, const void *from, size_t bytes) = std::memcpy;

// So many bytes to copy from, that no allocator has anything to do with.
const void *source(size_t bytes) {
  void *map = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (map == MAP_FAILED) {
    give_up("there is no memory");
  }
  std::memset(map, 'B', bytes);
  return map;
}

// One byte beyond the end, or before the start; then the block is freed.
Effect write_beyond(size_t size, size_t distance) {
  char *block = announce(lone_block(size));
  flip(block + size - 1 + distance);
  heap.free(block);
  return kSurvived;
}

Effect write_before(size_t size, size_t distance) {
  char *block = announce(lone_block(size));
  flip(block - distance);
  heap.free(block);
  return kSurvived;
}

// A copy that is so much too long, or begins so much too early. The block is not freed.
Effect copy_beyond(size_t size, size_t distance) {
  const void *from = source(size + distance);
  copy(announce(lone_block(size)), from, size + distance);
  return kSurvived;
}

Effect copy_before(size_t size, size_t distance) {
  const void *from = source(size);
  copy(announce(lone_block(size)) - distance, from, size);
  return kSurvived;
}

MISUSE(overflow_by_1, kOfPublicSuite, kPublic) { return write_beyond(size, 1); }
MISUSE(overflow_by_32, kOfPublicSuite, kPublic) { return write_beyond(size, 32); }
MISUSE(overflow_by_1_MiB, kOfPublicSuite, kPublic) { return write_beyond(size, MiB); }
MISUSE(underflow_by_1, kOfPublicSuite, kPublic) { return write_before(size, 1); }
MISUSE(underflow_by_32, kOfPublicSuite, kPublic) { return write_before(size, 32); }
MISUSE(underflow_by_1_MiB, kOfPublicSuite, kPublic) { return write_before(size, MiB); }
MISUSE(copy_1_too_long, kOfPublicSuite, kPublic) { return copy_beyond(size, 1); }
MISUSE(copy_32_too_long, kOfPublicSuite, kPublic) { return copy_beyond(size, 32); }
MISUSE(copy_1_MiB_too_long, kOfPublicSuite, kPublic) { return copy_beyond(size, MiB); }
MISUSE(copy_1_too_early, kOfPublicSuite, kPublic) { return copy_before(size, 1); }
MISUSE(copy_32_too_early, kOfPublicSuite, kPublic) { return copy_before(size, 32); }
MISUSE(copy_1_MiB_too_early, kOfPublicSuite, kPublic) { return copy_before(size, MiB); }

// A block among others; the first bytes that are not usable.
Effect write_past_the_usable_end(size_t size, char value, bool elsewhere) {
  char *block = announce(block_of(size));
  block[heap.usable_size(block)] = value;
  if (elsewhere) {
    free_elsewhere(block);
  } else {
    heap.free(block);
  }
  return kSurvived;
}

MISUSE(overflow_by_8, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  for (size_t i = 0; i < 8; i++) {
    flip(block + size + i);
  }
  heap.free(block);
  return kSurvived;
}

MISUSE(overflow_past_the_usable_size, kOfOurs, kOurs) { return write_past_the_usable_end(size, 'x', false); }
MISUSE(overflow_by_a_zero, kOfOurs, kOurs) { return write_past_the_usable_end(size, 0, false); } // a string's end
MISUSE(overflow_freed_by_another_thread, kOfOurs, kOurs) { return write_past_the_usable_end(size, 'x', true); }

MISUSE(overflow_by_a_page, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  flip(block + heap.usable_size(block) + 8);
  return kSurvived;
}

MISUSE(overflow_before_realloc, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  flip(block + heap.usable_size(block));
  return effect_if(heap.realloc(block, 4 * size) != nullptr);
}

MISUSE(overflow_after_realloc_shrank, kOfOurs, kOurs) {
  auto *block = static_cast<char *>(heap.realloc(block_of(4 * size), size));
  flip(announce(block) + heap.usable_size(block));
  heap.free(block);
  return kSurvived;
}

MISUSE(overflow_to_the_heaps_end, kOfOurs, kOurs) { // a loop that never ends
  volatile char *block = announce(block_of(size));
  for (size_t i = 0; i < 64 * MiB; i++) {
    block[i] = 'x';
  }
  return kSurvived;
}

// A slab of the next size class, of eight units.
MISUSE(overflow_of_a_wide_block, kOfOurs, kOne) { return write_past_the_usable_end(20000, 'x', false); }

MISUSE(write_to_the_last_byte_of_2_MiB, kOfOurs, kOne) {
  auto last = reinterpret_cast<uintptr_t>(block_of(100)) | (2 * MiB - 1);
  flip(announce(reinterpret_cast<char *>(last)));
  return kSurvived;
}

MISUSE(overread_by_1, kOfOurs, kOurs) {
  look_at(announce(block_of(size)) + size);
  return kSurvived;
}

MISUSE(overread_to_the_heaps_end, kOfOurs, kOurs) {
  const volatile char *block = announce(block_of(size));
  for (size_t i = 0; i < 64 * MiB; i++) {
    look_at(block + i);
  }
  return kSurvived;
}

MISUSE(underread_by_16, kOfOurs, kOurs) {
  look_at(announce(block_of(size)) - 16);
  return kSurvived;
}

} // namespace
