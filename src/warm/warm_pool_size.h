/* warm_pool_size: how many units a warm pool holds, and how many it takes at once.
 *
 * Owns:     nothing. The seam of the warm pool: swaps/ has other sizes, to measure against.
 * Promises: constants.
 * Callers:  warm/warm_pool.h, warm/share.h and warm/bind.c.
 */
#ifndef HAKMEM_WARM_WARM_POOL_SIZE_H
#define HAKMEM_WARM_WARM_POOL_SIZE_H

#include <stdbool.h>

/* Room for units, and how many stay when they are given. */
enum { WARM_POOL_MAX = 8, WARM_POOL_KEEPS = WARM_POOL_MAX };

/* Units to take from the shared pool at once, 1 to WARM_POOL_MAX, where the thread's share allows `most`. */
static inline unsigned warm_pool_prefill(bool growing, unsigned most) { return growing && most > 0 ? most : 1; }

#endif
