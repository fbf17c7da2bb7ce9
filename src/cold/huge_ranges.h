/* huge_ranges: the address ranges of freed huge blocks that are retained for reuse.
 *
 * Owns:     up to RANGES_MAX ranges; neighbours are one range.
 * Promises: the best fit is cut from a range and what is left of it on either side stays; what was freed first goes back to the
 *           system first. A range is in the table or not, whole, at every moment: a child of fork() loses one at worst.
 * Callers:  cold/huge.c, under its lock (LOCK_HUGE).
 */
#ifndef HAKMEM_COLD_HUGE_RANGES_H
#define HAKMEM_COLD_HUGE_RANGES_H

#include <stdbool.h>
#include <stddef.h>

/* Retains a range that a block has just left. */
void huge_ranges_give(char *start, size_t bytes);

/* Takes `bytes` from the smallest range that fits; NULL: none does. */
char *huge_ranges_take(size_t bytes, size_t alignment);

/* Unmaps the range that was freed first, or the last `wanted` bytes of it if it is longer. Bytes given back; 0: there is none,
 * or the system refuses. */
size_t huge_ranges_unmap_oldest(size_t wanted);

/* Bytes in all ranges, counted. */
size_t huge_ranges_bytes(void);

#endif
