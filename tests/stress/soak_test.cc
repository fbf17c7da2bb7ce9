// Everything at once for as long as HAKMEM_TEST_SOAK_SECONDS says (3 without it): random calls from many threads, blocks handed over,
// threads that come and go, forks, hak_collect; every block's content is checked before it is freed. In the debug preset the
// validators run with it.

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <sys/wait.h>
#include <unistd.h>

#include "hakmem.h"
#include "support/family.h"
#include "support/support.h"

using namespace support;

namespace {

const Family &heap = default_family();

struct Block {
  void *start;
  size_t size;
  uint64_t seed;
};

constexpr size_t kMailboxes = 128;
constexpr unsigned kThreads = 6;
constexpr int kStepsOfAThread = 30000;

// In a child no assertion may be made: it has but one thread.
void require(bool condition, const char *what) {
  if (!condition) {
    std::fprintf(stderr, "soak: %s\n", what);
    std::abort();
  }
}

// Most are small, some of the sizes that slabs, runs and ranges serve in turn, and a few huge.
size_t any_size(Random &random) {
  return random.one_in(8) ? 30000 + random.below(110000) : random.size(random.one_in(300) ? 23 : 14);
}

Block make(Random &random) {
  Block block{nullptr, any_size(random), random.next()};
  switch (random.below(8)) {
  case 0:
    block.start = heap.calloc(1, block.size);
    require(block.start != nullptr && all_zero(block.start, block.size), "calloc gave memory that is not zero");
    break;
  case 1:
    block.start = heap.aligned_alloc(size_t{8} << random.below(12), block.size);
    break;
  default:
    block.start = heap.malloc(block.size);
  }
  require(block.start != nullptr, "no memory");
  fill(block.start, block.size, block.seed);
  return block;
}

void resize(Random &random, Block &block) {
  require(bool(holds(block.start, block.size, block.seed)), "a block has changed before realloc");
  size_t size = random.one_in(100) ? random.size(22) : random.size(13);
  size_t kept = size < block.size ? size : block.size;
  void *moved = heap.realloc(block.start, size + 1);
  require(moved != nullptr && holds(moved, kept, block.size, block.seed), "realloc has lost content");
  block = {moved, size + 1, random.next()};
  fill(block.start, block.size, block.seed);
}

void drop(const Block &block) {
  require(bool(holds(block.start, block.size, block.seed)), "a block has changed");
  heap.free(block.start);
}

class Soak {
public:
  explicit Soak(std::chrono::seconds length) : end_(std::chrono::steady_clock::now() + length) {}

  void run(uint64_t seed) {
    std::vector<std::thread> lines;
    for (unsigned i = 0; i < kThreads; i++) {
      lines.emplace_back([this, seed, i] {
        for (uint64_t generation = 0; !over(); generation++) { // each of them ends and another begins
          std::thread([&] { work(seed + i * 1000003 + generation, kStepsOfAThread); }).join();
        }
      });
    }
    for (uint64_t i = 0; !over(); i++) {
      fork_once(seed + i);
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    for (std::thread &line : lines) {
      line.join();
    }
    for (std::atomic<Block *> &mailbox : mailboxes_) {
      take(mailbox.exchange(nullptr));
    }
  }

  size_t calls() const { return calls_; }
  size_t forks() const { return forks_; }

private:
  bool over() const { return std::chrono::steady_clock::now() >= end_; }

  static void take(Block *block) {
    if (block != nullptr) {
      drop(*block);
      delete block;
    }
  }

  void work(uint64_t seed, int steps) {
    Random random(seed);
    std::vector<Block> blocks(random.one_in(3) ? 2000 : 100, Block{nullptr, 0, 0}); // so that the whole swells and ebbs
    for (int i = 0; i < steps && !(i % 256 == 0 && over()); i++) {
      Block &block = blocks[random.below(blocks.size())];
      if (block.start == nullptr) {
        block = make(random);
      } else if (random.one_in(5)) {
        resize(random, block);
      } else if (random.one_in(4)) {
        take(mailboxes_[random.below(kMailboxes)].exchange(new Block(block)));
        block.start = nullptr;
      } else {
        drop(block);
        block.start = nullptr;
      }
      if (random.one_in(8000)) {
        hak_collect();
      }
      calls_.fetch_add(1, std::memory_order_relaxed);
    }
    for (const Block &block : blocks) {
      if (block.start != nullptr) {
        drop(block);
      }
    }
  }

  void fork_once(uint64_t seed) {
    pid_t pid = fork();
    ASSERT_GE(pid, 0);
    if (pid == 0) {
      alarm(60);
      end_ = std::chrono::steady_clock::now() + std::chrono::hours(1);
      work(seed, 500);
      std::thread([&] { work(seed + 1, 500); }).join();
      hak_collect();
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(pid, &status, 0), pid);
    ASSERT_EQ(status, 0) << "the child of fork " << forks_;
    forks_++;
  }

  std::chrono::steady_clock::time_point end_;
  std::atomic<Block *> mailboxes_[kMailboxes] = {};
  std::atomic<size_t> calls_{0};
  size_t forks_ = 0;
};

TEST(SoakTest, EverythingAtOnce) {
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "the sanitizer does not survive threads in the child of fork()";
#endif
  const char *given = std::getenv("HAKMEM_TEST_SOAK_SECONDS");
  std::chrono::seconds length(given != nullptr ? std::strtol(given, nullptr, 10) : 3);
  size_t resident = 0;
  {
    Soak soak(length);
    soak.run(test_seed());
    std::printf("soak: %zu steps, %zu forks in %ld s\n", soak.calls(), soak.forks(), static_cast<long>(length.count()));
    EXPECT_GT(soak.calls(), 1000u);
    EXPECT_GT(soak.forks(), 0u);
    hak_collect();
    resident = resident_bytes();
  }
  EXPECT_PEAK_BELOW(resident, 64 * MiB); // nothing is live: memory does not pile up with time
}

} // namespace
