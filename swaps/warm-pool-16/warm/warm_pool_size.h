/* Sixteen units, and as many taken at once. */
#ifndef HAKMEM_WARM_WARM_POOL_SIZE_H
#define HAKMEM_WARM_WARM_POOL_SIZE_H

#include <stdbool.h>

enum { WARM_POOL_MAX = 16, WARM_POOL_KEEPS = 16 };

static inline unsigned warm_pool_prefill(bool growing, unsigned most) { return growing && most > 0 ? most : 1; }

#endif
