#include "cold/shared_pool.h"

#include "cold/guard.h"
#include "cold/meta.h"
#include "cold/retain.h"
#include "os/fatal.h"
#include "os/lock.h"

enum { BIN_COUNT = SUPERSLAB_UNITS + 1 };

static struct lock pool_lock = LOCK_INITIAL(LOCK_POOL);

/* Superslabs of a tier, by their longest run of free units; bit r of `filled` says that bin r is not empty. */
static struct {
  struct superslab *bin[BIN_COUNT];
  uint64_t filled;
} tiers[TIER_COUNT];

/* Superslabs with EMPTY units, by tier; the newest first, purged from the last. */
static struct { struct superslab *first, *last; } empties[TIER_COUNT];

/* Superslabs that have given their addresses back, linked by bin_next. They count as FREE. */
static struct superslab *unmapped;

static struct pool_figures figures;

static void bin_insert(struct superslab *superslab, enum tier tier) {
  unsigned run = superslab_longest_run(superslab);
  struct superslab **bin = &tiers[tier].bin[run];
  superslab->tier = (uint8_t)tier;
  superslab->bin = (uint8_t)run;
  superslab->bin_previous = NULL;
  superslab->bin_next = *bin;
  if (*bin != NULL) {
    (*bin)->bin_previous = superslab;
  }
  *bin = superslab;
  tiers[tier].filled |= UINT64_C(1) << run;
  figures.tier[tier]++;
}

static void bin_remove(struct superslab *superslab) {
  struct superslab **bin = &tiers[superslab->tier].bin[superslab->bin];
  if (superslab->bin_previous != NULL) {
    superslab->bin_previous->bin_next = superslab->bin_next;
  } else {
    *bin = superslab->bin_next;
  }
  if (superslab->bin_next != NULL) {
    superslab->bin_next->bin_previous = superslab->bin_previous;
  }
  if (*bin == NULL) {
    tiers[superslab->tier].filled &= ~(UINT64_C(1) << superslab->bin);
  }
  figures.tier[superslab->tier]--;
}

static void empties_insert(struct superslab *superslab) {
  if (superslab->empty == 0) {
    return;
  }
  struct superslab **first = &empties[superslab->tier].first;
  superslab->in_empty_list = true;
  superslab->empty_previous = NULL;
  superslab->empty_next = *first;
  if (*first != NULL) {
    (*first)->empty_previous = superslab;
  } else {
    empties[superslab->tier].last = superslab;
  }
  *first = superslab;
}

static void empties_remove(struct superslab *superslab) {
  if (!superslab->in_empty_list) {
    return;
  }
  superslab->in_empty_list = false;
  if (superslab->empty_previous != NULL) {
    superslab->empty_previous->empty_next = superslab->empty_next;
  } else {
    empties[superslab->tier].first = superslab->empty_next;
  }
  if (superslab->empty_next != NULL) {
    superslab->empty_next->empty_previous = superslab->empty_previous;
  } else {
    empties[superslab->tier].last = superslab->empty_previous;
  }
}

/* A superslab leaves every list before its units change, and returns by what they are then. */
static void lists_leave(struct superslab *superslab) {
  bin_remove(superslab);
  empties_remove(superslab);
}

static void lists_join(struct superslab *superslab, bool given) {
  INVARIANT(superslab_is_valid(superslab));
  bin_insert(superslab, superslab_tier(superslab, given));
  empties_insert(superslab);
}

static struct superslab *find_in_tier(enum tier tier, unsigned units) {
  uint64_t fitting = tiers[tier].filled >> units << units;
  return fitting == 0 ? NULL : tiers[tier].bin[__builtin_ctzll(fitting)];
}

/* A superslab that has no memory gets some at its old place. Where that place is taken by now it is ours no more. */
static struct superslab *map_again(void) {
  while (unmapped != NULL) {
    struct superslab *superslab = unmapped;
    char *start = os_map(superslab->start, SUPERSLAB_BYTES);
    if (start == NULL) {
      return NULL;
    }
    if (start == superslab->start && !guard_superslab(start)) {
      os_unmap(start, SUPERSLAB_BYTES);
      return NULL;
    }
    unmapped = superslab->bin_next;
    figures.tier[TIER_FREE]--;
    if (start == superslab->start) {
      bin_insert(superslab, TIER_HOT);
      return superslab;
    }
    os_unmap(start, SUPERSLAB_BYTES);
    figures.superslabs--;
  }
  return NULL;
}

