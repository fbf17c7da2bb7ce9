// Misuse that reaches a boundary stops the program: SIGABRT and one line on standard error that names what was done and the
// pointer. Each case is a process of its own, a scenario; it prints the pointer that it is about to misuse on standard output.

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <regex>
#include <thread>

#include <dlfcn.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hakmem.h"
#include "support/family.h"
#include "support/scenario.h"
#include "support/support.h"

using namespace support;

namespace {

const Family &heap = default_family();

// ---- the scenarios ----

size_t size_under_test() {
  const char *size = std::getenv("HAKMEM_TEST_SIZE");
  return size == nullptr ? 64 : std::strtoull(size, nullptr, 0);
}

size_t offset_under_test() {
  const char *offset = std::getenv("HAKMEM_TEST_OFFSET");
  return offset == nullptr ? 8 : std::strtoull(offset, nullptr, 0);
}

// The block to misuse, among neighbours that stay alive and so keep its slab where it is.
struct Victim {
  char *block = nullptr;
  std::vector<void *> neighbours;

  Victim() {
    for (int i = 0; i < 100; i++) {
      neighbours.push_back(heap.malloc(size_under_test()));
      REQUIRE(neighbours.back() != nullptr);
    }
    block = static_cast<char *>(neighbours[50]);
  }
};

// The last word before the misuse.
template <class T> T *announce(T *pointer) {
  dprintf(1, "pointer 0x%zx\n", reinterpret_cast<size_t>(pointer));
  return opaque(pointer);
}

// Not a std::thread: what that allocates might be the very block that was just freed.
void in_another_thread(void (*body)(void *), void *argument) {
  struct Call {
    void (*body)(void *);
    void *argument;
  } call = {body, argument};
  pthread_t thread;
  auto start = [](void *pointer) -> void * {
    auto *to_make = static_cast<Call *>(pointer);
    to_make->body(to_make->argument);
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, nullptr, start, &call) == 0);
  pthread_join(thread, nullptr);
}

void free_it(void *block) { heap.free(block); }

HAKMEM_SCENARIO(no_misuse) {
  Victim victim;
  for (void *block : victim.neighbours) {
    heap.free(block);
  }
  hak_collect();
  in_another_thread(free_it, heap.malloc(100));
  hak_collect();
  heap.free(heap.malloc(100000));
  heap.free(heap.malloc(100 * MiB));
}

HAKMEM_SCENARIO(double_free_then_collect) {
  Victim victim;
  announce(victim.block);
  heap.free(victim.block);
  heap.free(victim.block);
  hak_collect();
}

HAKMEM_SCENARIO(double_free_with_a_collect_between) {
  Victim victim;
  announce(victim.block);
  heap.free(victim.block);
  hak_collect();
  heap.free(victim.block);
  hak_collect();
}

HAKMEM_SCENARIO(double_free_then_thread_end) {
  std::thread([] {
    Victim victim;
    announce(victim.block);
    heap.free(victim.block);
    heap.free(victim.block);
  }).join();
  // What the ended thread had cached has reached its slabs now, or does when its heap is taken over.
  hak_collect();
}

// No call but free: the caches overflow into the slabs on their own. Which blocks stay in a cache is not promised, so one in a
// hundred is misused; the first to reach its slab stops the program. Some blocks stay alive in each slab, so that none goes away.
template <class Misuse> void free_until_caches_spill(Misuse misuse) {
  std::vector<char *> blocks(64 * MiB / (size_under_test() + 16));
  for (char *&block : blocks) {
    block = static_cast<char *>(heap.malloc(size_under_test()));
    REQUIRE(block != nullptr);
  }
  for (size_t i = 0; i < blocks.size(); i++) {
    if (i % 100 == 50) {
      misuse(blocks[i]);
    } else if (i % 8 != 1) {
      heap.free(blocks[i]);
    }
  }
}

HAKMEM_SCENARIO(double_free_then_spill) {
  free_until_caches_spill([](char *block) {
    heap.free(announce(block));
    heap.free(block);
  });
}

