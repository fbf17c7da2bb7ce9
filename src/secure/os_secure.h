/* os_secure: what only the secure library asks of the operating system.
 *
 * Owns:     the source of secrets.
 * Promises: never fails; errno is kept.
 * Callers:  src/secure. Any thread, no lock needed.
 */
#ifndef HAKMEM_SECURE_OS_SECURE_H
#define HAKMEM_SECURE_OS_SECURE_H

#include <stdint.h>

#include "os/os.h"

/* Marks whole pages as out of bounds within their area, for good. False: the system cannot, or not here. */
bool os_mark(void *start, size_t bytes);

/* A number that nobody can guess; where the system has none to give yet, one that differs from run to run. */
uint64_t os_secret(void);

#endif