/* The superslab to take from; NULL when a new one could not be had. It is on its lists. */
static struct superslab *find(unsigned units) {
  if (units == 1 && empties[TIER_HOT].first != NULL) {
    return empties[TIER_HOT].first;
  }
  for (enum tier tier = TIER_HOT; tier < TIER_COUNT; tier++) {
    struct superslab *found = find_in_tier(tier, units);
    if (found != NULL) {
      return found;
    }
  }
  struct superslab *again = map_again();
  if (again != NULL) {
    return again;
  }
  struct superslab *new = superslab_cut();
  if (new != NULL) {
    figures.superslabs++;
    bin_insert(new, TIER_HOT);
  }
  return new;
}

static size_t bytes_of(uint32_t unit_set) { return (size_t)__builtin_popcount(unit_set) << UNIT_SHIFT; }

/* The state of a superslab's units before some are taken. */
struct unit_sets {
  uint32_t free, empty, purged;
};

static struct unit_sets unit_sets_of(const struct superslab *superslab) {
  return (struct unit_sets){superslab->free, superslab->empty, superslab->purged};
}

/* Tells retain what has been taken since `before`; true when some of it had been in use earlier. */
static bool account_taken(const struct superslab *superslab, struct unit_sets before) {
  uint32_t taken = before.free & ~superslab->free;
  retain_activate(bytes_of(taken & ~before.empty), bytes_of(taken & before.empty));
  if ((taken & before.purged) != 0) {
    retain_faulted_back(bytes_of(taken & before.purged));
  }
  return (taken & (before.empty | before.purged)) != 0;
}

static struct slab *take_locked(unsigned units, bool counted) {
  struct superslab *superslab = find(units);
  if (superslab == NULL) {
    return NULL;
  }
  struct unit_sets before = unit_sets_of(superslab);
  lists_leave(superslab);
  struct slab *slab = superslab_take(superslab, units);
  lists_join(superslab, false);
  bool recycled = account_taken(superslab, before);
  figures.slabs_taken += counted;
  figures.slabs_recycled += counted && recycled;
  return slab;
}

/* A little more than the excess, so that the next few calls need no system call. */
static void purge_excess(void) {
  size_t excess = retain_excess();
  if (excess > 0) {
    size_t most = retained_bytes() - excess;
    pool_purge(most - most / 8);
  }
}

static struct slab *take(unsigned units, bool counted) {
  lock_take(&pool_lock);
  struct slab *slab = take_locked(units, counted);
  lock_drop(&pool_lock);
  purge_excess();
  return slab;
}

struct slab *pool_take(unsigned units) {
  return take(units, true);
}

struct slab *pool_take_large(unsigned units) {
  return take(units, false);
}

unsigned pool_take_many(struct slab **slabs, unsigned count) {
  unsigned had = 0;
  lock_take(&pool_lock);
  while (had < count && (slabs[had] = take_locked(1, true)) != NULL) {
    had++;
  }
  lock_drop(&pool_lock);
  purge_excess();
  return had;
}

static void give_units(struct superslab *superslab, unsigned unit, unsigned units) {
  lock_take(&pool_lock);
  lists_leave(superslab);
  superslab_give(superslab, unit, units);
  lists_join(superslab, true);
  retain_deactivate((size_t)units << UNIT_SHIFT);
  lock_drop(&pool_lock);
  purge_excess();
}

void pool_give(struct slab *slab) { give_units(superslab_of_slab(slab), slab->unit, slab->units); }

bool pool_extend(struct slab *slab, unsigned units) {
  struct superslab *superslab = superslab_of_slab(slab);
  lock_take(&pool_lock);
  struct unit_sets before = unit_sets_of(superslab);
  lists_leave(superslab);
  bool extended = superslab_extend(superslab, slab, units);
  lists_join(superslab, false);
  if (extended) {
    account_taken(superslab, before);
  }
  lock_drop(&pool_lock);
  purge_excess(); /* as after every taking: what is retained must not raise the peak */
  return extended;
}

void pool_shrink(struct slab *slab, unsigned units) {
  unsigned keep = slab->units - units;
  slab->units = (uint8_t)keep;
  give_units(superslab_of_slab(slab), slab->unit + keep, units);
}

void *pool_meta_alloc(size_t bytes, size_t alignment) {
  void *piece = meta_alloc(bytes, alignment);
  if (likely(piece != NULL)) {
    return piece;
  }
  struct slab *slab = pool_take(1);
  if (slab == NULL) {
    return NULL;
  }
  meta_donate(slab_start(slab), UNIT_BYTES);
  return meta_alloc(bytes, alignment);
}

