// Blocks that one thread allocates and another frees: rings, mailboxes, producers and consumers.

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <thread>

#include "hakmem.h"
#include "support/family.h"
#include "support/support.h"

using namespace support;

namespace {

const Family &heap = default_family();

// What travels: the size and the seed of its pattern stand in its first bytes.
struct Parcel {
  uint32_t size;
  uint32_t seed;
};

void *pack(Random &random, unsigned max_bits) {
  size_t size = std::max(sizeof(Parcel), random.size(max_bits));
  auto seed = static_cast<uint32_t>(random.next());
  auto *parcel = static_cast<Parcel *>(heap.malloc(size));
  if (parcel == nullptr) {
    ADD_FAILURE() << "no memory for " << size;
    std::abort();
  }
  fill(parcel + 1, size - sizeof(Parcel), seed);
  *parcel = {static_cast<uint32_t>(size), seed};
  return parcel;
}

void unpack(void *block) {
  auto *parcel = static_cast<Parcel *>(block);
  ASSERT_LE(parcel->size, heap.usable_size(block));
  ASSERT_TRUE(holds(parcel + 1, parcel->size - sizeof(Parcel), parcel->seed));
  heap.free(block);
}

// One producer, one consumer.
class Queue {
public:
  bool push(void *block) {
    size_t tail = tail_.load(std::memory_order_relaxed);
    if (tail - head_.load(std::memory_order_acquire) == slots_.size()) {
      return false;
    }
    slots_[tail % slots_.size()] = block;
    tail_.store(tail + 1, std::memory_order_release);
    return true;
  }
  void *pop() {
    size_t head = head_.load(std::memory_order_relaxed);
    if (head == tail_.load(std::memory_order_acquire)) {
      return nullptr;
    }
    void *block = slots_[head % slots_.size()];
    head_.store(head + 1, std::memory_order_release);
    return block;
  }

private:
  std::array<void *, 1024> slots_{};
  alignas(64) std::atomic<size_t> head_{0};
  alignas(64) std::atomic<size_t> tail_{0};
};

TEST(HandOverTest, Ring) {
  constexpr unsigned kThreads = 4;
  constexpr int kRounds = 100000;
  uint64_t seed = test_seed();
  std::vector<std::unique_ptr<Queue>> queues;
  for (unsigned i = 0; i < kThreads; i++) {
    queues.push_back(std::make_unique<Queue>());
  }
  std::vector<std::thread> threads;
  for (unsigned me = 0; me < kThreads; me++) {
    threads.emplace_back([&, me] {
      Random random(seed + me);
      Queue &in = *queues[me], &out = *queues[(me + 1) % kThreads];
      for (int i = 0; i < kRounds; i++) {
        void *block = pack(random, random.one_in(50) ? 15 : 10);
        if (!out.push(block)) {
          unpack(block);
        }
        if (void *received = in.pop()) {
          unpack(received);
        }
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  for (auto &queue : queues) {
    while (void *block = queue->pop()) {
      unpack(block);
    }
  }
}

// As larson does: a random slot of an array that all share gets a new block, what it held is freed.
TEST(HandOverTest, RandomMailboxes) {
  constexpr unsigned kThreads = 4;
  std::vector<std::atomic<void *>> slots(5000);
  uint64_t seed = test_seed();
  std::vector<std::thread> threads;
  for (unsigned me = 0; me < kThreads; me++) {
    threads.emplace_back([&, me] {
      Random random(seed + me);
      for (int i = 0; i < 150000; i++) {
        void *block = pack(random, random.one_in(200) ? 18 : 9);
        if (void *old = slots[random.below(slots.size())].exchange(block)) {
          unpack(old);
        }
      }
    });
  }
  for (std::thread &thread : threads) {
    thread.join();
  }
  for (auto &slot : slots) {
    if (void *block = slot.load()) {
      unpack(block);
    }
  }
}

TEST(HandOverTest, RandomMailboxesWithChangingThreads) {
  // The same with threads that end after a while and leave their blocks to the next.
  std::vector<std::atomic<void *>> slots(2000);
  uint64_t seed = test_seed();
  std::vector<std::thread> lines;
  for (unsigned line = 0; line < 3; line++) {
    lines.emplace_back([&, line] {
      for (unsigned generation = 0; generation < 60; generation++) {
        std::thread([&] {
          Random random(seed + line * 1000 + generation);
          for (int i = 0; i < 2000; i++) {
            void *block = pack(random, 9);
            if (void *old = slots[random.below(slots.size())].exchange(block)) {
              unpack(old);
            }
          }
        }).join();
      }
    });
  }
  for (std::thread &line : lines) {
    line.join();
  }
  for (auto &slot : slots) {
    if (void *block = slot.load()) {
      unpack(block);
    }
  }
}

// The producer never frees, the consumer never allocates: all memory flows one way and has to come back.
void produce_and_consume(size_t count, size_t size) {
  size_t before = resident_bytes();
  auto queue = std::make_unique<Queue>();
  std::atomic<size_t> peak{0};
  std::thread producer([&] {
    for (size_t i = 0; i < count; i++) {
      auto *block = static_cast<size_t *>(heap.malloc(size));
      ASSERT_NE(block, nullptr);
      *block = i;
      while (!queue->push(block)) {
        std::this_thread::yield();
      }
    }
  });
  std::thread consumer([&] {
    for (size_t i = 0; i < count; i++) {
      void *block = nullptr;
      while ((block = queue->pop()) == nullptr) {
        std::this_thread::yield();
      }
      ASSERT_EQ(*static_cast<size_t *>(block), i);
      heap.free(block);
      if (i % 8192 == 0) {
        peak = std::max(peak.load(), resident_bytes());
      }
    }
  });
  producer.join();
  consumer.join();
  // At most 1,024 blocks live at a time; the rest is what the allocator keeps on the way.
  EXPECT_PEAK_BELOW(peak.load(), before + 1024 * size + 16 * MiB);
}

TEST(HandOverTest, ProducerAndConsumerOfSmallBlocks) { produce_and_consume(2000000, 64); }
TEST(HandOverTest, ProducerAndConsumerOfMidBlocks) { produce_and_consume(300000, 3000); }
TEST(HandOverTest, ProducerAndConsumerOfLargeBlocks) { produce_and_consume(20000, 100000); }

TEST(HandOverTest, AlternatingRolesStayBounded) {
  // Two threads take turns: one allocates 4 MiB of blocks, the other frees them, then the other way round.
  size_t before = resident_bytes(), peak = 0;
  constexpr size_t kSizes[] = {40, 500, 2000, 9000};
  constexpr size_t kBatch = 4 * MiB;
  std::vector<void *> blocks;
  std::atomic<int> turn{0};
  constexpr int kTurns = 400;
  auto role = [&](int me) {
    for (;;) {
      int now = turn.load(std::memory_order_acquire);
      if (now >= kTurns) {
        return;
      }
      if (now % 2 != me) {
        std::this_thread::yield();
        continue;
      }
      for (void *block : blocks) {
        heap.free(block);
      }
      size_t size = kSizes[(now / 2) % 4];
      blocks.resize(kBatch / size);
      for (void *&block : blocks) {
        block = heap.malloc(size);
        ASSERT_NE(block, nullptr);
        *static_cast<char *>(block) = 1;
      }
      peak = std::max(peak, resident_bytes());
      turn.store(now + 1, std::memory_order_release);
    }
  };
  std::thread one(role, 0), other(role, 1);
  one.join();
  other.join();
  for (void *block : blocks) {
    heap.free(block);
  }
  EXPECT_PEAK_BELOW(peak, before + 64 * MiB);
}

TEST(HandOverTest, ManyThreadsFreeTheSameSlabs) {
  // Neighbours in one slab go to different threads at the same moment: each bit of it is set by another.
  constexpr unsigned kThreads = 8;
  for (size_t size : {size_t{8}, size_t{64}, size_t{400}, size_t{5000}}) {
    for (int round = 0; round < 10; round++) {
      std::vector<void *> blocks(std::min<size_t>(20000, 16 * MiB / size));
      for (size_t i = 0; i < blocks.size(); i++) {
        blocks[i] = heap.malloc(size);
        ASSERT_NE(blocks[i], nullptr);
        *static_cast<uint32_t *>(blocks[i]) = static_cast<uint32_t>(i);
      }
      std::atomic<unsigned> ready{0};
      std::vector<std::thread> threads;
      for (unsigned me = 0; me < kThreads; me++) {
        threads.emplace_back([&, me] {
          ready++;
          while (ready < kThreads) {
            std::this_thread::yield();
          }
          for (size_t i = me; i < blocks.size(); i += kThreads) {
            ASSERT_EQ(*static_cast<uint32_t *>(blocks[i]), i);
            heap.free(blocks[i]);
          }
        });
      }
      for (std::thread &thread : threads) {
        thread.join();
      }
    }
    hak_collect();
  }
}

TEST(HandOverTest, LastBlocksReturnToAnOwnerThatKeepsAllocating) {
  // The owner runs on while others free to it: what comes back is reused, once.
  std::atomic<bool> stop{false};
  auto queue = std::make_unique<Queue>();
  std::thread consumer([&] {
    std::vector<void *> held;
    Random random(7);
    while (!stop) {
      if (void *block = queue->pop()) {
        held.push_back(block);
      }
      if (held.size() > 500) {
        std::swap(held[random.below(held.size())], held.back());
        unpack(held.back());
        held.pop_back();
      }
    }
    while (void *block = queue->pop()) {
      held.push_back(block);
    }
    for (void *block : held) {
      unpack(block);
    }
  });
  Random random(test_seed());
  std::vector<void *> own;
  for (int i = 0; i < 500000; i++) {
    void *block = pack(random, 8);
    if (random.one_in(2) || !queue->push(block)) {
      own.push_back(block);
    }
    if (own.size() > 1000) {
      std::swap(own[random.below(own.size())], own.back());
      unpack(own.back());
      own.pop_back();
    }
  }
  stop = true;
  consumer.join();
  for (void *block : own) {
    unpack(block);
  }
}

} // namespace
