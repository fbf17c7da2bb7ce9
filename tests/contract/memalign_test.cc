// memalign, valloc, pvalloc: the old names, as glibc has them.

#include <algorithm>
#include <cstdlib>

#include <malloc.h>

#include "support/support.h"

using namespace support;

// Obsolete, and therefore not declared in every mode of the C library.
extern "C" void *valloc(size_t size) noexcept;
extern "C" void *pvalloc(size_t size) noexcept;

namespace {

TEST(MemalignTest, EveryAlignmentWithSomeSizes) {
  for (size_t alignment = 1; alignment <= 64 * MiB; alignment *= 2) {
    for (size_t size : {size_t{0}, size_t{1}, size_t{8}, size_t{100}, size_t{4096}, size_t{70000}, 1 * MiB + 1}) {
      errno = kUntouchedErrno;
      void *block = memalign(alignment, size);
      ASSERT_EQ(errno, kUntouchedErrno);
      ASSERT_TRUE(aligned(block, std::max(alignment, natural_alignment(size)))) << "size " << size;
      ASSERT_GE(malloc_usable_size(block), size);
      fill(block, malloc_usable_size(block), 1);
      free(block);
    }
  }
}

// As glibc does, whose memalign is older than the rule that an alignment is a power of two.
TEST(MemalignTest, OtherAlignmentsAreRoundedUpToAPowerOfTwo) {
  const struct {
    size_t asked, given;
  } cases[] = {{0, 1},
               {3, 4},
               {6, 8},
               {12, 16},
               {24, 32},
               {33, 64},
               {48, 64},
               {1000, 1024},
               {4095, 4096},
               {4097, 8192},
               {5000, 8192},
               {65537, 131072},
               {3 * MiB, 4 * MiB},
               {33 * MiB, 64 * MiB}};
  for (auto [asked, given] : cases) {
    for (size_t size : {size_t{0}, size_t{1}, size_t{100}, size_t{5000}, size_t{70000}, 1 * MiB + 1}) {
      void *blocks[3];
      for (void *&block : blocks) { // more than one: the first may be aligned by chance
        errno = kUntouchedErrno;
        block = memalign(opaque(asked), size);
        ASSERT_EQ(errno, kUntouchedErrno) << asked;
        ASSERT_TRUE(aligned(block, std::max(given, natural_alignment(size)))) << asked << ", size " << size;
        ASSERT_GE(malloc_usable_size(block), size);
        fill(block, malloc_usable_size(block), 1);
      }
      for (void *block : blocks) {
        free(block);
      }
    }
  }
}

TEST(MemalignTest, AlignmentsWithNoPowerOfTwoAboveGiveNullAndEinval) {
  for (size_t alignment : {SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2 + 2}) {
    errno = 0;
    EXPECT_EQ(memalign(opaque(alignment), 100), nullptr) << alignment;
    EXPECT_EQ(errno, EINVAL) << alignment;
  }
  errno = 0;
  EXPECT_EQ(memalign(opaque(SIZE_MAX / 2), 100), nullptr);
  EXPECT_EQ(errno, ENOMEM);
}

TEST(MemalignTest, ImpossibleSizesGiveNullAndEnomem) {
  for (size_t size : impossible_sizes()) {
    for (size_t alignment : {size_t{8}, size_t{64}, size_t{65536}, 4 * MiB}) {
      errno = 0;
      EXPECT_EQ(memalign(alignment, opaque(size)), nullptr);
      EXPECT_EQ(errno, ENOMEM);
    }
  }
}

TEST(VallocTest, BlocksStartAtAPage) {
  for (size_t size : boundary_sizes(0, 4 * MiB)) {
    errno = kUntouchedErrno;
    void *block = valloc(size);
    ASSERT_EQ(errno, kUntouchedErrno);
    ASSERT_TRUE(aligned(block, page_size())) << "size " << size;
    ASSERT_GE(malloc_usable_size(block), size);
    fill(block, size, size);
    ASSERT_TRUE(holds(block, size, size));
    free(block);
  }
}

TEST(VallocTest, ImpossibleSizesGiveNullAndEnomem) {
  for (size_t size : impossible_sizes()) {
    errno = 0;
    EXPECT_EQ(valloc(opaque(size)), nullptr) << size;
    EXPECT_EQ(errno, ENOMEM) << size;
  }
}

TEST(PvallocTest, BlocksAreWholePages) {
  for (size_t size : boundary_sizes(0, 4 * MiB)) {
    errno = kUntouchedErrno;
    void *block = pvalloc(size);
    ASSERT_EQ(errno, kUntouchedErrno);
    ASSERT_TRUE(aligned(block, page_size())) << "size " << size;
    size_t whole = (size + page_size() - 1) / page_size() * page_size();
    ASSERT_GE(malloc_usable_size(block), whole);
    fill(block, whole, size);
    ASSERT_TRUE(holds(block, whole, size));
    free(block);
  }
}

TEST(PvallocTest, ImpossibleSizesGiveNullAndEnomem) {
  for (size_t size : impossible_sizes()) {
    errno = 0;
    EXPECT_EQ(pvalloc(opaque(size)), nullptr) << size;
    EXPECT_EQ(errno, ENOMEM) << size;
  }
}

} // namespace
