// realloc and reallocarray: content, growth in place and by remap, shrinking, zero, failure that keeps the block.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>
#include <thread>

#include "hakmem.h"
#include "support/family.h"
#include "support/scenario.h"
#include "support/support.h"

using namespace support;

namespace {

class ReallocTest : public FamilyTest {};
HAKMEM_FOR_EACH_FAMILY(ReallocTest);

TEST_P(ReallocTest, NullIsMalloc) {
  for (size_t size : boundary_sizes(0, 4 * MiB)) {
    void *block = family().realloc(nullptr, size);
    ASSERT_TRUE(aligned(block, natural_alignment(size)));
    ASSERT_GE(family().usable_size(block), hak_good_size(size));
    fill(block, size, size);
    family().free(block);
  }
  void *one = family().realloc(nullptr, 0), *other = family().realloc(nullptr, 0);
  EXPECT_NE(one, nullptr);
  EXPECT_NE(other, nullptr);
  EXPECT_NE(one, other);
  family().free(one);
  family().free(other);
}

TEST_P(ReallocTest, ZeroFreesAndReturnsNull) {
  for (size_t size : {size_t{0}, size_t{1}, size_t{100}, size_t{5000}, size_t{100000}, 3 * MiB, 64 * MiB}) {
    void *block = family().malloc(size);
    ASSERT_NE(block, nullptr);
    errno = kUntouchedErrno;
    EXPECT_EQ(family().realloc(block, 0), nullptr);
    EXPECT_EQ(errno, kUntouchedErrno);
  }
  // Freed indeed: 64 GiB pass through.
  size_t before = resident_bytes();
  for (int i = 0; i < 1024; i++) {
    char *block = static_cast<char *>(family().malloc(64 * MiB));
    ASSERT_NE(block, nullptr);
    block[0] = 1;
    EXPECT_EQ(family().realloc(block, 0), nullptr);
    EXPECT_EQ(family().reallocarray(family().malloc(1000), 0, 16), nullptr);
    EXPECT_EQ(family().reallocarray(family().malloc(1000), 16, 0), nullptr);
  }
  EXPECT_RESIDENT_BELOW(before + 96 * MiB);
}

TEST_P(ReallocTest, KeepsContentBetweenAllSizes) {
  const size_t sizes[] = {1,      7,      8,      9,       16,      17,      40,      64,      65,
                          100,    128,    200,    512,     1000,    1024,    1025,    2000,    4096,
                          4097,   8192,   20000,  32768,   32769,   50000,   65536,   65537,   100000,
                          262144, 524288, 524289, 1000000, 2 * MiB, 3 * MiB, 5 * MiB, 17 * MiB};
  for (size_t from : sizes) {
    for (size_t to : sizes) {
      void *block = family().malloc(from);
      ASSERT_NE(block, nullptr);
      fill(block, from, from + to);
      errno = kUntouchedErrno;
      block = family().realloc(block, to);
      ASSERT_EQ(errno, kUntouchedErrno);
      ASSERT_TRUE(aligned(block, natural_alignment(to)));
      ASSERT_GE(family().usable_size(block), to);
      ASSERT_TRUE(holds(block, std::min(from, to), from, from + to)) << from << " to " << to;
      fill(block, family().usable_size(block), 1);
      family().free(block);
    }
  }
}

TEST_P(ReallocTest, EverySizeUpToFourKiBGrowsAndShrinksByOne) {
  auto *block = static_cast<unsigned char *>(family().malloc(0));
  for (size_t size = 1; size <= 4 * KiB; size++) {
    block = static_cast<unsigned char *>(family().realloc(block, size));
    ASSERT_NE(block, nullptr);
    block[size - 1] = static_cast<unsigned char>(size * 7);
    for (size_t i = 0; i < size; i += i + 64 < size ? 61 : 1) {
      ASSERT_EQ(block[i], static_cast<unsigned char>((i + 1) * 7));
    }
  }
  for (size_t size = 4 * KiB; size-- > 1;) {
    block = static_cast<unsigned char *>(family().realloc(block, size));
    ASSERT_NE(block, nullptr);
    for (size_t i = 0; i < size; i += i + 64 < size ? 61 : 1) {
      ASSERT_EQ(block[i], static_cast<unsigned char>((i + 1) * 7));
    }
  }
  family().free(block);
}

TEST_P(ReallocTest, StaysInPlaceWithinTheUsableSize) {
  for (size_t size : boundary_sizes(0, 32 * MiB)) {
    void *block = family().malloc(size);
    ASSERT_NE(block, nullptr);
    size_t usable = family().usable_size(block);
    void *resized = family().realloc(block, usable);
    EXPECT_EQ(resized, block) << "size " << size << ", usable " << usable;
    block = resized;
    block = family().realloc(block, std::max<size_t>(size, 1));
    ASSERT_NE(block, nullptr);
    family().free(block);
  }
}

TEST_P(ReallocTest, ShrinkingGivesMemoryBack) {
  for (size_t size : {1 * KiB, 20 * KiB, 100 * KiB, 1 * MiB, 3 * MiB, 64 * MiB}) {
    void *block = family().malloc(size);
    fill(block, size, 5);
    block = family().realloc(block, size / 8);
    ASSERT_TRUE(holds(block, size / 8, size, 5));
    EXPECT_LE(family().usable_size(block), size / 2) << "size " << size;
    family().free(block);
  }
  size_t before = resident_bytes();
  void *block = family().malloc(512 * MiB);
  ASSERT_NE(block, nullptr);
  fill(block, 512 * MiB, 6);
  block = family().realloc(block, 4 * MiB);
  ASSERT_TRUE(holds(block, 4 * MiB, 512 * MiB, 6));
  hak_collect();
  EXPECT_RESIDENT_BELOW(before + 40 * MiB);
  family().free(block);
}

// What a block left behind its end when it got smaller is not taken for an overrun when it is larger again.
TEST_P(ReallocTest, WhatItLeftBehindIsForgotten) {
  for (size_t size : {2 * MiB, 2 * MiB + 5000, 7 * MiB}) {
    auto *block = static_cast<char *>(family().malloc(size + 3 * MiB));
    std::memset(block, 0xA5, size + 3 * MiB);
    for (size_t more : {size_t{0}, size_t{1000}, size_t{9000}, 1 * MiB, size_t{500}, size_t{4596}}) {
      block = static_cast<char *>(family().realloc(block, size + more));
      ASSERT_NE(block, nullptr);
      std::memset(block, 0xA5, size + more);
    }
    family().free(block);
  }
}

TEST_P(ReallocTest, FailureKeepsTheBlock) {
  for (size_t size : {size_t{0}, size_t{1}, size_t{100}, size_t{5000}, size_t{100000}, 3 * MiB, 64 * MiB}) {
    void *block = family().malloc(size);
    fill(block, size, size);
    for (size_t wrong : impossible_sizes()) {
      errno = 0;
      ASSERT_EQ(family().realloc(block, wrong), nullptr) << wrong;
      ASSERT_EQ(errno, ENOMEM) << wrong;
      ASSERT_TRUE(holds(block, size, size));
    }
    EXPECT_GE(family().usable_size(block), hak_good_size(size));
    family().free(block);
  }
  errno = 0;
  EXPECT_EQ(family().realloc(nullptr, impossible_sizes()[0]), nullptr);
  EXPECT_EQ(errno, ENOMEM);
}

TEST_P(ReallocTest, ImpossibleSizesKeepABlockOfNoBytes) {
  for (size_t alignment = 16; alignment <= 4 * MiB; alignment *= 2) {
    void *block = family().aligned_alloc(alignment, 0);
    ASSERT_NE(block, nullptr);
    for (size_t size : impossible_sizes()) {
      errno = 0;
      ASSERT_EQ(family().realloc(block, size), nullptr) << "size " << size << ", alignment " << alignment;
      ASSERT_EQ(errno, ENOMEM);
    }
    family().free(block);
  }
}

TEST_P(ReallocTest, ReallocarrayMultiplies) {
  void *block = family().reallocarray(nullptr, 10, 10);
  ASSERT_NE(block, nullptr);
  EXPECT_GE(family().usable_size(block), hak_good_size(100));
  fill(block, 100, 3);
  errno = kUntouchedErrno;
  block = family().reallocarray(block, 1000, 1000);
  EXPECT_EQ(errno, kUntouchedErrno);
  ASSERT_NE(block, nullptr);
  EXPECT_GE(family().usable_size(block), 1000000u);
  EXPECT_TRUE(holds(block, 100, 3));
  family().free(block);
}

TEST_P(ReallocTest, ReallocarrayOverflowKeepsTheBlock) {
  constexpr size_t max = std::numeric_limits<size_t>::max();
  const size_t half = size_t{1} << (sizeof(size_t) * 4);
  const struct {
    size_t count, size;
  } cases[] = {{max, 2}, {2, max}, {half, half}, {half + 1, half}, {max / 16 + 1, 16}, {max, 1}, {max / 2 + 1, 1}};
  void *block = family().malloc(100);
  fill(block, 100, 9);
  for (auto [count, size] : cases) {
    errno = 0;
    EXPECT_EQ(family().reallocarray(block, count, size), nullptr) << count << " * " << size;
    EXPECT_EQ(errno, ENOMEM);
    EXPECT_TRUE(holds(block, 100, 9));
    errno = 0;
    EXPECT_EQ(family().reallocarray(nullptr, count, size), nullptr);
    EXPECT_EQ(errno, ENOMEM);
  }
  family().free(block);
}

TEST_P(ReallocTest, BlocksOfAnotherThread) {
  for (size_t size : {size_t{10}, size_t{1000}, size_t{30000}, size_t{300000}, 5 * MiB}) {
    for (size_t to : {size / 4 + 1, size + 1, size * 2, size * 10}) {
      void *block = nullptr;
      std::thread([&] {
        block = family().malloc(size);
        fill(block, size, 2);
      }).join();
      block = family().realloc(block, to);
      ASSERT_NE(block, nullptr);
      ASSERT_TRUE(holds(block, std::min(size, to), size, 2));
      std::thread([&] { family().free(block); }).join();
    }
  }
}

TEST_P(ReallocTest, AlignedBlocksKeepTheirContent) {
  for (size_t alignment : {size_t{32}, size_t{256}, size_t{4096}, size_t{65536}, 1 * MiB}) {
    for (size_t size : {size_t{1}, size_t{100}, size_t{5000}, size_t{100000}, 2 * MiB}) {
      for (size_t to : {size / 3 + 1, size * 3}) {
        void *block = family().aligned_alloc(alignment, size);
        ASSERT_TRUE(aligned(block, alignment));
        fill(block, size, 4);
        block = family().realloc(block, to);
        ASSERT_NE(block, nullptr);
        ASSERT_TRUE(holds(block, std::min(size, to), size, 4));
        ASSERT_GE(family().usable_size(block), to);
        fill(block, to, 5);
        ASSERT_TRUE(holds(block, to, 5));
        family().free(block);
      }
    }
  }
}

// Growth to 2 GiB of a block that is touched once in each MiB: copying it would touch it all.
void grow_to_two_gib(const Family &heap, size_t (*next)(size_t)) {
  size_t before = resident_bytes();
  size_t size = 1 * MiB, touched = 0;
  auto *block = static_cast<unsigned char *>(heap.malloc(size));
  for (;;) {
    ASSERT_NE(block, nullptr) << "size " << size;
    for (; touched < size; touched += MiB) {
      block[touched] = static_cast<unsigned char>(touched / MiB * 3 + 1);
    }
    if (size == 2 * GiB) {
      break;
    }
    size = next(size);
    block = static_cast<unsigned char *>(heap.realloc(block, size));
  }
  for (size_t at = 0; at < size; at += MiB) {
    ASSERT_EQ(block[at], static_cast<unsigned char>(at / MiB * 3 + 1)) << "at " << at;
  }
  EXPECT_RESIDENT_BELOW(before + 256 * MiB);
  block = static_cast<unsigned char *>(heap.realloc(block, 3 * MiB));
  ASSERT_NE(block, nullptr);
  EXPECT_EQ(block[2 * MiB], 7);
  heap.free(block);
}

TEST_P(ReallocTest, GrowsToTwoGiBByDoubling) {
  grow_to_two_gib(family(), [](size_t size) { return size * 2; });
}

TEST_P(ReallocTest, GrowsToTwoGiBByAdding) {
  grow_to_two_gib(family(), [](size_t size) { return std::min(size + 31 * MiB, 2 * GiB); });
}

TEST_P(ReallocTest, GrowingByLittleIsNotQuadratic) {
  // 64 MiB in steps of 4 KiB with all of it written: 512 GiB if each step copied.
  size_t size = 4 * KiB;
  auto *block = static_cast<unsigned char *>(family().malloc(size));
  for (; size <= 64 * MiB; size += 4 * KiB) {
    block = static_cast<unsigned char *>(family().realloc(block, size));
    ASSERT_NE(block, nullptr);
    block[size - 1] = 1;
    block[size - 4 * KiB] = 2;
  }
  family().free(block);
}

// Memory that was kept for reuse makes way for a block that grows in place, as it does for a fresh one.
HAKMEM_SCENARIO(growth_beside_retained_memory) {
  const Family &heap = default_family();
  constexpr size_t kRetained = 60 * MiB, kLive = 220 * MiB, kSlack = 24 * MiB;
  for (int round = 0; round < 10; round++) { // freed and wanted again at once: worth keeping
    char *blocks[3];
    for (char *&block : blocks) {
      block = static_cast<char *>(heap.malloc(kRetained / 3));
      REQUIRE(block != nullptr);
      std::memset(block, 1, kRetained / 3);
    }
    for (char *block : blocks) {
      heap.free(block);
    }
  }
  size_t size = 100 * KiB;
  auto *block = static_cast<char *>(heap.malloc(size));
  for (size_t touched = 0; size <= kLive;
       size = size < kLive ? std::min(size + size / 4 + 64 * KiB, kLive) : kLive + 1) {
    block = static_cast<char *>(heap.realloc(block, size));
    REQUIRE(block != nullptr);
    std::memset(block + touched, 1, size - touched);
    touched = size;
  }
  size_t resident = resident_bytes();
  dprintf(1, "resident %zu MiB, live %zu MiB\n", resident / MiB, kLive / MiB);
  REQUIRE(resident <= kLive + kSlack);
  heap.free(block);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(ReallocGrowthTest, KeepsNothingBesideTheBlockThatGrows) {
  Outcome outcome = run_scenario("growth_beside_retained_memory");
  EXPECT_TRUE(outcome.succeeded()) << outcome.describe();
}
#endif

} // namespace
