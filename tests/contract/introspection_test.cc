// malloc_trim, mallinfo, mallinfo2, malloc_info, malloc_stats, mallopt: answered as far as the standard names promise anything.

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>

#include <dlfcn.h>
#include <malloc.h>
#include <unistd.h>

#include "support/support.h"

using namespace support;

namespace {

TEST(MallocTrimTest, GivesFreeMemoryBack) {
  size_t before = resident_bytes();
  std::vector<void *> blocks(100000);
  for (void *&block : blocks) {
    block = malloc(1000);
    fill(block, 1000, 1);
  }
  size_t full = resident_bytes();
  for (void *block : blocks) {
    free(block);
  }
  errno = kUntouchedErrno;
  int trimmed = malloc_trim(0);
  EXPECT_EQ(errno, kUntouchedErrno);
  EXPECT_TRUE(trimmed == 0 || trimmed == 1);
  EXPECT_GT(full, before + 90 * MiB);
  EXPECT_RESIDENT_BELOW(before + 16 * MiB);
  // With nothing left to give back it says so, and either answer is harmless.
  trimmed = malloc_trim(1 * MiB);
  EXPECT_TRUE(trimmed == 0 || trimmed == 1);
  void *block = malloc(1000);
  ASSERT_NE(block, nullptr);
  free(block);
}

TEST(MallinfoTest, CountsWhatLives) {
  struct mallinfo2 before = mallinfo2();
  void *block = malloc(96 * MiB);
  ASSERT_NE(block, nullptr);
  fill(block, 96 * MiB, 1);
  struct mallinfo2 after = mallinfo2();
  EXPECT_GE(after.uordblks + after.hblkhd, before.uordblks + before.hblkhd + 96 * MiB);
  free(block);
  struct mallinfo2 freed = mallinfo2();
  EXPECT_LT(freed.uordblks + freed.hblkhd, after.uordblks + after.hblkhd);
}

TEST(MallinfoTest, TheOldOneAgreesAsFarAsAnIntGoes) {
  // Called through dlsym because it is marked as obsolete.
  using Mallinfo = struct mallinfo (*)();
  auto old = reinterpret_cast<Mallinfo>(dlsym(RTLD_DEFAULT, "mallinfo"));
  ASSERT_NE(old, nullptr);
  void *block = malloc(96 * MiB);
  ASSERT_NE(block, nullptr);
  struct mallinfo info = old();
  struct mallinfo2 info2 = mallinfo2();
  EXPECT_EQ(static_cast<size_t>(info.uordblks) + static_cast<size_t>(info.hblkhd), info2.uordblks + info2.hblkhd);
  free(block);
}

// Blocks of 100 bytes take 112 each.
constexpr size_t kCount = 10000, kStride = 112, kTolerance = kCount * kStride / 50;

void expect_sums_hold(const struct mallinfo2 &info) {
  EXPECT_GE(info.arena, info.uordblks);
  EXPECT_EQ(info.fordblks, info.arena - info.uordblks);
}

// What the calling thread has cached is free.
void expect_small_blocks_are_counted(const std::function<void(std::vector<void *> &)> &allocate,
                                     const std::function<void()> &after_free) {
  std::vector<void *> blocks(kCount);
  struct mallinfo2 before = mallinfo2();
  ASSERT_NO_FATAL_FAILURE(allocate(blocks));
  struct mallinfo2 live = mallinfo2();
  EXPECT_NEAR(static_cast<double>(live.uordblks) - static_cast<double>(before.uordblks), kCount * kStride, kTolerance);
  std::swap(blocks[0], blocks[kCount / 2]); // the one that lives on lies in a slab that was not there before
  for (size_t i = 1; i < kCount; i++) {
    free(blocks[i]);
  }
  after_free();
  struct mallinfo2 freed = mallinfo2();
  EXPECT_NEAR(static_cast<double>(freed.uordblks) - static_cast<double>(before.uordblks), kStride, kTolerance);
  EXPECT_EQ(live.hblkhd, before.hblkhd);
  expect_sums_hold(before);
  expect_sums_hold(live);
  expect_sums_hold(freed);
  free(blocks[0]);
}

void allocate_small(std::vector<void *> &blocks) {
  for (void *&block : blocks) {
    block = malloc(100);
    ASSERT_NE(block, nullptr);
  }
}

TEST(MallinfoTest, SmallBlocksInUseAreThoseThatLive) {
  expect_small_blocks_are_counted(allocate_small, [] {});
}

TEST(MallinfoTest, SmallBlocksOfAThreadThatEndedAreInUse) {
  expect_small_blocks_are_counted(
      [](std::vector<void *> &blocks) { std::thread(allocate_small, std::ref(blocks)).join(); },
      [] { malloc_trim(0); }); // which brings them back to their slabs
}

TEST(MallinfoTest, LargeBlocksAreInUseWithinTheArena) {
  for (int i = 0; i < 16; i++) {
    void *volatile block = malloc(100 * KiB); // of one size of late, or they would be huge
    free(block);
  }
  std::vector<void *> blocks(50);
  struct mallinfo2 before = mallinfo2();
  for (void *&block : blocks) {
    block = malloc(100 * KiB);
    ASSERT_NE(block, nullptr);
  }
  struct mallinfo2 live = mallinfo2();
  EXPECT_GE(live.uordblks, before.uordblks + 50 * 100 * KiB);
  EXPECT_LE(live.uordblks, before.uordblks + 50 * 2 * 64 * KiB + kTolerance);
  EXPECT_EQ(live.hblkhd, before.hblkhd);
  expect_sums_hold(live);
  for (void *block : blocks) {
    free(block);
  }
  struct mallinfo2 freed = mallinfo2();
  EXPECT_NEAR(static_cast<double>(freed.uordblks), static_cast<double>(before.uordblks), kTolerance);
  expect_sums_hold(freed);
}

// As glibc counts: a block with a mapping of its own stands in hblks and hblkhd alone.
TEST(MallinfoTest, BlocksWithAMappingOfTheirOwnAreCountedApart) {
  struct mallinfo2 before = mallinfo2();
  void *block = malloc(96 * MiB);
  ASSERT_NE(block, nullptr);
  struct mallinfo2 live = mallinfo2();
  EXPECT_EQ(live.hblks, before.hblks + 1);
  EXPECT_GE(live.hblkhd, before.hblkhd + 96 * MiB);
  EXPECT_NEAR(static_cast<double>(live.uordblks), static_cast<double>(before.uordblks), kTolerance);
  expect_sums_hold(live);
  free(block);
}

std::string malloc_info_text() {
  char *text = nullptr;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  EXPECT_EQ(malloc_info(0, file), 0);
  std::fclose(file);
  std::string result(text, length);
  free(text);
  return result;
}

TEST(MallocInfoTest, WritesOneXmlElement) {
  std::string text = malloc_info_text();
  EXPECT_EQ(text.rfind("<malloc version=\"", 0), 0u) << text;
  EXPECT_NE(text.find("</malloc>"), std::string::npos) << text;
  EXPECT_EQ(text.back(), '\n');
}

TEST(MallocInfoTest, RefusesOptions) {
  char *text = nullptr;
  size_t length = 0;
  FILE *file = open_memstream(&text, &length);
  errno = 0;
  // The manual page says -1 with EINVAL in errno; glibc itself returns EINVAL.
  int result = malloc_info(1, file);
  EXPECT_TRUE((result == -1 && errno == EINVAL) || result == EINVAL) << result;
  std::fclose(file);
  EXPECT_EQ(length, 0u);
  free(text);
}

TEST(MallocStatsTest, WritesToStandardError) {
  FILE *file = std::tmpfile();
  ASSERT_NE(file, nullptr);
  int saved = dup(2);
  ASSERT_GE(dup2(fileno(file), 2), 0);
  malloc_stats();
  dup2(saved, 2);
  close(saved);
  std::fseek(file, 0, SEEK_END);
  EXPECT_GT(std::ftell(file), 0);
  std::fclose(file);
}

TEST(MalloptTest, AcceptsEverythingHarmlessly) {
  for (int parameter : {M_MXFAST, M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD, M_MMAP_MAX, M_CHECK_ACTION, M_PERTURB,
                        M_ARENA_TEST, M_ARENA_MAX, 0, 12345, -12345}) {
    for (int value : {0, 1, 1000, -1}) {
      errno = kUntouchedErrno;
      EXPECT_EQ(mallopt(parameter, value), 1) << parameter;
      EXPECT_EQ(errno, kUntouchedErrno);
    }
  }
  void *block = malloc(100), *huge = malloc(10 * MiB);
  ASSERT_NE(block, nullptr);
  ASSERT_NE(huge, nullptr);
  free(block);
  free(huge);
}

} // namespace
