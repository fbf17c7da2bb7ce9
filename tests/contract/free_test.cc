// free, free_sized, free_aligned_sized: NULL, errno, blocks of other threads and of the other family.

#include <thread>

#include "hakmem.h"
#include "support/family.h"
#include "support/support.h"

using namespace support;

namespace {

class FreeTest : public FamilyTest {};
HAKMEM_FOR_EACH_FAMILY(FreeTest);

const size_t kSizes[] = {0, 1, 8, 9, 100, 1024, 1025, 4097, 40000, 70000, 600000, 3 * MiB, 40 * MiB, 300 * MiB};

TEST_P(FreeTest, NullDoesNothing) {
  errno = kUntouchedErrno;
  family().free(nullptr);
  family().free_sized(nullptr, 0);
  family().free_sized(nullptr, 100);
  family().free_aligned_sized(nullptr, 64, 128);
  EXPECT_EQ(errno, kUntouchedErrno);
}

TEST_P(FreeTest, NullInAThreadThatNeverAllocated) {
  std::thread([] { family().free(nullptr); }).join();
}

TEST_P(FreeTest, KeepsErrno) {
  for (size_t size : kSizes) {
    for (int how = 0; how < 3; how++) {
      void *block = how == 2 ? family().aligned_alloc(64, size) : family().malloc(size);
      ASSERT_NE(block, nullptr);
      fill(block, size, 1);
      errno = kUntouchedErrno;
      switch (how) {
      case 0:
        family().free(block);
        break;
      case 1:
        family().free_sized(block, size);
        break;
      default:
        family().free_aligned_sized(block, 64, size);
      }
      ASSERT_EQ(errno, kUntouchedErrno) << "size " << size;
    }
  }
}

TEST_P(FreeTest, KeepsErrnoWhenCachesSpill) {
  std::vector<void *> blocks(100000);
  for (void *&block : blocks) {
    block = family().malloc(100);
    ASSERT_NE(block, nullptr);
  }
  errno = kUntouchedErrno;
  for (void *block : blocks) {
    family().free(block);
    ASSERT_EQ(errno, kUntouchedErrno);
  }
}

TEST_P(FreeTest, BlocksOfAThreadThatEnded) {
  std::vector<void *> blocks;
  std::thread([&] {
    for (int i = 0; i < 200; i++) {
      for (size_t size : {size_t{8}, size_t{100}, size_t{1000}, size_t{5000}, size_t{50000}, size_t{500000}}) {
        void *block = family().malloc(size);
        fill(block, size, size);
        blocks.push_back(block);
      }
    }
  }).join();
  for (void *block : blocks) {
    family().free(block);
  }
}

TEST_P(FreeTest, InAThreadThatNeverAllocatedKeepsErrno) {
  for (size_t size : kSizes) {
    void *block = family().malloc(size);
    ASSERT_NE(block, nullptr);
    std::thread([&] {
      errno = kUntouchedErrno;
      family().free(block);
      EXPECT_EQ(errno, kUntouchedErrno);
    }).join();
  }
}

TEST_P(FreeTest, TheOtherFamilyMayFree) {
  for (const Family *other : families()) {
    for (size_t size : kSizes) {
      void *block = family().malloc(size);
      ASSERT_NE(block, nullptr);
      EXPECT_EQ(other->usable_size(block), family().usable_size(block));
      other->free(block);
      block = other->realloc(family().calloc(1, size), size + 100);
      ASSERT_NE(block, nullptr);
      family().free_sized(block, size + 100);
    }
  }
}

TEST_P(FreeTest, HugeBlocksGoBackToTheSystem) {
  size_t before = resident_bytes();
  for (int i = 0; i < 4; i++) {
    void *block = family().malloc(400 * MiB);
    ASSERT_NE(block, nullptr);
    fill(block, 400 * MiB, 1);
    family().free(block);
  }
  hak_collect();
  EXPECT_RESIDENT_BELOW(before + 16 * MiB);
}

} // namespace
