// The functions that jemalloc has beside the standard ones, which the library has too.
#ifndef HAKMEM_TESTS_SUPPORT_JEMALLOC_H
#define HAKMEM_TESTS_SUPPORT_JEMALLOC_H

#include <cstddef>

extern "C" {
void *mallocx(size_t size, int flags);
void *rallocx(void *block, size_t size, int flags);
size_t xallocx(void *block, size_t size, size_t extra, int flags);
size_t sallocx(const void *block, int flags);
void dallocx(void *block, int flags);
void sdallocx(void *block, size_t size, int flags);
size_t nallocx(size_t size, int flags);
}

#endif
