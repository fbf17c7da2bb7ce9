// A program that is stopped has its handler of SIGABRT called, which may allocate to write its last words: no lock is held then. The
// handler returns, and abort() ends the program.

#include <csignal>
#include <cstdio>
#include <cstring>

#include <dlfcn.h>
#include <unistd.h>

#include "hakmem.h"
#include "support/family.h"
#include "support/scenario.h"
#include "support/support.h"

using namespace support;

namespace {

const Family &heap = default_family();

constexpr int kSeconds = 10; // a program that is stopped ends at once: more is a hang

void allocate_and_say_so(int) {
  for (size_t size : {100 * KiB, size_t{100}, 20 * KiB, 3 * MiB}) {
    auto *block = static_cast<char *>(heap.malloc(size));
    REQUIRE(block != nullptr);
    block[size - 1] = 1;
    block = static_cast<char *>(heap.realloc(block, 2 * size));
    REQUIRE(block != nullptr && block[size - 1] == 1);
    heap.free(block);
  }
  dprintf(1, "handled\n");
}

char *block_of(size_t size) {
  struct sigaction action = {};
  action.sa_handler = allocate_and_say_so;
  REQUIRE(sigaction(SIGABRT, &action, nullptr) == 0);
  auto *block = static_cast<char *>(heap.malloc(size));
  REQUIRE(block != nullptr);
  return opaque(block);
}

HAKMEM_SCENARIO(double_free_of_a_small_block) {
  char *block = block_of(100);
  heap.free(block);
  heap.free(block);
  hak_collect();
}

HAKMEM_SCENARIO(double_free_of_a_large_block) {
  char *block = block_of(100 * KiB);
  heap.free(block);
  heap.free(block);
}

HAKMEM_SCENARIO(double_free_of_a_huge_block) {
  char *block = block_of(3 * MiB);
  heap.free(block);
  heap.free(block);
}

HAKMEM_SCENARIO(realloc_of_a_freed_large_block) {
  char *block = block_of(100 * KiB);
  heap.free(block);
  dprintf(1, "%p\n", heap.realloc(block, 200 * KiB));
}

HAKMEM_SCENARIO(usable_size_of_a_freed_large_block) {
  char *block = block_of(100 * KiB);
  heap.free(block);
  dprintf(1, "%zu\n", heap.usable_size(block));
}

// The secure library has a canary there: a size that is a multiple of 16 ends at a page out of bounds.
HAKMEM_SCENARIO(overrun_of_a_large_block) {
  char *block = block_of(100 * KiB + 1);
  block[heap.usable_size(block)] = 'x';
  heap.free(block);
}

HAKMEM_SCENARIO(overrun_of_a_large_block_that_grows) {
  char *block = block_of(MiB + 1);
  block[heap.usable_size(block)] = 'x';
  dprintf(1, "%p\n", heap.realloc(block, 2 * MiB));
}

HAKMEM_SCENARIO(interior_pointer_of_a_large_block) { heap.free(block_of(100 * KiB) + 4 * KiB); }

alignas(64) char static_data[4096];

HAKMEM_SCENARIO(foreign_pointer) {
  heap.free(block_of(100));
  heap.free(opaque(static_data));
}

struct Row {
  const char *scenario;
  bool secure_only;
};

class AbortHandlerTest : public ::testing::TestWithParam<Row> {};

TEST_P(AbortHandlerTest, MayAllocate) {
  if (GetParam().secure_only && !runs_on_secure()) {
    GTEST_SKIP() << "not promised by this library";
  }
  Outcome outcome = run_scenario(GetParam().scenario, {}, kSeconds);
  ASSERT_FALSE(outcome.timed_out) << "hangs\n" << outcome.describe();
  EXPECT_EQ(outcome.signal, SIGABRT) << outcome.describe();
  EXPECT_EQ(outcome.out, "handled\n") << outcome.describe();
  EXPECT_EQ(outcome.err.rfind("hakmem: ", 0), 0u) << outcome.describe();
}

std::string name_of(const ::testing::TestParamInfo<Row> &info) { return info.param.scenario; }

INSTANTIATE_TEST_SUITE_P(
    After, AbortHandlerTest,
    ::testing::Values(Row{"double_free_of_a_small_block", false}, Row{"double_free_of_a_large_block", false},
                      Row{"double_free_of_a_huge_block", false}, Row{"realloc_of_a_freed_large_block", false},
                      Row{"usable_size_of_a_freed_large_block", false}, Row{"overrun_of_a_large_block", true},
                      Row{"overrun_of_a_large_block_that_grows", true}, Row{"interior_pointer_of_a_large_block", false},
                      Row{"foreign_pointer", false}),
    name_of);

} // namespace
