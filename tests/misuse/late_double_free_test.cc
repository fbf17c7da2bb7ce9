// A block that is freed twice stops the program when it reaches its slab, by whichever way; a large or huge one at once.
#include <csignal>
#include <cstdio>

#include <thread>

#include "hakmem.h"
#include "support/misuse.h"

using namespace support;

namespace {

const Family &heap = default_family();

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

// ---- how they end ----

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

} // namespace
