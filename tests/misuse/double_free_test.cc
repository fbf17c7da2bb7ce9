// A block that is freed twice with nothing between stops the program, always: of every size, by whichever thread, and wherever the
// thread's cache stands at that moment. What is noticed later only, when the block reaches its slab, is noticed at exit at the latest.
//
//   HAKMEM_TEST_REPEAT=100   runs of each case; 3 otherwise. Each run frees another number of blocks first.

#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "support/jemalloc.h"
#include "support/misuse.h"

using namespace support;

namespace {

const Family &heap = default_family();

// Of blocks above some size fewer are needed: no cache holds them.
size_t frees_before() { return number_in("HAKMEM_TEST_SIZE") <= 40000 ? number_in("HAKMEM_TEST_FREES") : 2; }

// A block among neighbours, after some others of its kind have been freed; it says which.
char *block_to_free() {
  size_t size = number_in("HAKMEM_TEST_SIZE"), count = frees_before() + 20;
  void *blocks[120];
  REQUIRE(count <= 120);
  for (size_t i = 0; i < count; i++) {
    blocks[i] = heap.malloc(size);
    REQUIRE(blocks[i] != nullptr);
  }
  for (size_t i = 20; i < count; i++) {
    heap.free(blocks[i]);
  }
  return announce(static_cast<char *>(blocks[10]));
}

void free_twice(void *block) {
  heap.free(block);
  heap.free(block);
}

void survived() { dprintf(1, "survived\n"); }

// ---- at once ----

HAKMEM_SCENARIO(by_the_main_thread) {
  free_twice(block_to_free());
  survived();
}

HAKMEM_SCENARIO(of_the_only_block) {
  char *block = static_cast<char *>(heap.malloc(number_in("HAKMEM_TEST_SIZE")));
  free_twice(announce(block));
  survived();
}

HAKMEM_SCENARIO(by_another_thread_that_owns_it) {
  auto body = [](void *) {
    free_twice(block_to_free());
    survived();
  };
  in_another_thread(body, nullptr);
}

HAKMEM_SCENARIO(by_a_thread_that_ends_at_once) {
  auto body = [](void *) { free_twice(block_to_free()); };
  in_another_thread(body, nullptr);
  survived();
}

HAKMEM_SCENARIO(by_a_thread_that_does_not_own_it) {
  auto body = [](void *block) { free_twice(block); };
  in_another_thread(body, block_to_free());
  survived();
}

HAKMEM_SCENARIO(by_the_main_thread_that_does_not_own_it) {
  static char *block;
  auto body = [](void *) { block = block_to_free(); };
  in_another_thread(body, nullptr);
  free_twice(block);
  survived();
}

#if !defined(HAKMEM_TEST_HAK_ONLY)
HAKMEM_SCENARIO(by_dallocx) {
  void *block = announce(mallocx(number_in("HAKMEM_TEST_SIZE"), 0));
  dallocx(block, 0);
  dallocx(block, 0);
  survived();
}
#endif

// ---- at exit ----

HAKMEM_SCENARIO(interior_pointer_before_exit) {
  heap.free(announce(block_to_free() + 8));
  std::exit(0);
}

HAKMEM_SCENARIO(double_free_with_another_between_before_exit) {
  void *other = heap.malloc(number_in("HAKMEM_TEST_SIZE"));
  char *block = block_to_free();
  heap.free(block);
  heap.free(other);
  heap.free(block);
  std::exit(0);
}

// ---- how they end ----

constexpr size_t kClassMax = 32 * KiB;

int runs() {
  size_t repeat = number_in("HAKMEM_TEST_REPEAT");
  return repeat == 0 ? 3 : static_cast<int>(repeat);
}

// One line, which names what was done and the pointer.
void expect_stopped(const Outcome &outcome, const std::string &words) {
  ASSERT_EQ(outcome.signal, SIGABRT) << outcome.describe();
  ASSERT_EQ(outcome.out.find("survived"), std::string::npos) << outcome.describe();
  std::vector<std::string> found = groups("hakmem: (" + words + "): (pointer 0x[0-9a-f]+).*\n", outcome.err);
  ASSERT_FALSE(found.empty()) << "expected: " << words << "\n" << outcome.describe();
  ASSERT_NE(outcome.out.find(found[2] + "\n"), std::string::npos) << outcome.describe();
}

void expect_always_stopped(const char *scenario, size_t size, const std::string &words) {
  for (int run = 0; run < runs(); run++) {
    std::string frees = "HAKMEM_TEST_FREES=" + std::to_string(run * 31 % 100);
    std::string of_size = "HAKMEM_TEST_SIZE=" + std::to_string(size);
    SCOPED_TRACE(std::string(scenario) + ", run " + std::to_string(run) + " " + frees + " " + of_size);
    ASSERT_NO_FATAL_FAILURE(expect_stopped(run_scenario(scenario, {frees, of_size}), words));
  }
}

class ImmediateDoubleFreeTest : public ::testing::TestWithParam<const char *> {};

TEST_P(ImmediateDoubleFreeTest, OfEverySizeIsStopped) {
  for (size_t size : {size_t{8}, size_t{16}, size_t{24}, size_t{100}, size_t{500}, size_t{1024}, size_t{4000},
                      size_t{5000}, size_t{20000}, size_t{32768}, size_t{40000}, size_t{100000}, 1 * MiB, 3 * MiB}) {
    expect_always_stopped(GetParam(), size,
                          size <= kClassMax ? "double free" : "double free|free of an invalid pointer");
  }
}

std::string name_of(const ::testing::TestParamInfo<const char *> &info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(Misuse, ImmediateDoubleFreeTest,
                         ::testing::Values("by_the_main_thread", "of_the_only_block", "by_another_thread_that_owns_it",
                                           "by_a_thread_that_ends_at_once", "by_a_thread_that_does_not_own_it",
                                           "by_the_main_thread_that_does_not_own_it"),
                         name_of);

#if !defined(HAKMEM_TEST_HAK_ONLY)
TEST(DallocxTest, ADoubleFreeIsStopped) { expect_always_stopped("by_dallocx", 100, "double free"); }
#endif

constexpr size_t kSlabSizes[] = {16, 100, 500, 1024, 5000, 20000};

TEST(MisuseBeforeExitTest, AnInteriorPointerIsStopped) {
  for (size_t size : kSlabSizes) {
    expect_always_stopped("interior_pointer_before_exit", size, "free of an interior pointer");
  }
}

TEST(MisuseBeforeExitTest, ADoubleFreeWithAnotherBetweenIsStopped) {
  for (size_t size : kSlabSizes) {
    expect_always_stopped("double_free_with_another_between_before_exit", size, "double free");
  }
}

} // namespace
