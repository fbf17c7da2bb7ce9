#include "cold/superslab.h"

#include "cold/arena.h"
#include "cold/limit.h"
#include "cold/meta.h"
#include "cold/prefault.h"
#include "cold/slab_hooks.h"
#include "cold/tier_bounds.h"
#include "config/config.h"
#include "events/events.h"
#include "os/os.h"

static const size_t usable_bytes = SUPERSLAB_BYTES - HOOK_GUARD_UNITS * UNIT_BYTES;

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

/* Where the shortest run of at least so many units begins. */
static unsigned best_run(uint32_t set, unsigned units) {
  unsigned best = 0;
  unsigned best_length = UINT32_MAX;
  for (uint32_t left = set; left != 0;) {
    unsigned first = (unsigned)__builtin_ctz(left);
    uint32_t beyond = ~(left >> first);
    unsigned length = beyond == 0 ? SUPERSLAB_UNITS : (unsigned)__builtin_ctz(beyond);
    if (length >= units && length < best_length) {
      best = first;
      best_length = length;
    }
    left &= left + (left & -left); /* without its first run */
  }
  INVARIANT(best_length != UINT32_MAX);
  return best;
}

/* The first of the units to take: resident ones if there are enough. */
static unsigned choose(const struct superslab *superslab, unsigned units) {
  return best_run(runs_of(superslab->retained, units) != 0 ? superslab->retained : superslab->free, units);
}

size_t superslab_take_bytes(const struct superslab *superslab, unsigned units, bool whole) {
  whole = whole || superslab_is_dense(superslab);
  if (units == 1) {
    return whole && superslab->retained == 0 ? UNIT_BYTES : 0;
  }
  uint32_t mask = unit_mask(choose(superslab, units), units);
  uint32_t retained = superslab->retained & mask;
  uint32_t up_to_last = retained == 0 ? 0 : UINT32_MAX >> (unsigned)__builtin_clz(retained);
  uint32_t used = whole ? mask : mask & up_to_last;
  return (size_t)__builtin_popcount(used & ~retained) << UNIT_SHIFT;
}

/* ---- the first superslab ---- */

enum { CLOSED_FROM = 4 };

static const struct superslab *first_cut;
static unsigned opened = SUPERSLAB_UNITS; /* its units up to here can be used */

/* Of the first superslab a part can be used, so that a write far past a block of a small heap is a fault. The rest
 * follows with the units, by three calls in the life of a process. */
static size_t bytes_to_open(void) {
  bool is_part = first_cut == NULL && HOOK_GUARD_UNITS == 0 && !prefault_is_chosen();
  return is_part ? (size_t)CLOSED_FROM * UNIT_BYTES : SUPERSLAB_BYTES;
}

/* Single units ahead, as many again as are open; a large block as far as it reaches. False: the system refuses. */
static RARE bool open_to(const struct superslab *superslab, unsigned end, unsigned ahead) {
  unsigned to = ahead > end ? ahead : end;
  arena_tell();
  if (!os_permit(superslab->start + (size_t)opened * UNIT_BYTES, (size_t)(to - opened) * UNIT_BYTES)) {
    return false;
  }
  opened = to;
  return true;
}

static inline bool may_use(const struct superslab *superslab, unsigned unit, unsigned units) {
  unsigned end = unit + units;
  if (likely(superslab != first_cut || end <= opened)) {
    return true;
  }
  unsigned twice = 2 * opened < SUPERSLAB_UNITS ? 2 * opened : SUPERSLAB_UNITS;
  return open_to(superslab, end, units == 1 ? twice : end);
}

static bool may_be_dense(void) { return options.thp != thp_never && HOOK_GUARD_UNITS == 0; }

struct superslab *superslab_cut(bool dense) {
  char *start = arena_take();
  if (start == NULL) {
    return NULL;
  }
  size_t index = superslab_index(start);
  size_t to_open = bytes_to_open();
  bool observed = observe_superslab(window_base, window_units / SUPERSLAB_UNITS, index);
  bool usable = observed && window_cover(index) && arena_open(start, to_open);
  struct superslab *superslab = usable && superslab_records_count(index) && hook_superslab(start)
                                    ? meta_alloc(sizeof *superslab, _Alignof(struct superslab))
                                    : NULL;
  if (superslab == NULL) {
    arena_untake(start);
    return NULL;
  }
  superslab->start = start;
  superslab->free = UINT32_MAX >> HOOK_GUARD_UNITS;
  superslab->tier = TIER_OPEN;
  atomic_init(&superslab->dense, dense && may_be_dense());
  for (unsigned unit = 0; unit < SUPERSLAB_UNITS; unit++) {
    superslab->slab[unit].unit = (uint8_t)unit;
    atomic_init(&superslab->slab[unit].token, 1);
  }
  if (first_cut == NULL) {
    first_cut = superslab;
    opened = (unsigned)(to_open >> UNIT_SHIFT);
  }
  if (to_open == SUPERSLAB_BYTES) {
    arena_tell();
    arena_serve(start, superslab_is_dense(superslab));
  }
  superslab_enter(index, superslab);
  prefault(superslab->start, usable_bytes);
  return superslab;
}

bool superslab_set_dense(struct superslab *superslab, bool dense) {
  dense = dense && may_be_dense() && may_use(superslab, 0, SUPERSLAB_UNITS);
  if (dense == superslab_is_dense(superslab)) {
    return false;
  }
  if (dense && superslab->purged == UINT32_MAX) {
    os_purge(superslab->start, usable_bytes); /* or the system goes on in small pages where it was purged in parts */
  }
  atomic_store_explicit(&superslab->dense, dense, memory_order_relaxed);
  return true;
}

