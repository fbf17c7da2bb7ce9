/* zero: memory that has been used is zero again, without making resident what is not.
 *
 * Owns:     nothing.
 * Promises: what goes back to the system comes back as zeroes; where it refuses, as for locked memory, all is written.
 *           Keeps errno.
 * Callers:  api/contract.c, for blocks beyond LARGE_MAX; src/secure. Any thread; the range is the caller's.
 */
#ifndef HAKMEM_OS_ZERO_H
#define HAKMEM_OS_ZERO_H

#include <stddef.h>

/* Zero in every byte of whole pages, which go back to the system. */
void os_clear(void *start, size_t bytes);

/* Zero in any bytes. Parts of 2 MiB that are hardly resident, or of which the system tells nothing, are cleared so; the
 * others are written. */
void os_zero(void *start, size_t bytes);

#endif
