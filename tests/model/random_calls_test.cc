// Random calls of the whole family against a simple model of what they promise.
//
// The model knows of each live block where it begins, how many bytes may be used, its alignment and the pattern written into
// it. After each call it checks what the call gave: alignment, usable size, zero bytes of calloc, no overlap with any live
// block; and before a block is freed or resized, that its pattern is whole.

#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <thread>

#include "hakmem.h"
#include "support/family.h"
#include "support/support.h"

#if !defined(HAKMEM_TEST_HAK_ONLY)
#include <new>

#include <malloc.h>

extern "C" void *valloc(size_t size) noexcept;
extern "C" void *pvalloc(size_t size) noexcept;
#endif

using namespace support;

namespace {

struct Block {
  void *at;
  size_t size;      // as asked for
  size_t usable;    // as filled
  size_t alignment; // as asked for; 0: none
  uint64_t pattern;
};

constexpr size_t kMaxLiveBytes = 192 * MiB;
constexpr size_t kMaxLiveBlocks = 6000;
constexpr size_t kMostAtOnce = 64 * MiB;

// One thread's blocks and the calls on them.
class Model {
public:
  explicit Model(uint64_t seed) : random_(seed) {}

  ~Model() {
    while (!live_.empty() && !::testing::Test::HasFatalFailure()) {
      release(live_.size() - 1);
    }
  }

  Random &random() { return random_; }
  size_t calls() const { return calls_; }
  bool empty() const { return live_.empty(); }

  void step() {
    calls_++;
    unsigned what = static_cast<unsigned>(random_.below(1000));
    bool full = live_bytes_ > kMaxLiveBytes || live_.size() > target_;
    if (random_.one_in(5000)) { // waves: the program grows to another size
      target_ = random_.below(kMaxLiveBlocks);
    }
    if (what < 2) {
      housekeeping();
    } else if (what < 100 && !live_.empty()) {
      resize(pick());
    } else if (what < 110) {
      fail_on_purpose();
    } else if (what < 150 && !live_.empty()) {
      look_at(pick());
    } else if (live_.empty() || (what < (full ? 300 : 620))) {
      allocate();
    } else {
      release(pick());
    }
  }

  // A random block leaves this model, as when it is handed to another thread.
  Block give_away() {
    size_t index = pick();
    Block block = live_[index];
    forget(index);
    return block;
  }

  void take_in(const Block &block) {
    ASSERT_TRUE(holds(block.at, block.usable, block.pattern)) << "after a hand-over";
    remember(block);
  }

private:
  using Release = void (*)(const Family &, Random &, const Block &);

  const Family &any_family() {
    static const std::vector<const Family *> all = families();
    return *all[random_.below(all.size())];
  }

  size_t pick() { return random_.below(live_.size()); }

  size_t any_size() {
    if (random_.one_in(3000)) {
      return random_.below(kMostAtOnce);
    }
    if (random_.one_in(60)) {
      return random_.size(22);
    }
    return random_.size(random_.one_in(4) ? 15 : 10);
  }

  void allocate() {
    const Family &heap = any_family();
    size_t size = any_size(), alignment = 0;
    void *at = nullptr;
    bool zero = false;
    errno = kUntouchedErrno;
    switch (random_.below(12)) {
    case 0:
    case 1:
      zero = true;
      at = random_.one_in(2) ? heap.calloc(1, size) : heap.calloc(size, 1);
      break;
    case 2: {
      size_t count = random_.below(9) + 1;
      zero = true;
      at = heap.calloc(count, size / count);
      size = count * (size / count);
      break;
    }
    case 3:
      alignment = size_t{1} << random_.below(random_.one_in(100) ? 23 : 13);
      at = heap.aligned_alloc(alignment, size);
      break;
    case 4:
      alignment = sizeof(void *) << random_.below(random_.one_in(100) ? 20 : 10);
      ASSERT_EQ(heap.posix_memalign(&at, alignment, size), 0);
      break;
    case 5:
      at = heap.realloc(nullptr, size);
      break;
    case 6:
      at = heap.reallocarray(nullptr, size, 1);
      break;
#if !defined(HAKMEM_TEST_HAK_ONLY)
    case 7:
      switch (random_.below(3)) {
      case 0:
        alignment = size_t{1} << random_.below(13);
        at = memalign(alignment, size);
        break;
      case 1:
        alignment = page_size();
        at = valloc(size);
        break;
      default:
        alignment = page_size();
        at = pvalloc(size);
        size = size == 0 ? alignment : (size + alignment - 1) / alignment * alignment;
      }
      break;
    case 8:
      switch (random_.below(4)) {
      case 0:
        at = ::operator new(size);
        break;
      case 1:
        at = ::operator new[](size, std::nothrow);
        break;
      default:
        alignment = size_t{1} << random_.below(13);
        at = ::operator new (size, std::align_val_t{alignment});
      }
      break;
#endif
    default:
      at = heap.malloc(size);
    }
    ASSERT_EQ(errno, kUntouchedErrno);
    ASSERT_NE(at, nullptr) << "size " << size << ", alignment " << alignment;
    if (zero) {
      ASSERT_TRUE(all_zero(at, size)) << "size " << size;
    }
    admit(at, size, alignment);
  }

