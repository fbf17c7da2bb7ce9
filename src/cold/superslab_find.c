#include "cold/superslab_find.h"

#include "cold/huge_cost.h"
#include "cold/limit.h"
#include "cold/residency.h"
#include "cold/shared_figure.h"
#include "cold/slab_hooks.h"
#include "cold/superslab_bins.h"
#include "config/config.h"
#include "os/os.h"

enum { DENSE_FROM = 16, DENSE_FROM_FAST = 8, DENSE_SHARE = 8, FAST_COUNT = 4, FAST_MS = 16 };

/* A superslab is about to be added; under the first part's lock. True: the last ones were so soon after one another
 * that the program does little but touch memory for the first time. */
static bool is_added_fast(void) {
  static RARE_ZEROES uint64_t added_at[FAST_COUNT];
  static RARE_ZEROES unsigned added;
  uint64_t now = os_milliseconds();
  uint64_t *at = &added_at[added++ % FAST_COUNT];
  bool fast = now - *at <= FAST_MS;
  *at = now;
  return fast;
}

/* The heap grows, and leaves little unused: the superslab that is to come, of which a part stays unused at worst, adds
 * little. Where it does not grow fast huge pages save little as well, so that it has to be larger. Where they are
 * always asked for, only the first superslab, which may be all that there is, has none. */
static bool is_growing(void) {
  size_t cut = 1;
  size_t draining = 0;
  size_t unused = 0;
  for (unsigned part = 0; part < parts_count(); part++) {
    struct list_figures *figures = list_figures_of(part);
    cut += figure_get(&figures->superslabs) - figure_get(&figures->tier[TIER_FREE]);
    draining += figure_get(&figures->tier[TIER_DRAINING]);
    unused += figure_get(&figures->unused_units);
  }
  if (options.thp == thp_always) {
    return cut > 1;
  }
  if (cut < DENSE_FROM_FAST - FAST_COUNT) {
    return false; /* a small process has no page resident for the times */
  }
  bool fast = is_added_fast();
  bool few_unused = draining * DENSE_SHARE <= cut && unused * DENSE_SHARE <= cut * SUPERSLAB_UNITS;
  return cut >= (fast ? DENSE_FROM_FAST : DENSE_FROM) && few_unused && residency_units_are_dense();
}

static struct superslab *find_here(unsigned part, unsigned units, enum use use, enum run_kind kind) {
  for (enum tier tier = TIER_OPEN; tier < TIER_COUNT; tier++) {
    struct superslab *found = bins_find(part, kind, tier, use == USE_WHOLE, units);
    if (found == NULL && use != USE_SMALL) {
      found = bins_find(part, kind, tier, use != USE_WHOLE, units);
    }
    if (found != NULL) {
      return found;
    }
  }
  return NULL;
}

/* Takes the other part's lock as well, the lower one first: that of `part` is dropped meanwhile if it is the higher. */
static NOINLINE void lock_as_well(unsigned other, unsigned part) {
  if (other < part) {
    pool_unlock(part);
    pool_lock(other);
    pool_lock(part);
  } else {
    pool_lock(other);
  }
}

static bool move_from(unsigned other, unsigned part, unsigned units, enum use use, enum run_kind kind) {
  lock_as_well(other, part);
  struct superslab *found = find_here(other, units, use, kind);
  if (found != NULL) {
    lists_move(found, part, false);
  }
  pool_unlock(other);
  return found != NULL;
}

/* A superslab of some other part comes to this one. False: none has room. */
static NOINLINE bool move_here(unsigned part, unsigned units, enum use use, enum run_kind kind) {
  bool moved = false;
  unsigned parts = parts_count();
  for (unsigned i = 1; i < parts && !moved; i++) {
    unsigned other = (part + i) % parts;
    moved = bins_may_have(other, kind, units) && move_from(other, part, units, use, kind);
  }
  return moved;
}

