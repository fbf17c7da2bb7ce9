#include "secure/gate.h"

#include "secure/big.h"
#include "secure/fill.h"
#include "secure/heap_part.h"
#include "secure/state.h"
#include "secure/stop.h"
#include "warm/slab.h"
#include "warm/warm.h"

enum { GATE_SIZE_MAX = SIZE_CLASS_MAX - GATE_RESERVED_BYTES, GATE_CLASS_MIN = 1 };

/* The class of a request; the smallest class has no room for a canary and stays unused. */
static inline size_t class_of(size_t size) { return size_class_of(size + GATE_RESERVED_BYTES + (size == 0)); }

static bool tag_is_slab(page_tag tag) { return tag >> PAGE_TAG_CLASS_BITS != 0; }

/* ---- malloc ---- */

static _Noreturn COLD void stop_hand_out(const void *block, size_t size_class, block_state *state) {
  stop_slab(state_is_free(state) ? "write after free" : "double free", block, size_class);
}

static inline void *make_live(void *block, size_t stride, block_state *state) {
  state_set_live(state);
  canary_set(block, stride);
  return block;
}

/* A free block becomes a live one. */
static NOINLINE void *hand_out_whole(void *block, size_t size_class) {
  size_t stride = size_classes[size_class].stride;
  block_state *state = state_of(block, size_class);
  if (unlikely(!state_is_free(state) || !fill_whole_holds(block, stride))) {
    stop_hand_out(block, size_class, state);
  }
  return make_live(block, stride, state);
}

static inline void *hand_out(void *block, size_t size_class) {
  size_t stride = size_classes[size_class].stride;
  if (fill_is_whole(stride)) {
    return hand_out_whole(block, size_class);
  }
  block_state *state = state_of_narrow(block, size_class);
  if (unlikely(!state_is_free(state) || !fill_ends_hold(block, stride))) {
    stop_hand_out(block, size_class, state);
  }
  return make_live(block, stride, state);
}

/* What refill returns may be of the next class. */
static NOINLINE void *hand_out_refilled(void *block) {
  return block == NULL ? NULL : hand_out(block, page_tag_class(page_tag_of(block)));
}

/* A tail of the common path, so that it saves no register. */
static NOINLINE void *refill_and_hand_out(size_t size_class) { return hand_out_refilled(refill(size_class)); }

void *gate_malloc(size_t size) {
  if (unlikely(size > GATE_SIZE_MAX)) {
    return big_allocate(size, SIZE_CLASS_GRAIN);
  }
  size_t size_class = class_of(size);
  void *block = cache_pop(size_class);
  return likely(block != NULL) ? hand_out(block, size_class) : refill_and_hand_out(size_class);
}

void *gate_malloc_class(size_t size_class) {
  size_class = size_class < GATE_CLASS_MIN ? GATE_CLASS_MIN : size_class;
  void *block = cache_pop(size_class);
  return hand_out_refilled(likely(block != NULL) ? block : refill_exact(size_class));
}

void *gate_allocate_aligned(size_t size, size_t alignment, bool *zeroed) {
  *zeroed = true;
  return big_allocate(size, alignment);
}

/* ---- free ---- */

static inline bool is_whole(void *block, size_t size_class, block_state *state) {
  return place_of(block, size_class).index != PLACE_NONE && state_is_live(state) &&
         canary_holds(block, size_classes[size_class].stride);
}

/* Says why a block cannot be freed. The canary tells an address inside a live block from its start as well. */
static _Noreturn COLD void stop_free(const void *block, size_t size_class, block_state *state) {
  if (place_of(block, size_class).index == PLACE_NONE) {
    fatal_interior(block, size_class, "free");
  }
  stop_slab(state_is_live(state) ? "write past the end of a block" : "double free", block, size_class);
}

/* Another thread's block, or one freed by a thread that has no heap. */
static void free_of_another(void *block, size_t size_class) {
  size_t stride = size_classes[size_class].stride;
  block_state *state = state_of(block, size_class);
  if (unlikely(!is_whole(block, size_class, state) || !state_claim(state))) {
    stop_free(block, size_class, state);
  }
  if (fill_is_whole(stride)) {
    fill_whole(block, stride);
  } else {
    fill_ends(block, stride);
  }
  free_remote(block);
}

static NOINLINE void free_other(void *block) {
  page_tag tag = page_tag_of(block);
  if (tag_is_slab(tag)) {
    free_of_another(block, page_tag_class(tag));
  } else if (block != NULL && !big_free(block)) {
    free_remote(block); /* stops the program: it is nothing of ours */
  }
}

