// fork() from a busy parent with many threads: the child allocates and frees at once, from new threads too.
//
// Each child has an alarm: one that hangs is ended by SIGALRM and fails the test. Children that the parent waits for with
// expect_success are looked at by gdb first, where there is one.

#include <atomic>
#include <csignal>
#include <thread>

#include <pthread.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hakmem.h"
#include "support/family.h"
#include "support/support.h"

using namespace support;

namespace {

const Family &heap = default_family();

constexpr unsigned kChildSeconds = 20;

// Threads that allocate and free all kinds of sizes, blocks of one another too, until told to stop. Every now and then one of them
// starts a thread that does the same for a while and ends.
class BusyThreads {
public:
  explicit BusyThreads(unsigned count) {
    for (unsigned i = 0; i < count; i++) {
      threads_.emplace_back([this, i] {
        started_++;
        Random random(i);
        while (!stop_.load(std::memory_order_relaxed)) {
          work(random, 20000);
          std::thread([this, &random] { work(random, 500); }).join();
        }
      });
    }
    while (started_ < count) {
      std::this_thread::yield();
    }
  }
  ~BusyThreads() {
    stop_ = true;
    for (std::thread &thread : threads_) {
      thread.join();
    }
    free_shared();
  }

  // Frees what the threads have left for one another, whichever of them allocated it.
  void free_shared() {
    for (std::atomic<void *> &block : shared_) {
      heap.free(block.exchange(nullptr));
    }
  }

private:
  void work(Random &random, int steps) {
    std::vector<void *> blocks(300);
    for (int i = 0; i < steps && !stop_.load(std::memory_order_relaxed); i++) {
      void *&block = blocks[random.below(blocks.size())];
      heap.free(block);
      block = heap.malloc(random.one_in(500) ? random.size(20) : random.size(12));
      if (block != nullptr && random.one_in(20)) { // some of them for others to free
        block = shared_[random.below(kShared)].exchange(block);
      }
      if (random.one_in(20000)) {
        hak_collect();
      }
    }
    for (void *block : blocks) {
      heap.free(block);
    }
  }

