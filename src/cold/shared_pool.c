#include "cold/shared_pool.h"

#include "cold/arena.h"
#include "cold/huge_cost.h"
#include "cold/limit.h"
#include "cold/meta.h"
#include "cold/pool_parts.h"
#include "cold/residency.h"
#include "cold/slab_hooks.h"
#include "cold/superslab_bins.h"
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
  uint32_t free, retained, purged;
};

static struct unit_sets unit_sets_of(const struct superslab *superslab) {
  return (struct unit_sets){superslab->free, superslab->retained, superslab->purged};
}

/* What a taking changes in figures that all threads share: bytes that were not resident, or were; of the former, what
 * was once; and a slab whose first touch takes a huge page from the system. */
struct account {
  size_t fresh, reused, purged;
  const struct slab *huge;
};

/* So many units have been taken since `before`; true when some of them had been in use earlier. */
static NOINLINE bool account_for(struct account *account, const struct superslab *superslab, unsigned units,
                                 struct unit_sets before) {
  uint32_t taken = before.free & ~superslab->free;
  size_t reused = bytes_of_units(taken & before.retained);
  account->fresh += ((size_t)units << UNIT_SHIFT) - reused;
  account->reused += reused;
  account->purged += bytes_of_units(taken & before.purged);
  return (taken & (before.retained | before.purged)) != 0;
}

/* Where the pool is divided, many threads change the figures at once: each looks at them once it has changed them by so
 * much. Not while there is pressure, as nothing may be retained then. */
static RARE bool looks_later(size_t bytes) {
  enum { LOOK_FROM = 2 * MIB };
  static _Thread_local size_t changed;
  changed += bytes;
  if (changed < LOOK_FROM && limit_pressure_now() == 0) {
    return true;
  }
  changed = 0;
  return false;
}

static void settle_changed(size_t bytes) {
  if (likely(parts_count() == 1) || !looks_later(bytes)) {
    residency_settle();
  }
}

/* Units are taken under the part's lock, and told of without it, as others wait for it: the child of a fork between the
 * two counts anew once both are done. */
static void begin(unsigned part) {
  critical_enter();
  pool_lock(part);
  parts_look(LOCK_POOL + part);
}

static void end(unsigned part, const struct account *account) {
  pool_unlock(part);
  residency_activate(HOLDER_POOL, account->fresh, account->reused);
  critical_leave();
}

/* What follows a taking. */
static void settle(const struct account *account) {
  if (account->purged != 0) {
    residency_faulted_back(account->purged);
  }
  if (account->huge != NULL) {
    huge_cost_try(slab_start(account->huge));
  }
  settle_changed(account->fresh + account->reused); /* what is retained must not raise the peak */
}

/* NULL: no memory. */
static struct slab *take_locked(unsigned part, unsigned units, bool counted, enum use use, struct account *account) {
  struct superslab_found found = find_superslab(part, units, use);
  if (found.superslab == NULL && use == USE_SMALL) {
    found = find_superslab(part, units, USE_PARTS);
  }
  struct superslab *superslab = found.superslab;
  size_t bytes = superslab == NULL ? 0 : superslab_take_bytes(superslab, units, !counted);
  if (superslab == NULL || !limit_charge(bytes)) {
    return NULL;
  }
  struct unit_sets before = unit_sets_of(superslab);
  unsigned tier = superslab->tier;
  struct slab *slab = superslab_take(superslab, units);
  if (slab == NULL) {
    limit_uncharge(bytes);
    return NULL;
  }
  if (superslab_is_dense(superslab)) {
    slab->dirty = counted ? (uint8_t)units : slab->dirty; /* the first touch makes all of a huge page resident */
  }
  lists_place(superslab, false);
  observe_tier(tier, superslab->tier);
  bool recycled = account_for(account, superslab, units, before);
  account->huge = found.comes_huge ? slab : account->huge;
  struct taken_figures *figures = taken_figures_of(part);
  figures->slabs += counted;
  figures->larges += !counted;
  figures->slabs_recycled += counted && recycled;
  return slab;
}

static struct slab *take(unsigned units, bool counted, enum use use) {
  struct account account = {0};
  unsigned part = parts_own();
  begin(part);
  struct slab *slab = take_locked(part, units, counted, use, &account);
  end(part, &account);
  settle(&account);
  return slab;
}

struct slab *pool_take(unsigned units, enum use use) {
  return take(units, true, use);
}

struct slab *pool_take_large(unsigned units, enum use use) {
  return take(units, false, use);
}

bool pool_retains(unsigned units) { return bins_may_have(0, RUN_RETAINED, units); }

unsigned pool_take_many(struct slab **slabs, unsigned count) {
  unsigned had = 0;
  struct account account = {0};
  unsigned part = parts_own();
  begin(part);
  while (had < count && (slabs[had] = take_locked(part, 1, true, USE_WHOLE, &account)) != NULL) {
    had++;
  }
  end(part, &account);
  settle(&account);
  return had;
}

/* It counts as retained before the lock is taken: nobody purges it earlier, and others wait less for the lock. */
static void give_units(struct superslab *superslab, unsigned unit, unsigned units, unsigned dirty) {
  uint64_t now = os_milliseconds();
  critical_enter();
  residency_deactivate(HOLDER_POOL, (size_t)dirty << UNIT_SHIFT);
  residency_drop(HOLDER_POOL, (size_t)(units - dirty) << UNIT_SHIFT);
  pool_lock_of(superslab);
  unsigned tier = superslab->tier;
  superslab_give(superslab, unit, units, dirty);
  superslab->retained_at = now;
  lists_place(superslab, true);
  observe_tier(tier, superslab->tier);
  pool_unlock_of(superslab);
  critical_leave();
  settle_changed((size_t)units << UNIT_SHIFT);
}

void pool_give(struct slab *slab) { give_units(superslab_of_slab(slab), slab->unit, slab->units, slab->dirty); }

bool pool_extend(struct slab *slab, unsigned units) {
  struct superslab *superslab = superslab_of_slab(slab);
  critical_enter();
  pool_lock_of(superslab);
  struct unit_sets before = unit_sets_of(superslab);
  struct account account = {0};
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
    account_for(&account, superslab, units, before);
  }
  end(superslab_part(superslab), &account);
  settle(&account);
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
  struct slab *slab = pool_take(1, USE_WHOLE);
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
      unsigned free_units = (unsigned)__builtin_popcount(superslab->free);
      unsigned retained = (unsigned)__builtin_popcount(superslab->retained);
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
