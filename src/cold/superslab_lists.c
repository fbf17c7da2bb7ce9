#include "cold/superslab_lists.h"

#include <string.h>

#include "cold/limit.h"
#include "cold/residency.h"
#include "cold/slab_hooks.h"
#include "os/os.h"

enum { BIN_COUNT = SUPERSLAB_UNITS + 1, DENSE_FROM = 8, DENSE_SHARE = 8 };

/* Superslabs of a tier, those that are dense apart, by their longest run of free units; bit r of `filled` says that bin
 * r is not empty. */
static uint64_t filled[TIER_COUNT][2];
static struct superslab *first_bins[BIN_COUNT]; /* OPEN and not dense: the only ones of a small program */
static RARE_ZEROES struct superslab *more_bins[TIER_COUNT * 2 - 1][BIN_COUNT];

static struct superslab **bin_of(enum tier tier, bool dense, unsigned run) {
  unsigned set = (unsigned)tier * 2 + dense;
  return set == 0 ? &first_bins[run] : &more_bins[set - 1][run];
}

/* Superslabs with RETAINED units, by tier; the newest first, purged from the last. */
static struct { struct superslab *first, *last; } retaining[TIER_COUNT];

/* Superslabs that have given their addresses back, linked by bin_next. They count as FREE. */
static struct superslab *unmapped;

struct list_figures list_figures;

static void bin_insert(struct superslab *superslab, enum tier tier) {
  unsigned run = superslab_longest_run(superslab);
  superslab->tier = (uint8_t)tier;
  struct superslab **bin = bin_of(tier, superslab->dense, run);
  superslab->bin = (uint8_t)run;
  superslab->bin_previous = NULL;
  superslab->bin_next = *bin;
  if (*bin != NULL) {
    (*bin)->bin_previous = superslab;
  }
  *bin = superslab;
  filled[tier][superslab->dense] |= UINT64_C(1) << run;
  list_figures.tier[tier]++;
}

static void bin_remove(struct superslab *superslab) {
  struct superslab **bin = bin_of(superslab->tier, superslab->dense, superslab->bin);
  if (superslab->bin_previous != NULL) {
    superslab->bin_previous->bin_next = superslab->bin_next;
  } else {
    *bin = superslab->bin_next;
  }
  if (superslab->bin_next != NULL) {
    superslab->bin_next->bin_previous = superslab->bin_previous;
  }
  if (*bin == NULL) {
    filled[superslab->tier][superslab->dense] &= ~(UINT64_C(1) << superslab->bin);
  }
  list_figures.tier[superslab->tier]--;
}

static void retaining_insert(struct superslab *superslab) {
  if (superslab->retained == 0) {
    return;
  }
  struct superslab **first = &retaining[superslab->tier].first;
  superslab->in_retained_list = true;
  superslab->retained_previous = NULL;
  superslab->retained_next = *first;
  if (*first != NULL) {
    (*first)->retained_previous = superslab;
  } else {
    retaining[superslab->tier].last = superslab;
  }
  *first = superslab;
}

static void retaining_remove(struct superslab *superslab) {
  if (!superslab->in_retained_list) {
    return;
  }
  superslab->in_retained_list = false;
  if (superslab->retained_previous != NULL) {
    superslab->retained_previous->retained_next = superslab->retained_next;
  } else {
    retaining[superslab->tier].first = superslab->retained_next;
  }
  if (superslab->retained_next != NULL) {
    superslab->retained_next->retained_previous = superslab->retained_previous;
  } else {
    retaining[superslab->tier].last = superslab->retained_previous;
  }
}

void lists_leave(struct superslab *superslab) {
  bin_remove(superslab);
  retaining_remove(superslab);
}

void lists_join(struct superslab *superslab, bool given) {
  INVARIANT(superslab_is_valid(superslab));
  bin_insert(superslab, superslab_tier(superslab, given));
  retaining_insert(superslab);
}

void lists_join_unmapped(struct superslab *superslab) {
  superslab->bin_next = unmapped;
  unmapped = superslab;
  list_figures.tier[TIER_FREE]++;
}

/* ---- finding ---- */

