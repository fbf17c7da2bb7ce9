/* Four units are kept, and one is taken at a time. */
#ifndef HAKMEM_WARM_WARM_POOL_SIZE_H
#define HAKMEM_WARM_WARM_POOL_SIZE_H

#include <stdbool.h>

enum { WARM_POOL_MAX = 4, WARM_POOL_KEEPS = 4 };

static inline unsigned warm_pool_prefill(bool growing, unsigned most) {
  (void)growing;
  (void)most;
  return 1;
}

#endif
