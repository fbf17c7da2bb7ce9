#include "secure/checked_gate.h"

#include "secure/big.h"
#include "secure/damage.h"
#include "secure/families.h"
#include "secure/fill.h"
#include "secure/quarantine.h"
#include "secure/shared_quarantine.h"
#include "secure/state.h"
#include "secure/stop.h"

enum { GATE_CLASS_MIN = 1, SLAB_BYTES = UNIT_BYTES - SLAB_GUARD_BYTES };

/* The smallest size whose block is filled at its ends. */
enum { GATE_ENDS_MIN = FILL_ENDS_ABOVE - GATE_RESERVED_BYTES + 1 };

/* ---- malloc ---- */

static _Noreturn RARE void stop_hand_out(const void *block, size_t size_class) {
  if (state_is_free(state_of(block, size_class))) {
    damage_stop(block, size_class);
  }
  stop_slab("double free", block, size_class);
}

/* A free block becomes a live one. */
static inline void *make_live(void *block, size_t size, struct block_state *state) {
  state_leave(state);
  state_set_size(state, size);
  *canary_at(block, size) = canary_of(block, FAMILY_MALLOC);
  state_set_live(state);
  return block;
}

static inline void *hand_out_ends(void *block, size_t size_class, size_t size) {
  struct block_state *state = state_of(block, size_class);
  if (unlikely(!state_is_free(state) || !fill_ends_hold(block, size_classes[size_class].stride))) {
    stop_hand_out(block, size_class);
  }
  return make_live(block, size, state);
}

static inline void *hand_out_whole(void *block, size_t size_class, size_t size) {
  struct block_state *state = state_of(block, size_class);
  if (size > FILL_ENDS_UP_TO) {
    fill_begin(block, size_classes[size_class].stride);
  }
  if (unlikely(!state_is_free(state) || !fill_whole_holds(block, size_classes[size_class].stride))) {
    stop_hand_out(block, size_class);
  }
  return make_live(block, size, state);
}

/* What refill returns may be of the next class. */
static NOINLINE void *hand_out_refilled(void *block, size_t size) {
  if (block == NULL) {
    return NULL;
  }
  size_t size_class = unit_tag_class(unit_tag_of(block));
  return fill_class_is_whole(size_class) ? hand_out_whole(block, size_class, size)
                                         : hand_out_ends(block, size_class, size);
}

/* A tail of the common path, so that it saves no register. */
static NOINLINE void *refill_and_hand_out(size_t size_class, size_t size) {
  return hand_out_refilled(refill(size, size_class), size);
}

static NOINLINE void *malloc_big(size_t size) {
  if (size != 0) {
    return big_allocate(size, SIZE_CLASS_GRAIN);
  }
  void *block = process_start() ? empty_allocate() : NULL;
  return likely(block != NULL) ? block : refill_and_hand_out(GATE_CLASS_MIN, 0);
}

/* What fill.h fills as a whole, and what no class serves. */
static NOINLINE void *malloc_whole(size_t size) {
  if (unlikely(size - 1 >= GATE_SIZE_MAX)) {
    return malloc_big(size);
  }
  size_t size_class = size_class_of(size + GATE_RESERVED_BYTES);
  void *block = cache_pop(size_class);
  return likely(block != NULL) ? hand_out_whole(block, size_class, size) : refill_and_hand_out(size_class, size);
}

void *gate_malloc(size_t size) {
  if (size - GATE_ENDS_MIN >= fill_span.sizes) {
    return malloc_whole(size);
  }
  size_t size_class = size_class_of(size + GATE_RESERVED_BYTES);
  void *block = cache_pop(size_class);
  return likely(block != NULL) ? hand_out_ends(block, size_class, size) : refill_and_hand_out(size_class, size);
}

/* None is coalesced: all are aligned as their class is. */
void *gate_malloc_placed(size_t size_class, size_t size, size_t alignment) {
  (void)alignment;
  size_class = size_class < GATE_CLASS_MIN ? GATE_CLASS_MIN : size_class;
  void *block = cache_pop(size_class);
  return hand_out_refilled(likely(block != NULL) ? block : refill_exact(size, size_class), size);
}

void *gate_malloc_class(size_t size_class) {
  size_class = size_class < GATE_CLASS_MIN ? GATE_CLASS_MIN : size_class;
  return gate_malloc_placed(size_class, size_classes[size_class].stride - GATE_RESERVED_BYTES, 1);
}

void *gate_allocate_aligned(size_t size, size_t alignment, bool *zeroed) {
  *zeroed = true;
  return big_allocate(size, alignment);
}

void *gate_malloc_aligned(size_t size, size_t alignment) { return big_allocate(size, alignment); }

/* ---- free ---- */

static inline size_t offset_of(const void *block) { return (uintptr_t)block & (UNIT_BYTES - 1); }

/* Whether a block is live, with its canary whole. Nothing is read past the slab. */
static inline bool is_whole(const void *block, size_t stride, struct block_state *state, size_t size) {
  return likely(state_is_live(state)) && likely(offset_of(block) + stride <= SLAB_BYTES) &&
         likely(*canary_at(block, size) == canary_of(block, FAMILY_MALLOC));
}

