/* huge_ranges: the address ranges of freed huge blocks that are retained for reuse.
 *
 * Owns:     what is in the places for ranges (cold/huge_places.h); neighbours are one range.
 * Promises: the best fit is cut from a range and what is left of it on either side stays; no system call. A child of
 *           fork() loses one range at worst.
 * Callers:  cold/huge.c, cold/huge_kept.c and cold/huge_shared.c, under their lock (LOCK_HUGE).
 */
#ifndef HAKMEM_COLD_HUGE_RANGES_H
#define HAKMEM_COLD_HUGE_RANGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cold/huge_places.h"
#include "os/os.h"

/* Blocks below this share huge pages (cold/huge_shared.h). */
enum { SHARED_BELOW = 4 * OS_HUGE_PAGE };

/* Retains a range that a block has just left. There is no place for it: the oldest range leaves, and is the
 * caller's. */
struct huge_range huge_ranges_give(struct huge_range range);

/* Takes `*bytes` from the smallest range that fits: from its start, or from its end if they are less than SHARED_BELOW,
 * so that what is left begins where a huge page does; NULL: none does. All of it is taken where what would be left is
 * an eighth of them at most, and `*bytes` says so: few blocks would fit there, and it would go back to the system soon,
 * to be asked for again. */
char *huge_ranges_take(size_t *bytes, size_t alignment);

/* Bytes of the range that begins here. 0: none does. */
size_t huge_ranges_behind(char *start);

/* Takes `bytes` of the range that begins here, or all of it where little would be left; how many. 0: none does, or it
 * is shorter. */
size_t huge_ranges_take_behind(char *start, size_t bytes);

/* The same from the start of the smallest range that has `room`, at least as much: what is left lies behind. */
char *huge_ranges_take_first(size_t *bytes, size_t room);

/* Whether a range holds the address. */
bool huge_ranges_hold(const void *address);

/* Takes the whole huge pages, `wanted` bytes of them at most, of the range that has the most; `start` is NULL where
 * none has any. */
struct huge_range huge_ranges_cut_huge_pages(size_t wanted);

/* Takes the range that was freed first, or the last `wanted` bytes of it, and what lies before them in the same huge
 * page, if it is longer. */
struct huge_range huge_ranges_cut_oldest(size_t wanted);

/* When the oldest range was freed; UINT64_MAX: there is none. */
uint64_t huge_ranges_oldest(void);

/* Bytes in all ranges, counted. */
size_t huge_ranges_bytes(void);

#endif
