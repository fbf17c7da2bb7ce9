#include "secure/asked.h"

#include "secure/big.h"
#include "secure/damage.h"
#include "secure/state.h"
#include "secure/stop.h"
#include "secure/zero.h"

bool asked_types;

void asked_start(void) { asked_types = options.secure_types != 0; }

/* The state of a live block of a slab; it stops the program when the block is none. */
static struct block_state *live_state(const void *block, size_t size_class, const char *what) {
  struct block_state *state = state_of(block, size_class);
  if (unlikely(place_of(block, size_class).index == PLACE_NONE)) {
    fatal_interior(block, size_class, what);
  }
  if (unlikely(!state_is_live(state))) {
    stop_freed(what, block, size_class);
  }
  return state;
}

static size_t size_of(struct block_state *state, size_t size_class) {
  return size_classes[size_class].stride - CANARY_BYTES - state_slack(state);
}

/* ---- sizes ---- */

size_t gate_usable_size(const void *block, const char *what) {
  unit_tag tag = unit_tag_of(block);
  if (likely(route_of(tag) == ROUTE_SLAB)) {
    size_t size_class = unit_tag_class(tag);
    return size_of(live_state(block, size_class, what), size_class);
  }
  if (zero_holds(block)) {
    zero_check(block, what);
    return 0;
  }
  size_t size = big_usable_size(block, what);
  return size != BIG_NONE ? size : block_usable_size(block, what); /* stops the program: it is nothing of ours */
}

size_t gate_good_size(size_t size) { return size <= GATE_SIZE_MAX || big_is_possible(size) ? size : 0; }

static _Noreturn RARE void stop_size(const void *block, size_t asked, size_t size) {
  uintptr_t unit = (uintptr_t)block & ~(uintptr_t)(UNIT_BYTES - 1);
  fatal("free with a wrong size: pointer %p, size %zu, block of %zu bytes, slab %p, thread %ld", block, size, asked,
        (void *)unit, os_thread_id()); // NOLINT(performance-no-int-to-ptr)
}

bool gate_free_sized(void *block, size_t size, bool loose) {
  (void)loose;
  if (block != NULL) {
    size_t asked = gate_usable_size(block, "free");
    if (unlikely(asked != size)) {
      stop_size(block, asked, size);
    }
    gate_free(block);
  }
  return true;
}

bool gate_free_aligned_sized(void *block, size_t alignment, size_t size) {
  if (unlikely(((uintptr_t)block & (alignment - 1)) != 0)) {
    stop_size(block, gate_usable_size(block, "free"), size);
  }
  return gate_free_sized(block, size, false);
}

/* ---- resizing ---- */

/* Writes the canary of a live block anew, with the block out of the way of who checks it. What it leaves is zero. */
static void rewrite(void *block, size_t size_class, size_t size, enum family family) {
  struct block_state *state = live_state(block, size_class, "realloc");
  size_t was = size_of(state, size_class);
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
static bool family_in_slab(const void *block, size_t size_class, enum family *family) {
  size_t size = size_of(state_of(block, size_class), size_class);
  for (*family = FAMILY_MALLOC; *family <= FAMILY_NEW_ARRAY; ++*family) {
    if (*canary_at(block, size) == canary_of(block, *family)) {
      return true;
    }
  }
  return false;
}

static void settle_in_slab(void *block, size_t size_class, size_t size) {
  enum family family;
  rewrite(block, size_class, size, family_in_slab(block, size_class, &family) ? family : FAMILY_MALLOC);
}

/* Refill may have served the request from the next class. */
static inline bool class_serves(size_t size_class, size_t size) {
  if (size - 1 >= GATE_SIZE_MAX) {
    return false;
  }
  size_t own = gate_class(size);
  return size_class == own || size_class == own + 1;
}

bool gate_serves(void *block, size_t usable, size_t size) {
  if (size == usable) {
    return true;
  }
  unit_tag tag = unit_tag_of(block);
  if (route_of(tag) != ROUTE_SLAB) {
    return !zero_holds(block) && size > GATE_SIZE_MAX && big_settle(block, size, false);
  }
  if (!class_serves(unit_tag_class(tag), size)) {
    return false;
  }
  settle_in_slab(block, unit_tag_class(tag), size);
  return true;
}

void gate_settle(void *block, size_t size) {
  unit_tag tag = unit_tag_of(block);
  if (route_of(tag) == ROUTE_SLAB) {
    settle_in_slab(block, unit_tag_class(tag), size);
  } else {
    big_settle(block, size, true);
  }
}

void *gate_resize(void *block, size_t size) {
  return route_of(unit_tag_of(block)) != ROUTE_SLAB && size > GATE_SIZE_MAX ? big_resize(block, size) : NULL;
}

/* ---- families ---- */

void asked_set_family(void *block, enum family family) {
  unit_tag tag = unit_tag_of(block);
  if (route_of(tag) == ROUTE_SLAB) {
    size_t size_class = unit_tag_class(tag);
    rewrite(block, size_class, size_of(state_of(block, size_class), size_class), family);
  } else if (zero_holds(block)) {
    zero_set_family(block, family);
  } else {
    big_set_family(block, family);
  }
}

/* What is no live block is found by the free that follows. */
static bool find_family(const void *block, enum family *family) {
  unit_tag tag = unit_tag_of(block);
  if (route_of(tag) != ROUTE_SLAB) {
    unsigned found = zero_holds(block) ? zero_family(block) : big_family(block);
    *family = (enum family)found;
    return true;
  }
  size_t size_class = unit_tag_class(tag);
  return place_of(block, size_class).index != PLACE_NONE && state_is_live(state_of(block, size_class)) &&
         family_in_slab(block, size_class, family);
}

void asked_stop_family(const void *block, enum family given, enum family taken) {
  static const char *const givers[] = {"free", "delete", "delete[]"};
  static const char *const takers[] = {"malloc", "new", "new[]"};
  fatal("%s of a block of %s: pointer %p, %zu bytes, thread %ld", givers[given], takers[taken], block,
        gate_usable_size(block, givers[given]), os_thread_id());
}

enum family asked_family(const void *block) {
  enum family family;
  return find_family(block, &family) ? family : FAMILY_MALLOC;
}

void asked_check_family(void *block, enum family family) {
  enum family found;
  if (!find_family(block, &found)) {
    return;
  }
  if (found != family) {
    asked_stop_family(block, family, found);
  }
  if (found != FAMILY_MALLOC) {
    asked_set_family(block, FAMILY_MALLOC);
  }
}