/* Says why a block cannot be freed. The canary tells an address inside a live block from its start as well. */
static _Noreturn RARE void stop_free(const void *block, size_t size_class) {
  if (place_of(block, size_class).index == PLACE_NONE) {
    fatal_interior(block, size_class, "free");
  }
  if (!state_is_live(state_of(block, size_class))) {
    stop_slab("double free", block, size_class);
  }
  if (families_of(block) != FAMILY_MALLOC) {
    families_stop(block, FAMILY_MALLOC, families_of(block));
  }
  damage_stop(block, size_class);
}

/* Its canary as well. */
static inline void wipe_ends(void *block, size_t stride, size_t size) {
  *canary_at(block, size) = 0;
  fill_ends(block, stride);
}

static inline void wipe(void *block, size_t stride, size_t size) {
  if (fill_is_whole(stride)) {
    fill_whole(block, stride);
  } else {
    wipe_ends(block, stride, size);
  }
}

/* The last bytes of the block before: zero, or those of its canary. */
static void check_before(const char *block, size_t size_class, size_t stride) {
  if (offset_of(block) != 0 && *canary_at(block, (size_t)-CANARY_BYTES) != 0 &&
      *canary_at(block, (size_t)-CANARY_BYTES) != canary_of(block - stride, FAMILY_MALLOC)) {
    damage_before(block, size_class);
  }
}

/* What is another thread's goes to that one; what is freed without a heap may soon be used again. */
static void pass_on(void *block, size_t size_class) {
  void *left = thread_cache.heap != NULL ? block : shared_quarantine_exchange(size_class, block);
  if (left != NULL) {
    free_remote(left);
  }
}

/* Another thread's block, or one freed by a thread that has no heap. */
static void free_of_another(void *block, size_t size_class) {
  size_t stride = size_classes[size_class].stride;
  struct block_state *state = state_of(block, size_class);
  size_t size = state_size(state);
  if (unlikely(!is_whole(block, stride, state, size))) {
    stop_free(block, size_class);
  }
  check_before(block, size_class, stride);
  if (unlikely(!state_claim(state))) {
    stop_free(block, size_class);
  }
  wipe(block, stride, size);
  state_freed(state);
  pass_on(block, size_class);
}

static NOINLINE void free_other(void *block) {
  unit_tag tag = unit_tag_of(block);
  if (route_of(tag) == ROUTE_SLAB) {
    free_of_another(block, unit_tag_class(tag));
    return;
  }
  if (unlikely(families_differ) && block != NULL && families_of(block) != FAMILY_MALLOC) {
    families_stop(block, FAMILY_MALLOC, families_of(block));
  }
  if (empty_free(block)) {
    return;
  }
  if (state_is_of_a_slab(block)) {
    fatal("double free: pointer %p, of a slab that is no more, thread %ld", block, os_thread_id());
  } else if (block != NULL && !big_free(block)) {
    free_remote(block); /* stops the program: it is nothing of ours */
  }
}

/* The block is clean; another one of its class leaves the quarantine. */
static inline void keep(void *block, size_t size_class, unsigned log2) {
  void *left = quarantine_exchange(quarantine_of(thread_cache.heap), size_class, log2, block);
  if (likely(left != NULL) && unlikely(!cache_push_other(size_class, left))) {
    spill(size_class, left);
  }
}

/* What fill.h fills as a whole; and what is not right. */
static void free_own_whole(void *block, size_t size_class) {
  size_t stride = size_classes[size_class].stride;
  struct block_state *state = state_of(block, size_class);
  size_t size = state_size(state);
  if (unlikely(!is_whole(block, stride, state, size))) {
    stop_free(block, size_class);
  }
  check_before(block, size_class, stride);
  state_return(state);
  wipe(block, stride, size);
  state_free(state);
  keep(block, size_class, quarantine_log2(size_class));
}

/* A tail of the common path, so that it saves no register. */
static NOINLINE void free_slowly(void *block, size_t size_class) {
  if (likely(size_class < SIZE_CLASS_COUNT)) {
    free_own_whole(block, size_class);
  } else {
    free_other(block);
  }
}

/* What lies before the block is left to the check at exit: it would take 6 % of the time of random mixed to look
 * there. */
static inline void free_own_ends(void *block, size_t size_class) {
  size_t stride = size_classes[size_class].stride;
  struct block_state *state = state_of(block, size_class);
  size_t size = state_size(state);
  if (unlikely(!is_whole(block, stride, state, size))) {
    free_slowly(block, size_class);
    return;
  }
  state_return(state);
  wipe_ends(block, stride, size);
  state_free(state);
  keep(block, size_class, QUARANTINE_LOG2);
}

void gate_free(void *block) {
  size_t unit = window_unit(block);
  if (unlikely(unit >= window_units)) {
    free_other(block);
    return;
  }
  uint64_t size_class = unit_tag_at(unit) ^ thread_cache.self;
  if (fill_class_is_whole(size_class)) {
    free_slowly(block, size_class);
  } else {
    free_own_ends(block, size_class);
  }
}
