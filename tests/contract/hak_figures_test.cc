// hak_stats_json, hak_stats_openmetrics and hak_heap_visit.

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>

#include "hakmem.h"
#include "support/support.h"

using namespace support;

namespace {

// ---- text ----

using Writer = size_t (*)(char *, size_t);

std::string text(Writer writer) {
  std::string text(64 * KiB, 'x');
  size_t length = writer(text.data(), text.size());
  EXPECT_LT(length, 32 * KiB);
  text.resize(length);
  return text;
}

// The first figure of a name, now; allocates nothing.
size_t figure(const char *name) {
  static char json[64 * KiB];
  char quoted[100];
  EXPECT_LT(hak_stats_json(json, sizeof json), sizeof json);
  snprintf(quoted, sizeof quoted, "\"%s\":", name);
  const char *at = std::strstr(json, quoted);
  EXPECT_NE(at, nullptr) << name;
  return at == nullptr ? 0 : std::strtoull(at + std::strlen(quoted), nullptr, 10);
}

// Without the figures, which change from call to call.
std::string names(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; }), text.end());
  return text;
}

class HakStatsTest : public ::testing::TestWithParam<Writer> {};

// The test's own strings may bring a class or two more.
TEST_P(HakStatsTest, SaysHowLongItIsAndFillsWhatThereIs) {
  hak_free(hak_malloc(100));
  errno = kUntouchedErrno;
  std::string whole = text(GetParam());
  EXPECT_EQ(whole.back(), '\n');
  for (size_t bytes : {size_t{1}, size_t{2}, size_t{100}, size_t{300}}) {
    std::string part(bytes + 1, '\x7F');
    EXPECT_NEAR(static_cast<double>(GetParam()(part.data(), bytes)), static_cast<double>(whole.size()), 3000);
    EXPECT_EQ(part[bytes - 1], '\0');
    EXPECT_EQ(part[bytes], '\x7F');
    std::string start(part.c_str());
    EXPECT_EQ(names(start), names(whole.substr(0, start.size())).substr(0, names(start).size()));
  }
  EXPECT_NEAR(static_cast<double>(GetParam()(nullptr, 0)), static_cast<double>(whole.size()), 3000);
  EXPECT_EQ(errno, kUntouchedErrno);
}

TEST_P(HakStatsTest, AllocatesNothing) {
  hak_free(hak_malloc(100));
  std::string room(64 * KiB, 'x');
  size_t before = figure("blocks");
  for (int i = 0; i < 10; i++) {
    GetParam()(room.data(), room.size());
  }
  size_t after = figure("blocks");
  EXPECT_EQ(after, before);
}

INSTANTIATE_TEST_SUITE_P(Both, HakStatsTest, ::testing::Values(hak_stats_json, hak_stats_openmetrics));

TEST(HakStatsJsonTest, LiveFollowsTheProgram) {
  constexpr size_t kBlocks = 4000;
  std::vector<void *> blocks(kBlocks);
  size_t blocks_before = figure("blocks");
  size_t live_before = figure("live");
  for (void *&block : blocks) {
    block = hak_malloc(1000);
  }
  size_t blocks_with = figure("blocks");
  size_t live_with = figure("live");
  size_t held = figure("held");
  for (size_t i = 0; i < kBlocks; i += 2) {
    hak_free(blocks[i]);
  }
  size_t blocks_half = figure("blocks");
  std::thread([&] {
    for (size_t i = 1; i < kBlocks; i += 2) {
      hak_free(blocks[i]);
    }
  }).join();
  size_t blocks_after = figure("blocks");
  EXPECT_EQ(blocks_with, blocks_before + kBlocks);
  EXPECT_GE(live_with, live_before + kBlocks * 1000);
  EXPECT_LE(live_with, live_before + kBlocks * 1300);
  EXPECT_GE(held, live_with);
  EXPECT_EQ(blocks_half, blocks_before + kBlocks / 2);
  EXPECT_NEAR(static_cast<double>(blocks_after), static_cast<double>(blocks_before), 8) << "the C library's own";
}

// ---- the visit ----

// What is visited is looked up in a list that was made before: the visitor of these tests allocates nothing.
struct Counter {
  std::vector<void *> blocks; // sorted
  std::vector<int> times;
  size_t all = 0;
  bool right = true;
};

