/* shared_pool: units for slabs and large blocks, from all superslabs, for all threads.
 *
 * Owns:     the choice of where memory comes from, and what is counted of it.
 * Promises: an empty slab of one class serves any class. What is retained beyond the budget is purged before a call
 *           returns, taking or giving. Units are counted (cold/limit.h) while they are RETAINED or DIRTY, large blocks
 *           whole.
 * Callers:  WARM (slabs) and cold/large.c. Any thread; one lock inside, a part's (cold/pool_parts.h).
 */
#ifndef HAKMEM_COLD_SHARED_POOL_H
#define HAKMEM_COLD_SHARED_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "cold/superslab_find.h"

/* A run of `units` adjacent units (1 to 32), described by the slab of its first, which says how many of them are
 * dirty and so counted; NULL when there is no memory, or the limit is reached. */
struct slab *pool_take(unsigned units, enum use use);

/* The same for a large block, which is not counted among the slabs. */
struct slab *pool_take_large(unsigned units, enum use use);

/* Whether a run of so many units is retained, or has just been; while the pool is not divided into parts. */
bool pool_retains(unsigned units);

/* Takes several single units under one lock; returns how many it took. */
unsigned pool_take_many(struct slab **slabs, unsigned count);

/* Gives a slab's or large block's units back; `dirty` of them have been used. */
void pool_give(struct slab *slab);

/* Adds the units that follow, or gives the last ones back; false when those that follow are in use. */
bool pool_extend(struct slab *slab, unsigned units);
void pool_shrink(struct slab *slab, unsigned units);

/* As meta_alloc; when the operating system has no memory, a unit of the pool becomes metadata. So as long as any unit
 * is free, slabs can be bound to it. */
void *pool_meta_alloc(size_t bytes, size_t alignment);

struct pool_figures {
  size_t arenas, superslabs, tier[TIER_COUNT], slabs_taken, slabs_recycled, larges_taken;
};

struct pool_figures pool_figures(void);

/* The units of all superslabs that have addresses: never used or purged, in use, and free but resident. */
struct pool_units {
  size_t unused, active, empty;
};

struct pool_units pool_units(void);

/* Of the locks of all parts. */
struct lock_counts pool_lock_counts(void);

bool pool_is_valid(void);

#endif
