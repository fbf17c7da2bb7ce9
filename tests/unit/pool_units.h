/* pool_units: what the tests of the shared pool do with its units. */
#ifndef HAKMEM_TESTS_UNIT_POOL_UNITS_H
#define HAKMEM_TESTS_UNIT_POOL_UNITS_H

#include <string.h>

#include "cold/shared_pool.h"
#include "config/config.h"
#include "unit/unit.h"

enum { ALL = SUPERSLAB_UNITS };

/* Gives back what has been used. */
static inline void give(struct slab *slab) {
  slab->dirty = slab->units;
  pool_give(slab);
}

static inline void retain_all(void) { option_set("retain_kib", 1 << 30); }

/* A superslab of which `used` units are in use and the others RETAINED. */
static inline struct superslab *make(unsigned used) {
  struct slab *slab = pool_take(ALL, USE_PARTS);
  struct superslab *superslab = superslab_of_slab(slab);
  memset(slab_start(slab), 0xEE, SUPERSLAB_BYTES);
  if (used == 0) {
    give(slab);
  } else if (used < ALL) {
    pool_shrink(slab, ALL - used);
  }
  return superslab;
}

/* So that every superslab with room is the test's own. */
static inline void fill_what_is_there(void) {
  size_t before = pool_figures().superslabs;
  while (pool_figures().superslabs == before) {
    ASSERT_NE(pool_take(1, USE_WHOLE), NULL);
  }
  ASSERT_NE(pool_take(ALL - 1, USE_PARTS), NULL);
  ASSERT_EQ(pool_figures().superslabs, before + 1);
}

/* A superslab with `free` units that nobody has used, in huge pages or not. */
static inline struct superslab *make_dense(unsigned free_units, bool dense) {
  struct slab *slab = pool_take(ALL, USE_PARTS);
  struct superslab *superslab = superslab_of_slab(slab);
  pool_lock(0);
  bool changed = superslab_set_dense(superslab, dense);
  lists_place(superslab, false);
  pool_unlock(0);
  if (changed) {
    superslab_tell(superslab);
  }
  if (free_units > 0) {
    pool_shrink(slab, free_units);
  }
  return superslab;
}

#endif
