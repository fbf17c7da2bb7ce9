/* probed: units of the pool, in huge pages where the program has used the last ones of their kind whole.
 *
 * Owns:     nothing; cold/density.h has the probes.
 * Promises: a probe lies in small pages, or is none.
 * Callers:  cold/large.c; WARM for slabs of several units. Any thread.
 */
#ifndef HAKMEM_COLD_PROBED_H
#define HAKMEM_COLD_PROBED_H

#include "cold/density.h"
#include "cold/superslab_find.h"

/* pool_take or pool_take_large (cold/shared_pool.h). */
typedef struct slab *units_source(unsigned units, enum use use);

/* Units of which this density tells; NULL: no memory. What leaves is told by density_left. */
struct slab *probed_take(struct density *density, unsigned units, units_source *source);

#endif
