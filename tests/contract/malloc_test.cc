// malloc: alignment, usable size, unique blocks, errno, impossible sizes.

#include <algorithm>
#include <set>

#include "hakmem.h"
#include "support/family.h"
#include "support/support.h"

using namespace support;

namespace {

class MallocTest : public FamilyTest {};
HAKMEM_FOR_EACH_FAMILY(MallocTest);

// What every block keeps: checked here for one of `size` bytes, which is then filled to its last usable byte.
void expect_good_block(const Family &heap, void *block, size_t size, uint64_t seed) {
  ASSERT_TRUE(aligned(block, natural_alignment(size))) << "size " << size;
  size_t usable = heap.usable_size(block);
  ASSERT_GE(usable, size);
  ASSERT_GE(usable, hak_good_size(size)) << "size " << size;
  fill(block, usable, seed);
}

TEST_P(MallocTest, ZeroIsUniqueAndNotNull) {
  std::set<void *> blocks;
  for (int i = 0; i < 1000; i++) {
    void *block = family().malloc(0);
    ASSERT_NE(block, nullptr);
    ASSERT_TRUE(aligned(block, 8));
    ASSERT_TRUE(blocks.insert(block).second) << "given twice";
  }
  for (void *block : blocks) {
    family().free(block);
  }
}

TEST_P(MallocTest, EverySizeUpToFourKiB) {
  std::vector<void *> blocks(4 * KiB + 1);
  for (size_t size = 0; size < blocks.size(); size++) {
    blocks[size] = family().malloc(size);
    ASSERT_NO_FATAL_FAILURE(expect_good_block(family(), blocks[size], size, size));
  }
  // All lived at once: had two of them overlapped, one pattern would be spoilt.
  for (size_t size = 0; size < blocks.size(); size++) {
    ASSERT_TRUE(holds(blocks[size], family().usable_size(blocks[size]), size));
    family().free(blocks[size]);
  }
}

TEST_P(MallocTest, BoundarySizesUpToOneMiBAliveTogether) {
  std::vector<size_t> sizes = boundary_sizes(4 * KiB, 1 * MiB);
  std::vector<void *> blocks;
  for (size_t size : sizes) {
    blocks.push_back(family().malloc(size));
    ASSERT_NO_FATAL_FAILURE(expect_good_block(family(), blocks.back(), size, size));
  }
  for (size_t i = 0; i < sizes.size(); i++) {
    ASSERT_TRUE(holds(blocks[i], family().usable_size(blocks[i]), sizes[i]));
    family().free(blocks[i]);
  }
}

TEST_P(MallocTest, BoundarySizesUpTo256MiB) {
  std::vector<size_t> sizes = boundary_sizes(1 * MiB, 16 * MiB);
  for (size_t power : {32 * MiB, 64 * MiB, 128 * MiB, 256 * MiB}) { // each touches all its pages
    sizes.insert(sizes.end(), {power - 1, power, power + 1});
  }
  for (size_t size : sizes) {
    void *block = family().malloc(size);
    ASSERT_NO_FATAL_FAILURE(expect_good_block(family(), block, size, size));
    ASSERT_TRUE(holds(block, family().usable_size(block), size));
    family().free(block);
  }
}

TEST_P(MallocTest, BlocksUpToEightBytesAreAlignedToEightOthersToSixteen) {
  for (size_t size = 0; size <= 1 * KiB; size++) {
    std::vector<void *> blocks;
    for (int i = 0; i < 33; i++) {
      blocks.push_back(family().malloc(size));
      ASSERT_TRUE(aligned(blocks.back(), natural_alignment(size))) << "size " << size;
    }
    for (void *block : blocks) {
      family().free(block);
    }
  }
}

TEST_P(MallocTest, SmallBlocksWasteAtMostAQuarter) {
  for (size_t size = 1; size <= 4 * KiB; size++) {
    size_t good = hak_good_size(size);
    EXPECT_LE(good, size + std::max<size_t>(15, size / 4)) << "size " << size;
    // A block of the next class serves when it is resident and none of the size's own class is.
    void *block = family().malloc(size);
    EXPECT_LE(family().usable_size(block), hak_good_size(good + 1)) << "size " << size;
    family().free(block);
  }
}

TEST_P(MallocTest, ImpossibleSizesGiveNullAndEnomem) {
  for (size_t size : impossible_sizes()) {
    errno = 0;
    EXPECT_EQ(family().malloc(size), nullptr) << "size " << size;
    EXPECT_EQ(errno, ENOMEM) << "size " << size;
  }
  // And nothing is lost by it.
  void *block = family().malloc(100);
  ASSERT_NE(block, nullptr);
  family().free(block);
}

TEST_P(MallocTest, SuccessLeavesErrnoAlone) {
  for (size_t size : boundary_sizes(0, 64 * MiB)) {
    errno = kUntouchedErrno;
    void *block = family().malloc(size);
    ASSERT_EQ(errno, kUntouchedErrno) << "size " << size;
    ASSERT_NE(block, nullptr);
    family().free(block);
    ASSERT_EQ(errno, kUntouchedErrno) << "size " << size;
  }
}

TEST_P(MallocTest, ManyBlocksOfOneSizeNeverOverlap) {
  for (size_t size : {size_t{1}, size_t{8}, size_t{9}, size_t{48}, size_t{256}, size_t{1000}, size_t{1024},
                      size_t{5000}, size_t{40000}, size_t{70000}}) {
    size_t count = std::min<size_t>(50000, 64 * MiB / (size + 16));
    std::vector<char *> blocks(count);
    for (char *&block : blocks) {
      block = static_cast<char *>(family().malloc(size));
      ASSERT_NE(block, nullptr);
    }
    std::vector<char *> sorted = blocks;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 1; i < count; i++) {
      ASSERT_GE(sorted[i], sorted[i - 1] + family().usable_size(sorted[i - 1])) << "size " << size;
    }
    for (char *block : blocks) {
      family().free(block);
    }
  }
}

TEST_P(MallocTest, FreedMemoryIsUsedAgain) {
  // 1 GiB in total, never more than 1 MiB at once.
  size_t before = resident_bytes();
  for (int round = 0; round < 1024; round++) {
    void *blocks[16];
    for (void *&block : blocks) {
      block = family().malloc(64 * KiB);
      ASSERT_NE(block, nullptr);
      fill(block, 64 * KiB, 1);
    }
    for (void *block : blocks) {
      family().free(block);
    }
  }
  EXPECT_RESIDENT_BELOW(before + 32 * MiB);
}

} // namespace