/* Until what was told last is what it is. */
void superslab_tell(const struct superslab *superslab) {
  bool dense;
  do {
    dense = superslab_is_dense(superslab);
    (dense ? os_advise_huge : os_advise_small)(superslab->start, usable_bytes);
  } while (dense != superslab_is_dense(superslab));
}

struct superslab *superslab_next(const struct superslab *after) {
  struct superslab *next = NULL;
  size_t index;
  size_t end;
  superslab_range(&index, &end);
  index = after == NULL ? index : superslab_index(after->start) + 1;
  for (; next == NULL && index < end; index++) {
    next = atomic_load_explicit(&window_superslabs[index], memory_order_acquire); /* another thread has just cut it */
  }
  return next;
}

/* The length by `more`, where runs begin that are so much longer; else as it was. */
static ALWAYS_INLINE unsigned longer(uint32_t *starts, uint32_t of_more, unsigned length, unsigned more) {
  uint32_t there = *starts & of_more >> length;
  *starts = there == 0 ? *starts : there;
  return there == 0 ? length : length + more;
}

unsigned superslab_longest_run(const struct superslab *superslab, enum run_kind kind) {
  uint32_t of_1 = kind == RUN_FREE ? superslab->free : superslab->retained;
  uint32_t of_2 = of_1 & of_1 >> 1; /* where runs of so many begin */
  uint32_t of_4 = of_2 & of_2 >> 2;
  uint32_t of_8 = of_4 & of_4 >> 4;
  uint32_t of_16 = of_8 & of_8 >> 8;
  if (of_1 == UINT32_MAX) {
    return SUPERSLAB_UNITS;
  }
  uint32_t starts = UINT32_MAX; /* of runs of that length */
  unsigned length = longer(&starts, of_16, 0, 16);
  length = longer(&starts, of_8, length, 8);
  length = longer(&starts, of_4, length, 4);
  length = longer(&starts, of_2, length, 2);
  return longer(&starts, of_1, length, 1);
}

static void set_head(struct superslab *superslab, unsigned first, unsigned unit, unsigned units) {
  for (unsigned i = unit; i < unit + units; i++) {
    superslab->head[i] = (uint8_t)first;
  }
}

static void mark_taken(struct superslab *superslab, unsigned first, unsigned unit, unsigned units) {
  uint32_t mask = unit_mask(unit, units);
  superslab->free &= ~mask;
  superslab->retained &= ~mask;
  superslab->purged &= ~mask;
  set_head(superslab, first, unit, units);
}

struct slab *superslab_take(struct superslab *superslab, unsigned units) {
  unsigned unit = choose(superslab, units);
  struct slab *slab = &superslab->slab[unit];
  if (!may_use(superslab, unit, units)) {
    return NULL;
  }
  uint32_t retained = (superslab->retained & unit_mask(unit, units)) >> unit;
  slab->dirty = retained == 0 ? 0 : (uint8_t)(SUPERSLAB_UNITS - (unsigned)__builtin_clz(retained));
  slab->units = (uint8_t)units;
  mark_taken(superslab, unit, unit, units);
  return slab;
}

bool superslab_extend(struct superslab *superslab, struct slab *slab, unsigned units) {
  unsigned next = (unsigned)slab->unit + slab->units;
  if (next + units > SUPERSLAB_UNITS || (~superslab->free & unit_mask(next, units)) != 0 ||
      !may_use(superslab, next, units)) {
    return false;
  }
  mark_taken(superslab, slab->unit, next, units);
  slab->units = (uint8_t)(slab->units + units);
  return true;
}

static void set_units(struct slab *run, unsigned units) {
  run->units = (uint8_t)units;
  run->dirty = (uint8_t)units;
}

struct slab *superslab_split(struct slab *run, unsigned units) {
  struct slab *rest = run + units;
  set_units(rest, run->units - units);
  set_head(superslab_of_slab(run), rest->unit, rest->unit, rest->units);
  set_units(run, units);
  return rest;
}

void superslab_join(struct slab *run, const struct slab *next) {
  set_units(run, run->units + (unsigned)next->units);
  set_head(superslab_of_slab(run), run->unit, next->unit, next->units);
}

void superslab_give(struct superslab *superslab, unsigned unit, unsigned units, unsigned dirty) {
  uint32_t mask = unit_mask(unit, units);
  INVARIANT((superslab->free & mask) == 0 && dirty <= units);
  superslab->retained |= dirty == 0 ? 0 : unit_mask(unit, dirty);
  atomic_signal_fence(memory_order_seq_cst); /* never free and not retained: that would be UNUSED, and zero */
  superslab->free |= mask;
}

void superslab_mend(struct superslab *superslab) {
  superslab->retained = (superslab->retained & superslab->free) | superslab->purging;
  superslab->purged &= superslab->free & ~superslab->retained;
  superslab->free |= superslab->purging;
  superslab->purging = 0;
}

enum tier superslab_tier(const struct superslab *superslab, bool given) {
  unsigned used = SUPERSLAB_UNITS - HOOK_GUARD_UNITS - (unsigned)__builtin_popcount(superslab->free);
  if (given) {
    return used == 0 ? TIER_FREE : used <= TIER_DRAINING_AT ? TIER_DRAINING : (enum tier)superslab->tier;
  }
  return superslab->tier == TIER_DRAINING && used < TIER_OPEN_AGAIN_AT ? TIER_DRAINING : TIER_OPEN;
}
