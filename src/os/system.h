/* system: the one place that makes system calls for memory.
 *
 * Owns:     the system calls for memory, their count, and the page size.
 * Promises: memory from os_map is zero and page-aligned; a failure is a NULL or a false, never an exit; errno is kept.
 * Callers:  every box below HOT. Any thread, no lock needed. A port to another system is another system.c.
 */
#ifndef HAKMEM_OS_SYSTEM_H
#define HAKMEM_OS_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/base.h"

/* Calls made since the start; the exit line and the heap summary read them. */
struct os_counts {
  size_t map_calls;
  size_t unmap_calls;
  size_t purge_calls;
  size_t remap_calls;
  size_t mapped_bytes;   /* by map calls and by growth of mappings */
  size_t unmapped_bytes; /* the same the other way */
  size_t purged_bytes;
};

/* Bytes of a page, read at run time (4 KiB to 64 KiB). */
size_t os_page_size(void);

/* Rounds up to whole pages; the caller has excluded overflow. */
size_t os_page_ceil(size_t bytes);

/* Zeroed, readable and writable memory, not yet resident, at `hint` when that range is free and elsewhere otherwise. */
void *os_map(void *hint, size_t bytes);

/* Memory that cannot be used yet, or that can be read and is zero, until os_permit: a system that counts what may be
 * written does not count it. `hint` is as os_map's. */
enum os_access { OS_CLOSED, OS_READABLE };
void *os_reserve(void *hint, size_t bytes, enum os_access access);

/* As os_map, aligned to `alignment` (a power of two of at least a page). */
void *os_map_aligned(size_t bytes, size_t alignment);

/* What a mapping is for, as smaps and pmap show it, where the system can. `name` has static storage. */
void os_name(void *start, size_t bytes, const char *name);

/* Gives a range back, address and all. False when the system refuses (its bound on mappings): the range is still
 * mapped. */
bool os_unmap(void *start, size_t bytes);

/* Gives the pages of a range back and keeps the address; it reads as zero afterwards. False when the system refuses. */
bool os_purge(void *start, size_t bytes);

/* The pages of several ranges, by one call where the system has it, else one by one up to the first that it refuses.
 * Bytes given back. */
struct os_range {
  void *start; /* page-aligned, as the bytes */
  size_t bytes;
};

enum { OS_RANGES_MAX = 64 };

size_t os_purge_ranges(const struct os_range *ranges, unsigned count);

/* Takes access to whole pages away: any use of them is a fault. False when the system refuses (its bound on
 * mappings). */
bool os_forbid(void *start, size_t bytes);

/* Gives it back; false when the system refuses. */
bool os_permit(void *start, size_t bytes);

/* Resizes a mapping, moving it when it must; NULL leaves it as it was. */
void *os_remap(void *start, size_t old_bytes, size_t new_bytes);

/* Moves pages, with what is in them, to where other memory is mapped, which goes away. STAYED: they are where they
 * were, and there reads as zero: a range that spans two of the system's own areas, as what was mapped apart may, does
 * not move. LOST: they are where they were, and there is nobody's, or another thread's by now. */
enum os_moved { OS_MOVED, OS_STAYED, OS_LOST };
enum os_moved os_move(void *from, size_t bytes, void *there);

/* Makes a range resident now: by one call, or by touching each page. */
void os_populate(void *start, size_t bytes);
void os_touch(void *start, size_t bytes);

/* What the system makes of one page-table entry, where it has huge pages. */
enum { OS_HUGE_PAGE = 2 << 20 };

/* Lets the system serve a range in huge pages; or says that it must not. */
void os_advise_huge(void *start, size_t bytes);
void os_advise_small(void *start, size_t bytes);

/* Bytes of a range of at most a huge page that are resident. */
size_t os_resident(const void *start, size_t bytes);

struct os_counts os_counts(void);

#endif
