/* superslab_lists: all superslabs, sorted so that the one to take from, or to purge, is found at once.
 *
 * Owns:     the locks of the shared pool's parts; of each the lists by tier and longest run of free units, and of
 *           superslabs with retained units, and their figures; the list of those that gave their addresses back.
 * Promises: a superslab whose units, or `dense`, have changed is placed anew before the lists are used again: first on
 *           its lists, where it stays if it was that. In the child of fork() the lists are made anew from the
 *           superslabs' own sets when a lost thread was changing them.
 * Callers:  cold/shared_pool.c, cold/superslab_find.c and cold/pool_purge.c. Any thread; all but pool_lock and
 *           pool_lock_of under the lock of the part (LOCK_POOL and those that follow), or of the first for those
 *           without addresses.
 */
#ifndef HAKMEM_COLD_SUPERSLAB_LISTS_H
#define HAKMEM_COLD_SUPERSLAB_LISTS_H

#include "cold/superslab.h"

/* Takes a part's lock; what is torn is mended. */
void pool_lock(unsigned part);
void pool_unlock(unsigned part);

/* That of the part in which the superslab is; it stays there meanwhile. */
void pool_lock_of(const struct superslab *superslab);
void pool_unlock_of(const struct superslab *superslab);

/* Superslabs of each tier, and in all; of units in huge pages that are in use those that are retained, and those that
 * are free. Changed under the part's lock; others read them as figures. */
struct list_figures {
  _Atomic size_t tier[TIER_COUNT], superslabs, whole_units, unused_units;
};

struct list_figures *list_figures_of(unsigned part);

static inline size_t bytes_of_units(uint32_t unit_set) { return (size_t)__builtin_popcount(unit_set) << UNIT_SHIFT; }

/* Its units have been given back (`given`) or taken, or it is on no list yet. */
void lists_place(struct superslab *superslab, bool given);
void lists_leave(struct superslab *superslab);

/* One that is on no list comes to the part; or it comes there from another part, with both parts' locks, so that nobody
 * finds it on its way: who gives units of it back, or moves it on, waits. Units of it had been given back (`given`) or
 * will be taken. */
void lists_add(struct superslab *superslab, unsigned part, bool given);
void lists_move(struct superslab *superslab, unsigned part, bool given);

/* The part's superslab whose retained units are purged next, if none was given since `before`; NULL: there is none. */
struct superslab *lists_find_retained(unsigned part, uint64_t before);

/* Some superslab of a tier that is wholly free; NULL: none. */
struct superslab *lists_find_whole(unsigned part, enum tier tier);

/* A superslab of the first part that is wholly free, and off the lists, has given its addresses back. */
void lists_join_unmapped(struct superslab *superslab);

/* The one that did so last, NULL: there is none; it is not among them any more. */
struct superslab *lists_first_unmapped(void);
void lists_leave_unmapped(struct superslab *first);

/* In the child of fork(): what the pool has is counted anew, as a lost thread may have told of a step that it did not
 * take, or not told of one that it took. */
void lists_recount(void);

bool lists_are_valid(unsigned part);

#endif
