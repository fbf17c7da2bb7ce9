/* os: the one place that talks to the operating system.
 *
 * Owns:     the system calls for memory, their count, and the page size; the last words of a program that is stopped.
 * Promises: memory from os_map is zero and page-aligned; a failure is a NULL or a false, never an exit; errno is kept.
 * Callers:  every box below HOT. Any thread, no lock needed. A port to another system is another file beside
 *           os_linux.c.
 */
#ifndef HAKMEM_OS_OS_H
#define HAKMEM_OS_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define KIB ((size_t)1024)
#define MIB (KIB * KIB)
#define GIB (KIB * MIB)

#define likely(condition) __builtin_expect(!!(condition), 1)
#define unlikely(condition) __builtin_expect(!!(condition), 0)

/* Data of the library's own, reached without the global offset table. */
#define HIDDEN

/* Cold code is kept out of line, away from the hot pages. */
#define COLD __attribute__((noinline, cold))
#define NOINLINE __attribute__((noinline))

/* Calls made since the start; the exit line and the heap summary read them. */
struct os_counts {
  size_t map_calls;
  size_t unmap_calls;
  size_t purge_calls;
  size_t remap_calls;
  size_t purged_bytes;
};

/* Bytes of a page, read at run time (4 KiB to 64 KiB). */
size_t os_page_size(void);

/* Rounds up to whole pages; the caller has excluded overflow. */
size_t os_page_ceil(size_t bytes);

/* Zeroed, readable and writable memory, not yet resident, at `hint` when that range is free and elsewhere otherwise. */
void *os_map(void *hint, size_t bytes);

/* As os_map, aligned to `alignment` (a power of two of at least a page). */
void *os_map_aligned(size_t bytes, size_t alignment);

/* Gives a range back, address and all. False when the system refuses (its bound on mappings): the range is still
 * mapped. */
bool os_unmap(void *start, size_t bytes);

/* Gives the pages of a range back and keeps the address; it reads as zero afterwards. False when the system refuses. */
bool os_purge(void *start, size_t bytes);

/* Resizes a mapping, moving it when it must; NULL leaves it as it was. */
void *os_remap(void *start, size_t old_bytes, size_t new_bytes);

/* Makes a range resident now: by one call, or by touching each page. */
void os_populate(void *start, size_t bytes);
void os_touch(void *start, size_t bytes);

/* Physical memory and the limit on this process's address space (SIZE_MAX: none), in bytes. */
size_t os_physical_memory(void);
size_t os_address_limit(void);

/* A number that differs from run to run; for placing, not for secrets. */
uint64_t os_random(void);

/* Milliseconds of a clock that never goes back; cheap, good to some 4 ms. */
uint64_t os_milliseconds(void);

long os_thread_id(void);
struct os_counts os_counts(void);

/* Writes a line to standard error without stdio. */
void os_print(const char *text, size_t length);

#endif
