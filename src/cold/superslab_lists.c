#include "cold/superslab_lists.h"

#include <string.h>

#include "cold/huge_cost.h"
#include "cold/limit.h"
#include "cold/residency.h"
#include "cold/slab_hooks.h"
#include "cold/superslab_bins.h"
#include "config/config.h"
#include "os/os.h"

enum { DENSE_FROM = 8, DENSE_SHARE = 8 };

/* Superslabs with RETAINED units, by tier; the one that changed last first, purged from the last. Those that a purge
 * would break are apart: in huge pages, and in use. */
static struct retaining { struct superslab *first, *last; } retaining[TIER_SETS];

static bool is_whole(const struct superslab *superslab) {
  return superslab_is_dense(superslab) && superslab->tier != TIER_FREE;
}

/* Superslabs that have given their addresses back, linked by `next`. They count as FREE. */
static struct superslab *unmapped;

struct list_figures list_figures;

static void retaining_insert(struct superslab *superslab, unsigned set) {
  struct retaining *list = &retaining[set];
  superslab->is_retaining = true;
  superslab->retaining_set = (uint8_t)set;
  superslab->retained_previous = NULL;
  superslab->retained_next = list->first;
  if (list->first != NULL) {
    list->first->retained_previous = superslab;
  } else {
    list->last = superslab;
  }
  list->first = superslab;
}

static void retaining_remove(struct superslab *superslab) {
  struct retaining *list = &retaining[superslab->retaining_set];
  superslab->is_retaining = false;
  if (superslab->retained_previous != NULL) {
    superslab->retained_previous->retained_next = superslab->retained_next;
  } else {
    list->first = superslab->retained_next;
  }
  if (superslab->retained_next != NULL) {
    superslab->retained_next->retained_previous = superslab->retained_previous;
  } else {
    list->last = superslab->retained_previous;
  }
}

static void report_whole(struct superslab *superslab, uint32_t unit_set) {
  size_t before = (size_t)superslab->whole_units << UNIT_SHIFT;
  superslab->whole_units = (uint8_t)__builtin_popcount(unit_set);
  residency_whole(before, (size_t)superslab->whole_units << UNIT_SHIFT);
}

/* First on its list. */
static void retaining_place(struct superslab *superslab) {
  bool whole = is_whole(superslab);
  unsigned set = tier_set((enum tier)superslab->tier, whole);
  bool retains = superslab->retained != 0;
  bool stays =
      superslab->is_retaining && retains && superslab->retaining_set == set && superslab->retained_previous == NULL;
  if (superslab->is_retaining && !stays) {
    retaining_remove(superslab);
  }
  if (retains && !stays) {
    retaining_insert(superslab, set);
  }
  report_whole(superslab, whole ? superslab->retained : 0);
}

void lists_place(struct superslab *superslab, bool given) {
  INVARIANT(superslab_is_valid(superslab));
  list_figures.tier[superslab->tier] -= superslab->is_binned;
  superslab->tier = (uint8_t)superslab_tier(superslab, given);
  list_figures.tier[superslab->tier]++;
  bins_place(superslab);
  retaining_place(superslab);
}

void lists_leave(struct superslab *superslab) {
  list_figures.tier[superslab->tier]--;
  bins_remove(superslab);
  if (superslab->is_retaining) {
    retaining_remove(superslab);
  }
  report_whole(superslab, 0);
}

void lists_join_unmapped(struct superslab *superslab) {
  superslab->bin[RUN_FREE].next = unmapped;
  unmapped = superslab;
  list_figures.tier[TIER_FREE]++;
}

/* ---- finding ---- */

/* A superslab that has no memory gets some at its old place. Where that place is taken by now, it is given up. */
static struct superslab *map_again(void) {
  while (unmapped != NULL) {
    struct superslab *superslab = unmapped;
    char *start = os_map(superslab->start, SUPERSLAB_BYTES);
    if (start == NULL) {
      return NULL;
    }
    if (start == superslab->start && !hook_superslab(start)) {
      os_unmap(start, SUPERSLAB_BYTES);
      return NULL;
    }
    unmapped = superslab->bin[RUN_FREE].next;
    list_figures.tier[TIER_FREE]--;
    if (start == superslab->start) {
      superslab->unmapped = false;
      superslab->tier = TIER_OPEN;
      atomic_store_explicit(&superslab->dense, false, memory_order_relaxed);
      superslab_tell(superslab);
      lists_place(superslab, false);
      return superslab;
    }
    os_unmap(start, SUPERSLAB_BYTES);
    list_figures.superslabs--;
  }
  return NULL;
}

