#include "warm/bounds.h"

#include <errno.h>

#include "cold/cold.h"
#include "config/config.h"
#include "warm/process.h"
#include "warm/release.h"

void bounds_get(size_t *soft_bytes, size_t *hard_bytes) {
  *soft_bytes = (size_t)options.limit_soft;
  *hard_bytes = (size_t)options.limit;
}

void bounds_changed(void) {
  limit_charge_anyway(0); /* the pressure is that of the new limit */
  if (limit_is_set()) {
    pool_undense();
    size_t hard = (size_t)options.limit;
    if (limit_pressure_now() != 0 || (hard != 0 && counted_bytes() > hard)) {
      release_free_memory(RELEASE_ALL);
    }
  }
}

int bounds_set(size_t soft_bytes, size_t hard_bytes) {
  if (soft_bytes > LIMIT_MAX || hard_bytes > LIMIT_MAX || (hard_bytes != 0 && soft_bytes > hard_bytes)) {
    return EINVAL;
  }
  process_start(); /* the environment is read before */
  options.limit_soft = (long)soft_bytes;
  options.limit = (long)hard_bytes;
  bounds_changed();
  return 0;
}
