#include "warm/warm_pool.h"

#include "os/os.h"

struct slab *warm_pool_take(struct warm_pool *pool, unsigned prefill) {
  if (pool->count == 0) {
    pool->count = pool_take_many(pool->unit, prefill);
    if (pool->count == 0) {
      return NULL;
    }
  }
  return pool->unit[--pool->count];
}

void warm_pool_give(struct warm_pool *pool, struct slab *slab, unsigned most) {
  INVARIANT(slab->free == NULL && slab->units == 1);
  if (pool->count < most) {
    pool->unit[pool->count++] = slab;
  } else {
    pool_give(slab);
  }
}

void warm_pool_flush(struct warm_pool *pool) {
  while (pool->count > 0) {
    pool_give(pool->unit[--pool->count]);
  }
}
