// Every name of the family resolves into libhakmem: one left to libc or libstdc++ would mix two heaps.

#include <cstring>

#include <dlfcn.h>

#include <gtest/gtest.h>

namespace {

class ResolutionTest : public ::testing::TestWithParam<const char *> {};

TEST_P(ResolutionTest, ComesFromHakmem) {
  void *address = dlsym(RTLD_DEFAULT, GetParam());
  ASSERT_NE(address, nullptr);
  Dl_info info;
  ASSERT_NE(dladdr(address, &info), 0);
  EXPECT_NE(std::strstr(info.dli_fname, "libhakmem"), nullptr) << "comes from " << info.dli_fname;
}

std::string name_of(const ::testing::TestParamInfo<const char *> &info) { return info.param; }

INSTANTIATE_TEST_SUITE_P(C, ResolutionTest,
                         ::testing::Values("malloc", "calloc", "realloc", "reallocarray", "free", "free_sized",
                                           "free_aligned_sized", "posix_memalign", "aligned_alloc", "memalign",
                                           "valloc", "pvalloc", "malloc_usable_size", "malloc_trim", "mallinfo",
                                           "mallinfo2", "malloc_info", "malloc_stats", "mallopt"),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Jemalloc, ResolutionTest,
                         ::testing::Values("mallocx", "rallocx", "xallocx", "sallocx", "dallocx", "sdallocx",
                                           "nallocx"),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Cxx, ResolutionTest,
                         ::testing::Values(
                             // operator new: plain, nothrow, aligned, aligned nothrow; single and array
                             "_Znwm", "_ZnwmRKSt9nothrow_t", "_ZnwmSt11align_val_t",
                             "_ZnwmSt11align_val_tRKSt9nothrow_t", "_Znam", "_ZnamRKSt9nothrow_t",
                             "_ZnamSt11align_val_t", "_ZnamSt11align_val_tRKSt9nothrow_t",
                             // operator delete: plain, sized, nothrow, aligned, sized aligned, aligned nothrow
                             "_ZdlPv", "_ZdlPvm", "_ZdlPvRKSt9nothrow_t", "_ZdlPvSt11align_val_t",
                             "_ZdlPvmSt11align_val_t", "_ZdlPvSt11align_val_tRKSt9nothrow_t", "_ZdaPv", "_ZdaPvm",
                             "_ZdaPvRKSt9nothrow_t", "_ZdaPvSt11align_val_t", "_ZdaPvmSt11align_val_t",
                             "_ZdaPvSt11align_val_tRKSt9nothrow_t"),
                         name_of);

INSTANTIATE_TEST_SUITE_P(Hak, ResolutionTest,
                         ::testing::Values("hak_malloc", "hak_calloc", "hak_realloc", "hak_reallocarray", "hak_free",
                                           "hak_free_sized", "hak_free_aligned_sized", "hak_aligned_alloc",
                                           "hak_posix_memalign", "hak_usable_size", "hak_good_size", "hak_check",
                                           "hak_collect", "hak_purge", "hak_heap_summarize", "hak_option_get",
                                           "hak_option_set", "hak_version"),
                         name_of);

} // namespace
