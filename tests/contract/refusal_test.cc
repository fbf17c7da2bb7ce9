// A request that no system can serve is refused for next to nothing: what is kept for reuse stays, and so do the caches.

#include <cstdio>

#include <sys/resource.h>
#include <unistd.h>

#include "hakmem.h"
#include "support/family.h"
#include "support/scenario.h"
#include "support/summary.h"
#include "support/support.h"

using namespace support;

namespace {

// Blocks of every kind that live, and freed ones of every kind that are kept for reuse.
struct WarmHeap {
  static constexpr size_t kSizes[] = {100, 20000, 100 * KiB, 400 * KiB, 1 * MiB, 3 * MiB};
  const Family &heap;
  std::vector<void *> live, apart;

  explicit WarmHeap(const Family &family) : heap(family) {
    std::vector<void *> to_free;
    for (int i = 0; i < 40; i++) { // of one unit, and no neighbours: more than a heap keeps, so that some are retained
      to_free.push_back(heap.malloc(60 * KiB));
      apart.push_back(heap.malloc(60 * KiB));
    }
    for (int i = 0; i < 20; i++) {
      for (size_t size : kSizes) {
        to_free.push_back(heap.malloc(size));
        fill(to_free.back(), size, 1);
      }
    }
    for (size_t size : kSizes) {
      live.push_back(heap.malloc(size));
    }
    for (size_t i = to_free.size(); i-- > 0;) { // the small ones last: they fit into what may be kept
      heap.free(to_free[i]);
    }
  }
  ~WarmHeap() {
    for (const std::vector<void *> &blocks : {live, apart}) {
      for (void *block : blocks) {
        heap.free(block);
      }
    }
  }
};

template <class Request>::testing::AssertionResult refused(Request request) {
  errno = 0;
  void *block = request();
  if (block == nullptr && errno == ENOMEM) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << "gives " << block << " with errno " << errno;
}

// Twenty requests in every form.
void expect_all_refused(const Family &heap, const std::vector<void *> &live, size_t size) {
  for (int i = 0; i < 20; i++) {
    ASSERT_TRUE(refused([&] { return heap.malloc(size); }));
    ASSERT_TRUE(refused([&] { return heap.calloc(1, size); }));
    ASSERT_TRUE(refused([&] { return heap.calloc(16, size / 16); }));
    ASSERT_TRUE(refused([&] { return heap.aligned_alloc(64, size); }));
    ASSERT_TRUE(refused([&] { return heap.aligned_alloc(2 * MiB, size); }));
    ASSERT_TRUE(refused([&] { return heap.realloc(nullptr, size); }));
    for (void *block : live) {
      ASSERT_TRUE(refused([&] { return heap.realloc(block, size); }));
    }
    void *out = nullptr;
    ASSERT_EQ(heap.posix_memalign(&out, 4096, size), ENOMEM);
  }
}

class RefusalTest : public FamilyTest {};
HAKMEM_FOR_EACH_FAMILY(RefusalTest);

TEST_P(RefusalTest, OfWhatNoAddressSpaceHoldsCostsNothing) {
  ASSERT_EQ(hak_option_set("retain_kib", 32 * 1024), 0); // more than a heap keeps for itself
  WarmHeap warm(family());
  hak_heap_summary before = summarize();
  ASSERT_GT(before.retained_bytes, 0u);
  for (size_t size : {size_t{1} << 48, size_t{1} << 60, size_t{PTRDIFF_MAX} - 64 * KiB}) {
    ASSERT_NO_FATAL_FAILURE(expect_all_refused(family(), warm.live, size)) << "size " << size;
  }
  hak_heap_summary after = summarize();
  EXPECT_EQ(after.mmap_calls, before.mmap_calls);
  EXPECT_EQ(after.munmap_calls, before.munmap_calls);
  EXPECT_EQ(after.purged_bytes, before.purged_bytes);
  EXPECT_EQ(after.retained_bytes, before.retained_bytes);
}

// Under a limit on the address space, as by `ulimit -v`: nothing that is given back makes room for what exceeds the
// limit itself.
HAKMEM_SCENARIO(more_than_the_limit_itself) {
  const Family &heap = default_family();
  constexpr size_t kLimit = 1 * GiB;
  rlimit limit = {kLimit, kLimit};
  REQUIRE(setrlimit(RLIMIT_AS, &limit) == 0);
  WarmHeap warm(heap);
  heap.free(heap.malloc(3 * MiB)); // what is in excess goes back
  hak_heap_summary before = summarize();
  REQUIRE(before.retained_bytes > 0);
  for (int i = 0; i < 20; i++) {
    REQUIRE(refused([&] { return heap.malloc(kLimit + 1 * MiB); }));
    REQUIRE(refused([&] { return heap.calloc(1, 2 * kLimit); }));
    REQUIRE(refused([&] { return heap.realloc(warm.live[i % 6], 2 * kLimit); }));
  }
  hak_heap_summary after = summarize();
  dprintf(1, "60 requests, mmap %zu, munmap %zu, retained %zu to %zu\n", after.mmap_calls - before.mmap_calls,
          after.munmap_calls - before.munmap_calls, before.retained_bytes, after.retained_bytes);
  REQUIRE(after.mmap_calls <= before.mmap_calls + 60 + 2 * 20); // a block that lies in two areas is not remapped
  REQUIRE(after.munmap_calls == before.munmap_calls);
  REQUIRE(after.purged_bytes == before.purged_bytes);
  REQUIRE(after.retained_bytes == before.retained_bytes);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // they reserve more than any limit
TEST(RefusalUnderALimitTest, OfMoreThanTheLimitGivesNothingBack) {
  Outcome outcome = run_scenario("more_than_the_limit_itself");
  EXPECT_TRUE(outcome.succeeded()) << outcome.describe();
}
#endif

} // namespace
