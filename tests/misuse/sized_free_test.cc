// A sized free that names a size its block cannot have served stops the program with one line; a right one never does.

#include <csignal>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include <unistd.h>

#include "support/jemalloc.h"
#include "support/misuse.h"

using namespace support;

namespace {

const Family &heap = default_family();

// Frees a block of HAKMEM_TEST_ASKED bytes as one of HAKMEM_TEST_SAID bytes, and says which it is.
template <class Free> void free_as_said(void *block, Free free) {
  REQUIRE(block != nullptr);
  free(announce(block), number_in("HAKMEM_TEST_SAID"));
}

HAKMEM_SCENARIO(free_sized) { free_as_said(heap.malloc(number_in("HAKMEM_TEST_ASKED")), heap.free_sized); }

HAKMEM_SCENARIO(free_sized_by_another_thread) {
  void *block = heap.malloc(number_in("HAKMEM_TEST_ASKED"));
  std::thread([block] {
    heap.free(heap.malloc(8));
    free_as_said(block, heap.free_sized);
  }).join();
}

HAKMEM_SCENARIO(free_aligned_sized) {
  free_as_said(heap.aligned_alloc(64, number_in("HAKMEM_TEST_ASKED")),
               [](void *block, size_t size) { heap.free_aligned_sized(block, 64, size); });
}

#if !defined(HAKMEM_TEST_HAK_ONLY)
HAKMEM_SCENARIO(sdallocx) {
  free_as_said(heap.malloc(number_in("HAKMEM_TEST_ASKED")), [](void *block, size_t size) { sdallocx(block, size, 0); });
}

void delete_sized(void *block, size_t size) { ::operator delete(block, size); }
void delete_array_sized(void *block, size_t size) { ::operator delete[](block, size); }
void delete_aligned_sized(void *block, size_t size) { ::operator delete (block, size, std::align_val_t{64}); }

HAKMEM_SCENARIO(delete_sized) { free_as_said(::operator new(number_in("HAKMEM_TEST_ASKED")), delete_sized); }

HAKMEM_SCENARIO(delete_sized_by_another_thread) {
  void *block = ::operator new(number_in("HAKMEM_TEST_ASKED"));
  std::thread([block] {
    heap.free(heap.malloc(8));
    free_as_said(block, delete_sized);
  }).join();
}

HAKMEM_SCENARIO(delete_array_sized) {
  free_as_said(::operator new[](number_in("HAKMEM_TEST_ASKED")), delete_array_sized);
}

HAKMEM_SCENARIO(delete_aligned_sized) {
  free_as_said(::operator new (number_in("HAKMEM_TEST_ASKED"), std::align_val_t{64}), delete_aligned_sized);
}
#endif

void expect_wrong_size(const std::string &scenario, size_t asked, size_t said) {
  std::string size = std::to_string(said);
  Outcome outcome = run_scenario(scenario, {"HAKMEM_TEST_ASKED=" + std::to_string(asked), "HAKMEM_TEST_SAID=" + size});
  SCOPED_TRACE(scenario + ", asked for " + std::to_string(asked) + ", said " + size);
  ASSERT_EQ(outcome.signal, SIGABRT) << outcome.describe();
  std::vector<std::string> found = groups("hakmem: free with a wrong size: (pointer 0x[0-9a-f]+), size " + size +
                                              ", (class|block) of [0-9]+ bytes, slab 0x[0-9a-f]+, thread [0-9]+\n",
                                          outcome.err);
  ASSERT_FALSE(found.empty()) << outcome.describe();
  EXPECT_EQ(outcome.out, found[1] + "\n");
}

TEST(SizedFreeTest, OfMoreThanTheBlockHoldsIsStopped) {
  for (size_t asked : {8, 100, 1000, 4096, 32768, 100000, 5000000, 300000000}) {
    for (const char *scenario : {"free_sized", "free_sized_by_another_thread", "free_aligned_sized"}) {
      expect_wrong_size(scenario, asked, asked * 2 + 200);
    }
  }
  expect_wrong_size("free_sized", 100, ~size_t{0});
}

#if !defined(HAKMEM_TEST_HAK_ONLY)
TEST(SizedFreeTest, BySdallocxOfMoreIsStopped) {
  for (size_t asked : {8, 100, 1000, 32768, 100000}) {
    expect_wrong_size("sdallocx", asked, asked * 2 + 200);
  }
}

TEST(SizedFreeTest, ByDeleteOfMoreIsStopped) {
  for (size_t asked : {8, 100, 1000, 32768, 100000}) {
    for (const char *scenario :
         {"delete_sized", "delete_sized_by_another_thread", "delete_array_sized", "delete_aligned_sized"}) {
      expect_wrong_size(scenario, asked, asked * 2 + 200);
    }
  }
  expect_wrong_size("delete_sized", 100, ~size_t{0});
}

// A derived object that is deleted as its base, whose destructor is not virtual.
TEST(SizedFreeTest, ByDeleteOfMuchLessIsStopped) {
  for (size_t asked : {200, 1000, 32768, 1000000}) {
    for (const char *scenario : {"delete_sized", "delete_sized_by_another_thread", "delete_array_sized"}) {
      expect_wrong_size(scenario, asked, asked / 3);
    }
  }
}

// Blocks of the next larger class serve where a class has none: many classes, many rounds, so that this happens.
TEST(SizedFreeTest, ByDeleteOfTheSizeAskedForIsSilent) {
  std::mt19937 random(1);
  struct Block {
    void *at = nullptr;
    size_t size = 0;
  };
  std::vector<Block> blocks(3000);
  for (int i = 0; i < 500000; i++) {
    Block &block = blocks[random() % blocks.size()];
    if (block.at != nullptr) {
      ::operator delete(block.at, block.size);
      block.at = nullptr;
    } else {
      block.size = random() % (random() % 64 == 0 ? 100000 : 2000);
      block.at = opaque(::operator new(block.size));
    }
  }
  for (Block &block : blocks) {
    ::operator delete(block.at, block.size);
  }
}
#endif

// realloc leaves a block where it is while the new size is more than half of it.
TEST(SizedFreeTest, OfWhatReallocLeftIsSilent) {
  std::mt19937 random(2);
  for (int i = 0; i < 200000; i++) {
    void *block = heap.malloc(1 + random() % 3000);
    size_t size = 1 + random() % 3000;
    block = heap.realloc(block, size);
    heap.free_sized(block, size);
  }
}

} // namespace
