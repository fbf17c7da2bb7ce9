// aligned_alloc and posix_memalign: every alignment with every kind of size, bad alignments, errno.

#include <algorithm>

#include "hakmem.h"
#include "support/family.h"
#include "support/support.h"

using namespace support;

namespace {

class AlignedTest : public FamilyTest {};
HAKMEM_FOR_EACH_FAMILY(AlignedTest);

const size_t kSizes[] = {0,     1,     7,      8,      9,       15,          16,      17,      63,
                         100,   1000,  1024,   4095,   4096,    4097,        5000,    32768,   65535,
                         65536, 65537, 100000, 524288, 1 * MiB, 1 * MiB + 1, 2 * MiB, 3 * MiB, 5 * MiB - 1};

constexpr size_t kLargestAlignment = 64 * MiB;

TEST_P(AlignedTest, EveryAlignmentWithEverySize) {
  for (size_t alignment = 1; alignment <= kLargestAlignment; alignment *= 2) {
    for (size_t size : kSizes) {
      void *blocks[3];
      for (size_t i = 0; i < 3; i++) {
        errno = kUntouchedErrno;
        blocks[i] = family().aligned_alloc(alignment, size);
        ASSERT_EQ(errno, kUntouchedErrno);
        ASSERT_TRUE(aligned(blocks[i], std::max(alignment, natural_alignment(size))))
            << "alignment " << alignment << ", size " << size;
        ASSERT_GE(family().usable_size(blocks[i]), size);
        fill(blocks[i], family().usable_size(blocks[i]), i);
      }
      for (size_t i : {size_t{1}, size_t{0}, size_t{2}}) {
        ASSERT_TRUE(holds(blocks[i], family().usable_size(blocks[i]), i))
            << "alignment " << alignment << ", size " << size;
        i == 0 ? family().free_aligned_sized(blocks[i], alignment, size) : family().free(blocks[i]);
      }
    }
  }
}

TEST_P(AlignedTest, PosixMemalignEveryAlignmentWithEverySize) {
  for (size_t alignment = sizeof(void *); alignment <= kLargestAlignment; alignment *= 2) {
    for (size_t size : kSizes) {
      void *block = nullptr;
      errno = kUntouchedErrno;
      ASSERT_EQ(family().posix_memalign(&block, alignment, size), 0);
      ASSERT_EQ(errno, kUntouchedErrno);
      ASSERT_TRUE(aligned(block, std::max(alignment, natural_alignment(size))))
          << "alignment " << alignment << ", size " << size;
      ASSERT_GE(family().usable_size(block), size);
      fill(block, family().usable_size(block), 8);
      family().free(block);
    }
  }
}

TEST_P(AlignedTest, ManySmallAlignedBlocksAliveTogether) {
  std::vector<std::pair<void *, size_t>> blocks;
  uint64_t seed = 0;
  for (size_t alignment = 1; alignment <= 8 * KiB; alignment *= 2) {
    for (size_t size = 0; size <= 2 * KiB; size += 41) {
      void *block = family().aligned_alloc(alignment, size);
      ASSERT_TRUE(aligned(block, alignment));
      fill(block, family().usable_size(block), seed++);
      blocks.emplace_back(block, size);
    }
  }
  seed = 0;
  for (auto [block, size] : blocks) {
    ASSERT_TRUE(holds(block, family().usable_size(block), seed++));
    family().free(block);
  }
}

TEST_P(AlignedTest, ZeroSizeIsUnique) {
  void *one = family().aligned_alloc(64, 0), *other = family().aligned_alloc(64, 0);
  EXPECT_NE(one, nullptr);
  EXPECT_NE(other, nullptr);
  EXPECT_NE(one, other);
  family().free(one);
  family().free(other);
}

TEST_P(AlignedTest, BadAlignmentGivesNullAndEinval) {
  for (size_t alignment :
       {size_t{0}, size_t{3}, size_t{5}, size_t{6}, size_t{7}, size_t{9}, size_t{12}, size_t{24}, size_t{48},
        size_t{100}, size_t{4095}, size_t{4097}, 3 * MiB, SIZE_MAX, SIZE_MAX - 1, SIZE_MAX / 2}) {
    for (size_t size : {size_t{0}, size_t{1}, size_t{64}, size_t{100000}, SIZE_MAX}) {
      errno = 0;
      EXPECT_EQ(family().aligned_alloc(alignment, size), nullptr) << "alignment " << alignment << ", size " << size;
      EXPECT_EQ(errno, EINVAL) << "alignment " << alignment << ", size " << size;
    }
  }
}

TEST_P(AlignedTest, PosixMemalignBadAlignmentLeavesOutAndErrno) {
  int sentinel = 0;
  for (size_t alignment :
       {size_t{0}, size_t{1}, size_t{2}, size_t{3}, size_t{4}, size_t{6}, size_t{7}, size_t{9}, size_t{12}, size_t{24},
        size_t{40}, size_t{100}, size_t{4097}, SIZE_MAX, SIZE_MAX - 7, SIZE_MAX / 2}) {
    for (size_t size : {size_t{0}, size_t{1}, size_t{64}, size_t{100000}, SIZE_MAX}) {
      void *out = &sentinel;
      errno = kUntouchedErrno;
      EXPECT_EQ(family().posix_memalign(&out, alignment, size), EINVAL)
          << "alignment " << alignment << ", size " << size;
      EXPECT_EQ(out, &sentinel);
      EXPECT_EQ(errno, kUntouchedErrno);
    }
  }
}

TEST_P(AlignedTest, ImpossibleSizesGiveEnomem) {
  int sentinel = 0;
  for (size_t alignment : {size_t{8}, size_t{16}, size_t{64}, size_t{4096}, size_t{65536}, 2 * MiB, 64 * MiB}) {
    for (size_t size : impossible_sizes()) {
      errno = 0;
      EXPECT_EQ(family().aligned_alloc(alignment, size), nullptr) << "alignment " << alignment << ", size " << size;
      EXPECT_EQ(errno, ENOMEM) << "alignment " << alignment << ", size " << size;
      void *out = &sentinel;
      errno = kUntouchedErrno;
      EXPECT_EQ(family().posix_memalign(&out, alignment, size), ENOMEM);
      EXPECT_EQ(out, &sentinel);
      EXPECT_EQ(errno, ENOMEM); // as glibc does; POSIX leaves it open
    }
  }
}

TEST_P(AlignedTest, ImpossibleAlignmentsGiveEnomem) {
  int sentinel = 0;
  for (unsigned shift : {48u, 55u, 61u, 62u, 63u}) {
    for (size_t size : {size_t{0}, size_t{1}, size_t{4096}, 1 * MiB, SIZE_MAX / 4}) {
      size_t alignment = size_t{1} << shift;
      errno = 0;
      EXPECT_EQ(family().aligned_alloc(alignment, size), nullptr) << "2^" << shift << ", size " << size;
      EXPECT_EQ(errno, ENOMEM) << "2^" << shift << ", size " << size;
      void *out = &sentinel;
      errno = kUntouchedErrno;
      EXPECT_EQ(family().posix_memalign(&out, alignment, size), ENOMEM);
      EXPECT_EQ(out, &sentinel);
      EXPECT_EQ(errno, ENOMEM); // as glibc does; POSIX leaves it open
    }
  }
}

TEST_P(AlignedTest, AlignedBlocksAreFreedWhole) {
  // 16 GiB of address space and 1 GiB of pages pass through.
  size_t before = resident_bytes();
  for (int i = 0; i < 250; i++) {
    void *blocks[] = {family().aligned_alloc(64 * MiB, 1 * MiB), family().aligned_alloc(4096, 10000),
                      family().aligned_alloc(256, 300), family().aligned_alloc(2 * MiB, 4 * MiB)};
    for (void *block : blocks) {
      ASSERT_NE(block, nullptr);
      fill(block, family().usable_size(block), 1);
      family().free(block);
    }
  }
  EXPECT_RESIDENT_BELOW(before + 64 * MiB);
}

} // namespace
