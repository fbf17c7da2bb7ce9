/* depot_bound: how many bytes of blocks a depot may hold.
 *
 * Owns:     nothing. The seam of the depot: swaps/ has another bound, to measure against.
 * Promises: never more than the thread's share.
 * Callers:  warm/spill.c and warm/collect.c.
 */
#ifndef HAKMEM_WARM_DEPOT_BOUND_H
#define HAKMEM_WARM_DEPOT_BOUND_H

#include <stddef.h>

/* Until the heap grows: warm/bind.c. */
static inline size_t depot_bound(size_t share) { return share; }

#endif
