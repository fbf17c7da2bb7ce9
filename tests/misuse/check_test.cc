// hak_check, the check at exit, and the options of the secure library that look for more.

#include <cerrno>
#include <csignal>
#include <cstdlib>
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

size_t size_under_test() { return std::strtoull(std::getenv("HAKMEM_TEST_SIZE"), nullptr, 0); }

char *block_of(size_t size) {
  auto *block = static_cast<char *>(opaque(heap.malloc(size)));
  REQUIRE(block != nullptr);
  return block;
}

// ---- the scenarios ----

HAKMEM_SCENARIO(nothing_wrong) {
  char *kept[100];
  for (int i = 0; i < 100; i++) {
    kept[i] = block_of(static_cast<size_t>(i) * 50);
    std::memset(kept[i], 0xEE, static_cast<size_t>(i) * 50);
  }
  for (int i = 0; i < 100; i += 2) {
    heap.free(kept[i]);
  }
  REQUIRE(hak_check() > 0);
}

HAKMEM_SCENARIO(byte_behind_until_exit) { block_of(size_under_test())[size_under_test()] ^= 1; }

HAKMEM_SCENARIO(byte_behind_until_checked) {
  block_of(size_under_test())[size_under_test()] ^= 1;
  hak_check();
  _exit(0);
}

HAKMEM_SCENARIO(byte_after_free_until_exit) {
  char *block = block_of(size_under_test());
  heap.free(block);
  block[0] ^= 1;
}

HAKMEM_SCENARIO(byte_behind_until_a_look) {
  block_of(size_under_test())[size_under_test()] ^= 1;
  sleep(20);
  _exit(0);
}

HAKMEM_SCENARIO(double_free_until_checked) {
  char *block = block_of(size_under_test());
  char *other = block_of(size_under_test());
  heap.free(block);
  heap.free(other);
  heap.free(block);
  hak_check();
  _exit(0);
}

HAKMEM_SCENARIO(read_of_no_bytes) {
  volatile char *block = block_of(0);
  (void)*block;
}

HAKMEM_SCENARIO(read_of_no_bytes_after_free) {
  volatile char *block = block_of(0);
  heap.free(const_cast<char *>(block));
  (void)*block;
}

HAKMEM_SCENARIO(no_bytes_grow) {
  auto *block = static_cast<char *>(heap.realloc(block_of(0), 1000));
  std::memset(block, 1, 1000);
  heap.free(block);
}

#if !defined(HAKMEM_TEST_HAK_ONLY)
HAKMEM_SCENARIO(delete_of_malloc) { ::operator delete(opaque(heap.malloc(100))); }
HAKMEM_SCENARIO(delete_of_new_array) { ::operator delete(opaque(::operator new[](100))); }
HAKMEM_SCENARIO(free_of_new) { heap.free(opaque(::operator new(100))); }
HAKMEM_SCENARIO(right_families) {
  ::operator delete(::operator new(100));
  ::operator delete[](::operator new[](100000));
  ::operator delete(::operator new(0), std::nothrow);
  ::operator delete (::operator new (100, std::align_val_t{64}), std::align_val_t{64});
  heap.free(heap.realloc(heap.malloc(10), 100000));
}
#endif

// ---- how they end ----

bool runs_on_secure() {
  Dl_info info;
  return dladdr(dlsym(RTLD_DEFAULT, "hak_malloc"), &info) != 0 &&
         std::strstr(info.dli_fname, "libhakmem-secure") != nullptr;
}

void expect_stopped(const char *scenario, const char *what, const std::vector<std::string> &environment) {
  Outcome outcome = run_scenario(scenario, environment);
  EXPECT_EQ(outcome.signal, SIGABRT) << outcome.describe();
  EXPECT_EQ(outcome.err.rfind(std::string("hakmem: ") + what, 0), 0u) << outcome.describe();
}

std::vector<std::string> with_size(size_t size) { return {"HAKMEM_TEST_SIZE=" + std::to_string(size)}; }

TEST(HakCheckTest, FindsNothingWhereNothingIsWrong) {
  Outcome outcome = run_scenario("nothing_wrong", {});
  EXPECT_TRUE(outcome.succeeded()) << outcome.describe();
  EXPECT_EQ(outcome.err, "");
}

TEST(HakCheckTest, KeepsErrno) {
  errno = 77;
  heap.free(heap.malloc(100));
  hak_check();
  EXPECT_EQ(errno, 77);
}

TEST(HakCheckTest, FindsADoubleFreeOfTheCallingThread) {
  for (size_t size : {8, 100, 1000, 20000}) {
    expect_stopped("double_free_until_checked", "double free", with_size(size));
  }
}

class SecureCheckTest : public ::testing::Test {
protected:
  void SetUp() override {
    if (!runs_on_secure()) {
      GTEST_SKIP() << "the secure library's";
    }
  }
};

constexpr size_t kSizes[] = {1, 8, 13, 100, 1000, 4096, 8000, 30000, 100001};

TEST_F(SecureCheckTest, AByteBehindABlockThatIsNeverFreedIsFound) {
  for (size_t size : kSizes) {
    expect_stopped("byte_behind_until_exit", "write past the end of a block", with_size(size));
    expect_stopped("byte_behind_until_checked", "write past the end of a block", with_size(size));
  }
}

TEST_F(SecureCheckTest, AByteInAFreedBlockThatIsNotUsedAgainIsFound) {
  for (size_t size : kSizes) {
    if (size < 32 * KiB) {
      expect_stopped("byte_after_free_until_exit", "write after free", with_size(size));
    }
  }
}

TEST_F(SecureCheckTest, AProgramThatSleepsIsLookedAt) {
  std::vector<std::string> environment = with_size(100);
  environment.emplace_back("HAKMEM_SECURE_CHECK=1");
  expect_stopped("byte_behind_until_a_look", "write past the end of a block", environment);
}

TEST_F(SecureCheckTest, NoBytesAreNoBytes) {
  EXPECT_EQ(run_scenario("read_of_no_bytes", {}).signal, SIGSEGV);
  EXPECT_EQ(run_scenario("read_of_no_bytes_after_free", {}).signal, SIGSEGV);
  EXPECT_TRUE(run_scenario("no_bytes_grow", {}).succeeded());
}

#if !defined(HAKMEM_TEST_HAK_ONLY)
TEST_F(SecureCheckTest, FamiliesAreToldApartOnRequest) {
  const std::vector<std::string> types = {"HAKMEM_SECURE_TYPES=1"};
  expect_stopped("delete_of_malloc", "delete of a block of malloc", types);
  expect_stopped("delete_of_new_array", "delete of a block of new[]", types);
  expect_stopped("free_of_new", "free of a block of new", types);
  EXPECT_TRUE(run_scenario("right_families", types).succeeded()) << run_scenario("right_families", types).describe();
  EXPECT_TRUE(run_scenario("delete_of_malloc", {}).succeeded());
}
#endif

} // namespace
