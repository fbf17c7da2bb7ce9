#include "cold/shared_pool.h"

#include "cold/arena.h"
#include "cold/huge_cost.h"
#include "cold/limit.h"
#include "cold/meta.h"
#include "cold/pool_parts.h"
#include "cold/residency.h"
#include "cold/slab_hooks.h"
#include "cold/superslab_find.h"
#include "events/events.h"
#include "os/os.h"

/* Of a part, under its lock. */
struct taken_figures {
  size_t slabs, slabs_recycled, larges;
};

EACH_PART(struct taken_figures, taken_figures_of)

/* The state of a superslab's units before some are taken. */
struct unit_sets {
  uint64_t free, retained, purged;
};

static struct unit_sets unit_sets_of(const struct superslab *superslab) {
  return (struct unit_sets){superslab->free, superslab->retained, superslab->purged};
}

/* Tells retain what has been taken since `before`; true when some of it had been in use earlier. */
static bool account_taken(const struct superslab *superslab, struct unit_sets before) {
  uint64_t taken = before.free & ~superslab->free;
  residency_activate(HOLDER_POOL, bytes_of_units(taken & ~before.retained), bytes_of_units(taken & before.retained));
  if ((taken & before.purged) != 0) {
    residency_faulted_back(bytes_of_units(taken & before.purged));
  }
  return (taken & (before.retained | before.purged)) != 0;
}

/* A slab; NULL: no memory. `comes_huge`: its first touch takes a huge page from the system. */
struct taken {
  struct slab *slab;
  bool comes_huge;
};

static struct taken take_locked(unsigned part, unsigned units, bool counted, enum use use) {
  const struct taken none = {NULL, false};
  struct superslab_found found = find_superslab(part, units, use);
  if (found.superslab == NULL && use == USE_SMALL) {
    found = find_superslab(part, units, USE_PARTS);
  }
  struct superslab *superslab = found.superslab;
  size_t bytes = superslab == NULL ? 0 : superslab_take_bytes(superslab, units, !counted);
  if (superslab == NULL || !limit_charge(bytes)) {
    return none;
  }
  struct unit_sets before = unit_sets_of(superslab);
  unsigned tier = superslab->tier;
  struct slab *slab = superslab_take(superslab, units);
  if (slab == NULL) {
    limit_uncharge(bytes);
    return none;
  }
  if (superslab_is_dense(superslab)) {
    slab->dirty = counted ? (uint8_t)units : slab->dirty; /* the first touch makes all of a huge page resident */
  }
  lists_place(superslab, false);
  observe_tier(tier, superslab->tier);
  bool recycled = account_taken(superslab, before);
  struct taken_figures *figures = taken_figures_of(part);
  figures->slabs += counted;
  figures->larges += !counted;
  figures->slabs_recycled += counted && recycled;
  return (struct taken){slab, found.comes_huge};
}

/* What follows a taking, without the lock. */
static void settle_taken(struct taken taken) {
  if (taken.comes_huge) {
    huge_cost_try(slab_start(taken.slab));
  }
  residency_settle();
}

static struct slab *take(unsigned units, bool counted, enum use use) {
  unsigned part = parts_own();
  pool_lock(part);
  parts_look(part);
  struct taken taken = take_locked(part, units, counted, use);
  pool_unlock(part);
  settle_taken(taken);
  return taken.slab;
}

struct slab *pool_take(unsigned units) {
  return take(units, true, units == 1 ? USE_WHOLE : USE_PARTS); /* a wide slab's blocks are handed out one by one */
}

struct slab *pool_take_large(unsigned units, enum use use) {
  return take(units, false, use);
}

unsigned pool_take_many(struct slab **slabs, unsigned count) {
  unsigned had = 0;
  struct taken huge = {NULL, false};
  unsigned part = parts_own();
  pool_lock(part);
  parts_look(part);
  for (struct taken taken; had < count && (taken = take_locked(part, 1, true, USE_WHOLE)).slab != NULL; had++) {
    slabs[had] = taken.slab;
    huge = taken.comes_huge ? taken : huge;
  }
  pool_unlock(part);
  settle_taken(huge);
  return had;
}

