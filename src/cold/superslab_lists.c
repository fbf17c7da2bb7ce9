#include "cold/superslab_lists.h"

#include <string.h>

#include "cold/residency.h"
#include "cold/slab_hooks.h"
#include "cold/superslab_bins.h"
#include "os/os.h"

struct retaining {
  struct superslab *first, *last;
};

/* Of a part. */
struct lists {
  /* Superslabs with RETAINED units, by tier; the one that changed last first, purged from the last. Those that a purge
   * would break are apart: in huge pages, and in use. */
  struct retaining retaining[TIER_SETS];
  struct list_figures figures;
};

EACH_PART(struct lists, lists_of)

static struct lists *its_lists(const struct superslab *superslab) { return lists_of(superslab_part(superslab)); }

/* Those that have given their addresses back, linked by `next`. They are the first part's, and count as FREE. */
static struct superslab *unmapped;

struct list_figures *list_figures_of(unsigned part) {
  return &lists_of(part)->figures;
}

static void count(_Atomic size_t *figure, int by) {
  size_t before = atomic_load_explicit(figure, memory_order_relaxed);
  atomic_store_explicit(figure, before + (size_t)by, memory_order_relaxed);
}

static bool is_whole(const struct superslab *superslab) {
  return superslab_is_dense(superslab) && superslab->tier != TIER_FREE;
}

static void retaining_insert(struct superslab *superslab, unsigned set) {
  struct retaining *list = &its_lists(superslab)->retaining[set];
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
  struct retaining *list = &its_lists(superslab)->retaining[superslab->retaining_set];
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

static void report(_Atomic size_t *figure, uint8_t *reported, uint32_t unit_set) {
  int before = *reported;
  *reported = (uint8_t)__builtin_popcount(unit_set);
  count(figure, *reported - before);
}

static void report_whole(struct superslab *superslab, bool whole) {
  struct list_figures *figures = &its_lists(superslab)->figures;
  report(&figures->whole_units, &superslab->whole_units, whole ? superslab->retained : 0);
  report(&figures->unused_units, &superslab->unused_units, whole ? superslab->free : 0);
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
  report_whole(superslab, whole);
}

void lists_place(struct superslab *superslab, bool given) {
  INVARIANT(superslab_is_valid(superslab));
  struct list_figures *figures = &its_lists(superslab)->figures;
  count(&figures->tier[superslab->tier], -superslab->is_binned);
  superslab->tier = (uint8_t)superslab_tier(superslab, given);
  count(&figures->tier[superslab->tier], 1);
  bins_place(superslab);
  retaining_place(superslab);
}

void lists_leave(struct superslab *superslab) {
  count(&its_lists(superslab)->figures.tier[superslab->tier], -1);
  bins_remove(superslab);
  if (superslab->is_retaining) {
    retaining_remove(superslab);
  }
  report_whole(superslab, false);
}

void lists_add(struct superslab *superslab, unsigned part, bool given) {
  superslab_set_part(superslab, part);
  count(&lists_of(part)->figures.superslabs, 1);
  lists_place(superslab, given);
}

void lists_move(struct superslab *superslab, unsigned part, bool given) {
  lists_leave(superslab);
  count(&its_lists(superslab)->figures.superslabs, -1);
  lists_add(superslab, part, given);
}

void lists_join_unmapped(struct superslab *superslab) {
  superslab->bin[RUN_FREE].next = unmapped;
  unmapped = superslab;
  count(&lists_of(0)->figures.tier[TIER_FREE], 1);
}

struct superslab *lists_first_unmapped(void) {
  return unmapped;
}

void lists_leave_unmapped(struct superslab *first) {
  unmapped = first->bin[RUN_FREE].next;
  count(&lists_of(0)->figures.tier[TIER_FREE], -1);
  count(&lists_of(0)->figures.superslabs, -1);
}

/* ---- finding ---- */

struct superslab *lists_find_retained(unsigned part, uint64_t before) {
  for (int i = 2 * TIER_COUNT; i-- > 0;) {
    bool whole = i < TIER_COUNT; /* these last */
    struct superslab *last = lists_of(part)->retaining[tier_set((enum tier)(i % TIER_COUNT), whole)].last;
    if (last != NULL && last->retained_at < before) {
      return last;
    }
  }
  return NULL;
}

struct superslab *lists_find_whole(unsigned part, enum tier tier) {
  struct superslab *whole = bins_find(part, RUN_FREE, tier, true, SUPERSLAB_UNITS - HOOK_GUARD_UNITS);
  return whole != NULL ? whole : bins_find(part, RUN_FREE, tier, false, SUPERSLAB_UNITS - HOOK_GUARD_UNITS);
}

/* ---- the locks ---- */

/* It is placed anew. A superslab that a lost thread was mapping again or giving back counts as given back; where that
 * is not so, its place is found taken. */
static RARE void mend_superslab(struct superslab *superslab) {
  count(&its_lists(superslab)->figures.superslabs, 1);
  superslab_mend(superslab);
  superslab->is_binned = superslab->is_retaining = false;
  superslab->whole_units = superslab->unused_units = 0;
  if (superslab->unmapped) {
    superslab->retained = superslab->purged = 0;
    superslab->free = UINT32_MAX >> HOOK_GUARD_UNITS;
    lists_join_unmapped(superslab);
  } else {
    lists_place(superslab, true);
  }
}

void lists_recount(void) {
  size_t retained = 0;
  size_t active = 0;
  const struct superslab *superslab = NULL;
  while ((superslab = superslab_next(superslab)) != NULL) {
    retained += bytes_of_units(superslab->retained);
    active += superslab->unmapped ? 0 : bytes_of_units(~superslab->free) - (size_t)HOOK_GUARD_UNITS * UNIT_BYTES;
  }
  residency_recount(HOLDER_POOL, active, retained);
}

/* A lost thread was changing a superslab of the part or a list: its lists are made anew, and all parts counted. */
static RARE void mend(unsigned part) {
  bins_clear(part);
  memset(lists_of(part), 0, sizeof *lists_of(part));
  unmapped = part == 0 ? NULL : unmapped;
  struct superslab *superslab = NULL;
  while ((superslab = superslab_next(superslab)) != NULL) {
    if (superslab_part(superslab) == part) {
      mend_superslab(superslab);
    }
  }
  lists_recount();
}

void pool_lock(unsigned part) {
  if (unlikely(lock_take(LOCK_POOL + part))) {
    mend(part);
  }
}

void pool_unlock(unsigned part) { lock_drop(LOCK_POOL + part); }

void pool_lock_of(const struct superslab *superslab) {
  for (unsigned part = superslab_part(superslab);; part = superslab_part(superslab)) {
    pool_lock(part);
    if (likely(part == superslab_part(superslab))) {
      return;
    }
    pool_unlock(part);
  }
}

void pool_unlock_of(const struct superslab *superslab) { pool_unlock(superslab_part(superslab)); }

bool lists_are_valid(unsigned part) { return bins_are_valid(part); }
