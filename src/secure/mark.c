#include "secure/mark.h"

#include <string.h>

#include "secure/damage.h"
#include "secure/stop.h"
#include "warm/warm.h"

/* The state of a live block of a slab; it stops the program when the block is none. */
struct block_state *mark_state(const void *block, size_t size_class, const char *what) {
  struct block_state *state = state_of(block, size_class);
  if (unlikely(place_of(block, size_class).index == PLACE_NONE)) {
    fatal_interior(block, size_class, what);
  }
  if (unlikely(!state_is_live(state))) {
    stop_freed(what, block, size_class);
  }
  return state;
}

/* Writes the canary of a live block anew, with the block out of the way of who checks it. What it leaves is zero. */
void mark_anew(void *block, size_t size_class, size_t size, enum family family) {
  struct block_state *state = mark_state(block, size_class, "realloc");
  size_t was = mark_size(state, size_class);
  if (unlikely(damage_stays(block, size_class))) {
    damage_stop(block, size_class);
  }
  if (unlikely(!state_claim(state))) {
    stop_freed("realloc", block, size_class);
  }
  atomic_thread_fence(memory_order_release);
  *canary_at(block, was) = 0;
  if (size < was) {
    memset((char *)block + size, 0, was - size);
  }
  state_set_slack(state, size_classes[size_class].stride - CANARY_BYTES - size);
  *canary_at(block, size) = canary_of(block, family);
  state_kept(state);
}

/* Which family's canary a live block has; false: none's. */
bool mark_family(const void *block, size_t size_class, enum family *family) {
  size_t size = mark_size(state_of(block, size_class), size_class);
  for (*family = FAMILY_MALLOC; *family <= FAMILY_NEW_ARRAY; ++*family) {
    if (*canary_at(block, size) == canary_of(block, *family)) {
      return true;
    }
  }
  return false;
}