  // A block that a call has just given: checked, filled and put among the live ones.
  void admit(void *at, size_t size, size_t alignment) {
    size_t usable = hak_usable_size(at);
    ASSERT_GE(usable, size);
    ASSERT_TRUE(aligned(at, std::max(alignment, natural_alignment(size)))) << "size " << size;
    if (alignment == 0) {
      ASSERT_GE(usable, hak_good_size(size));
    }
    uint64_t pattern = random_.next();
    fill(at, usable, pattern);
    remember({at, size, usable, alignment, pattern});
  }

  void resize(size_t index) {
    Block old = live_[index];
    ASSERT_TRUE(holds(old.at, old.usable, old.pattern));
    const Family &heap = any_family();
    size_t size = random_.one_in(3) ? any_size() : random_.below(old.size * 2 + 16);
    if (size == 0 && !random_.one_in(3)) {
      size = 1;
    }
    forget(index);
    errno = kUntouchedErrno;
    void *at = random_.one_in(2) ? heap.realloc(old.at, size) : heap.reallocarray(old.at, 1, size);
    ASSERT_EQ(errno, kUntouchedErrno);
    if (size == 0) {
      ASSERT_EQ(at, nullptr);
      return;
    }
    ASSERT_NE(at, nullptr) << "size " << size;
    ASSERT_TRUE(holds(at, std::min(size, old.usable), old.usable, old.pattern))
        << "resized from " << old.size << " to " << size;
    ASSERT_TRUE(aligned(at, natural_alignment(size)));
    size_t usable = hak_usable_size(at);
    ASSERT_GE(usable, size);
    uint64_t pattern = random_.next();
    fill(at, usable, pattern);
    remember({at, size, usable, 0, pattern});
  }

  void fail_on_purpose() {
    const Family &heap = any_family();
    static const std::vector<size_t> impossible = impossible_sizes();
    size_t size = impossible[random_.below(impossible.size())];
    errno = 0;
    switch (random_.below(5)) {
    case 0:
      ASSERT_EQ(heap.malloc(size), nullptr);
      break;
    case 1:
      ASSERT_EQ(heap.calloc(size, 1 + random_.below(1000)), nullptr);
      break;
    case 2:
      ASSERT_EQ(heap.aligned_alloc(size_t{1} << random_.below(20), size), nullptr);
      break;
    case 3:
      if (!live_.empty()) {
        const Block &block = live_[pick()];
        ASSERT_EQ(heap.realloc(block.at, size), nullptr);
        ASSERT_TRUE(holds(block.at, block.usable, block.pattern));
        break;
      }
      [[fallthrough]];
    default:
      ASSERT_EQ(heap.reallocarray(nullptr, size, 2), nullptr);
    }
    ASSERT_EQ(errno, ENOMEM);
  }

  void look_at(size_t index) {
    const Block &block = live_[index];
    ASSERT_TRUE(holds(block.at, block.usable, block.pattern));
    ASSERT_EQ(any_family().usable_size(block.at), block.usable);
  }

  void housekeeping() {
    errno = kUntouchedErrno;
    if (random_.one_in(2)) {
      hak_collect();
    } else {
      hak_heap_summary summary;
      summary.struct_size = sizeof summary;
      ASSERT_TRUE(hak_heap_summarize(&summary));
    }
#if !defined(HAKMEM_TEST_HAK_ONLY)
    if (random_.one_in(4)) {
      malloc_trim(0);
    }
#endif
    ASSERT_EQ(errno, kUntouchedErrno);
  }

