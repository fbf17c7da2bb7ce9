/* os_profile: what only the profile library asks of the operating system: long files, the time of day, and whether a
 * page is there.
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

/* A file of the system's, whose length is known only when it has been read; its descriptor. */
int os_pieces_open(const char *path);

/* Bytes read; 0: the end, or an error. */
size_t os_pieces_read(int file, void *bytes, size_t count);

void os_pieces_close(int file);

/* Nanoseconds since 1970. */
uint64_t os_wall_clock(void);

/* Whether the page that an address lies in is resident, hence readable. */
bool os_page_is_there(uintptr_t address);

/* Lets other threads run. */
void os_sleep_a_little(void);

#endif
