/* pool_units: what the tests of the shared pool do with its units. */
#ifndef HAKMEM_TESTS_UNIT_POOL_UNITS_H
#define HAKMEM_TESTS_UNIT_POOL_UNITS_H

#include "cold/shared_pool.h"

enum { ALL = SUPERSLAB_UNITS };

/* Gives back what has been used. */
static inline void give(struct slab *slab) {
  slab->dirty = slab->units;
  pool_give(slab);
}

#endif