static void give_units(struct superslab *superslab, unsigned unit, unsigned units, unsigned dirty) {
  uint64_t now = os_milliseconds();
  pool_lock_of(superslab);
  unsigned tier = superslab->tier;
  superslab_give(superslab, unit, units, dirty);
  superslab->retained_at = now;
  lists_place(superslab, true);
  observe_tier(tier, superslab->tier);
  residency_deactivate(HOLDER_POOL, (size_t)dirty << UNIT_SHIFT);
  residency_drop(HOLDER_POOL, (size_t)(units - dirty) << UNIT_SHIFT);
  pool_unlock_of(superslab);
  residency_settle();
}

void pool_give(struct slab *slab) { give_units(superslab_of_slab(slab), slab->unit, slab->units, slab->dirty); }

bool pool_extend(struct slab *slab, unsigned units) {
  struct superslab *superslab = superslab_of_slab(slab);
  pool_lock_of(superslab);
  struct unit_sets before = unit_sets_of(superslab);
  unsigned tier = superslab->tier;
  bool extended = superslab_extend(superslab, slab, units);
  if (extended && !limit_charge(bytes_of_units(before.free & ~superslab->free & ~before.retained))) {
    superslab->free = before.free;
    superslab->retained = before.retained;
    superslab->purged = before.purged;
    slab->units = (uint8_t)(slab->units - units);
    extended = false;
  }
  lists_place(superslab, false); /* in any case: a block that cannot grow here leaves its units soon */
  observe_tier(tier, superslab->tier);
  if (extended) {
    account_taken(superslab, before);
  }
  pool_unlock_of(superslab);
  residency_settle(); /* as after every taking: what is retained must not raise the peak */
  return extended;
}

void pool_shrink(struct slab *slab, unsigned units) {
  unsigned keep = slab->units - units;
  slab->units = (uint8_t)keep;
  give_units(superslab_of_slab(slab), slab->unit + keep, units, units);
}

void *pool_meta_alloc(size_t bytes, size_t alignment) {
  void *piece = meta_alloc(bytes, alignment);
  if (likely(piece != NULL)) {
    return piece;
  }
  if (!meta_is_short(bytes)) { /* the limit refused, or another thread has just donated */
    return meta_alloc(bytes, alignment);
  }
  struct slab *slab = pool_take(1);
  if (slab == NULL) {
    return NULL;
  }
  if (slab->dirty == 0 && !limit_charge(UNIT_BYTES)) {
    pool_give(slab);
    return NULL;
  }
  slab->dirty = 1;
  meta_donate(slab_start(slab), UNIT_BYTES - SLAB_GUARD_BYTES);
  return meta_alloc(bytes, alignment);
}

struct pool_figures pool_figures(void) {
  struct pool_figures figures = {0};
  for (unsigned part = 0; part < parts_count(); part++) {
    const struct list_figures *lists = list_figures_of(part);
    const struct taken_figures *taken = taken_figures_of(part);
    pool_lock(part);
    figures.arenas = part == 0 ? arena_count() : figures.arenas;
    figures.superslabs += lists->superslabs;
    figures.slabs_taken += taken->slabs;
    figures.larges_taken += taken->larges;
    figures.slabs_recycled += taken->slabs_recycled;
    for (enum tier tier = TIER_OPEN; tier < TIER_COUNT; tier++) {
      figures.tier[tier] += lists->tier[tier];
    }
    pool_unlock(part);
  }
  return figures;
}

struct pool_units pool_units(void) {
  struct pool_units units = {0};
  const struct superslab *superslab = NULL;
  while ((superslab = superslab_next(superslab)) != NULL) {
    pool_lock_of(superslab);
    if (!superslab->unmapped) {
      unsigned free_units = (unsigned)__builtin_popcountll(superslab->free);
      unsigned retained = (unsigned)__builtin_popcountll(superslab->retained);
      units.unused += free_units - retained;
      units.empty += retained;
      units.active += SUPERSLAB_UNITS - HOOK_GUARD_UNITS - free_units;
    }
    pool_unlock_of(superslab);
  }
  return units;
}

struct lock_counts pool_lock_counts(void) {
  struct lock_counts counts = {0};
  for (unsigned part = 0; part < parts_count(); part++) {
    struct lock_counts more = lock_counts(LOCK_POOL + part);
    counts.taken += more.taken;
    counts.waited += more.waited;
  }
  return counts;
}

bool pool_is_valid(void) {
  bool valid = true;
  for (unsigned part = 0; part < parts_count(); part++) {
    pool_lock(part);
    valid = valid && lists_are_valid(part);
    pool_unlock(part);
  }
  return valid;
}
