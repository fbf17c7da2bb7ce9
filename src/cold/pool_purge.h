/* pool_purge: gives what the shared pool retains back to the operating system.
 *
 * Owns:     the only places where a superslab's memory (pool_purge) or its addresses (pool_unmap) are given back.
 * Promises: of a part FREE superslabs first, then DRAINING, then OPEN; one part after the other. As many runs of a part
 *           as it takes go back by one system call: each has every processor that runs the program flush its
 *           translations. A run that is being purged is on no list and cannot be taken.
 * Callers:  cold/shared_pool.c, cold/reclaim.c, WARM on collect and when a limit is set. Any thread; takes the
 *           parts' locks, dropped around system calls that purge.
 */
#ifndef HAKMEM_COLD_POOL_PURGE_H
#define HAKMEM_COLD_POOL_PURGE_H

#include <stddef.h>

#include "base/base.h"

struct holder_calls;
struct superslab;

/* What cold/residency.h asks of the pool. */
extern HIDDEN const struct holder_calls pool_holder;

/* Purges at least `wanted` bytes of retained units, or all there are; returns the bytes given back. */
size_t pool_purge(size_t wanted);

/* Gives the addresses of superslabs that are wholly free back, and what the newest arena has left; returns their bytes.
 * The superslabs are mapped again, at the same place, before new ones are cut. */
size_t pool_unmap(void);

/* A limit has been set: no superslab is served in huge pages any more, and what they made resident goes back. */
void pool_undense(void);

/* Pages of the superslab's slabs are about to be given back by who has them: it is dense no more, or the system would
 * fill the holes again. */
void pool_make_sparse(struct superslab *superslab);

/* In the child of fork(): what a lost thread was purging, outside the lock, is RETAINED again; and the pool's memory is
 * counted anew. */
void pool_purge_mend(void);

#endif
