#include "secure/state.h"

#include "os/os.h"

/* 64 states fill two cache lines; class 0 has the most blocks. */
enum { LOG2_MIN = 6, LOG2_MAX = 13 };

_Atomic(block_state *) *state_units;

/* Of each unit: one more than the logarithm of the number of its states; 0: it has none. */
static uint8_t *unit_sizes;

bool state_start(void) {
  if (state_units == NULL) {
    size_t pointers = os_page_ceil(window_units * sizeof *state_units);
    char *table = os_map(NULL, pointers + os_page_ceil(window_units));
    if (table != NULL) { /* the sizes first: the states say that both are there */
      unit_sizes = (uint8_t *)table + pointers;
      state_units = (_Atomic(block_state *) *)(void *)table;
    }
  }
  return state_units != NULL;
}

/* A unit keeps its states when it changes its class and only ever gets more of them, twice as many at least, so that
 * what it had before is no more than what it has. */
bool state_map(const char *slab_start, size_t size_class) {
  size_t unit = window_unit(slab_start);
  unsigned log2 = LOG2_MAX;
  while (log2 > LOG2_MIN && size_classes[size_class].capacity <= 1U << (log2 - 1)) {
    log2--;
  }
  if (unit_sizes[unit] > log2) {
    return true;
  }
  block_state *states = pool_meta_alloc(sizeof(block_state) << log2, _Alignof(max_align_t));
  if (states == NULL) {
    return false;
  }
  atomic_store_explicit(&state_units[unit], states, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst); /* a child of fork() finds states of this size, or makes them again */
  unit_sizes[unit] = (uint8_t)(log2 + 1);
  return true;
}

block_state *state_of(const void *block, size_t size_class) {
  size_t unit = window_unit(block);
  size_t within = size_classes[size_class].units == 1
                      ? 0
                      : unit % SUPERSLAB_UNITS - superslab_of(block)->head[unit % SUPERSLAB_UNITS];
  size_t offset = ((uintptr_t)block & (UNIT_BYTES - 1)) + (within << UNIT_SHIFT);
  block_state *states = atomic_load_explicit(&state_units[unit - within], memory_order_relaxed);
  return states + (offset * size_classes[size_class].reciprocal >> 40);
}
