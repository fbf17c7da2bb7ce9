/* os_secure: what only the secure library asks of the operating system.
 *
 * Owns:     the system calls that take access to memory away, and the source of secrets.
 * Promises: a failure is a false, never an exit; errno is kept.
 * Callers:  src/secure. Any thread, no lock needed.
 */
#ifndef HAKMEM_SECURE_OS_SECURE_H
#define HAKMEM_SECURE_OS_SECURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Takes access to whole pages away: any use of them is a fault. False when the system refuses (its bound on
 * mappings). */
bool os_forbid(void *start, size_t bytes);

/* Gives it back; false when the system refuses. */
bool os_permit(void *start, size_t bytes);

/* Marks whole pages as out of bounds within their area, for good. False: the system cannot, or not here. */
bool os_mark(void *start, size_t bytes);

/* Lets other threads run. */
void os_yield(void);

/* A number that nobody can guess; where the system has none to give yet, one that differs from run to run. */
uint64_t os_secret(void);

#endif
