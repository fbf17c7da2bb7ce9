// hak_limit_set and hak_limit_get.

#include "hakmem.h"
#include "support/summary.h"
#include "support/support.h"

using namespace support;

namespace {

class HakLimitTest : public ::testing::Test {
protected:
  void TearDown() override { EXPECT_TRUE(hak_limit_set(0, 0)); }
};

TEST_F(HakLimitTest, ThereIsNoneAtFirst) {
  size_t soft = 1, hard = 1;
  hak_limit_get(&soft, &hard);
  EXPECT_EQ(soft, 0u);
  EXPECT_EQ(hard, 0u);
  void *block = hak_malloc(100);
  EXPECT_GT(summarize().counted_bytes, 0u);
  hak_free(block);
}

TEST_F(HakLimitTest, WhatIsSetIsReadBack) {
  errno = kUntouchedErrno;
  EXPECT_TRUE(hak_limit_set(512 * MiB, GiB));
  size_t soft = 0, hard = 0;
  hak_limit_get(&soft, &hard);
  EXPECT_EQ(soft, 512 * MiB);
  EXPECT_EQ(hard, GiB);
  hak_limit_get(nullptr, &hard);
  hak_limit_get(&soft, nullptr);
  hak_limit_get(nullptr, nullptr);
  long value = 0;
  EXPECT_EQ(hak_option_get("limit", &value), 0);
  EXPECT_EQ(static_cast<size_t>(value), GiB);
  EXPECT_EQ(hak_option_get("limit_soft", &value), 0);
  EXPECT_EQ(static_cast<size_t>(value), 512 * MiB);
  EXPECT_EQ(summarize().limit_bytes, GiB);
  EXPECT_EQ(summarize().limit_soft_bytes, 512 * MiB);
  EXPECT_TRUE(hak_limit_set(GiB, 0)) << "a soft limit alone";
  EXPECT_EQ(errno, kUntouchedErrno);
}

TEST_F(HakLimitTest, WhatIsNoLimitIsRefused) {
  EXPECT_TRUE(hak_limit_set(0, GiB));
  struct {
    size_t soft, hard;
  } const wrong[] = {{GiB + 1, GiB}, {0, (size_t{1} << 47) + 1}, {SIZE_MAX, 0}, {0, SIZE_MAX}};
  for (auto limits : wrong) {
    errno = 0;
    EXPECT_FALSE(hak_limit_set(limits.soft, limits.hard));
    EXPECT_EQ(errno, EINVAL);
    size_t soft = 1, hard = 1;
    hak_limit_get(&soft, &hard);
    EXPECT_EQ(soft, 0u);
    EXPECT_EQ(hard, GiB);
  }
  EXPECT_EQ(hak_option_set("limit", -1), EINVAL);
}

TEST_F(HakLimitTest, TheHardOneRefusesWithEnomem) {
  size_t limit = summarize().counted_bytes + 64 * MiB;
  ASSERT_TRUE(hak_limit_set(0, limit));
  for (size_t size : {100u, 10000u, 100000u, 5000000u}) {
    void *first = nullptr;
    size_t given = 0;
    errno = kUntouchedErrno;
    while (void *block = hak_malloc(size)) {
      EXPECT_EQ(errno, kUntouchedErrno);
      *static_cast<void **>(block) = first;
      first = block;
      given += size;
    }
    EXPECT_EQ(errno, ENOMEM);
    EXPECT_GT(given, 24 * MiB);
    EXPECT_LE(summarize().counted_bytes, limit);
    void *shrunk = hak_realloc(first, size); // what there is stays usable
    EXPECT_NE(shrunk, nullptr);
    first = shrunk;
    while (first != nullptr) {
      void *next = *static_cast<void **>(first);
      hak_free(first);
      first = next;
    }
  }
  ASSERT_TRUE(hak_limit_set(0, 0));
  hak_free(hak_malloc(128 * MiB));
}

TEST_F(HakLimitTest, TheOptionIsTheLimit) {
  hak_collect();
  long limit = static_cast<long>(summarize().counted_bytes + 8 * MiB);
  ASSERT_EQ(hak_option_set("limit", limit), 0);
  errno = 0;
  EXPECT_EQ(hak_malloc(9 * MiB), nullptr);
  EXPECT_EQ(errno, ENOMEM);
  ASSERT_EQ(hak_option_set("limit", 0), 0);
  void *block = hak_malloc(9 * MiB);
  EXPECT_NE(block, nullptr);
  hak_free(block);
}

} // namespace
