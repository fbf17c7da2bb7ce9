// The matrix of misuse: each kind is one row, with what the plain and the secure library answer.
//
// A scenario announces the pointer, misuses it, and says "survived" when it is still there. A row says how it is to end: with
// which signal and, for SIGABRT, with which words in the one line on standard error. kNotPromised: that library lets it pass.
//
//   HAKMEM_TEST_REPEAT=100   runs of each row; 3 otherwise (`./hakmem test --all` runs them a hundred times)

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <regex>

#include <dlfcn.h>
#include <pthread.h>

#include "hakmem.h"
#include "support/family.h"
#include "support/scenario.h"
#include "support/support.h"

using namespace support;

namespace {

const Family &heap = default_family();

template <class T> T *announce(T *pointer) {
  dprintf(1, "pointer 0x%zx\n", reinterpret_cast<size_t>(pointer));
  return opaque(pointer);
}

void survived() { dprintf(1, "survived\n"); }

// A block among neighbours that keep its slab bound.
char *block_of(size_t size) {
  char *block = nullptr;
  for (int i = 0; i < 20; i++) {
    auto *next = static_cast<char *>(heap.malloc(size));
    REQUIRE(next != nullptr);
    block = i == 10 ? next : block;
  }
  return block;
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

// ---- the scenarios ----

HAKMEM_SCENARIO(double_free) {
  char *block = announce(block_of(100));
  heap.free(block);
  heap.free(block);
  survived();
}

HAKMEM_SCENARIO(double_free_with_others_between) {
  char *block = announce(block_of(100));
  void *other = heap.malloc(100);
  heap.free(block);
  heap.free(other);
  heap.free(block);
  survived();
}

HAKMEM_SCENARIO(double_free_by_another_thread) {
  char *block = announce(block_of(100));
  heap.free(block);
  in_another_thread([](void *p) { heap.free(p); }, block);
  survived();
}

HAKMEM_SCENARIO(double_free_after_another_thread) {
  char *block = announce(block_of(100));
  in_another_thread([](void *p) { heap.free(p); }, block);
  heap.free(block);
  survived();
}

HAKMEM_SCENARIO(double_free_of_a_big_block) {
  auto *block = announce(static_cast<char *>(heap.malloc(200 * KiB)));
  heap.free(block);
  heap.free(block);
  survived();
}

HAKMEM_SCENARIO(realloc_of_a_freed_block) {
  char *block = announce(block_of(100));
  heap.free(block);
  void *moved = heap.realloc(block, 200);
  dprintf(1, "survived %p\n", moved);
}

HAKMEM_SCENARIO(usable_size_of_a_freed_block) {
  char *block = announce(block_of(100));
  heap.free(block);
  dprintf(1, "survived %zu\n", heap.usable_size(block));
}

HAKMEM_SCENARIO(interior_pointer) {
  heap.free(announce(block_of(100) + 32));
  survived();
}

HAKMEM_SCENARIO(unaligned_pointer) {
  heap.free(announce(block_of(100) + 3));
  survived();
}

HAKMEM_SCENARIO(interior_pointer_of_a_big_block) {
  heap.free(announce(static_cast<char *>(heap.malloc(200 * KiB)) + 4 * KiB));
  survived();
}

HAKMEM_SCENARIO(past_the_slabs_end) {
  // Blocks of 48 bytes do not divide 64 KiB: the last 16 bytes of the slab belong to none.
  auto last = reinterpret_cast<uintptr_t>(block_of(40)) | 0xffff;
  heap.free(announce(reinterpret_cast<char *>(last - 15)));
  survived();
}

alignas(64) char static_data[4096];

HAKMEM_SCENARIO(foreign_pointer) {
  heap.free(announce(static_data));
  survived();
}

HAKMEM_SCENARIO(stack_pointer) {
  alignas(64) char on_stack[256];
  on_stack[0] = 1;
  heap.free(announce(&on_stack[64]));
  survived();
}

HAKMEM_SCENARIO(sized_free_too_small) {
  heap.free_sized(announce(block_of(1000)), 100);
  survived();
}

HAKMEM_SCENARIO(sized_free_too_large) {
  heap.free_sized(announce(block_of(100)), 1000);
  survived();
}

HAKMEM_SCENARIO(sized_free_of_a_big_block) {
  heap.free_sized(announce(static_cast<char *>(heap.malloc(200 * KiB))), 100);
  survived();
}

#if !defined(HAKMEM_TEST_HAK_ONLY)
HAKMEM_SCENARIO(sized_delete_too_large) {
  ::operator delete (announce(::operator new(100)), size_t{1000});
  survived();
}
#endif

HAKMEM_SCENARIO(aligned_sized_free_too_large) {
  void *block = nullptr;
  REQUIRE(heap.posix_memalign(&block, 64, 100) == 0);
  heap.free_aligned_sized(announce(block), 64, 1000);
  survived();
}

// The first byte that is not usable; zero is what a string that is too long writes.
void overrun(size_t size, char value) {
  char *block = announce(block_of(size));
  block[heap.usable_size(block)] = value;
  heap.free(block);
  survived();
}

HAKMEM_SCENARIO(overrun_by_one) { overrun(100, 'x'); }
HAKMEM_SCENARIO(overrun_by_a_zero) { overrun(100, 0); }
HAKMEM_SCENARIO(overrun_of_a_wide_block) { overrun(20000, 'x'); }

HAKMEM_SCENARIO(overrun_freed_by_another_thread) {
  char *block = announce(block_of(100));
  block[heap.usable_size(block)] = 'x';
  in_another_thread([](void *p) { heap.free(p); }, block);
  survived();
}

HAKMEM_SCENARIO(overrun_of_a_big_block) {
  auto *block = announce(static_cast<char *>(heap.malloc(200 * KiB)));
  block[heap.usable_size(block)] = 'x';
  heap.free(block);
  survived();
}

// Others that are freed later push the block out of the quarantine, and as long as there are used blocks none is fresh. It
// may be one that the next class lent, so both classes are used.
void write_after_free(size_t size, size_t offset) {
  const size_t sizes[] = {size, hak_good_size(size) + 1};
  char *block = announce(block_of(size));
  std::vector<void *> others;
  for (int i = 0; i < 400; i++) {
    others.push_back(heap.malloc(sizes[i % 2]));
  }
  heap.free(block);
  block[offset] = 'x';
  for (void *other : others) {
    heap.free(other);
  }
  for (int i = 0; i < 2000; i++) {
    REQUIRE(heap.malloc(sizes[i % 2]) != nullptr);
  }
  survived();
}

HAKMEM_SCENARIO(write_after_free) { write_after_free(100, 0); }
HAKMEM_SCENARIO(write_after_free_of_a_tiny_block) { write_after_free(8, 7); }
HAKMEM_SCENARIO(write_after_free_near_the_beginning) { write_after_free(1000, 63); }
HAKMEM_SCENARIO(write_after_free_at_the_end) { write_after_free(1000, 1009); }
HAKMEM_SCENARIO(write_after_free_in_the_middle) { write_after_free(1000, 500); }
HAKMEM_SCENARIO(write_after_free_of_a_wide_block) { write_after_free(20000, 10000); }

HAKMEM_SCENARIO(write_after_free_of_a_big_block) {
  auto *block = announce(static_cast<char *>(heap.malloc(200 * KiB)));
  heap.free(block);
  block[100 * KiB] = 'x';
  survived();
}

HAKMEM_SCENARIO(write_behind_a_big_block) {
  auto *block = announce(static_cast<char *>(heap.malloc(200 * KiB)));
  block[heap.usable_size(block) + 8] = 'x';
  survived();
}

HAKMEM_SCENARIO(write_past_a_superslab) {
  auto last = reinterpret_cast<uintptr_t>(block_of(100)) | (2 * MiB - 1);
  *announce(reinterpret_cast<volatile char *>(last - 64 * KiB + 1)) = 'x';
  survived();
}

// ---- how they end ----

struct Ending {
  int signal;
  const char *words; // nullptr: a fault has none
};

const Ending kNotPromised = {0, nullptr};
const Ending kFault = {SIGSEGV, nullptr};

Ending stopped(const char *words) { return {SIGABRT, words}; }

struct Row {
  const char *scenario;
  Ending plain, secure;
  const char *environment; // further settings of the secure library; nullptr: none
};

const Row kRows[] = {
    {"double_free", stopped("double free"), stopped("double free"), nullptr},
    {"double_free_with_others_between", kNotPromised, stopped("double free"), nullptr},
    {"double_free_by_another_thread", kNotPromised, stopped("double free"), nullptr},
    {"double_free_after_another_thread", kNotPromised, stopped("double free"), nullptr},
    {"double_free_of_a_big_block", stopped("free of an invalid pointer|double free"), stopped("double free"), nullptr},
    {"realloc_of_a_freed_block", kNotPromised, stopped("realloc of a freed block"), nullptr},
    {"usable_size_of_a_freed_block", kNotPromised, stopped("malloc_usable_size of a freed block"), nullptr},
    {"interior_pointer", kNotPromised, stopped("free of an interior pointer"), nullptr},
    {"unaligned_pointer", kNotPromised, stopped("free of an interior pointer"), nullptr},
    {"interior_pointer_of_a_big_block", stopped("free of an interior pointer"), stopped("free of an interior pointer"),
     nullptr},
    {"past_the_slabs_end", kNotPromised, stopped("free of an interior pointer"), nullptr},
    {"foreign_pointer", stopped("free of an invalid pointer"), stopped("free of an invalid pointer"), nullptr},
    {"stack_pointer", stopped("free of an invalid pointer"), stopped("free of an invalid pointer"), nullptr},
    {"sized_free_too_small", kNotPromised, stopped("free with a wrong size"), nullptr},
    {"sized_free_too_large", stopped("free with a wrong size"), stopped("free with a wrong size"), nullptr},
    {"sized_free_of_a_big_block", kNotPromised, stopped("free with a wrong size"), nullptr},
#if !defined(HAKMEM_TEST_HAK_ONLY)
    {"sized_delete_too_large", stopped("free with a wrong size"), stopped("free with a wrong size"), nullptr},
#endif
    {"aligned_sized_free_too_large", stopped("free with a wrong size"), stopped("free with a wrong size"), nullptr},
    {"overrun_by_one", kNotPromised, stopped("write past the end of a block"), nullptr},
    {"overrun_by_a_zero", kNotPromised, stopped("write past the end of a block"), nullptr},
    {"overrun_of_a_wide_block", kNotPromised, stopped("write past the end of a block"), nullptr},
    {"overrun_freed_by_another_thread", kNotPromised, stopped("write past the end of a block"), nullptr},
    {"overrun_of_a_big_block", kNotPromised, kFault, nullptr},
    {"write_after_free", kNotPromised, stopped("write after free"), nullptr},
    {"write_after_free_of_a_tiny_block", kNotPromised, stopped("write after free"), nullptr},
    {"write_after_free_near_the_beginning", kNotPromised, stopped("write after free"), nullptr},
    {"write_after_free_at_the_end", kNotPromised, stopped("write after free"), nullptr},
    {"write_after_free_in_the_middle", kNotPromised, stopped("write after free"), "HAKMEM_SECURE_FILL=1"},
    {"write_after_free_of_a_wide_block", kNotPromised, stopped("write after free"), nullptr},
    {"write_after_free_of_a_big_block", kNotPromised, kFault, nullptr},
    {"write_behind_a_big_block", kNotPromised, kFault, nullptr},
    {"write_past_a_superslab", kNotPromised, kFault, nullptr},
};

bool runs_on_secure() {
  Dl_info info;
  return dladdr(dlsym(RTLD_DEFAULT, "hak_malloc"), &info) != 0 &&
         std::strstr(info.dli_fname, "libhakmem-secure") != nullptr;
}

int runs() {
  const char *repeat = std::getenv("HAKMEM_TEST_REPEAT");
  return repeat == nullptr ? 3 : std::atoi(repeat);
}

// One line, which names what was done, the pointer that was announced, and the thread.
void expect_line(const Outcome &outcome, const char *words) {
  std::regex line(std::string("^hakmem: (") + words + ")[^\n]*pointer (0x[0-9a-f]+)[^\n]*thread [0-9]+\n$");
  std::smatch found;
  ASSERT_TRUE(std::regex_match(outcome.err, found, line)) << "expected: " << words << "\n" << outcome.describe();
  EXPECT_NE(outcome.out.find("pointer " + found[2].str() + "\n"), std::string::npos) << outcome.describe();
}

class MatrixTest : public ::testing::TestWithParam<Row> {};

TEST_P(MatrixTest, EndsAsPromised) {
  const Row &row = GetParam();
  bool secure = runs_on_secure();
  Ending ending = secure ? row.secure : row.plain;
  if (ending.signal == 0) {
    GTEST_SKIP() << "not promised by this library";
  }
  std::vector<std::string> environment;
  if (secure && row.environment != nullptr) {
    environment.emplace_back(row.environment);
  }
  for (int i = 0; i < runs(); i++) {
    SCOPED_TRACE("run " + std::to_string(i));
    Outcome outcome = run_scenario(row.scenario, environment);
    ASSERT_EQ(outcome.signal, ending.signal) << outcome.describe();
    ASSERT_EQ(outcome.out.find("survived"), std::string::npos) << outcome.describe();
    if (ending.words != nullptr) {
      ASSERT_NO_FATAL_FAILURE(expect_line(outcome, ending.words));
    }
  }
}

std::string name_of(const ::testing::TestParamInfo<Row> &info) { return info.param.scenario; }

INSTANTIATE_TEST_SUITE_P(Misuse, MatrixTest, ::testing::ValuesIn(kRows), name_of);

} // namespace
