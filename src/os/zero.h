/* zero: memory that has been used is zero again, without making resident what is not.
 *
 * Owns:     nothing.
 * Promises: parts of 2 MiB that are hardly resident go back to the system, which gives them back as zeroes; the others
 *           are written. Where the system tells nothing, or refuses, all is zero as well. Keeps errno.
 * Callers:  api/contract.c, for blocks beyond LARGE_MAX. Any thread; the range is the caller's.
 */
#ifndef HAKMEM_OS_ZERO_H
#define HAKMEM_OS_ZERO_H

#include <stddef.h>

/* `bytes` from `start` on. */
void os_zero(void *start, size_t bytes);

#endif