/* In this part, or in another one: no part uses fresh memory while another one retains some. */
static struct superslab *find_fit(unsigned part, unsigned units, enum use use, enum run_kind kind) {
  struct superslab *found = find_here(part, units, use, kind);
  while (unlikely(found == NULL && parts_count() > 1) && move_here(part, units, use, kind)) {
    found = find_here(part, units, use, kind);
  }
  return found;
}

/* It had been used whole when it was purged whole, and the heap is growing to a size that it has had. */
static bool is_wanted_again(void) { return residency_is_soon() && residency_is_below_peak(SUPERSLAB_BYTES); }

/* One of which nothing is resident may change, as the system can still be told. */
static void choose_pages(struct superslab *superslab, bool grows) {
  bool dense = (superslab_is_dense(superslab) || grows) && huge_cost_is_low(1);
  if (superslab_set_dense(superslab, dense)) {
    superslab_tell(superslab);
    bins_place(superslab);
  }
}

/* ---- growing ---- */

/* A superslab that has no memory gets some at its old place. Where that place is taken by now, it is given up. */
static struct superslab *map_again(void) {
  struct superslab *superslab;
  while ((superslab = lists_first_unmapped()) != NULL) {
    char *start = os_map(superslab->start, SUPERSLAB_BYTES);
    if (start == NULL) {
      return NULL;
    }
    if (start == superslab->start && !hook_superslab(start)) {
      os_unmap(start, SUPERSLAB_BYTES);
      return NULL;
    }
    lists_leave_unmapped(superslab);
    if (start == superslab->start) {
      superslab->unmapped = false;
      superslab->tier = TIER_OPEN;
      atomic_store_explicit(&superslab->dense, false, memory_order_relaxed);
      superslab_tell(superslab);
      return superslab;
    }
    os_unmap(start, SUPERSLAB_BYTES);
  }
  return NULL;
}

static RARE struct superslab *add_again(unsigned part, bool dense) {
  struct superslab *superslab = map_again();
  if (superslab != NULL) {
    lists_add(superslab, part, false);
    choose_pages(superslab, dense);
  }
  return superslab;
}

/* Under the first part's lock as well, which guards what is cut and what is mapped again. */
static struct superslab *add_superslab(unsigned part, bool dense) {
  struct superslab *superslab = likely(lists_first_unmapped() == NULL) ? NULL : add_again(part, dense);
  if (superslab == NULL) {
    superslab = superslab_cut(dense && huge_cost_is_low(1));
    if (superslab != NULL) {
      lists_add(superslab, part, false);
    }
  }
  return superslab;
}

/* One that there is; NULL: none has room. */
static struct superslab_found find_used(unsigned part, unsigned units, enum use use, bool may_grow) {
  struct superslab *found = find_fit(part, units, use, RUN_RETAINED);
  if (found == NULL) {
    found = find_fit(part, units, use, RUN_FREE);
  }
  bool unused = found != NULL && found->purged == UINT32_MAX;
  if (unused) {
    choose_pages(found, may_grow && is_wanted_again());
  }
  return (struct superslab_found){found, unused && superslab_is_dense(found)};
}

static struct superslab_found find_new(unsigned part, bool may_grow) {
  struct superslab *added = add_superslab(part, may_grow && is_growing());
  return (struct superslab_found){added, added != NULL && superslab_is_dense(added)};
}

/* The part's lock is dropped for the first one's, and another thread may add a superslab to the part meanwhile. */
static NOINLINE struct superslab_found find_or_add(unsigned part, unsigned units, enum use use, bool may_grow) {
  lock_as_well(0, part);
  struct superslab *added = find_here(part, units, use, RUN_FREE);
  struct superslab_found found = {added, false};
  if (added == NULL) {
    found = find_new(part, may_grow);
  }
  pool_unlock(0);
  return found;
}

struct superslab_found find_superslab(unsigned part, unsigned units, enum use use) {
  bool may_grow = use == USE_WHOLE && !limit_is_set();
  struct superslab_found found = find_used(part, units, use, may_grow);
  if (found.superslab == NULL) {
    found = likely(part == 0) ? find_new(part, may_grow) : find_or_add(part, units, use, may_grow);
  }
  return found;
}
