/* os_profile: what only the profile library asks of the operating system: the time of day, and whether a page is
 * there.
 *
 * Owns:     the system calls for it.
 * Promises: no call is a point of cancellation, none allocates; errno is kept; a failure is a false or a -1.
 * Callers:  src/profile. Any thread, no lock needed.
 */
#ifndef HAKMEM_PROFILE_OS_PROFILE_H
#define HAKMEM_PROFILE_OS_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Nanoseconds since 1970. */
uint64_t os_wall_clock(void);

/* Whether the page that an address lies in is resident, hence readable. */
bool os_page_is_there(uintptr_t address);

/* Lets other threads run. */
void os_sleep_a_little(void);

#endif
