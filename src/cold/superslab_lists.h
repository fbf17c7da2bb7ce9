/* superslab_lists: all superslabs, sorted so that the one to take from, or to purge, is found at once.
 *
 * Owns:     the shared pool's lock; the lists by tier and longest run of free units, of superslabs with retained units,
 *           and of those that gave their addresses back; their figures.
 * Promises: a superslab whose units, or `dense`, have changed is placed anew before the lists are used again: first on
 *           its lists, where it stays if it was that. In the child of fork() the lists are made anew from the
 *           superslabs' own sets when a lost thread was changing them.
 * Callers:  cold/shared_pool.c and cold/pool_purge.c. Any thread; all but pool_lock under the lock (LOCK_POOL).
 */
#ifndef HAKMEM_COLD_SUPERSLAB_LISTS_H
#define HAKMEM_COLD_SUPERSLAB_LISTS_H

#include "cold/superslab.h"

/* Takes the lock; what is torn is mended. */
void pool_lock(void);
void pool_unlock(void);

/* Superslabs of each tier, and in all. */
struct list_figures {
  size_t tier[TIER_COUNT], superslabs;
};

extern HIDDEN struct list_figures list_figures;

static inline size_t bytes_of_units(uint32_t unit_set) { return (size_t)__builtin_popcount(unit_set) << UNIT_SHIFT; }

/* Its units have been given back (`given`) or taken, or it is on no list yet. */
void lists_place(struct superslab *superslab, bool given);
void lists_leave(struct superslab *superslab);

/* How the units will be used. */
enum use {
  USE_WHOLE, /* soon, all of them */
  USE_PARTS, /* bit by bit, and perhaps never all */
  USE_SMALL, /* the same, and not in huge pages: to see what is used */
};

/* A superslab, on its lists; NULL: no memory. `comes_huge`: its first touch takes a huge page from the system. */
struct superslab_found {
  struct superslab *superslab;
  bool comes_huge;
};

/* The superslab to take `units` adjacent units from: an OPEN one with retained units, an OPEN one by best fit, a
 * DRAINING, a FREE, one that is mapped again, a new one; a dense one rather than another, or the other way round, by
 * use. */
struct superslab_found lists_find(unsigned units, enum use use);

/* The superslab whose retained units are purged next, if none was given since `before`; NULL: there is none. */
struct superslab *lists_find_retained(uint64_t before);

/* Some superslab of a tier that is wholly free; NULL: none. */
struct superslab *lists_find_whole(enum tier tier);

/* A superslab that is wholly free, and off the lists, has given its addresses back. */
void lists_join_unmapped(struct superslab *superslab);

bool lists_are_valid(void);

#endif
