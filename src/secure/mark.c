#include "secure/mark.h"

#include <string.h>

#include "secure/damage.h"
#include "secure/stop.h"
#include "warm/warm.h"

struct block_state *mark_state(const void *block, size_t size_class, const char *what) {
  struct block_state *state = state_of(block, size_class);
  if (unlikely(place_of(block, size_class).index == PLACE_NONE)) {
    fatal_interior(block, size_class, what);
  }
  if (unlikely(!state_is_live(state))) {
    fatal_freed(block, size_class, what);
  }
  return state;
}

/* The block is out of the way of who checks it meanwhile. */
void mark_anew(void *block, size_t size_class, size_t size, enum family family) {
  struct block_state *state = mark_state(block, size_class, "realloc");
  size_t was = state_size(state);
  if (unlikely(damage_stays(block, size_class))) {
    damage_stop(block, size_class);
  }
  if (unlikely(!state_claim(state))) {
    fatal_freed(block, size_class, "realloc");
  }
  atomic_thread_fence(memory_order_release);
  *canary_at(block, was) = 0;
  if (size < was) {
    memset((char *)block + size, 0, was - size);
  }
  state_set_size(state, size);
  *canary_at(block, size) = canary_of(block, family);
  state_kept(state);
}

bool mark_family(const void *block, size_t size_class, enum family *family) {
  size_t size = state_size(state_of(block, size_class));
  for (*family = FAMILY_MALLOC; *family <= FAMILY_NEW_ARRAY; ++*family) {
    if (*canary_at(block, size) == canary_of(block, *family)) {
      return true;
    }
  }
  return false;
}
