// Uses of a block after it was freed, and what is left in memory for its next owner.

#include <cstring>
#include <vector>

#include "matrix.h"

using namespace matrix;

namespace {

constexpr size_t kMany = 16 * MiB; // bytes to bring through the heap

size_t many(size_t size) { return size < 4 * KiB ? 4096 : kMany / size; }

// ---- writes ----

MISUSE(write_after_free, kOfPublicSuite, kPublic) {
  char *block = announce(lone_block(size));
  heap.free(block);
  write_all(block, size);
  return kSurvived;
}

MISUSE(write_after_free_and_reuse, kOfPublicSuite, kPublic) {
  char *block = announce(lone_block(size));
  heap.free(block);
  write_all(block, size);
  for (size_t i = 0; i < (size >= 64 * KiB ? 4 * KiB : 256 * KiB); i++) {
    heap.free(heap.malloc(size));
  }
  return kSurvived;
}

// Others are freed later and all are used again; it may be that the next larger class serves some.
Effect write_at(size_t size, size_t offset) {
  char *block = announce(block_of(size));
  size_t sizes[] = {size, heap.usable_size(block) + 1};
  std::vector<void *> others;
  for (size_t i = 0; i < 400; i++) {
    others.push_back(heap.malloc(sizes[i % 2]));
  }
  heap.free(block);
  flip(block + offset);
  for (void *other : others) {
    heap.free(other);
  }
  for (size_t i = 0; i < 2000; i++) {
    if (heap.malloc(sizes[i % 2]) == nullptr) {
      give_up("there is no memory");
    }
  }
  return kSurvived;
}

MISUSE(write_of_a_byte_after_free, kOfOurs, kOurs) { return write_at(size, 0); }
MISUSE(write_of_the_last_byte_after_free, kOfOurs, kOurs) { return write_at(size, size - 1); }
MISUSE(write_of_a_byte_in_the_middle_after_free, kOfOurs, kOurs) { return write_at(size, size / 2); }

MISUSE(write_after_free_of_a_tiny_block, kOfOurs, kOne) { return write_at(8, 7); }
MISUSE(write_after_free_of_a_wide_block, kOfOurs, kOne) { return write_at(20000, 10000); }
MISUSE(write_after_free_64_bytes_in, kOfOurs, kOne) { return write_at(1000, 63); }
MISUSE(write_after_free_in_the_middle_of_1_KB, kOfOurs, kOne) { return write_at(1000, 500); }

MISUSE(write_after_realloc_moved, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  void *moved = heap.realloc(block, 64 * size);
  if (moved == block) {
    return kNoEffect;
  }
  write_all(block, size);
  heap.free(moved);
  return kSurvived;
}

// ---- reads ----

// What was in a block, read through its old pointer.
MISUSE(content_is_there_after_free, kOfPublicSuite, kPublic) {
  char *block = announce(lone_block(size));
  write_all(block, size);
  heap.free(block);
  return effect_if(!all_zero(block, size));
}

// What was in other blocks, read by the next owner.
MISUSE(content_is_there_after_malloc, kOfPublicSuite, kPublic) {
  churn(size, many(size));
  return effect_if(!all_zero(announce(lone_block(size)), size));
}

MISUSE(content_is_there_after_a_smaller_malloc, kOfOurs, kOurs) {
  churn(size, many(size));
  return effect_if(!all_zero(announce(lone_block(size - size / 8)), size - size / 8));
}

// Grown by realloc: what is beyond the old end was another's.
MISUSE(content_is_there_after_realloc, kOfOurs, kOurs) {
  churn(2 * size, many(2 * size));
  char *block = lone_block(size);
  std::memset(block, 0, size);
  block = static_cast<char *>(heap.realloc(block, 2 * size));
  return effect_if(!all_zero(announce(block), 2 * size));
}

MISUSE(read_after_free, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  std::memset(block, 'A', size);
  heap.free(block);
  return effect_if(std::memchr(block, 'A', size) != nullptr);
}

// ---- at the same address again ----

MISUSE(address_again_by_malloc, kOfPublicSuite, kPublic) {
  char *block = announce(lone_block(size));
  heap.free(block);
  return effect_if(heap.malloc(size) == block);
}

MISUSE(address_again_by_a_smaller_malloc, kOfPublicSuite, kPublic) {
  char *block = announce(lone_block(size));
  heap.free(block);
  return effect_if(heap.malloc(size / 2) == block);
}

// On each size the same, as the public suite has it.
MISUSE(address_again_by_realloc, kOfPublicSuite, kPublic) {
  char *block = announce(lone_block(8));
  return effect_if(heap.realloc(block, 1024) == block);
}

// An object of one kind in the place of a freed one of another.
MISUSE(address_again_among_many, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  heap.free(block);
  bool same = false;
  for (int i = 0; i < 4; i++) {
    same |= heap.malloc(size) == block;
  }
  return effect_if(same);
}

// ---- what only the allocator is told ----

MISUSE(realloc_of_a_freed_block, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  heap.free(block);
  return effect_if(heap.realloc(block, 2 * size) != nullptr);
}

MISUSE(realloc_in_place_of_a_freed_block, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  heap.free(block);
  return effect_if(heap.realloc(block, size) != nullptr);
}

MISUSE(realloc_of_a_block_freed_long_ago, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  heap.free(block);
  churn(size, size >= 64 * KiB ? 64 : 4096);
  for (int i = 0; i < 200; i++) {
    heap.malloc(size);
  }
  return effect_if(heap.realloc(block, 2 * size) != nullptr);
}

MISUSE(usable_size_of_a_freed_block, kOfOurs, kOurs) {
  char *block = announce(block_of(size));
  heap.free(block);
  return effect_if(heap.usable_size(block) != 0);
}

} // namespace