  static constexpr size_t kShared = 256;
  std::atomic<bool> stop_{false};
  std::atomic<unsigned> started_{0};
  std::atomic<void *> shared_[kShared] = {};
  std::vector<std::thread> threads_;
};

// A child of busy threads has no other memory: the own malloc of a sanitizer may be locked in it.
template <typename T> struct OfTheHeap {
  using value_type = T;
  T *allocate(size_t count) { return static_cast<T *>(heap.malloc(count * sizeof(T))); }
  void deallocate(T *block, size_t) { heap.free(block); }
};

// What a child does; a false result is its exit code 1. No gtest assertion in here: the child has but one thread.
bool allocate_and_free(uint64_t seed, int count) {
  Random random(seed);
  std::vector<std::pair<void *, size_t>, OfTheHeap<std::pair<void *, size_t>>> blocks;
  for (int i = 0; i < count; i++) {
    size_t size = random.one_in(200) ? random.size(21) : random.size(13);
    void *block = i % 3 == 0 ? heap.calloc(1, size) : heap.malloc(size);
    if (block == nullptr || (i % 3 == 0 && !all_zero(block, size))) {
      return false;
    }
    fill(block, size, size);
    blocks.emplace_back(block, size);
    if (random.one_in(2)) {
      std::swap(blocks[random.below(blocks.size())], blocks.back());
      if (!holds(blocks.back().first, blocks.back().second, blocks.back().second)) {
        return false;
      }
      heap.free(blocks.back().first);
      blocks.pop_back();
    }
  }
  for (auto [block, size] : blocks) {
    if (!holds(block, size, size)) {
      return false;
    }
    heap.free(block);
  }
  return true;
}

[[noreturn]] void child(const std::vector<void *> &of_parent, uint64_t seed, BusyThreads *busy = nullptr) {
  alarm(2 * kChildSeconds);
  if (busy != nullptr) {
    busy->free_shared();
  }
  bool good = allocate_and_free(seed, 500);
  // Blocks of the parent: content as it was, and freed here without effect on the parent.
  for (void *block : of_parent) {
    good = good && holds(block, 150, 99);
    heap.free(block);
  }
  // New threads, several at once.
  std::atomic<bool> all_good{good};
  std::vector<std::thread> threads;
  for (uint64_t i = 0; i < 3; i++) {
    threads.emplace_back([&, i] {
      if (!allocate_and_free(seed + i, 500)) {
        all_good = false;
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  hak_collect();
  _exit(all_good ? 0 : 1);
}

// Waits for a child; one that hangs shows where, and is ended.
int wait_for(pid_t pid) {
  int status = 0;
  for (unsigned i = 0; i < kChildSeconds * 1000; i++) {
    if (waitpid(pid, &status, WNOHANG) == pid) {
      return status;
    }
    usleep(1000);
  }
  std::string id = std::to_string(pid);
  const char *const gdb[] = {"gdb", "-p", id.c_str(), "-batch", "-ex", "thread apply all bt", nullptr};
  pid_t debugger = 0;
  if (posix_spawnp(&debugger, gdb[0], nullptr, nullptr, const_cast<char *const *>(gdb), environ) == 0) {
    waitpid(debugger, nullptr, 0);
  }
  kill(pid, SIGALRM);
  waitpid(pid, &status, 0);
  return status;
}

void expect_success(pid_t pid) {
  int status = wait_for(pid);
  ASSERT_FALSE(WIFSIGNALED(status)) << "child ended by signal " << WTERMSIG(status)
                                    << (WTERMSIG(status) == SIGALRM ? ": it hung" : "");
  ASSERT_EQ(WEXITSTATUS(status), 0);
}

TEST(ForkTest, BusyParentAHundredTimes) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc, which a thread's start calls, is locked in the child of a busy parent";
#endif
  BusyThreads busy(4);
  for (uint64_t i = 0; i < 100; i++) {
    std::vector<void *> blocks(200);
    for (void *&block : blocks) {
      block = heap.malloc(150);
      fill(block, 150, 99);
    }
    pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      child(blocks, i, &busy);
    }
    ASSERT_NO_FATAL_FAILURE(expect_success(pid)) << "fork " << i;
    for (void *block : blocks) {
      ASSERT_TRUE(holds(block, 150, 99));
      heap.free(block);
    }
  }
}

TEST(ForkTest, FromSeveralThreadsAtOnce) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer's own malloc, which a child's thread calls, is locked in the child of a busy parent";
#endif
  // Threads that ended leave full heaps behind, which those that follow take over.
  for (uint64_t generation = 0; generation < 3; generation++) {
    BusyThreads before(4);
    allocate_and_free(generation, 50000);
  }
  BusyThreads busy(2);
  std::atomic<int> failures{0};
  std::vector<std::thread> forkers;
  for (uint64_t me = 0; me < 3; me++) {
    forkers.emplace_back([&, me] {
      for (uint64_t i = 0; i < 12; i++) {
        heap.free(heap.malloc(100));
        pid_t pid = fork();
        if (pid == 0) {
          child({}, me * 100 + i);
        }
        int status = 0;
        if (pid < 0 || waitpid(pid, &status, 0) != pid || status != 0) {
          failures++;
        }
      }
    });
  }
  for (std::thread &forker : forkers) {
    forker.join();
  }
  EXPECT_EQ(failures, 0);
}

TEST(ForkTest, ChildrenOfChildren) {
  BusyThreads busy(2);
  for (uint64_t i = 0; i < 10; i++) {
    pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      alarm(kChildSeconds);
      for (uint64_t depth = 0; depth < 5; depth++) {
        if (!allocate_and_free(i + depth, 200)) {
          _exit(1);
        }
#if !defined(__SANITIZE_ADDRESS__) // its own malloc, which a thread's start calls, is locked in such a child
        std::thread([&] { allocate_and_free(depth, 200); }).join();
#endif
        pid_t next = fork();
        if (next < 0) {
          _exit(2);
        }
        if (next > 0) {
          int status = 0;
          _exit(waitpid(next, &status, 0) == next && status == 0 ? 0 : 3);
        }
        alarm(kChildSeconds);
      }
      _exit(0);
    }
    ASSERT_NO_FATAL_FAILURE(expect_success(pid));
  }
}

TEST(ForkTest, ChildLeavesThroughExit) {
  // exit() runs destructors and flushes streams in the child: those free and allocate as well.
  BusyThreads busy(3);
  for (int i = 0; i < 20; i++) {
    std::fflush(nullptr);
    pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      alarm(kChildSeconds);
      bool good = allocate_and_free(static_cast<uint64_t>(i), 200);
      quick_exit(good ? 0 : 1);
    }
    ASSERT_NO_FATAL_FAILURE(expect_success(pid));
  }
}

