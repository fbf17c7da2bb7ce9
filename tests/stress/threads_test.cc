// Threads that come and go: churn, a thousand at once, frees from destructors that run at a thread's end.

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <pthread.h>

#include "hakmem.h"
#include "support/family.h"
#include "support/support.h"

using namespace support;

namespace {

const Family &heap = default_family();

void *allocate(size_t size) {
  auto *block = static_cast<unsigned char *>(heap.malloc(size));
  if (block == nullptr) {
    ADD_FAILURE() << "no memory for " << size;
    std::abort();
  }
  if (size > 0) {
    block[0] = static_cast<unsigned char>(size);
  }
  return block;
}

TEST(ThreadChurnTest, MemoryStaysBoundedOverTwoThousandThreads) {
  // Each thread frees half of its blocks; the other half is freed after its end.
  uint64_t seed = test_seed();
  size_t after_warm_up = 0;
  for (int i = 0; i < 2000; i++) {
    std::vector<void *> left;
    std::thread([&] {
      Random random(seed + static_cast<uint64_t>(i));
      for (int j = 0; j < 400; j++) {
        void *block = allocate(random.size(12));
        if (j % 2 == 0) {
          left.push_back(block);
        } else {
          heap.free(block);
        }
      }
    }).join();
    for (void *block : left) {
      heap.free(block);
    }
    if (i == 200) {
      after_warm_up = resident_bytes();
    }
  }
  EXPECT_RESIDENT_BELOW(after_warm_up + 8 * MiB);
}

TEST(ThreadChurnTest, ThreadsThatOverlapAndEndWhileOthersFree) {
  // Four lines of short threads; each thread frees what the one before it in the next line left.
  constexpr unsigned kLines = 4;
  uint64_t seed = test_seed();
  std::mutex mutex;
  std::vector<void *> left[kLines];
  std::atomic<size_t> after_warm_up{0};
  std::vector<std::thread> lines;
  for (unsigned line = 0; line < kLines; line++) {
    lines.emplace_back([&, line] {
      for (unsigned generation = 0; generation < 400; generation++) {
        std::thread([&] {
          Random random(seed + line * 10000 + generation);
          std::vector<void *> own, others;
          for (int i = 0; i < 300; i++) {
            own.push_back(allocate(random.size(11)));
          }
          {
            std::lock_guard<std::mutex> guard(mutex);
            others.swap(left[(line + 1) % kLines]);
          }
          for (void *block : others) {
            heap.free(block);
          }
          while (own.size() > 100) {
            heap.free(own.back());
            own.pop_back();
          }
          std::lock_guard<std::mutex> guard(mutex);
          left[line].insert(left[line].end(), own.begin(), own.end());
        }).join();
        if (generation == 100 && line == 0) {
          after_warm_up = resident_bytes();
        }
      }
    });
  }
  for (std::thread &line : lines) {
    line.join();
  }
  for (auto &blocks : left) {
    for (void *block : blocks) {
      heap.free(block);
    }
  }
  hak_collect();
  EXPECT_RESIDENT_BELOW(after_warm_up + 24 * MiB);
}

TEST(ThreadChurnTest, BlocksOutliveTheirThreadsByFar) {
  std::vector<std::pair<void *, uint64_t>> blocks;
  for (uint64_t i = 0; i < 300; i++) {
    std::thread([&] {
      for (int j = 0; j < 20; j++) {
        void *block = heap.malloc(200);
        fill(block, 200, i);
        blocks.emplace_back(block, i);
      }
    }).join();
  }
  for (auto [block, seed] : blocks) {
    ASSERT_TRUE(holds(block, 200, seed));
    heap.free(block);
  }
}

TEST(ManyThreadsTest, AThousandAliveAtOnce) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  constexpr size_t kThreads = 200;
#else
  constexpr size_t kThreads = 1000;
#endif
  pthread_barrier_t all_have, all_freed;
  struct Shared {
    pthread_barrier_t *all_have, *all_freed;
    std::vector<std::vector<void *>> blocks;
    std::atomic<size_t> next{0};
  } shared{&all_have, &all_freed, std::vector<std::vector<void *>>(kThreads), {}};
  pthread_barrier_init(&all_have, nullptr, kThreads);
  pthread_barrier_init(&all_freed, nullptr, kThreads);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 256 * KiB);

  std::vector<pthread_t> threads(kThreads);
  for (pthread_t &thread : threads) {
    int failed = pthread_create(
        &thread, &attributes,
        [](void *argument) -> void * {
          auto &all = *static_cast<Shared *>(argument);
          size_t me = all.next++;
          for (size_t size : {8, 16, 24, 48, 100, 300, 700, 1500, 5000}) {
            for (int i = 0; i < 4; i++) {
              void *block = heap.malloc(size);
              fill(block, size, me + size);
              all.blocks[me].push_back(block);
            }
          }
          pthread_barrier_wait(all.all_have);
          size_t other = (me + 1) % all.blocks.size();
          size_t at = 0;
          for (size_t size : {8, 16, 24, 48, 100, 300, 700, 1500, 5000}) {
            for (int i = 0; i < 4; i++, at++) {
              EXPECT_TRUE(holds(all.blocks[other][at], size, other + size));
              heap.free(all.blocks[other][at]);
            }
          }
          pthread_barrier_wait(all.all_freed);
          heap.free(heap.malloc(100));
          return nullptr;
        },
        &shared);
    // The barrier waits for all: without one of them there is no test.
    ASSERT_EQ(failed, 0) << "pthread_create";
  }
  for (pthread_t &thread : threads) {
    pthread_join(thread, nullptr);
  }
  pthread_attr_destroy(&attributes);
  pthread_barrier_destroy(&all_have);
  pthread_barrier_destroy(&all_freed);
}

