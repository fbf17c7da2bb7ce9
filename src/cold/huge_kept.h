/* huge_kept: the memory of freed huge blocks, from one block to the next, or back to the system.
 *
 * Owns:     how much the system has refused to take back, and whether it moves pages; the ranges lie in
 *           cold/huge_ranges.h.
 * Promises: what cold/residency.h asks for goes back, the oldest first. Several ranges become one block where none is
 *           long enough. Nothing is lost where the system refuses.
 * Callers:  cold/huge.c, cold/huge_shared.c and cold/residency.c. Any thread, no lock held; in a critical section, as
 *           what is on its way is in no table.
 */
#ifndef HAKMEM_COLD_HUGE_KEPT_H
#define HAKMEM_COLD_HUGE_KEPT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/base.h"
#include "cold/huge_ranges.h"

/* Gives the memory of a range that is in no table back. Where the system refuses to unmap it, it keeps the addresses;
 * where it refuses to empty it as well, the range is lost, and stays counted. */
void huge_kept_unmap(struct huge_range range);

/* Fresh memory that is in no table yet, and counts for cold/limit.h, is retained from now on. */
void huge_kept_add(char *start, size_t bytes);

/* Bytes of ranges that were lost so. */
size_t huge_kept_refused_bytes(void);

/* Where no range is long enough, several are put together: their huge pages move to where a fresh mapping begins, for a
 * hundredth of what it costs to have as many cleared. `*used` bytes do. False: the system has refused, and the mapping
 * is no block. That happens once. */
bool huge_kept_assemble(char *start, size_t bytes, size_t *used);

/* What cold/residency.h asks of the huge blocks' ranges. */
struct holder_calls;
extern HIDDEN const struct holder_calls huge_holder;

/* Unmaps what is retained; returns the bytes given back. */
size_t huge_purge(void);

#endif