TEST(ForkTest, FromAThreadThatNeverAllocated) {
  for (int i = 0; i < 10; i++) {
    pthread_t thread;
    static std::atomic<int> result;
    result = -1;
    ASSERT_EQ(pthread_create(
                  &thread, nullptr,
                  [](void *) -> void * {
                    pid_t pid = fork();
                    if (pid == 0) {
                      alarm(kChildSeconds);
                      _exit(allocate_and_free(1, 300) ? 0 : 1);
                    }
                    int status = -1;
                    waitpid(pid, &status, 0);
                    result = status;
                    return nullptr;
                  },
                  nullptr),
              0);
    pthread_join(thread, nullptr);
    ASSERT_EQ(result, 0);
  }
}

TEST(ForkTest, ParentMemoryIsNotLostToManyForks) {
  size_t before = 0;
  for (int i = 0; i < 60; i++) {
    pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      _exit(allocate_and_free(static_cast<uint64_t>(i), 100) ? 0 : 1);
    }
    ASSERT_NO_FATAL_FAILURE(expect_success(pid));
    allocate_and_free(static_cast<uint64_t>(i), 100);
    if (i == 20) {
      before = resident_bytes();
    }
  }
  EXPECT_RESIDENT_BELOW(before + 8 * MiB);
}

TEST(ForkTest, ChildrenOfChildrenReuseTheMemoryOfLostThreads) {
  // The threads of the parent do not exist in the child: what they had cached is an orphan there, and a chain of forks must
  // not pile it up.
  std::vector<void *> kept;
  pid_t pid = fork();
  ASSERT_GE(pid, 0);
  if (pid == 0) {
    alarm(kChildSeconds);
    for (int depth = 0; depth < 12; depth++) {
      std::atomic<bool> stop{false};
      std::atomic<int> holding{0};
      std::vector<std::thread> threads;
      for (int i = 0; i < 4; i++) {
        threads.emplace_back([&] {
          // 1 MiB each in caches and slabs, all free again.
          std::vector<void *> blocks(4096);
          for (void *&block : blocks) {
            block = heap.malloc(256);
            *static_cast<char *>(block) = 1;
          }
          for (void *block : blocks) {
            heap.free(block);
          }
          holding++;
          while (!stop) {
            std::this_thread::yield();
          }
        });
      }
      while (holding < 4) {
        std::this_thread::yield();
      }
      pid_t next = fork();
      if (next != 0) {
        stop = true;
        for (std::thread &thread : threads) {
          thread.join();
        }
        int status = 0;
        _exit(next > 0 && waitpid(next, &status, 0) == next && status == 0 ? 0 : 1);
      }
      new std::vector<std::thread>(std::move(threads)); // they are not here: neither joined nor destroyed
      alarm(kChildSeconds);
    }
    _exit(resident_bytes() < 64 * MiB ? 0 : 4);
  }
  ASSERT_NO_FATAL_FAILURE(expect_success(pid));
}

TEST(ForkTest, WhileAnotherThreadGrowsAHugeBlock) {
  std::atomic<bool> stop{false};
  std::thread grower([&] {
    while (!stop) {
      size_t size = 3 * MiB;
      void *block = heap.malloc(size);
      fill(block, size, 5);
      for (int i = 0; i < 12; i++) {
        block = heap.realloc(block, size + size / 2);
        EXPECT_TRUE(holds(block, size, size, 5));
        size += size / 2;
        fill(block, size, 5);
      }
      heap.free(block);
    }
  });
  for (uint64_t i = 0; i < 60; i++) {
    pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      alarm(2 * kChildSeconds);
      void *block = heap.malloc(20 * MiB);
      fill(block, 20 * MiB, 6);
      block = heap.realloc(block, 40 * MiB);
      bool good = block != nullptr && holds(block, 20 * MiB, 6) && allocate_and_free(i, 300);
      heap.free(block);
      hak_collect();
      _exit(good ? 0 : 1);
    }
    ASSERT_NO_FATAL_FAILURE(expect_success(pid));
  }
  stop = true;
  grower.join();
}

TEST(ForkTest, VforkAndPosixSpawnBesideBusyThreads) {
  BusyThreads busy(3);
  for (int i = 0; i < 60; i++) {
    pid_t pid = -1;
    if (i % 2 == 0) {
      const char *const words[] = {"true", nullptr};
      ASSERT_EQ(posix_spawnp(&pid, words[0], nullptr, nullptr, const_cast<char *const *>(words), environ), 0);
    } else if ((pid = vfork()) == 0) {
      execl("/bin/true", "true", nullptr);
      _exit(1);
    }
    ASSERT_NO_FATAL_FAILURE(expect_success(pid));
    ASSERT_TRUE(allocate_and_free(static_cast<uint64_t>(i), 200));
  }
}

} // namespace
