#include "support/family.h"

#include <cstdlib>

#include <malloc.h>

#include "hakmem.h"

// C23, not yet declared by every C library.
extern "C" void free_sized(void *block, size_t size) noexcept;
extern "C" void free_aligned_sized(void *block, size_t alignment, size_t size) noexcept;

namespace support {

namespace {
size_t usable_size_of_hak(void *block) { return hak_usable_size(block); }
} // namespace

const Family hak_family = {
    "hak",
    hak_malloc,
    hak_calloc,
    hak_realloc,
    hak_reallocarray,
    hak_free,
    hak_free_sized,
    hak_free_aligned_sized,
    hak_aligned_alloc,
    hak_posix_memalign,
    usable_size_of_hak,
};

#if defined(HAKMEM_TEST_HAK_ONLY)

const Family &default_family() { return hak_family; }

std::vector<const Family *> families() { return {&hak_family}; }

#else

const Family standard_family = {
    "standard",
    malloc,
    calloc,
    realloc,
    reallocarray,
    free,
    free_sized,
    free_aligned_sized,
    aligned_alloc,
    posix_memalign,
    malloc_usable_size,
};

const Family &default_family() { return standard_family; }

std::vector<const Family *> families() { return {&standard_family, &hak_family}; }

#endif

std::string name_of_family(const ::testing::TestParamInfo<const Family *> &info) { return info.param->name; }

} // namespace support
