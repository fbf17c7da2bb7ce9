/* slab_hooks_secure: what the secure library does at cold/slab_hooks.h. The last unit of every superslab and the last
 * page of every slab are out of bounds, so that nothing reaches from one into the next; a slab that changes its class
 * is checked and zeroed, and has states. */
#include <string.h>

#include "secure/check.h"
#include "secure/fill.h"
#include "secure/guard.h"
#include "secure/os_secure.h"
#include "secure/state.h"

bool hook_superslab(char *start) {
  size_t guarded = (size_t)HOOK_GUARD_UNITS * UNIT_BYTES;
  if (!state_start(start) || !os_forbid(start + SUPERSLAB_BYTES - guarded, guarded)) {
    return false;
  }
  guard_none(start);
  return true;
}

bool hook_slab(const struct slab *slab, size_t size_class) {
  if (slab->dirty > 0) {
    memset(slab_start(slab), 0, UNIT_BYTES - SLAB_GUARD_BYTES);
  }
  guard_slab(slab_start(slab));
  return state_map(slab_start(slab), size_class);
}

/* Of larger blocks the program may use little: their pages follow when they are handed out. */
void hook_fresh(char *start, size_t bytes, size_t stride) {
  if (stride <= FILL_ENDS_UP_TO) {
    fill_begin(start, bytes);
  }
}

void hook_slab_ends(const struct slab *slab) { check_ended(slab); }