static struct superslab *find_in(enum tier tier, bool dense, unsigned units) {
  uint64_t fitting = filled[tier][dense] >> units << units;
  return fitting == 0 ? NULL : *bin_of(tier, dense, (unsigned)__builtin_ctzll(fitting));
}

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
    unmapped = superslab->bin_next;
    list_figures.tier[TIER_FREE]--;
    if (start == superslab->start) {
      superslab->unmapped = false;
      superslab->dense = false;
      bin_insert(superslab, TIER_OPEN);
      return superslab;
    }
    os_unmap(start, SUPERSLAB_BYTES);
    list_figures.superslabs--;
  }
  return NULL;
}

/* The heap grows, and leaves little unused: one more superslab, of which a part stays unused at worst, adds little. */
static bool is_growing(void) {
  size_t cut = list_figures.superslabs - list_figures.tier[TIER_FREE];
  return cut >= DENSE_FROM && list_figures.tier[TIER_DRAINING] * DENSE_SHARE <= cut && residency_units_are_dense();
}

static struct superslab *find_fit(unsigned units, enum use use) {
  for (enum tier tier = TIER_OPEN; tier < TIER_COUNT; tier++) {
    struct superslab *found = find_in(tier, use == USE_WHOLE, units);
    if (found == NULL && use != USE_SMALL) {
      found = find_in(tier, use != USE_WHOLE, units);
    }
    if (found != NULL) {
      return found;
    }
  }
  return NULL;
}

static struct superslab *cut_new(void) {
  struct superslab *new = superslab_cut();
  if (new != NULL) {
    list_figures.superslabs++;
    bin_insert(new, TIER_OPEN);
  }
  return new;
}

/* Nothing of it is used: so the system can be told. */
static void set_dense(struct superslab *superslab) {
  bin_remove(superslab);
  superslab_set_dense(superslab, true);
  bin_insert(superslab, (enum tier)superslab->tier);
}

struct superslab *lists_find(unsigned units, enum use use) {
  if (units == 1 && retaining[TIER_OPEN].first != NULL) {
    return retaining[TIER_OPEN].first;
  }
  struct superslab *found = find_fit(units, use);
  bool fresh = found == NULL;
  if (fresh) {
    found = map_again();
  }
  if (found == NULL) {
    found = cut_new();
  }
  /* What was purged whole had been used whole. */
  if (found != NULL && !found->dense && use == USE_WHOLE && !limit_is_set() &&
      (fresh ? is_growing() : found->purged == UINT32_MAX && residency_is_soon())) {
    set_dense(found);
  }
  return found;
}

struct superslab *lists_find_retained(uint64_t before) {
  for (int tier = TIER_FREE; tier >= TIER_OPEN; tier--) {
    if (retaining[tier].last != NULL && retaining[tier].last->retained_at < before) {
      return retaining[tier].last;
    }
  }
  return NULL;
}

struct superslab *lists_find_whole(enum tier tier) {
  struct superslab *whole = *bin_of(tier, true, SUPERSLAB_UNITS - HOOK_GUARD_UNITS);
  return whole != NULL ? whole : *bin_of(tier, false, SUPERSLAB_UNITS - HOOK_GUARD_UNITS);
}

/* ---- the lock ---- */

/* A lost thread was changing a superslab or a list: the lists are made anew. A superslab that it was mapping again or
 * giving back counts as given back; where that is not so, its place is found taken. */
static void mend(void) {
  size_t retained = 0;
  size_t active = 0;
  memset(filled, 0, sizeof filled);
  memset(first_bins, 0, sizeof first_bins);
  memset(more_bins, 0, sizeof more_bins);
  memset(retaining, 0, sizeof retaining);
  memset(&list_figures, 0, sizeof list_figures);
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
    superslab->in_retained_list = false;
    if (superslab->unmapped) {
      superslab->retained = superslab->purged = 0;
      superslab->free = UINT32_MAX >> HOOK_GUARD_UNITS;
      lists_join_unmapped(superslab);
      continue;
    }
    lists_join(superslab, true);
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

bool lists_are_valid(void) {
  bool valid = true;
  for (unsigned i = 0; i < TIER_COUNT * 2 * BIN_COUNT; i++) {
    enum tier tier = (enum tier)(i / 2 / BIN_COUNT);
    bool dense = i / BIN_COUNT % 2 != 0;
    unsigned run = i % BIN_COUNT;
    for (const struct superslab *s = *bin_of(tier, dense, run); s != NULL; s = s->bin_next) {
      valid = valid && superslab_is_valid(s) && s->tier == tier && s->dense == dense &&
              superslab_longest_run(s) == run && s->in_retained_list == (s->retained != 0);
    }
  }
  return valid;
}
