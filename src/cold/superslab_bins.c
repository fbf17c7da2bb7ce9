#include "cold/superslab_bins.h"

#include <string.h>

enum { BIN_COUNT = SUPERSLAB_UNITS };

/* By the longest run; bit r - 1 of `filled` says that bin r - 1, of runs of r, is not empty. */
struct bins {
  _Atomic uint64_t filled[RUN_KINDS][TIER_SETS];
  struct superslab *open[RUN_KINDS][BIN_COUNT]; /* and not dense: the only ones of a small program */
};

EACH_PART(struct bins, bins_of)

static RARE_ZEROES struct superslab *more_bins[POOL_PARTS][RUN_KINDS][TIER_SETS - 1][BIN_COUNT];

static struct superslab **bin_of(unsigned part, enum run_kind kind, unsigned set, unsigned run) {
  return set == 0 ? &bins_of(part)->open[kind][run] : &more_bins[part][kind][set - 1][run];
}

static uint64_t filled_of(unsigned part, enum run_kind kind, unsigned set) {
  return atomic_load_explicit(&bins_of(part)->filled[kind][set], memory_order_relaxed);
}

static void set_filled(unsigned part, enum run_kind kind, unsigned set, uint64_t filled) {
  atomic_store_explicit(&bins_of(part)->filled[kind][set], filled, memory_order_relaxed);
}

static void insert_by(struct superslab *superslab, enum run_kind kind, unsigned set, unsigned run) {
  struct bin_link *link = &superslab->bin[kind];
  unsigned part = superslab_part(superslab);
  struct superslab **bin = bin_of(part, kind, set, run == 0 ? 0 : run - 1);
  superslab->bin_run[kind] = (uint8_t)run;
  link->previous = NULL;
  if (run == 0) {
    return;
  }
  link->next = *bin;
  if (*bin != NULL) {
    (*bin)->bin[kind].previous = superslab;
  }
  *bin = superslab;
  set_filled(part, kind, set, filled_of(part, kind, set) | UINT64_C(1) << (run - 1));
}

static void remove_by(struct superslab *superslab, enum run_kind kind) {
  struct bin_link *link = &superslab->bin[kind];
  unsigned part = superslab_part(superslab);
  unsigned set = superslab->bin_set;
  if (superslab->bin_run[kind] == 0) {
    return;
  }
  struct superslab **bin = bin_of(part, kind, set, superslab->bin_run[kind] - 1U);
  if (link->previous != NULL) {
    link->previous->bin[kind].next = link->next;
  } else {
    *bin = link->next;
  }
  if (link->next != NULL) {
    link->next->bin[kind].previous = link->previous;
  }
  if (*bin == NULL) {
    set_filled(part, kind, set, filled_of(part, kind, set) & ~(UINT64_C(1) << (superslab->bin_run[kind] - 1)));
  }
}

void bins_place(struct superslab *superslab) {
  unsigned set = tier_set((enum tier)superslab->tier, superslab_is_dense(superslab));
  for (enum run_kind kind = RUN_FREE; kind < RUN_KINDS; kind++) {
    unsigned run = superslab_longest_run(superslab, kind);
    bool stays = superslab->is_binned && superslab->bin_set == set && superslab->bin_run[kind] == run &&
                 superslab->bin[kind].previous == NULL;
    if (!stays && superslab->is_binned) {
      remove_by(superslab, kind);
    }
    if (!stays) {
      insert_by(superslab, kind, set, run);
    }
  }
  superslab->bin_set = (uint8_t)set;
  superslab->is_binned = true;
}

void bins_remove(struct superslab *superslab) {
  remove_by(superslab, RUN_FREE);
  remove_by(superslab, RUN_RETAINED);
  superslab->is_binned = false;
}

struct superslab *bins_find(unsigned part, enum run_kind kind, enum tier tier, bool dense, unsigned units) {
  unsigned set = tier_set(tier, dense);
  uint64_t fitting = filled_of(part, kind, set) >> (units - 1) << (units - 1);
  return fitting == 0 ? NULL : *bin_of(part, kind, set, (unsigned)__builtin_ctzll(fitting));
}

bool bins_may_have(unsigned part, enum run_kind kind, unsigned units) {
  uint64_t runs = 0;
  for (unsigned set = 0; set < TIER_SETS; set++) {
    runs |= filled_of(part, kind, set);
  }
  return runs >> (units - 1) != 0;
}

void bins_clear(unsigned part) {
  memset(bins_of(part), 0, sizeof *bins_of(part));
  memset(more_bins[part], 0, sizeof more_bins[part]);
}

static bool is_valid(unsigned part, enum run_kind kind, unsigned set, unsigned run) {
  bool valid = true;
  for (const struct superslab *s = *bin_of(part, kind, set, run); s != NULL; s = s->bin[kind].next) {
    valid = valid && superslab_is_valid(s) && tier_set((enum tier)s->tier, superslab_is_dense(s)) == set &&
            superslab_longest_run(s, kind) == run + 1 && superslab_part(s) == part && s->is_retaining == (s->retained != 0);
  }
  return valid;
}

bool bins_are_valid(unsigned part) {
  bool valid = true;
  for (unsigned i = 0; i < RUN_KINDS * TIER_SETS * BIN_COUNT; i++) {
    unsigned list = i / BIN_COUNT;
    valid = valid && is_valid(part, list % RUN_KINDS, list / RUN_KINDS, i % BIN_COUNT);
  }
  return valid;
}
