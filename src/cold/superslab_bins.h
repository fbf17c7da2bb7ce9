/* superslab_bins: superslabs by tier and by the longest run of free, or of retained, units.
 *
 * Owns:     the bins of each part of the pool; those of dense superslabs are apart.
 * Promises: the superslab whose longest run fits best is found in a few instructions. The bins can be cleared and
 *           filled anew, in the child of fork().
 * Callers:  cold/superslab_lists.c, under the lock of the part; bins_may_have: any thread.
 */
#ifndef HAKMEM_COLD_SUPERSLAB_BINS_H
#define HAKMEM_COLD_SUPERSLAB_BINS_H

#include "cold/pool_parts.h"
#include "cold/superslab.h"

/* Sets of bins, or lists: two for each tier. */
enum { TIER_SETS = TIER_COUNT * 2 };

static inline unsigned tier_set(enum tier tier, bool apart) { return (unsigned)tier * 2 + apart; }

/* First in the bins where it belongs by its tier, its units and `dense`, which may have changed; or in none. */
void bins_place(struct superslab *superslab);
void bins_remove(struct superslab *superslab);

/* The one of a part whose longest run of that kind is the shortest of at least `units`; NULL: there is none. */
struct superslab *bins_find(unsigned part, enum run_kind kind, enum tier tier, bool dense, unsigned units);

/* Whether the part has, or has just had, a run of that kind of so many units. */
bool bins_may_have(unsigned part, enum run_kind kind, unsigned units);

void bins_clear(unsigned part);

bool bins_are_valid(unsigned part);

#endif
