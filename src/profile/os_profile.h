/* os_profile: what only the profile library asks of the operating system: files, signals, and whether a page is there.
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

/* A new or emptied file, and no link to one, to write; or an existing one to read; its descriptor. */
int os_file_create(const char *path);
int os_file_open(const char *path);

/* False unless all bytes were written. */
bool os_file_write(int file, const void *bytes, size_t count);

/* Bytes read; 0: the end, or an error. */
size_t os_file_read(int file, void *bytes, size_t count);

bool os_file_close(int file);
bool os_file_rename(const char *from, const char *to);
void os_file_remove(const char *path);

/* Nanoseconds since 1970. */
uint64_t os_wall_clock(void);

/* Lets `handler` see a signal, if nobody else handles or ignores it. */
bool os_signal_handle(int number, void (*handler)(int number));

/* Whether the page that an address lies in is resident, hence readable. */
bool os_page_is_there(uintptr_t address);

/* Lets other threads run. */
void os_sleep_a_little(void);

#endif
