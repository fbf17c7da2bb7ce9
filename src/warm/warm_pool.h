/* warm_pool: units that a heap has taken and that no slab is bound to.
 *
 * Owns:     up to WARM_POOL_MAX single units taken from the shared pool.
 * Promises: only whole, empty units enter, so a full slab can never be handed out again; a heap that grows takes
 *           several units under one lock (prefill), a small one takes just the unit it needs.
 * Callers:  WARM, on the thread that has the heap.
 */
#ifndef HAKMEM_WARM_WARM_POOL_H
#define HAKMEM_WARM_WARM_POOL_H

#include "cold/cold.h"
#include "warm/warm_pool_size.h"

struct warm_pool {
  struct slab *unit[WARM_POOL_MAX];
  unsigned count;
};

/* A unit for a new slab; takes up to `prefill` (1 to WARM_POOL_MAX) from the shared pool when the pool is empty.
 * NULL: none. */
struct slab *warm_pool_take(struct warm_pool *pool, unsigned prefill);

/* Takes an unbound unit back, or passes it on when the pool holds `most` (0 to WARM_POOL_MAX). */
void warm_pool_give(struct warm_pool *pool, struct slab *slab, unsigned most);

void warm_pool_flush(struct warm_pool *pool);

#endif