  void release(size_t index) {
    Block block = live_[index];
    ASSERT_TRUE(holds(block.at, block.usable, block.pattern));
    forget(index);
    const Family &heap = any_family();
    errno = kUntouchedErrno;
    switch (random_.below(6)) {
    case 0:
      if (block.alignment == 0) {
        heap.free_sized(block.at, block.size);
      } else {
        heap.free_aligned_sized(block.at, block.alignment, block.size);
      }
      break;
    case 1:
      ASSERT_EQ(heap.realloc(block.at, 0), nullptr);
      break;
#if !defined(HAKMEM_TEST_HAK_ONLY)
    case 2:
      if (block.alignment == 0 && random_.one_in(2)) {
        ::operator delete(block.at); // not in a conditional expression: Clang 14 then calls it twice
      } else if (block.alignment == 0) {
        ::operator delete(block.at, block.size);
      } else {
        ::operator delete (block.at, block.size, std::align_val_t{block.alignment});
      }
      break;
#endif
    default:
      heap.free(block.at);
    }
    ASSERT_EQ(errno, kUntouchedErrno);
  }

  void remember(const Block &block) {
    auto begin = reinterpret_cast<uintptr_t>(block.at);
    auto after = ends_.lower_bound(begin);
    if (after != ends_.end()) {
      ASSERT_GE(after->first, begin + block.usable) << "overlaps the next block";
      ASSERT_NE(after->first, begin) << "given twice";
    }
    if (after != ends_.begin()) {
      ASSERT_LE(std::prev(after)->second, begin) << "overlaps the block before";
    }
    ends_.emplace_hint(after, begin, begin + block.usable);
    live_.push_back(block);
    live_bytes_ += block.usable;
  }

  void forget(size_t index) {
    live_bytes_ -= live_[index].usable;
    ends_.erase(reinterpret_cast<uintptr_t>(live_[index].at));
    live_[index] = live_.back();
    live_.pop_back();
  }

  Random random_;
  std::vector<Block> live_;
  std::map<uintptr_t, uintptr_t> ends_; // begin → end of each live block
  size_t live_bytes_ = 0;
  size_t target_ = 1000;
  size_t calls_ = 0;
};

TEST(RandomCallsTest, OneThread) {
  Model model(test_seed());
  while (model.calls() < 400000) {
    model.step();
    if (HasFatalFailure()) {
      FAIL() << "at call " << model.calls();
    }
  }
}

TEST(RandomCallsTest, ManyShortRuns) {
  // Each begins in a new thread, so that young heaps and the taking over of old ones are tried often.
  uint64_t seed = test_seed();
  for (uint64_t run = 0; run < 60; run++) {
    std::thread([&] {
      Model model(seed + run);
      while (model.calls() < 2000 && !HasFatalFailure()) {
        model.step();
      }
    }).join();
    if (HasFatalFailure()) {
      FAIL() << "in run " << run;
    }
  }
}

// Where threads leave blocks for each other.
class Mailbox {
public:
  void put(const Block &block) {
    std::lock_guard<std::mutex> guard(mutex_);
    blocks_.push_back(block);
  }
  bool take(Block &block) {
    std::lock_guard<std::mutex> guard(mutex_);
    if (blocks_.empty()) {
      return false;
    }
    block = blocks_.back();
    blocks_.pop_back();
    return true;
  }

private:
  std::mutex mutex_;
  std::vector<Block> blocks_;
};

void run_with_hand_over(uint64_t seed, unsigned threads, size_t calls_each, unsigned generations) {
  std::vector<Mailbox> boxes(threads);
  for (unsigned generation = 0; generation < generations; generation++) {
    std::vector<std::thread> running;
    for (unsigned me = 0; me < threads; me++) {
      running.emplace_back([&, me] {
        Model model(seed + generation * 1000 + me);
        Block block;
        while (model.calls() < calls_each && !::testing::Test::HasFatalFailure()) {
          model.step();
          Random &random = model.random();
          if (random.one_in(12) && !model.empty()) {
            boxes[random.below(threads)].put(model.give_away());
          }
          if (random.one_in(8) && boxes[me].take(block)) {
            model.take_in(block);
          }
        }
        // The last blocks stay in the boxes: the next generation gets them from a thread that has ended.
        for (int left = 0; left < 200 && !model.empty() && !::testing::Test::HasFatalFailure(); left++) {
          boxes[model.random().below(threads)].put(model.give_away());
        }
      });
    }
    for (std::thread &thread : running) {
      thread.join();
    }
    if (::testing::Test::HasFatalFailure()) {
      FAIL() << "in generation " << generation;
    }
  }
  for (Mailbox &box : boxes) {
    Block block;
    while (box.take(block)) {
      ASSERT_TRUE(holds(block.at, block.usable, block.pattern));
      hak_free(block.at);
    }
  }
}

TEST(RandomCallsTest, FourThreadsHandOver) { run_with_hand_over(test_seed(), 4, 60000, 2); }

TEST(RandomCallsTest, SixteenThreadsOfManyGenerations) { run_with_hand_over(test_seed(), 16, 1500, 10); }

} // namespace
