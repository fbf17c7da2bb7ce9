/* compiler: macros for what C17 does not have.
 *
 * Owns:     nothing.
 * Promises: GCC and Clang understand them.
 * Callers:  any box.
 */
#ifndef HAKMEM_BASE_COMPILER_H
#define HAKMEM_BASE_COMPILER_H

#include <stddef.h>

#define KIB ((size_t)1024)
#define MIB (KIB * KIB)
#define GIB (KIB * MIB)

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* Data of the library's own, reached without the global offset table. */
#define HIDDEN __attribute__((visibility("hidden")))

/* Code that hardly ever runs is kept out of line, away from the pages of the common path. */
#define RARE __attribute__((noinline, cold))
#define NOINLINE __attribute__((noinline))

#endif
