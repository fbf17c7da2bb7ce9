#include "secure/damage.h"

#include "secure/canary.h"
#include "secure/fill.h"
#include "secure/os_secure.h"
#include "secure/state.h"
#include "secure/stop.h"

enum { LOOKS = 3 };

/* Where types are not checked all blocks are of one family. */
static bool is_canary(const void *block, size_t stride, size_t size) {
  for (enum family family = FAMILY_MALLOC; family <= FAMILY_NEW_ARRAY; family++) {
    uint64_t value = canary_of(block, family);
    if (*canary_at(block, size) == value &&
        *canary_at(block, stride - CANARY_BYTES) == canary_end(value, stride - CANARY_BYTES - size)) {
      return true;
    }
  }
  return false;
}

bool damage_is_there(const void *block, size_t size_class) {
  size_t stride = size_classes[size_class].stride;
  struct block_state *state = state_of(block, size_class);
  uint16_t before = state_now(state);
  bool whole = true;
  if (before == STATE_LIVE) {
    size_t size = state_size(state);
    whole = size <= stride - CANARY_BYTES && is_canary(block, stride, size);
  } else if (state_says_free(before)) {
    whole = fill_holds(block, stride);
  }
  if (likely(whole)) {
    return false;
  }
  atomic_thread_fence(memory_order_acquire);
  return state_now(state) == before && unit_tag_class(unit_tag_of(block)) == size_class;
}

bool damage_stays(const void *block, size_t size_class) {
  for (int look = 0; look < LOOKS; look++) {
    if (!damage_is_there(block, size_class)) {
      return false;
    }
    os_yield();
  }
  return true;
}

/* What is wrong behind a live block: bytes of its canary, and others that are not zero as they were filled. */
static struct damage of_canary(const void *block, size_t stride, size_t size, enum family family) {
  const unsigned char *bytes = block;
  uint64_t value = canary_of(block, family);
  struct damage damage = {0, 0};
  for (size_t at = size; at < stride; at++) {
    size_t index = at - size;
    unsigned char right = index < CANARY_BYTES ? (unsigned char)(value >> 8 * index) : 0;
    if (bytes[at] != right && (index < CANARY_BYTES || fill_covers(at, stride))) {
      damage.from = damage.count == 0 ? (ptrdiff_t)at : damage.from;
      damage.count++;
    }
  }
  return damage;
}

/* Of the family whose canary is there for the most part. */
static struct damage behind(const void *block, size_t stride, size_t size) {
  struct damage least = of_canary(block, stride, size, FAMILY_MALLOC);
  for (enum family family = FAMILY_NEW; family <= FAMILY_NEW_ARRAY; family++) {
    struct damage damage = of_canary(block, stride, size, family);
    least = damage.count < least.count ? damage : least;
  }
  return least;
}

static struct damage of_fill(const void *block, size_t stride) {
  const unsigned char *bytes = block;
  struct damage damage = {0, 0};
  for (size_t at = 0; at < stride; at++) {
    if (bytes[at] != 0 && fill_covers(at, stride)) {
      damage.from = damage.count == 0 ? (ptrdiff_t)at : damage.from;
      damage.count++;
    }
  }
  return damage;
}

/* The last bytes alone were written, and the next block is live: it was that one's doing. */
static bool is_before_next(const char *block, size_t size_class, struct damage damage, size_t first) {
  size_t stride = size_classes[size_class].stride;
  size_t next = ((uintptr_t)block & (UNIT_BYTES - 1)) + stride;
  return damage.from > (ptrdiff_t)first && damage.from + (ptrdiff_t)damage.count == (ptrdiff_t)stride &&
         next + stride <= UNIT_BYTES - SLAB_GUARD_BYTES && state_is_live(state_of(block + stride, size_class));
}

void damage_stop(const void *block, size_t size_class) {
  size_t stride = size_classes[size_class].stride;
  bool live = state_is_live(state_of(block, size_class));
  size_t size = live ? state_size(state_of(block, size_class)) : 0;
  struct damage damage = live ? behind(block, stride, size) : of_fill(block, stride);
  if (is_before_next(block, size_class, damage, size)) {
    damage.from = -(ptrdiff_t)damage.count;
    stop_damaged("write before the start of a block", (const char *)block + stride, size_class, damage);
  }
  stop_damaged(live ? "write past the end of a block" : "write after free", block, size_class, damage);
}

void damage_before(const void *block, size_t size_class) {
  const char *before = (const char *)block - size_classes[size_class].stride;
  if (damage_stays(before, size_class)) {
    damage_stop(before, size_class);
  }
}
