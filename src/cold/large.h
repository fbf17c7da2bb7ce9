/* large: blocks of 1 to 16 whole units, from the same superslabs as slabs.
 *
 * Owns:     the tags of the units of large blocks.
 * Promises: aligned to 64 KiB; grows and shrinks in place when the units behind it allow; memory that was never used
 *           is known to be zero. It may come in huge pages where the program has used whole what it had last
 *           (HAKMEM_THP).
 * Callers:  WARM. Any thread; the lock is the shared pool's.
 */
#ifndef HAKMEM_COLD_LARGE_H
#define HAKMEM_COLD_LARGE_H

#include <stdbool.h>
#include <stddef.h>

#include "cold/superslab.h"

/* Two have room in a superslab: of longer ones each would take one, and leave what few others fit. Above a 16th of
 * a superslab a block is large where the pool retains what it needs, or many threads take from it; else it is huge
 * (cold/huge.h), as a few of many lengths fill a superslab badly. So are shorter ones where a thread's blocks
 * are of many sizes (warm/route.c). */
enum { LARGE_MAX = SUPERSLAB_BYTES / 2, LARGE_FRESH_MAX = SUPERSLAB_BYTES / 16, LARGE_ALIGNMENT = UNIT_BYTES };

/* NULL when there is no memory. `size` is at most LARGE_MAX. */
void *large_allocate(size_t size, bool *zeroed);

/* Whether the pool retains what such a block takes, or has just retained it; while it is not divided. */
bool large_is_retained(size_t size);

/* Many threads take from the pool at once, so that it is divided (cold/pool_parts.h). */
bool large_is_divided(void);

/* The units that a size takes; and a block of them in a run that the caller has, by its descriptor. */
unsigned large_units(size_t size);
void *large_use(struct slab *run);

/* Ends a block as large_free does; the run is the caller's. */
struct slab *large_end(void *block);

/* `block` lies in a unit tagged large or inside; stops the program, naming `what` was tried, unless it is the block's
 * start. */
void large_free(void *block);
size_t large_usable_size(const void *block, const char *what);

/* In place, to at most LARGE_MAX; false when the units behind are taken. */
bool large_resize(void *block, size_t size);

/* The live ones; any thread, as a figure. */
size_t large_live_bytes(void);
size_t large_live_count(void);

#endif