// Destructors of pthread keys: the earliest key of the process and later ones, in every round that POSIX allows, so that some
// surely run after the allocator's own.
#if defined(__SANITIZE_THREAD__)
constexpr int kMoreRounds = 1; // in the last round the sanitizer has left the thread already
#else
constexpr int kMoreRounds = 3; // PTHREAD_DESTRUCTOR_ITERATIONS is 4
#endif
pthread_key_t churn_keys[8];
thread_local int rounds_left[8];

template <size_t Index> void on_thread_exit(void *value) {
  heap.free(value);
  std::vector<void *> blocks;
  for (size_t size = 1; size < 3000; size += 97) {
    blocks.push_back(allocate(size));
  }
  for (void *block : blocks) {
    heap.free(block);
  }
  if (rounds_left[Index]-- > 0) {
    pthread_setspecific(churn_keys[Index], allocate(500 + Index));
  }
}

template <size_t... Index> void create_keys(std::index_sequence<Index...>) {
  (pthread_key_create(&churn_keys[Index], on_thread_exit<Index>), ...);
}

void delete_keys() {
  for (pthread_key_t key : churn_keys) {
    pthread_key_delete(key);
  }
}

TEST(ThreadEndTest, KeyDestructorsAllocateAndFreeInEveryRound) {
  create_keys(std::make_index_sequence<8>());
  size_t after_warm_up = 0;
  for (int i = 0; i < 600; i++) {
    std::thread([] {
      for (size_t key = 0; key < 8; key++) {
        rounds_left[key] = kMoreRounds;
        pthread_setspecific(churn_keys[key], allocate(100 + key));
      }
      heap.free(allocate(10));
    }).join();
    if (i == 100) {
      after_warm_up = resident_bytes();
    }
  }
  EXPECT_RESIDENT_BELOW(after_warm_up + 8 * MiB);
  delete_keys();
}

TEST(ThreadEndTest, KeyDestructorsInAThreadThatNeverAllocatedBefore) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP()
      << "the allocator's own destructor runs in the last round, when the sanitizer has left the thread already";
