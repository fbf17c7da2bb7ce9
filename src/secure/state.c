#include "secure/state.h"

#include "os/os.h"

/* 16 states fill a cache line; class 0 has the most blocks. */
enum { LOG2_MIN = 4, LOG2_MAX = 13 };

_Atomic(struct block_state *) *state_units;

/* Of each unit: one more than the logarithm of the number of its states; 0: it has none. */
static uint8_t *unit_sizes;

static _Atomic uint32_t *guards;

static struct window_table tables[] = {{.entry_bytes = SUPERSLAB_UNITS * sizeof *state_units},
                                       {.entry_bytes = SUPERSLAB_UNITS * sizeof *unit_sizes},
                                       {.entry_bytes = sizeof *guards}};

enum { TABLES = sizeof tables / sizeof *tables };

static bool map_tables(void) {
  size_t bytes = 0;
  for (size_t i = 0; i < TABLES; i++) {
    tables[i].entries = (uint32_t)(window_units / SUPERSLAB_UNITS);
    bytes += window_table_bytes(&tables[i]);
  }
  char *start = os_reserve(NULL, bytes, OS_READABLE);
  if (start == NULL) {
    return false;
  }
  for (size_t i = 0; i < TABLES; start += window_table_bytes(&tables[i++])) {
    tables[i].start = start;
  }
  unit_sizes = (uint8_t *)tables[1].start;
  guards = (_Atomic uint32_t *)(void *)tables[2].start;
  state_units = (_Atomic(struct block_state *) *)(void *)tables[0].start; /* last: it says that all are there */
  return true;
}

bool state_start(const char *superslab_start) {
  bool opened = state_units != NULL || map_tables();
  for (size_t i = 0; opened && i < TABLES; i++) {
    opened = window_table_open(&tables[i], window_unit(superslab_start) / SUPERSLAB_UNITS);
  }
  return opened;
}

/* A unit keeps its states when it changes its class and only ever gets more of them, twice as many at least, so that
 * what it had before is no more than what it has. Every address of the unit has one. */
bool state_map(const char *slab_start, size_t size_class) {
  size_t unit = window_unit(slab_start);
  size_t states_needed = (UNIT_BYTES - 1) / size_classes[size_class].stride + 1;
  unsigned log2 = LOG2_MAX;
  while (log2 > LOG2_MIN && states_needed <= 1U << (log2 - 1)) {
    log2--;
  }
  if (unit_sizes[unit] > log2) {
    return true;
  }
  struct block_state *states = pool_meta_alloc(sizeof(struct block_state) << log2, _Alignof(max_align_t));
  if (states == NULL) {
    return false;
  }
  atomic_store_explicit(&state_units[unit], states, memory_order_relaxed);
  atomic_signal_fence(memory_order_seq_cst); /* a child of fork() finds states of this size, or makes them again */
  unit_sizes[unit] = (uint8_t)(log2 + 1);
  return true;
}

_Atomic uint32_t *state_guards(const char *superslab_start) {
  return &guards[window_unit(superslab_start) / SUPERSLAB_UNITS];
}
