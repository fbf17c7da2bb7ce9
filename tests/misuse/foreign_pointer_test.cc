// An address that is nothing of hakmem's stops the program at once, whatever function is given it.
#include <csignal>
#include <cstdio>

#include <dlfcn.h>
#include <sys/mman.h>
#include <unistd.h>

#include "hakmem.h"
#include "support/misuse.h"

using namespace support;

namespace {

const Family &heap = default_family();

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

// ---- how they end ----

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