bool count(void *block, size_t bytes, int size_class, void *context) {
  auto *counter = static_cast<Counter *>(context);
  auto found = std::lower_bound(counter->blocks.begin(), counter->blocks.end(), block);
  if (found != counter->blocks.end() && *found == block) {
    counter->times[static_cast<size_t>(found - counter->blocks.begin())]++;
    counter->right = counter->right && bytes >= hak_usable_size(block) && size_class >= HAK_CLASS_HUGE;
  }
  counter->all++;
  return true;
}

Counter visit(std::vector<void *> blocks) {
  Counter counter;
  std::sort(blocks.begin(), blocks.end());
  counter.times.resize(blocks.size());
  counter.blocks = std::move(blocks);
  errno = kUntouchedErrno;
  EXPECT_EQ(hak_heap_visit(count, &counter), 0);
  EXPECT_EQ(errno, kUntouchedErrno);
  EXPECT_TRUE(counter.right);
  return counter;
}

TEST(HakHeapVisitTest, VisitsWhatIsLive) {
  std::vector<void *> blocks;
  Random random(test_seed());
  for (int i = 0; i < 5000; i++) {
    blocks.push_back(hak_malloc(random.size(i % 100 == 0 ? 23 : 14) + 1));
  }
  Counter all = visit(blocks);
  EXPECT_EQ(std::count(all.times.begin(), all.times.end(), 1), 5000);
  std::vector<void *> freed;
  for (size_t i = 0; i < blocks.size(); i += 3) {
    hak_free(blocks[i]);
    freed.push_back(blocks[i]);
  }
  // The list of the freed ones may take the place of one of them.
  Counter none = visit(freed);
  EXPECT_LE(std::count_if(none.times.begin(), none.times.end(), [](int times) { return times != 0; }), 8);
  for (size_t i = 0; i < blocks.size(); i++) {
    if (i % 3 != 0) {
      hak_free(blocks[i]);
    }
  }
}

TEST(HakHeapVisitTest, OfNothingIsRefused) {
  errno = kUntouchedErrno;
  EXPECT_EQ(hak_heap_visit(nullptr, nullptr), EINVAL);
  EXPECT_EQ(errno, kUntouchedErrno);
}

bool stop_at_third(void *, size_t, int, void *context) { return ++*static_cast<int *>(context) < 3; }

TEST(HakHeapVisitTest, StopsWhenTold) {
  std::vector<void *> blocks(10);
  for (void *&block : blocks) {
    block = hak_malloc(50);
  }
  int visited = 0;
  EXPECT_EQ(hak_heap_visit(stop_at_third, &visited), 0);
  EXPECT_EQ(visited, 3);
  for (void *block : blocks) {
    hak_free(block);
  }
}

// Blocks that live all the time are visited once each while four threads allocate, free, start and end.
TEST(HakHeapVisitTest, WhileFourThreadsAllocate) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a visit reads what other threads write meanwhile, and puts up with what it sees";
#endif
  std::vector<void *> blocks;
  Random random(test_seed());
  for (int i = 0; i < 3000; i++) {
    blocks.push_back(hak_malloc(random.size(13) + 1));
  }
  std::atomic<bool> ended{false};
  std::vector<std::thread> threads;
  for (uint64_t number = 0; number < 4; number++) {
    threads.emplace_back([&, number] {
      Random own(number + 1);
      while (!ended) {
        std::thread([&] {
          std::vector<void *> slots(500);
          for (int i = 0; i < 20000; i++) {
            void *&slot = slots[own.below(slots.size())];
            hak_free(slot);
            slot = hak_malloc(own.size(own.one_in(500) ? 22 : 12) + 1);
          }
          for (void *slot : slots) {
            hak_free(slot);
          }
        }).join();
      }
    });
  }
  for (int round = 0; round < 30; round++) {
    Counter all = visit(blocks);
    EXPECT_EQ(std::count(all.times.begin(), all.times.end(), 1), 3000);
    EXPECT_GE(figure("live"), 100 * KiB);
  }
  ended = true;
  for (std::thread &thread : threads) {
    thread.join();
  }
  for (void *block : blocks) {
    hak_free(block);
  }
}

} // namespace
