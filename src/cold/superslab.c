#include "cold/superslab.h"

#include "cold/guard.h"
#include "cold/meta.h"
#include "cold/prefault.h"
#include "observe/events.h"
#include "os/fatal.h"

static uint32_t unit_mask(unsigned unit, unsigned units) {
  uint32_t run = units == SUPERSLAB_UNITS ? UINT32_MAX : (UINT32_C(1) << units) - 1;
  return run << unit;
}

/* Bit i of the result: units i to i + units - 1 are all set in `set`. */
static uint32_t runs_of(uint32_t set, unsigned units) {
  uint32_t starts = set;
  for (unsigned have = 1; have < units && starts != 0;) {
    unsigned step = units - have < have ? units - have : have;
    starts &= starts >> step;
    have += step;
  }
  return starts;
}

static _Atomic size_t range_first = SIZE_MAX, range_end;

struct superslab *superslab_cut(void) {
  char *start = arena_take();
  if (start == NULL) {
    return NULL;
  }
  size_t index = ((uintptr_t)start - page_map_base) >> SUPERSLAB_SHIFT;
  bool observed = observe_superslab(page_map_base, page_map_units / SUPERSLAB_UNITS, index);
  struct superslab *superslab =
      observed && guard_superslab(start) ? meta_alloc(sizeof *superslab, _Alignof(struct superslab)) : NULL;
  if (superslab == NULL) {
    arena_untake(start);
    return NULL;
  }
  superslab->start = start;
  superslab->free = UINT32_MAX >> GUARD_UNITS;
  superslab->tier = TIER_HOT;
  for (unsigned unit = 0; unit < SUPERSLAB_UNITS; unit++) {
    superslab->slab[unit].unit = (uint8_t)unit;
    atomic_init(&superslab->slab[unit].published, 1);
  }
  atomic_store_explicit(&page_map_superslab[index], superslab, memory_order_relaxed);
  range_first = index < range_first ? index : range_first;
  range_end = index >= range_end ? index + 1 : range_end;
  prefault(superslab->start, SUPERSLAB_BYTES - GUARD_UNITS * UNIT_BYTES);
  return superslab;
}

void superslab_range(size_t *first, size_t *end) {
  *first = range_first;
  *end = range_end;
}

unsigned superslab_longest_run(const struct superslab *superslab) {
  unsigned low = 0;
  unsigned high = SUPERSLAB_UNITS;
  while (low < high) {
    unsigned middle = (low + high + 1) / 2;
    if (runs_of(superslab->free, middle) != 0) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

static void mark_taken(struct superslab *superslab, unsigned first, unsigned unit, unsigned units) {
  uint32_t mask = unit_mask(unit, units);
  superslab->free &= ~mask;
  superslab->empty &= ~mask;
  superslab->purged &= ~mask;
  for (unsigned i = unit; i < unit + units; i++) {
    superslab->head[i] = (uint8_t)first;
  }
}

struct slab *superslab_take(struct superslab *superslab, unsigned units) {
  uint32_t starts = runs_of(superslab->empty, units);
  if (starts == 0) {
    starts = runs_of(superslab->free, units);
  }
  INVARIANT(starts != 0);
  unsigned unit = (unsigned)__builtin_ctz(starts);
  struct slab *slab = &superslab->slab[unit];
  slab->zero = (superslab->empty & unit_mask(unit, units)) == 0;
  slab->units = (uint8_t)units;
  mark_taken(superslab, unit, unit, units);
  return slab;
}

bool superslab_extend(struct superslab *superslab, struct slab *slab, unsigned units) {
  unsigned next = (unsigned)slab->unit + slab->units;
  if (next + units > SUPERSLAB_UNITS || (~superslab->free & unit_mask(next, units)) != 0) {
    return false;
  }
  mark_taken(superslab, slab->unit, next, units);
  slab->units = (uint8_t)(slab->units + units);
  return true;
}

void superslab_give(struct superslab *superslab, unsigned unit, unsigned units) {
  uint32_t mask = unit_mask(unit, units);
  INVARIANT((superslab->free & mask) == 0);
  superslab->free |= mask;
  superslab->empty |= mask;
}

enum tier superslab_tier(const struct superslab *superslab, bool given) {
  unsigned used = SUPERSLAB_UNITS - GUARD_UNITS - (unsigned)__builtin_popcount(superslab->free);
  if (given) {
    return used == 0 ? TIER_FREE : used <= TIER_DRAINING_AT ? TIER_DRAINING : (enum tier)superslab->tier;
  }
  return superslab->tier == TIER_DRAINING && used < TIER_HOT_AGAIN_AT ? TIER_DRAINING : TIER_HOT;
}

bool superslab_is_valid(const struct superslab *superslab) {
  return (superslab->empty & ~superslab->free) == 0 && (superslab->purged & superslab->empty) == 0 &&
         superslab->tier < TIER_COUNT && ((uintptr_t)superslab->start & (SUPERSLAB_BYTES - 1)) == 0;
}
