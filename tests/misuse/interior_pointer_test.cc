// An address inside a block that is freed stops the program when it reaches the slab; of a large or huge block at once.
#include <csignal>
#include <cstdio>

#include <thread>

#include "hakmem.h"
#include "support/misuse.h"

using namespace support;

namespace {

const Family &heap = default_family();

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

// ---- how they end ----

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

} // namespace
