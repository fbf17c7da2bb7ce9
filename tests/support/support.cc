#include "support/support.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <limits>

#include <sys/auxv.h>
#include <unistd.h>

namespace support {

namespace {

constexpr size_t kStride = 4 * KiB; // distance of the words checked in a large block
constexpr size_t kEdge = 256;       // bytes checked at both ends of a large block

unsigned char pattern_byte(uint64_t seed, size_t at) {
  return static_cast<unsigned char>((seed * 31 + at * 7 + (at >> 8) * 13) ^ (seed >> 17));
}

// Calls visit(offset) for each byte of the pattern of a block of `size` bytes until it says false.
template <class Visit> bool visit_pattern(size_t size, Visit visit) {
  if (size <= kDensePattern) {
    for (size_t i = 0; i < size; i++) {
      if (!visit(i)) {
        return false;
      }
    }
    return true;
  }
  for (size_t i = 0; i < kEdge; i++) {
    if (!visit(i)) {
      return false;
    }
  }
  for (size_t page = kStride; page + 8 <= size - kEdge; page += kStride) {
    for (size_t i = page; i < page + 8; i++) {
      if (!visit(i)) {
        return false;
      }
    }
  }
  for (size_t i = size - kEdge; i < size; i++) {
    if (!visit(i)) {
      return false;
    }
  }
  return true;
}

} // namespace

// Not kept in a static variable: threads that initialize one at once wait for each other, which changes errno.
size_t page_size() { return static_cast<size_t>(getauxval(AT_PAGESZ)); }
size_t counted_page_size() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

size_t resident_bytes() {
  // Resident minus shared pages: what was mapped from files does not count.
  size_t total = 0, resident = 0, shared = 0;
  FILE *file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr) {
    return 0;
  }
  int fields = std::fscanf(file, "%zu %zu %zu", &total, &resident, &shared);
  std::fclose(file);
  return fields == 3 ? (resident - shared) * counted_page_size() : 0;
}

void fill(void *block, size_t size, uint64_t seed) {
  auto *bytes = static_cast<unsigned char *>(block);
  visit_pattern(size, [&](size_t at) {
    bytes[at] = pattern_byte(seed, at);
    return true;
  });
}

::testing::AssertionResult holds(const void *block, size_t size, size_t filled_size, uint64_t seed) {
  const auto *bytes = static_cast<const unsigned char *>(block);
  size_t bad = 0;
  bool good = visit_pattern(filled_size, [&](size_t at) {
    bad = at;
    return at >= size || bytes[at] == pattern_byte(seed, at);
  });
  if (good) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "block " << block << " of " << size << " bytes: byte " << bad << " is "
                                       << unsigned{bytes[bad]} << ", not " << unsigned{pattern_byte(seed, bad)};
}

::testing::AssertionResult all_zero(const void *block, size_t size) {
  const auto *bytes = static_cast<const unsigned char *>(block);
  // A block whose first byte is zero and which equals itself moved by one byte is all zero.
  if (size == 0 || (bytes[0] == 0 && std::memcmp(bytes, bytes + 1, size - 1) == 0)) {
    return ::testing::AssertionSuccess();
  }
  size_t at = static_cast<size_t>(std::find_if(bytes, bytes + size, [](unsigned char b) { return b != 0; }) - bytes);
  return ::testing::AssertionFailure() << "block " << block << " of " << size << " bytes: byte " << at << " is "
                                       << unsigned{bytes[at]} << ", not 0";
}

::testing::AssertionResult aligned(const void *block, size_t alignment) {
  if (block != nullptr && reinterpret_cast<uintptr_t>(block) % alignment == 0) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "block " << block << " is not aligned to " << alignment;
}

std::vector<size_t> boundary_sizes(size_t from, size_t to) {
  std::vector<size_t> sizes;
  for (size_t power = 8; power <= to; power *= 2) {
    for (size_t eighth = 0; eighth < 8; eighth++) {
      size_t middle = power + power / 8 * eighth;
      for (size_t size : {middle - 1, middle, middle + 1}) {
        if (size >= from && size <= to) {
          sizes.push_back(size);
        }
      }
    }
  }
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

std::vector<size_t> impossible_sizes() {
  constexpr size_t max = std::numeric_limits<size_t>::max();
  constexpr size_t half = static_cast<size_t>(std::numeric_limits<ptrdiff_t>::max());
  return {max,        max - 1,        max - 7,       max - 8,         max - 15,       max - 16,    max - 4095,
          max - 4096, max - 64 * KiB, max - 2 * MiB, half + 1,        half + 16,      half + 4096, half + 64 * KiB,
          half,       half - 15,      half - 4096,   half - 64 * KiB, half - 2 * MiB, half / 2,    size_t{1} << 48};
}

uint64_t test_seed() {
  uint64_t seed = 0;
  const char *given = std::getenv("HAKMEM_TEST_SEED");
  if (given != nullptr && *given != '\0') {
    seed = std::strtoull(given, nullptr, 0);
  } else {
    auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    seed = Random(static_cast<uint64_t>(now) ^ (static_cast<uint64_t>(getpid()) << 40)).below(1000000000);
  }
  std::printf("seed %" PRIu64 " (again: HAKMEM_TEST_SEED=%" PRIu64 ")\n", seed, seed);
  std::fflush(stdout);
  return seed;
}

bool runs_on_secure() {
  Dl_info info;
  return dladdr(dlsym(RTLD_DEFAULT, "hak_malloc"), &info) != 0 &&
         std::strstr(info.dli_fname, "libhakmem-secure") != nullptr;
}

} // namespace support