/* The heap grows, and leaves little unused: the superslab that is to come, of which a part stays unused at worst, adds
 * little. Where huge pages are always asked for, only the first, which may be all that there is, has none. */
static bool is_growing(void) {
  size_t cut = list_figures.superslabs - list_figures.tier[TIER_FREE] + 1;
  if (options.thp == thp_always) {
    return cut > 1;
  }
  return cut >= DENSE_FROM && list_figures.tier[TIER_DRAINING] * DENSE_SHARE <= cut && residency_units_are_dense();
}

static struct superslab *find_fit(unsigned units, enum use use, enum run_kind kind) {
  for (enum tier tier = TIER_OPEN; tier < TIER_COUNT; tier++) {
    struct superslab *found = bins_find(kind, tier, use == USE_WHOLE, units);
    if (found == NULL && use != USE_SMALL) {
      found = bins_find(kind, tier, use != USE_WHOLE, units);
    }
    if (found != NULL) {
      return found;
    }
  }
  return NULL;
}

static struct superslab *cut_new(bool dense) {
  struct superslab *new = superslab_cut(dense);
  if (new != NULL) {
    list_figures.superslabs++;
    lists_place(new, false);
  }
  return new;
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

struct superslab_found lists_find(unsigned units, enum use use) {
  struct superslab *found = find_fit(units, use, RUN_RETAINED);
  if (found == NULL) {
    found = find_fit(units, use, RUN_FREE);
  }
  bool unused = found == NULL || found->purged == UINT32_MAX;
  bool may_grow = use == USE_WHOLE && !limit_is_set();
  if (found == NULL) {
    bool grows = may_grow && is_growing();
    found = map_again();
    if (found != NULL) {
      choose_pages(found, grows);
    } else {
      found = cut_new(grows && huge_cost_is_low(1));
    }
  } else if (unused) {
    choose_pages(found, may_grow && is_wanted_again());
  }
  return (struct superslab_found){found, found != NULL && unused && superslab_is_dense(found)};
}

struct superslab *lists_find_retained(uint64_t before) {
  for (int i = 2 * TIER_COUNT; i-- > 0;) {
    bool whole = i < TIER_COUNT; /* these last */
    struct superslab *last = retaining[tier_set((enum tier)(i % TIER_COUNT), whole)].last;
    if (last != NULL && last->retained_at < before) {
      return last;
    }
  }
  return NULL;
}

struct superslab *lists_find_whole(enum tier tier) {
  struct superslab *whole = bins_find(RUN_FREE, tier, true, SUPERSLAB_UNITS - HOOK_GUARD_UNITS);
  return whole != NULL ? whole : bins_find(RUN_FREE, tier, false, SUPERSLAB_UNITS - HOOK_GUARD_UNITS);
}

/* ---- the lock ---- */

/* A lost thread was changing a superslab or a list: the lists are made anew. A superslab that it was mapping again or
 * giving back counts as given back; where that is not so, its place is found taken. */
static void mend(void) {
  size_t retained = 0;
  size_t active = 0;
  bins_clear();
  memset(retaining, 0, sizeof retaining);
  memset(&list_figures, 0, sizeof list_figures);
  residency_whole(SIZE_MAX, 0);
  unmapped = NULL;
  size_t index;
  size_t end;
  for (superslab_range(&index, &end); index < end; index++) {
    struct superslab *superslab = superslab_at(index);
    if (superslab == NULL) {
      continue;
    }
    list_figures.superslabs++;
    superslab_mend(superslab);
    superslab->is_binned = superslab->is_retaining = false;
    superslab->whole_units = 0;
    if (superslab->unmapped) {
      superslab->retained = superslab->purged = 0;
      superslab->free = UINT32_MAX >> HOOK_GUARD_UNITS;
      lists_join_unmapped(superslab);
      continue;
    }
    lists_place(superslab, true);
    retained += bytes_of_units(superslab->retained);
    active += bytes_of_units(~superslab->free) - (size_t)HOOK_GUARD_UNITS * UNIT_BYTES;
  }
  residency_recount(HOLDER_POOL, active, retained);
}

void pool_lock(void) {
  if (unlikely(lock_take(LOCK_POOL))) {
    mend();
  }
}

void pool_unlock(void) { lock_drop(LOCK_POOL); }

bool lists_are_valid(void) { return bins_are_valid(); }
