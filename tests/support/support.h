// What several test files need: patterns in blocks, the page size, resident memory, lists of sizes, seeds.
#ifndef HAKMEM_TESTS_SUPPORT_SUPPORT_H
#define HAKMEM_TESTS_SUPPORT_SUPPORT_H

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

namespace support {

constexpr size_t KiB = 1024;
constexpr size_t MiB = 1024 * KiB;
constexpr size_t GiB = 1024 * MiB;

// A value that the compiler knows nothing about.
template <class T> inline T opaque(T value) {
  asm volatile("" : "+r"(value) : : "memory");
  return value;
}

// Of the system, as the library is told (support/larger_pages.c); and of those that the system counts in /proc.
size_t page_size();
size_t counted_page_size();

// Resident memory of this process now, without pages of files.
size_t resident_bytes();

// Under a sanitizer most resident memory is the sanitizer's own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define EXPECT_PEAK_BELOW(peak, bound) (void)(peak), (void)(bound)
#else
#define EXPECT_PEAK_BELOW(peak, bound) EXPECT_LT(peak, bound)
#endif
#define EXPECT_RESIDENT_BELOW(bound) EXPECT_PEAK_BELOW(support::resident_bytes(), bound)

// An errno that nothing sets by itself: a call that succeeds must leave it.
constexpr int kUntouchedErrno = 4711;

// Patterns. Up to kDensePattern bytes each byte is written; above, a head, a tail and one word of each 4 KiB, so that a test
// may use blocks of any size. `seed` tells one block from another.
constexpr size_t kDensePattern = 16 * KiB;
void fill(void *block, size_t size, uint64_t seed);

// The pattern that fill(block, filled_size, seed) left, as far as the first `size` bytes.
::testing::AssertionResult holds(const void *block, size_t size, size_t filled_size, uint64_t seed);
inline ::testing::AssertionResult holds(const void *block, size_t size, uint64_t seed) {
  return holds(block, size, size, seed);
}

::testing::AssertionResult all_zero(const void *block, size_t size);
::testing::AssertionResult aligned(const void *block, size_t alignment);

// What any block of `size` bytes is aligned to: 16, or 8 up to 8 bytes.
constexpr size_t natural_alignment(size_t size) { return size <= 8 ? 8 : 16; }

// Sizes at which something may change: around each power of two and each eighth between two of them, from `from` to `to`.
std::vector<size_t> boundary_sizes(size_t from, size_t to);

// Sizes that no allocation can have: each is to give NULL and ENOMEM.
std::vector<size_t> impossible_sizes();

// A small, fast generator with a printable state; the seed of a test comes from test_seed().
class Random {
public:
  explicit Random(uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 0x1234567u) {}
  uint64_t next() { // splitmix64
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // 0 ≤ below(n) < n
  uint64_t below(uint64_t n) { return next() % n; }
  bool one_in(uint64_t n) { return below(n) == 0; }
  // Sizes as programs ask for them: each doubling up to 2^max_bits as likely as the next, small ones exact.
  size_t size(unsigned max_bits) {
    unsigned bits = static_cast<unsigned>(below(max_bits + 1));
    return static_cast<size_t>(below((uint64_t{1} << bits) + 1));
  }

private:
  uint64_t state_;
};

// Whether the secure library serves the program; otherwise, or where it is linked in, the plain one does.
bool runs_on_secure();

// HAKMEM_TEST_SEED, or another one each time. Printed with the way to run the test again.
uint64_t test_seed();

} // namespace support

#endif
