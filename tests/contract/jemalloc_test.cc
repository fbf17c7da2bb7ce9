// The functions that jemalloc has beside the standard ones: their blocks are blocks like any others, flags or not.

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <malloc.h>

#include "support/jemalloc.h"
#include "support/support.h"

using namespace support;

namespace {

constexpr int kZero = 0x40, kNoThreadCache = 0x100, kArenaOne = 2 << 20;
constexpr int kMostAligned = 22; // log2

int to_power(int lg) { return lg; }

// Blocks of this size are handed out again, with what was in them.
void leave_garbage(size_t size) {
  void *blocks[8];
  for (void *&block : blocks) {
    block = mallocx(size, 0);
    ASSERT_NE(block, nullptr);
    std::memset(block, 0xa5, sallocx(block, 0));
  }
  for (void *block : blocks) {
    dallocx(block, 0);
  }
}

TEST(JemallocTest, EachFlagIsKeptForEachSize) {
  for (int lg = 0; lg <= kMostAligned; lg++) {
    for (size_t size : {1, 8, 24, 100, 1000, 5000, 30000, 40000, 200000, 3000000}) {
      for (int flags : {0, kZero, kNoThreadCache, kZero | kArenaOne}) {
        leave_garbage(size);
        void *block = mallocx(size, flags | to_power(lg));
        ASSERT_NE(block, nullptr) << "size " << size << ", 2^" << lg;
        ASSERT_TRUE(aligned(block, size_t{1} << lg)) << "size " << size << ", 2^" << lg;
        size_t usable = sallocx(block, flags | to_power(lg));
        ASSERT_GE(usable, nallocx(size, flags | to_power(lg)));
        ASSERT_GE(nallocx(size, flags | to_power(lg)), size);
        ASSERT_EQ(usable, malloc_usable_size(block));
        if ((flags & kZero) != 0) {
          ASSERT_TRUE(all_zero(block, usable)) << "size " << size << ", 2^" << lg;
        }
        fill(block, size, 1);
        EXPECT_TRUE(holds(block, size, 1));
        sdallocx(block, size, flags | to_power(lg));
      }
    }
  }
}

TEST(JemallocTest, BlocksPassToTheStandardFunctionsAndBack) {
  for (size_t size : {1, 100, 5000, 40000, 3000000}) {
    std::free(mallocx(size, 0));
    std::free(mallocx(size, to_power(12)));
    dallocx(std::malloc(size), 0);
    dallocx(std::aligned_alloc(64, size), to_power(6));
    void *block = std::realloc(mallocx(size, kZero), 2 * size);
    ASSERT_NE(block, nullptr);
    block = rallocx(block, 3 * size, 0);
    ASSERT_GE(malloc_usable_size(block), 3 * size);
    std::free(block);
  }
}

TEST(JemallocTest, AResizedBlockKeepsItsContentAndItsAlignment) {
  for (int lg : {0, 4, 6, 12, 16}) {
    for (size_t from : {1, 100, 1000, 30000, 200000, 3000000}) {
      for (size_t to : {1, 100, 120, 1000, 30000, 40000, 200000, 3000000, 3100000}) {
        void *block = mallocx(from, to_power(lg));
        ASSERT_NE(block, nullptr);
        fill(block, from, 7);
        block = rallocx(block, to, to_power(lg));
        ASSERT_NE(block, nullptr) << from << " to " << to;
        ASSERT_TRUE(aligned(block, size_t{1} << lg)) << from << " to " << to;
        ASSERT_GE(sallocx(block, 0), to);
        EXPECT_TRUE(holds(block, std::min(from, to), from, 7));
        dallocx(block, to_power(lg));
      }
    }
  }
}

TEST(JemallocTest, AnAlignmentIsMadeWhereTheBlockHadNone) {
  void *other = mallocx(48, 0);
  void *block = mallocx(48, 0);
  fill(block, 48, 3);
  block = rallocx(block, 48, to_power(12));
  ASSERT_NE(block, nullptr);
  EXPECT_TRUE(aligned(block, 4096));
  EXPECT_TRUE(holds(block, 48, 3));
  dallocx(block, 0);
  dallocx(other, 0);
}

TEST(JemallocTest, WhatABlockGrowsByIsZero) {
  for (int lg : {0, 6}) {
    for (size_t from : {1, 20, 100, 30000, 200000}) {
      for (size_t to : {120, 1000, 33000, 70000, 260000, 3000000}) {
        leave_garbage(to);
        void *block = mallocx(from, kZero | to_power(lg));
        ASSERT_NE(block, nullptr);
        block = rallocx(block, to, kZero | to_power(lg));
        ASSERT_NE(block, nullptr);
        ASSERT_TRUE(all_zero(block, to)) << from << " to " << to;
        dallocx(block, 0);
      }
    }
  }
}

TEST(JemallocTest, WhatCannotBeHadIsNullAndTheBlockStays) {
  volatile size_t huge = PTRDIFF_MAX;
  EXPECT_EQ(mallocx(huge, 0), nullptr);
  EXPECT_EQ(mallocx(huge, kZero), nullptr);
  EXPECT_EQ(mallocx(huge, to_power(6) | kZero), nullptr);
  EXPECT_EQ(mallocx(1, to_power(63)), nullptr);
  void *block = mallocx(100, 0);
  fill(block, 100, 5);
  EXPECT_EQ(rallocx(block, huge, 0), nullptr);
  EXPECT_EQ(rallocx(block, huge, to_power(6) | kZero), nullptr);
  EXPECT_EQ(rallocx(block, 1, to_power(63)), nullptr);
  EXPECT_TRUE(holds(block, 100, 5));
  sdallocx(block, 100, 0);
}

TEST(JemallocTest, OfNoBytesABlockIsResizedNotFreed) {
  void *block = rallocx(mallocx(100, 0), 0, 0);
  ASSERT_NE(block, nullptr);
  EXPECT_GE(sallocx(block, 0), 1u);
  dallocx(block, 0);
}

TEST(JemallocTest, NoBlockGrowsInPlace) {
  void *block = mallocx(100, 0);
  size_t usable = sallocx(block, 0);
  EXPECT_EQ(xallocx(block, 100000, 0, 0), usable);
  EXPECT_EQ(xallocx(block, 100, 100000, 0), usable);
  EXPECT_EQ(sallocx(block, 0), usable);
  dallocx(block, 0);
}

TEST(JemallocTest, ASizedFreeMayNameAnySizeUpToTheUsableOne) {
  for (int lg : {0, 4, 8, 12}) {
    for (size_t size : {8, 100, 300, 5000, 40000, 200000}) {
      void *block = mallocx(size, to_power(lg));
      sdallocx(block, sallocx(block, 0), to_power(lg));
      block = mallocx(size, to_power(lg));
      sdallocx(block, nallocx(size, to_power(lg)), to_power(lg));
    }
  }
}

} // namespace