#endif
  create_keys(std::make_index_sequence<8>());
  std::vector<void *> blocks;
  for (int i = 0; i < 8; i++) {
    blocks.push_back(allocate(64));
  }
  for (int i = 0; i < 50; i++) {
    std::vector<void *> given;
    for (size_t key = 0; key < 8; key++) {
      given.push_back(allocate(100));
    }
    pthread_t thread;
    ASSERT_EQ(pthread_create(
                  &thread, nullptr,
                  [](void *argument) -> void * {
                    auto &values = *static_cast<std::vector<void *> *>(argument);
                    for (size_t key = 0; key < 8; key++) {
                      rounds_left[key] = kMoreRounds;
                      pthread_setspecific(churn_keys[key], values[key]);
                    }
                    return nullptr;
                  },
                  &given),
              0);
    pthread_join(thread, nullptr);
  }
  for (void *block : blocks) {
    heap.free(block);
  }
  delete_keys();
}

struct FreesAtThreadEnd {
  std::vector<void *> blocks;
  ~FreesAtThreadEnd() {
    for (void *block : blocks) {
      heap.free(block);
    }
    heap.free(allocate(33));
    // And once more, later: in a key's destructor.
    rounds_left[0] = kMoreRounds;
    pthread_setspecific(churn_keys[0], allocate(77));
  }
};

thread_local FreesAtThreadEnd frees_at_thread_end;

TEST(ThreadEndTest, ThreadLocalDestructorsFreeTheirBlocks) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "their keys' last round comes when the sanitizer has left the thread already";
#endif
  create_keys(std::make_index_sequence<8>());
  size_t after_warm_up = 0;
  for (int i = 0; i < 600; i++) {
    std::vector<void *> of_main;
    for (int j = 0; j < 50; j++) {
      of_main.push_back(allocate(40));
    }
    std::thread([&] {
      for (size_t size = 1; size < 2000; size += 37) {
        frees_at_thread_end.blocks.push_back(allocate(size));
      }
      frees_at_thread_end.blocks.insert(frees_at_thread_end.blocks.end(), of_main.begin(), of_main.end());
    }).join();
    if (i == 100) {
      after_warm_up = resident_bytes();
    }
  }
  EXPECT_RESIDENT_BELOW(after_warm_up + 8 * MiB);
  delete_keys();
}

TEST(ThreadEndTest, DetachedThreadsEndOnTheirOwn) {
  std::mutex mutex;
  std::condition_variable done;
  int running = 0;
  for (int i = 0; i < 500; i++) {
    {
      std::unique_lock<std::mutex> guard(mutex);
      done.wait(guard, [&] { return running < 32; });
      running++;
    }
    std::thread([&] {
      void *blocks[50];
      for (void *&block : blocks) {
        block = allocate(100);
      }
      for (void *block : blocks) {
        heap.free(block);
      }
      std::lock_guard<std::mutex> guard(mutex);
      running--;
      done.notify_one();
    }).detach();
  }
  std::unique_lock<std::mutex> guard(mutex);
  done.wait(guard, [&] { return running == 0; });
}

// A thread that is cancelled before its first malloc, which makes its heap, ends behind it.
TEST(ThreadEndTest, NoCallIsAPointOfCancellation) {
  static std::atomic<bool> cancelled{false}, went_on{false};
  pthread_t thread;
  ASSERT_EQ(pthread_create(
                &thread, nullptr,
                [](void *) -> void * {
                  while (!cancelled) {
                  }
                  heap.free(heap.malloc(300));
                  heap.free(heap.malloc(3 * MiB));
                  went_on = true;
                  pthread_testcancel();
                  return nullptr;
                },
                nullptr),
            0);
  pthread_cancel(thread);
  cancelled = true;
  void *result = nullptr;
  pthread_join(thread, &result);
  EXPECT_EQ(result, PTHREAD_CANCELED);
  EXPECT_TRUE(went_on);
}

TEST(ThreadEndTest, CancelledThreadsLeaveTheHeapWhole) {
  // Cancellation at a cancellation point between two calls, with blocks left behind.
  for (int i = 0; i < 100; i++) {
    pthread_t thread;
    ASSERT_EQ(pthread_create(
                  &thread, nullptr,
                  [](void *) -> void * {
                    for (;;) {
                      void *block = allocate(300);
                      allocate(20);
                      heap.free(block);
                      pthread_testcancel();
                    }
                  },
                  nullptr),
              0);
    pthread_cancel(thread);
    void *result = nullptr;
    pthread_join(thread, &result);
    ASSERT_EQ(result, PTHREAD_CANCELED);
  }
}

} // namespace