HAKMEM_SCENARIO(double_free_by_another_thread) {
  Victim victim;
  announce(victim.block);
  in_another_thread(
      [](void *block) {
        heap.free(block);
        heap.free(block);
        hak_collect();
      },
      victim.block);
  hak_collect();
}

HAKMEM_SCENARIO(double_free_by_owner_then_another) {
  Victim victim;
  announce(victim.block);
  heap.free(victim.block);
  hak_collect();
  in_another_thread(free_it, victim.block);
  hak_collect();
}

HAKMEM_SCENARIO(double_free_by_another_then_owner) {
  Victim victim;
  announce(victim.block);
  in_another_thread(free_it, victim.block);
  heap.free(victim.block);
  hak_collect();
}

HAKMEM_SCENARIO(double_free_by_two_others) {
  Victim victim;
  announce(victim.block);
  in_another_thread(free_it, victim.block);
  in_another_thread(free_it, victim.block);
  hak_collect();
}

HAKMEM_SCENARIO(double_free_of_an_ended_threads_block) {
  static Victim *victim;
  in_another_thread([](void *) { victim = new Victim; }, nullptr);
  announce(victim->block);
  heap.free(victim->block);
  heap.free(victim->block);
  hak_collect();
}

HAKMEM_SCENARIO(double_free_big) {
  void *block = heap.malloc(size_under_test());
  REQUIRE(block != nullptr);
  announce(block);
  heap.free(block);
  heap.free(block);
}

HAKMEM_SCENARIO(double_free_big_by_another_thread) {
  void *block = heap.malloc(size_under_test());
  REQUIRE(block != nullptr);
  announce(block);
  in_another_thread(free_it, block);
  in_another_thread(free_it, block);
}

HAKMEM_SCENARIO(realloc_of_freed_big) {
  void *block = heap.malloc(size_under_test());
  REQUIRE(block != nullptr);
  announce(block);
  heap.free(block);
  block = heap.realloc(opaque(block), size_under_test() * 2);
  dprintf(1, "%p\n", block);
}

HAKMEM_SCENARIO(interior_then_collect) {
  Victim victim;
  heap.free(announce(victim.block + offset_under_test()));
  hak_collect();
}

HAKMEM_SCENARIO(interior_then_thread_end) {
  std::thread([] {
    Victim victim;
    heap.free(announce(victim.block + offset_under_test()));
  }).join();
  hak_collect();
}

HAKMEM_SCENARIO(interior_by_another_thread) {
  Victim victim;
  in_another_thread(free_it, announce(victim.block + offset_under_test()));
  hak_collect();
}

HAKMEM_SCENARIO(interior_then_spill) {
  free_until_caches_spill([](char *block) { heap.free(announce(block + offset_under_test())); });
}

HAKMEM_SCENARIO(interior_big) {
  auto *block = static_cast<char *>(heap.malloc(size_under_test()));
  REQUIRE(block != nullptr);
  heap.free(announce(block + offset_under_test()));
}

HAKMEM_SCENARIO(interior_big_realloc) {
  auto *block = static_cast<char *>(heap.malloc(size_under_test()));
  REQUIRE(block != nullptr);
  void *result = heap.realloc(announce(block + offset_under_test()), 100);
  dprintf(1, "%p\n", result);
}

HAKMEM_SCENARIO(past_the_last_block_of_a_slab) {
  // 48 does not divide 64 KiB: the last 16 bytes of the slab belong to no block.
  auto *block = static_cast<char *>(heap.malloc(48));
  REQUIRE(block != nullptr);
  auto *end = reinterpret_cast<char *>((reinterpret_cast<uintptr_t>(block) | 0xffff) + 1);
  heap.free(announce(end - 16));
  hak_collect();
}

HAKMEM_SCENARIO(foreign_stack) {
  heap.free(heap.malloc(8));
  alignas(64) char on_stack[256];
  on_stack[0] = 1;
  heap.free(announce(&on_stack[64]));
}

