// calloc: zeroes whatever the memory held before, overflow of the product, errno.

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include <sys/mman.h>
#include <unistd.h>

#include "support/family.h"
#include "support/scenario.h"
#include "support/support.h"

using namespace support;

namespace {

class CallocTest : public FamilyTest {};
HAKMEM_FOR_EACH_FAMILY(CallocTest);

TEST_P(CallocTest, ZeroIsUniqueAndNotNull) {
  std::set<void *> blocks;
  for (size_t i = 0; i < 300; i++) {
    void *block = i % 3 == 0 ? family().calloc(0, 0) : i % 3 == 1 ? family().calloc(i, 0) : family().calloc(0, i);
    ASSERT_NE(block, nullptr);
    ASSERT_TRUE(blocks.insert(block).second);
  }
  for (void *block : blocks) {
    family().free(block);
  }
}

TEST_P(CallocTest, FreshMemoryIsZero) {
  for (size_t size : boundary_sizes(1, 64 * MiB)) {
    void *block = family().calloc(1, size);
    ASSERT_TRUE(aligned(block, natural_alignment(size)));
    ASSERT_TRUE(all_zero(block, size)) << "size " << size;
    family().free(block);
  }
}

// Blocks are made dirty to their last usable byte and freed; the ones that come next must not show it.
void expect_zero_after_dirty_reuse(const Family &heap, size_t size, size_t at_once) {
  std::vector<void *> blocks(at_once);
  for (void *&block : blocks) {
    block = heap.malloc(size);
    ASSERT_NE(block, nullptr);
    std::memset(block, 0xA5, heap.usable_size(block));
  }
  for (void *block : blocks) {
    heap.free(block);
  }
  for (size_t i = 0; i < at_once; i++) {
    blocks[i] = i % 2 == 0 ? heap.calloc(1, size) : heap.calloc(size, 1);
    ASSERT_NE(blocks[i], nullptr);
    ASSERT_GE(heap.usable_size(blocks[i]), size);
    ASSERT_TRUE(all_zero(blocks[i], size)) << "size " << size;
  }
  for (void *block : blocks) {
    heap.free(block);
  }
}

TEST_P(CallocTest, DirtyMemoryIsZeroForEverySizeUpToFourKiB) {
  for (size_t size = 1; size <= 4 * KiB; size++) {
    ASSERT_NO_FATAL_FAILURE(expect_zero_after_dirty_reuse(family(), size, 5));
  }
}

TEST_P(CallocTest, DirtyMemoryIsZeroForLargeAndHugeSizes) {
  for (size_t size : boundary_sizes(4 * KiB, 4 * MiB)) {
    ASSERT_NO_FATAL_FAILURE(expect_zero_after_dirty_reuse(family(), size, 3));
  }
  for (size_t size : {5 * MiB, 8 * MiB + 1, 16 * MiB, 31 * MiB, 32 * MiB + 3, 64 * MiB, 100 * MiB}) {
    ASSERT_NO_FATAL_FAILURE(expect_zero_after_dirty_reuse(family(), size, 2));
  }
}

TEST_P(CallocTest, MemoryOfOtherSizesIsZero) {
  // Dirty blocks of one size, freed; calloc of others, which may get the same memory cut anew.
  const size_t sizes[] = {16, 200, 1000, 3000, 9000, 40000, 70000, 200000, 1 * MiB, 3 * MiB, 10 * MiB};
  for (size_t dirty : sizes) {
    for (size_t clean : sizes) {
      std::vector<void *> blocks(std::min<size_t>(400, 8 * MiB / dirty + 1));
      for (void *&block : blocks) {
        block = family().malloc(dirty);
        ASSERT_NE(block, nullptr);
        std::memset(block, 0xA5, dirty);
      }
      for (void *block : blocks) {
        family().free(block);
      }
      blocks.resize(std::min<size_t>(400, 8 * MiB / clean + 1));
      for (void *&block : blocks) {
        block = family().calloc(1, clean);
        ASSERT_TRUE(all_zero(block, clean)) << "dirty " << dirty << ", calloc " << clean;
      }
      for (void *block : blocks) {
        family().free(block);
      }
    }
  }
}

TEST_P(CallocTest, OverflowGivesNullAndEnomem) {
  constexpr size_t max = std::numeric_limits<size_t>::max();
  const size_t half = size_t{1} << (sizeof(size_t) * 4);
  const struct {
    size_t count, size;
  } cases[] = {{max, 2},     {2, max},         {max, max},       {half, half},       {half + 1, half},   {max / 2, 3},
               {3, max / 2}, {max / 2 + 1, 2}, {2, max / 2 + 1}, {max / 16 + 1, 16}, {16, max / 16 + 1}, {max, 1},
               {1, max},     {max / 2 + 1, 1}, {1, max / 2 + 2}, {half, half / 2},   {max / 8 + 2, 8}};
  for (auto [count, size] : cases) {
    errno = 0;
    EXPECT_EQ(family().calloc(count, size), nullptr) << count << " * " << size;
    EXPECT_EQ(errno, ENOMEM) << count << " * " << size;
  }
  for (size_t size : impossible_sizes()) {
    errno = 0;
    EXPECT_EQ(family().calloc(1, size), nullptr) << size;
    EXPECT_EQ(errno, ENOMEM) << size;
  }
}

TEST_P(CallocTest, SuccessLeavesErrnoAlone) {
  for (size_t size : boundary_sizes(0, 16 * MiB)) {
    errno = kUntouchedErrno;
    void *block = family().calloc(size, 1);
    ASSERT_EQ(errno, kUntouchedErrno);
    ASSERT_NE(block, nullptr);
    family().free(block);
    ASSERT_EQ(errno, kUntouchedErrno);
  }
}

TEST_P(CallocTest, KnownZeroMemoryIsNotTouched) {
  // A gigabyte from the operating system is zero already: clearing it would make it resident.
  size_t before = resident_bytes();
  void *block = family().calloc(1024, 1 * MiB);
  ASSERT_NE(block, nullptr);
  EXPECT_RESIDENT_BELOW(before + 64 * MiB);
  family().free(block);
}

// Locked memory cannot be purged: the system refuses, and what was freed still has its content when it comes back.
HAKMEM_SCENARIO(calloc_of_locked_memory) {
  const Family &heap = default_family();
  if (mlockall(MCL_FUTURE) != 0) {
    _exit(77);
  }
  for (size_t size : {100 * KiB, 1 * MiB, 3 * MiB, 20 * KiB}) {
    for (int i = 0; i < 40; i++) {
      void *block = heap.malloc(size);
      REQUIRE(block != nullptr);
      std::memset(block, 0xAA, size);
      heap.free(block);
    }
    for (int i = 0; i < 40; i++) {
      void *block = heap.calloc(1, size);
      REQUIRE(block != nullptr);
      REQUIRE(all_zero(block, size));
      std::memset(block, 0xAA, size);
      heap.free(block);
    }
  }
}

TEST(CallocLockedTest, IsZero) {
  Outcome outcome = run_scenario("calloc_of_locked_memory");
  if (outcome.exit_code == 77) {
    GTEST_SKIP() << "the limit on locked memory allows none";
  }
  EXPECT_TRUE(outcome.succeeded()) << outcome.describe();
}

} // namespace
