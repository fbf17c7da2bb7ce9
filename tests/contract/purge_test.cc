// hak_purge: how far each level goes.

#include <cerrno>
#include <climits>
#include <cstring>
#include <thread>
#include <vector>

#include "hakmem.h"
#include "support/summary.h"
#include "support/support.h"

using namespace support;

namespace {

size_t retained_bytes() { return summarize().retained_bytes; }

// Blocks of 2000 bytes, written whole, of which every `keep`th stays: the others are freed.
std::vector<void *> fill_and_free(size_t count, size_t keep) {
  std::vector<void *> blocks(count);
  for (void *&block : blocks) {
    block = hak_malloc(2000);
    fill(block, 2000, 1);
  }
  std::vector<void *> kept;
  for (size_t i = 0; i < count; i++) {
    if (keep != 0 && i % keep == 0) {
      kept.push_back(blocks[i]);
    } else {
      hak_free(blocks[i]);
    }
  }
  return kept;
}

TEST(HakPurgeTest, AnUnknownLevelIsEinval) {
  for (int level : {-1, HAK_PURGE_ALL + 1, INT_MIN, INT_MAX}) {
    errno = kUntouchedErrno;
    EXPECT_EQ(hak_purge(level), 0u) << level;
    EXPECT_EQ(errno, EINVAL) << level;
  }
}

TEST(HakPurgeTest, KeepsErrno) {
  for (int level : {HAK_PURGE_RETAINED, HAK_PURGE_THREAD, HAK_PURGE_ALL}) {
    std::vector<void *> kept = fill_and_free(1000, 10);
    errno = kUntouchedErrno;
    hak_purge(level);
    EXPECT_EQ(errno, kUntouchedErrno) << level;
    for (void *block : kept) {
      hak_free(block);
    }
  }
}

TEST(HakPurgeTest, RetainedGivesBackWholeUnitsAndRanges) {
  if (runs_on_secure()) {
    GTEST_SKIP() << "the secure library retains no big block: what is freed is in quarantine";
  }
  hak_collect();
  ASSERT_EQ(hak_option_set("retain_kib", 64 << 10), 0);
  char *huge = static_cast<char *>(hak_malloc(10 * MiB));
  char *other = static_cast<char *>(hak_malloc(3 * MiB));
  std::memset(huge, 1, 10 * MiB);
  std::memset(other, 1, 3 * MiB);
  hak_free(huge);
  hak_free(other);
  EXPECT_GE(retained_bytes(), 13 * MiB);
  EXPECT_GE(hak_purge(HAK_PURGE_RETAINED), 13 * MiB);
  EXPECT_EQ(retained_bytes(), 0u);
  EXPECT_EQ(hak_purge(HAK_PURGE_RETAINED), 0u);
  hak_option_set("retain_kib", 2048);
}

TEST(HakPurgeTest, ThreadGivesBackFreePagesInsideSlabsToo) {
  hak_collect();
  std::vector<void *> kept = fill_and_free(300, 30);
  hak_purge(HAK_PURGE_RETAINED);
  size_t pages = 29 * 2048 / page_size(); // between two that are kept; one less where they begin within a page
  EXPECT_GE(hak_purge(HAK_PURGE_THREAD), pages == 0 ? 0 : 300 / 30 * (pages - 1) * page_size());
  for (void *block : kept) {
    EXPECT_TRUE(holds(block, 2000, 1));
    hak_free(block);
  }
  hak_purge(HAK_PURGE_THREAD);
  EXPECT_EQ(hak_purge(HAK_PURGE_THREAD), 0u);
}

TEST(HakPurgeTest, OnlyAllReachesHeapsThatNobodyHas) {
  hak_free(hak_malloc(1));
  hak_collect();
  std::vector<void *> blocks(300);
  std::thread([&] {
    for (void *&block : blocks) {
      block = hak_malloc(2000);
      fill(block, 2000, 1);
    }
  }).join();
  for (void *block : blocks) { // what is freed waits for whoever looks after the ended thread's heap
    hak_free(block);
  }
  hak_purge(HAK_PURGE_THREAD);
  EXPECT_GE(hak_purge(HAK_PURGE_ALL), 100 * 2000u);
  EXPECT_EQ(hak_purge(HAK_PURGE_ALL), 0u);
}

TEST(HakPurgeTest, AnyLevelInAThreadThatNeverAllocated) {
  for (int level : {HAK_PURGE_RETAINED, HAK_PURGE_THREAD, HAK_PURGE_ALL}) {
    std::thread([=] { hak_purge(level); }).join();
  }
}

} // namespace