alignas(64) char static_data[4096];

HAKMEM_SCENARIO(foreign_static) {
  heap.free(heap.malloc(8));
  heap.free(announce(static_data));
}

HAKMEM_SCENARIO(foreign_static_in_a_fresh_thread) {
  in_another_thread([](void *) { heap.free(announce(static_data)); }, nullptr);
}

HAKMEM_SCENARIO(foreign_mmap) {
  heap.free(heap.malloc(8));
  void *own = mmap(nullptr, 4 * MiB, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(own != MAP_FAILED);
  heap.free(announce(static_cast<char *>(own) + 64 * KiB));
}

HAKMEM_SCENARIO(foreign_unreadable) {
  // Neither the byte at the pointer nor the one before it may be looked at.
  heap.free(heap.malloc(8));
  void *own = mmap(nullptr, 4 * MiB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(own != MAP_FAILED);
  heap.free(announce(static_cast<char *>(own) + 64 * KiB));
}

HAKMEM_SCENARIO(foreign_sbrk) {
  heap.free(heap.malloc(8));
  void *own = sbrk(1 * MiB);
  REQUIRE(own != reinterpret_cast<void *>(-1));
  heap.free(announce(static_cast<char *>(own) + 4096));
}

HAKMEM_SCENARIO(foreign_other_allocator) {
  // The allocator of libc still has its own names beside the ones that are interposed.
  auto libc_malloc = reinterpret_cast<void *(*)(size_t)>(dlsym(RTLD_DEFAULT, "__libc_malloc"));
  if (libc_malloc == nullptr) {
    _exit(77);
  }
  void *block = libc_malloc(1000);
  REQUIRE(block != nullptr);
  heap.free(announce(static_cast<char *>(block)));
}

HAKMEM_SCENARIO(foreign_code) { heap.free(announce(reinterpret_cast<char *>(&size_under_test))); }

HAKMEM_SCENARIO(foreign_low_address) { heap.free(announce(reinterpret_cast<char *>(opaque(size_t{16})))); }

HAKMEM_SCENARIO(foreign_high_address) { heap.free(announce(reinterpret_cast<char *>(opaque(~size_t{0} - 0xfff)))); }

HAKMEM_SCENARIO(foreign_not_canonical) {
  heap.free(announce(reinterpret_cast<char *>(opaque(size_t{1} << 56 | 0x12340))));
}

HAKMEM_SCENARIO(foreign_realloc) {
  void *result = heap.realloc(announce(static_data), 100);
  dprintf(1, "%p\n", result);
}

HAKMEM_SCENARIO(foreign_usable_size) {
  size_t size = heap.usable_size(announce(static_data));
  dprintf(1, "%zu\n", size);
}

HAKMEM_SCENARIO(foreign_free_sized) { heap.free_sized(announce(static_data), 100); }

HAKMEM_SCENARIO(foreign_free_aligned_sized) { heap.free_aligned_sized(announce(static_data), 64, 128); }

#if !defined(HAKMEM_TEST_HAK_ONLY)
HAKMEM_SCENARIO(foreign_delete) { ::operator delete(announce(static_data)); }
HAKMEM_SCENARIO(foreign_delete_sized) { ::operator delete (announce(static_data), size_t{100}); }
#endif

// write() is a point of cancellation: the thread must not get away there, between the line and the end.
void in_a_cancelled_thread(void (*body)()) {
  pthread_t thread;
  auto start = [](void *pointer) -> void * {
    pthread_cancel(pthread_self());
    reinterpret_cast<void (*)()>(pointer)();
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, nullptr, start, reinterpret_cast<void *>(body)) == 0);
  pthread_join(thread, nullptr);
  heap.free(heap.malloc(100 * KiB)); // where a lock was left behind, this waits
}

HAKMEM_SCENARIO(foreign_in_a_cancelled_thread) {
  dprintf(1, "pointer 0x%zx\n", reinterpret_cast<size_t>(static_data));
  in_a_cancelled_thread([] { heap.free(opaque(static_data)); });
}

HAKMEM_SCENARIO(double_free_big_in_a_cancelled_thread) {
  static void *block;
  block = heap.malloc(size_under_test());
  REQUIRE(block != nullptr);
  announce(block);
  in_a_cancelled_thread([] {
    heap.free(block);
    heap.free(block);
  });
}

// ---- what is expected of them ----

const char *const kDouble = "double free";
const char *const kInterior = "interior pointer";
const char *const kForeign = "invalid pointer";
// Where the memory has gone back already, or the address lies past all blocks, more than one word is true.
const char *const kDoubleOrForeign = "(double free|of a freed block|invalid pointer)";
const char *const kNotABlock = "(interior pointer|invalid pointer)";

// The pointer that a message names first.
std::string pointer_in(const std::string &message) {
  std::smatch found;
  return std::regex_search(message, found, std::regex("pointer (0x[0-9a-f]+)")) ? found[1].str() : "none";
}

void expect_stopped(const std::string &scenario, const std::string &what,
                    const std::vector<std::string> &environment = {}) {
  Outcome outcome = run_scenario(scenario, environment);
  if (outcome.exit_code == 77) {
    GTEST_SKIP() << "this C library has nothing to try it with";
  }
  std::string trace = scenario;
  for (const std::string &entry : environment) {
    trace += " " + entry;
  }
  SCOPED_TRACE(trace);
  ASSERT_EQ(outcome.signal, SIGABRT) << outcome.describe();
  // One line, and nothing else.
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.describe();
  std::regex line("^hakmem: .*" + what + ".*0x[0-9a-f]+.*\n$");
  ASSERT_TRUE(std::regex_match(outcome.err, line)) << "expected: " << what << "\n" << outcome.describe();
  EXPECT_NE(outcome.out.find("pointer " + pointer_in(outcome.err) + "\n"), std::string::npos)
      << "another pointer than the one misused\n"
      << outcome.describe();
}

std::string size_is(size_t size) { return "HAKMEM_TEST_SIZE=" + std::to_string(size); }
std::string offset_is(size_t offset) { return "HAKMEM_TEST_OFFSET=" + std::to_string(offset); }

TEST(MisuseTest, RightUseIsSilent) {
  Outcome outcome = run_scenario("no_misuse");
  EXPECT_TRUE(outcome.succeeded()) << outcome.describe();
  EXPECT_EQ(outcome.err, "");
}

constexpr size_t kSlabSizes[] = {8, 16, 48, 64, 100, 1000, 1024, 4096, 5000, 20000, 32760};

TEST(DoubleFreeTest, ThenCollect) {
  for (size_t size : kSlabSizes) {
    expect_stopped("double_free_then_collect", kDouble, {size_is(size)});
  }
}

TEST(DoubleFreeTest, WithACollectBetween) {
  for (size_t size : kSlabSizes) {
    expect_stopped("double_free_with_a_collect_between", kDouble, {size_is(size)});
  }
}

TEST(DoubleFreeTest, ThenThreadEnd) {
  for (size_t size : kSlabSizes) {
    expect_stopped("double_free_then_thread_end", kDouble, {size_is(size)});
  }
}

TEST(DoubleFreeTest, ThenSpill) {
  for (size_t size : {16, 64, 1000, 20000}) {
    expect_stopped("double_free_then_spill", kDouble, {size_is(size)});
  }
}

TEST(DoubleFreeTest, ByAnotherThread) {
  for (size_t size : kSlabSizes) {
    expect_stopped("double_free_by_another_thread", kDouble, {size_is(size)});
  }
}

TEST(DoubleFreeTest, ByOwnerThenAnother) {
  for (size_t size : kSlabSizes) {
    expect_stopped("double_free_by_owner_then_another", kDouble, {size_is(size)});
  }
}

TEST(DoubleFreeTest, ByAnotherThenOwner) {
  for (size_t size : kSlabSizes) {
    expect_stopped("double_free_by_another_then_owner", kDouble, {size_is(size)});
  }
}

TEST(DoubleFreeTest, ByTwoOthers) {
  for (size_t size : kSlabSizes) {
    expect_stopped("double_free_by_two_others", kDouble, {size_is(size)});
  }
}

TEST(DoubleFreeTest, OfAnEndedThreadsBlock) {
  for (size_t size : kSlabSizes) {
    expect_stopped("double_free_of_an_ended_threads_block", kDouble, {size_is(size)});
  }
}

TEST(DoubleFreeTest, OfLargeAndHugeBlocks) {
  for (size_t size : {40 * KiB, 100 * KiB, 1 * MiB, 3 * MiB, 40 * MiB, 300 * MiB}) {
    expect_stopped("double_free_big", kDoubleOrForeign, {size_is(size)});
    expect_stopped("double_free_big_by_another_thread", kDoubleOrForeign, {size_is(size)});
    expect_stopped("realloc_of_freed_big", kDoubleOrForeign, {size_is(size)});
  }
}

TEST(InteriorPointerTest, ThatReachesItsSlab) {
  for (size_t offset : {1, 8, 16, 24}) {
    for (size_t size : {64, 1000, 20000}) {
      for (const char *scenario : {"interior_then_collect", "interior_then_thread_end", "interior_by_another_thread"}) {
        expect_stopped(scenario, kInterior, {size_is(size), offset_is(offset)});
      }
    }
  }
  expect_stopped("interior_then_collect", kInterior, {size_is(8), offset_is(4)});
  expect_stopped("interior_then_collect", kInterior, {size_is(20000), offset_is(16384)});
}

TEST(InteriorPointerTest, ThatSpills) {
  expect_stopped("interior_then_spill", kInterior, {size_is(64), offset_is(16)});
}

TEST(InteriorPointerTest, OfLargeAndHugeBlocks) {
  for (size_t size : {200 * KiB, 1 * MiB, 40 * MiB, 300 * MiB}) {
    for (size_t offset : {size_t{1}, size_t{16}, 4 * KiB, 64 * KiB, size / 2}) {
      expect_stopped("interior_big", kInterior, {size_is(size), offset_is(offset)});
    }
    expect_stopped("interior_big_realloc", kInterior, {size_is(size), offset_is(64 * KiB)});
  }
}

TEST(InteriorPointerTest, PastTheLastBlockOfASlab) { expect_stopped("past_the_last_block_of_a_slab", kNotABlock); }

TEST(CancelledThreadTest, IsStoppedForItsMisuse) {
  expect_stopped("foreign_in_a_cancelled_thread", kForeign);
  expect_stopped("double_free_big_in_a_cancelled_thread", kDoubleOrForeign, {size_is(100 * KiB)});
  expect_stopped("double_free_big_in_a_cancelled_thread", kDoubleOrForeign, {size_is(3 * MiB)});
}

std::string name_of(const ::testing::TestParamInfo<const char *> &info) { return info.param; }

class ForeignPointerTest : public ::testing::TestWithParam<const char *> {};

TEST_P(ForeignPointerTest, IsStopped) { expect_stopped(GetParam(), kForeign); }

INSTANTIATE_TEST_SUITE_P(Where, ForeignPointerTest,
                         ::testing::Values("foreign_stack", "foreign_static", "foreign_static_in_a_fresh_thread",
                                           "foreign_mmap", "foreign_unreadable", "foreign_sbrk",
                                           "foreign_other_allocator", "foreign_code", "foreign_low_address",
                                           "foreign_high_address", "foreign_not_canonical", "foreign_realloc",
                                           "foreign_usable_size", "foreign_free_sized", "foreign_free_aligned_sized"),
                         name_of);

#if !defined(HAKMEM_TEST_HAK_ONLY)
INSTANTIATE_TEST_SUITE_P(ByDelete, ForeignPointerTest, ::testing::Values("foreign_delete", "foreign_delete_sized"),
                         name_of);
#endif

} // namespace
