#include "secure/asked.h"

#include "secure/big.h"
#include "secure/mark.h"

/* ---- sizes ---- */

size_t gate_usable_size(const void *block, const char *what) {
  unit_tag tag = unit_tag_of(block);
  if (likely(route_of(tag) == ROUTE_SLAB)) {
    size_t size_class = unit_tag_class(tag);
    return state_size(mark_state(block, size_class, what));
  }
  if (empty_is_live(block, what)) {
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

static void settle_in_slab(void *block, size_t size_class, size_t size) {
  enum family family;
  mark_anew(block, size_class, size, mark_family(block, size_class, &family) ? family : FAMILY_MALLOC);
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
    return !empty_holds(block) && size > GATE_SIZE_MAX && big_settle(block, size, false);
  }
  if (!class_serves(unit_tag_class(tag), size)) {
    return false;
  }
  settle_in_slab(block, unit_tag_class(tag), size);
  return true;
}

/* What fill.h does not zero of a freed block; the memory of a big one goes back to the system. */
void gate_forget(void *block, size_t usable) {
  if (route_of(unit_tag_of(block)) == ROUTE_SLAB) {
    memset(block, 0, usable);
  }
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