/* The block is clean; another one of its class leaves the quarantine. */
static inline void keep(void *block, size_t size_class) {
  void *left = quarantine_exchange(quarantine_of(thread_cache.heap), size_class, block);
  if (likely(left != NULL) && unlikely(!cache_push(size_class, left))) {
    spill(size_class, left);
  }
}

static NOINLINE void free_whole(void *block, size_t size_class) {
  block_state *state = state_of(block, size_class);
  if (unlikely(!is_whole(block, size_class, state))) {
    stop_free(block, size_class, state);
  }
  state_free(state);
  fill_whole(block, size_classes[size_class].stride);
  keep(block, size_class);
}

void gate_free(void *block) {
  size_t unit = page_unit(block);
  if (unlikely(unit >= page_map_units)) {
    free_other(block);
    return;
  }
  uint64_t size_class = page_tag_at(unit) ^ thread_cache.self;
  if (unlikely(size_class >= SIZE_CLASS_COUNT)) {
    free_other(block);
    return;
  }
  size_t stride = size_classes[size_class].stride;
  if (fill_is_whole(stride)) {
    free_whole(block, size_class);
    return;
  }
  block_state *state = state_of_narrow(block, size_class);
  if (unlikely(!is_whole(block, size_class, state))) {
    stop_free(block, size_class, state);
  }
  state_free(state);
  fill_ends(block, stride);
  keep(block, size_class);
}

/* ---- sizes ---- */

/* Whether a request of `size` is served by blocks of a class: its own, or the next, which may lend to it. */
static inline bool class_serves(size_t size_class, size_t size) {
  if (size > GATE_SIZE_MAX) {
    return false;
  }
  size_t own = class_of(size);
  return size_class == own || size_class == own + 1;
}

/* The same for a block that no slab holds: realloc shrinks it when half of it would lie idle. */
static bool big_serves(size_t usable, size_t size) {
  return size > GATE_SIZE_MAX && size <= usable && size > usable / 2;
}

static inline void check_size(const void *block, bool right, size_t size) {
  if (unlikely(!right)) {
    fatal_wrong_size(block, gate_usable_size(block, "free"), size);
  }
}

bool gate_free_sized(void *block, size_t size, bool loose) {
  (void)loose;
  page_tag tag = page_tag_of(block);
  if (likely(tag_is_slab(tag))) {
    check_size(block, class_serves(page_tag_class(tag), size), size);
  } else if (block != NULL) {
    check_size(block, big_serves(gate_usable_size(block, "free"), size), size);
  }
  gate_free(block);
  return true;
}

/* An alignment asks for the first class from that of the size on whose blocks all lie at multiples of it. */
static bool class_serves_aligned(size_t size_class, size_t alignment, size_t size) {
  if (size > GATE_SIZE_MAX) {
    return false;
  }
  size_t first = class_of(size);
  while (first < size_class && size_classes[first].stride % alignment != 0) {
    first++;
  }
  return first == size_class;
}

bool gate_free_aligned_sized(void *block, size_t alignment, size_t size) {
  page_tag tag = page_tag_of(block);
  if (tag_is_slab(tag)) {
    check_size(block, class_serves_aligned(page_tag_class(tag), alignment, size), size);
  } else if (block != NULL) {
    check_size(block, size <= gate_usable_size(block, "free"), size);
  }
  gate_free(block);
  return true;
}

size_t gate_usable_size(const void *block, const char *what) {
  page_tag tag = page_tag_of(block);
  if (likely(tag_is_slab(tag))) {
    size_t size_class = page_tag_class(tag);
    if (unlikely(place_of(block, size_class).index == PLACE_NONE)) {
      fatal_interior(block, size_class, what);
    }
    if (unlikely(!state_is_live(state_of(block, size_class)))) {
      stop_freed(what, block, size_class);
    }
    return size_classes[size_class].stride - GATE_RESERVED_BYTES;
  }
  size_t usable = big_usable_size(block, what);
  return usable != 0 ? usable : block_usable_size(block, what); /* stops the program: it is nothing of ours */
}

size_t gate_good_size(size_t size) {
  return size <= GATE_SIZE_MAX ? size_classes[class_of(size)].stride - GATE_RESERVED_BYTES : big_good_size(size);
}

bool gate_serves(const void *block, size_t usable, size_t size) {
  page_tag tag = page_tag_of(block);
  if (tag_is_slab(tag)) {
    return class_serves(page_tag_class(tag), size);
  }
  return big_serves(usable, size);
}

void *gate_resize(void *block, size_t size) {
  return !tag_is_slab(page_tag_of(block)) && size > GATE_SIZE_MAX ? big_resize(block, size) : NULL;
}
