// malloc_usable_size, hak_usable_size and hak_good_size: one table of sizes, wherever it is asked.

#include <thread>

#include "hakmem.h"
#include "support/family.h"
#include "support/support.h"

using namespace support;

namespace {

class UsableSizeTest : public FamilyTest {};
HAKMEM_FOR_EACH_FAMILY(UsableSizeTest);

TEST_P(UsableSizeTest, NullHasNone) {
  errno = kUntouchedErrno;
  EXPECT_EQ(family().usable_size(nullptr), 0u);
  EXPECT_EQ(errno, kUntouchedErrno);
}

TEST_P(UsableSizeTest, IsAtLeastTheGoodSize) {
  for (size_t size = 0; size <= 16 * KiB; size++) {
    void *block = family().malloc(size);
    ASSERT_GE(family().usable_size(block), hak_good_size(size)) << "size " << size;
    family().free(block);
    block = family().calloc(1, size);
    ASSERT_GE(family().usable_size(block), hak_good_size(size)) << "size " << size;
    family().free(block);
  }
  for (size_t size : boundary_sizes(16 * KiB, 1 * GiB)) {
    void *block = family().malloc(size);
    ASSERT_GE(family().usable_size(block), hak_good_size(size)) << "size " << size;
    family().free(block);
  }
}

TEST_P(UsableSizeTest, IsTheSameInEveryThread) {
  for (size_t size : boundary_sizes(0, 8 * MiB)) {
    void *block = family().malloc(size);
    ASSERT_NE(block, nullptr);
    size_t here = family().usable_size(block), there = 0;
    if (size < 64 || size % 64 == 0) { // enough of them: each costs a thread
      std::thread([&] { there = family().usable_size(block); }).join();
      ASSERT_EQ(here, there) << "size " << size;
    }
    family().free(block);
  }
}

TEST_P(UsableSizeTest, LeavesErrnoAlone) {
  for (size_t size : {size_t{1}, size_t{1000}, size_t{100000}, 10 * MiB}) {
    void *block = family().malloc(size);
    errno = kUntouchedErrno;
    EXPECT_GE(family().usable_size(block), size);
    EXPECT_EQ(errno, kUntouchedErrno);
    family().free(block);
  }
}

TEST(GoodSizeTest, GrowsWithTheSizeAndIsItsOwnGoodSize) {
  size_t last = 0;
  for (size_t size = 0; size <= 300 * KiB; size++) {
    size_t good = hak_good_size(size);
    ASSERT_GE(good, size);
    ASSERT_GE(good, last) << "size " << size;
    ASSERT_EQ(hak_good_size(good), good) << "size " << size;
    last = good;
  }
  for (size_t size : boundary_sizes(300 * KiB, size_t{1} << 46)) {
    size_t good = hak_good_size(size);
    ASSERT_GE(good, size);
    ASSERT_GE(good, last) << "size " << size;
    ASSERT_EQ(hak_good_size(good), good) << "size " << size;
    last = good;
  }
}

TEST(GoodSizeTest, IsZeroForImpossibleSizes) {
  EXPECT_EQ(hak_good_size(SIZE_MAX), 0u);
  EXPECT_EQ(hak_good_size(SIZE_MAX - 4096), 0u);
  EXPECT_EQ(hak_good_size(size_t{PTRDIFF_MAX} + 1), 0u);
}

} // namespace