/* The first run of EMPTY units of a superslab. */
static uint32_t first_run(uint32_t empty, unsigned *unit, unsigned *units) {
  *unit = (unsigned)__builtin_ctz(empty);
  uint32_t above = ~(empty >> *unit);
  *units = above == 0 ? SUPERSLAB_UNITS : (unsigned)__builtin_ctz(above);
  uint32_t run = *units == SUPERSLAB_UNITS ? UINT32_MAX : (UINT32_C(1) << *units) - 1;
  return run << *unit;
}

static struct superslab *find_victim(void) {
  for (int tier = TIER_FREE; tier >= TIER_HOT; tier--) {
    if (empties[tier].last != NULL) {
      return empties[tier].last;
    }
  }
  return NULL;
}

/* Purges one run. It counts as taken meanwhile, so nobody binds it while the system empties it. False: nothing to
 * purge, or the system refused. */
static bool purge_one(size_t *given_back) {
  struct superslab *superslab = find_victim();
  if (superslab == NULL) {
    return false;
  }
  unsigned unit;
  unsigned units;
  uint32_t run = first_run(superslab->empty, &unit, &units);
  lists_leave(superslab);
  superslab->free &= ~run;
  superslab->empty &= ~run;
  superslab->purging |= run;
  lists_join(superslab, true);
  lock_drop(&pool_lock);

  bool purged = os_purge(superslab->start + ((size_t)unit << UNIT_SHIFT), (size_t)units << UNIT_SHIFT);

  lock_take(&pool_lock);
  lists_leave(superslab);
  superslab->free |= run;
  superslab->purging &= ~run;
  if (purged) {
    superslab->purged |= run;
    retain_purged(bytes_of(run));
    *given_back += bytes_of(run);
  } else {
    superslab->empty |= run;
  }
  lists_join(superslab, true);
  return purged;
}

size_t pool_purge(size_t keep) {
  size_t given_back = 0;
  lock_take(&pool_lock);
  while (retained_bytes() > keep && purge_one(&given_back)) {
  }
  lock_drop(&pool_lock);
  return given_back;
}

/* False: the system refused. */
static bool unmap_one(struct superslab *superslab) {
  if (!os_unmap(superslab->start, SUPERSLAB_BYTES)) {
    return false;
  }
  lists_leave(superslab);
  retain_purged(bytes_of(superslab->empty));
  superslab->empty = 0;
  superslab->purged = 0;
  superslab->bin_next = unmapped;
  unmapped = superslab;
  figures.tier[TIER_FREE]++;
  return true;
}

size_t pool_unmap(void) {
  size_t bytes = 0;
  lock_take(&pool_lock);
  for (enum tier tier = TIER_HOT; tier < TIER_COUNT; tier++) {
    struct superslab *const *wholly_free = &tiers[tier].bin[SUPERSLAB_UNITS - GUARD_UNITS];
    while (*wholly_free != NULL && unmap_one(*wholly_free)) {
      bytes += SUPERSLAB_BYTES;
    }
  }
  bytes += arena_unmap_rest();
  lock_drop(&pool_lock);
  return bytes;
}

struct pool_figures pool_figures(void) {
  lock_take(&pool_lock);
  struct pool_figures copy = figures;
  copy.arenas = arena_count();
  lock_drop(&pool_lock);
  return copy;
}

bool pool_is_valid(void) {
  bool valid = true;
  lock_take(&pool_lock);
  for (enum tier tier = TIER_HOT; tier < TIER_COUNT; tier++) {
    for (unsigned run = 0; run < BIN_COUNT; run++) {
      for (const struct superslab *s = tiers[tier].bin[run]; s != NULL; s = s->bin_next) {
        valid = valid && superslab_is_valid(s) && s->tier == tier && superslab_longest_run(s) == run &&
                s->in_empty_list == (s->empty != 0);
      }
    }
  }
  lock_drop(&pool_lock);
  return valid;
}

void pool_after_fork(void) {
  size_t index;
  size_t end;
  for (superslab_range(&index, &end); index < end; index++) {
    struct superslab *superslab = superslab_at(index);
    if (superslab != NULL && superslab->purging != 0) {
      lists_leave(superslab);
      superslab->free |= superslab->purging;
      superslab->empty |= superslab->purging;
      superslab->purging = 0;
      lists_join(superslab, true);
    }
  }
}

void pool_fork_lock(void) { lock_take(&pool_lock); }
void pool_fork_unlock(void) { lock_drop(&pool_lock); }
