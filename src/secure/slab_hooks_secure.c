/* slab_hooks_secure: what the secure library does at cold/slab_hooks.h. The last unit of every superslab is out of
 * bounds, so that nothing reaches from one superslab into the next; a slab that changes its class is zeroed, and has
 * states. */
#include <string.h>

#include "secure/os_secure.h"
#include "secure/state.h"

bool hook_superslab(char *start) {
  size_t guarded = (size_t)HOOK_GUARD_UNITS * UNIT_BYTES;
  return state_start() && os_forbid(start + SUPERSLAB_BYTES - guarded, guarded);
}

bool hook_slab(const struct slab *slab, size_t size_class) {
  memset(slab_start(slab), 0, (size_t)slab->dirty << UNIT_SHIFT);
  return state_map(slab_start(slab), size_class);
}
