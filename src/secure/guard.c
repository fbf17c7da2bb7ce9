#include "secure/guard.h"

#include <string.h>

#include "secure/os_secure.h"
#include "secure/state.h"

bool guard_superslab(char *start) {
  size_t guarded = (size_t)GUARD_UNITS * UNIT_BYTES;
  return state_start() && os_forbid(start + SUPERSLAB_BYTES - guarded, guarded);
}

bool guard_slab(const struct slab *slab, size_t size_class) {
  if (!slab->zero) {
    memset(slab_start(slab), 0, (size_t)slab->units << UNIT_SHIFT);
  }
  return state_map(slab_start(slab), size_class);
}
