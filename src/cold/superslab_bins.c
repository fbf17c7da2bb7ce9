#include "cold/superslab_bins.h"

#include <string.h>

enum { BIN_COUNT = SUPERSLAB_UNITS + 1 };

/* By the longest run; bit r of `filled` says that bin r is not empty. */
static uint64_t filled[RUN_KINDS][TIER_SETS];
static struct superslab *first_bins[RUN_KINDS][BIN_COUNT]; /* OPEN and not dense: the only ones of a small program */
static RARE_ZEROES struct superslab *more_bins[RUN_KINDS][TIER_SETS - 1][BIN_COUNT];

static struct superslab **bin_of(enum run_kind kind, unsigned set, unsigned run) {
  return set == 0 ? &first_bins[kind][run] : &more_bins[kind][set - 1][run];
}

static void insert_by(struct superslab *superslab, enum run_kind kind, unsigned set, unsigned run) {
  struct bin_link *link = &superslab->bin[kind];
  struct superslab **bin = bin_of(kind, set, run);
  superslab->bin_run[kind] = (uint8_t)run;
  link->previous = NULL;
  link->next = *bin;
  if (*bin != NULL) {
    (*bin)->bin[kind].previous = superslab;
  }
  *bin = superslab;
  filled[kind][set] |= UINT64_C(1) << run;
}

static void remove_by(struct superslab *superslab, enum run_kind kind) {
  struct bin_link *link = &superslab->bin[kind];
  struct superslab **bin = bin_of(kind, superslab->bin_set, superslab->bin_run[kind]);
  if (link->previous != NULL) {
    link->previous->bin[kind].next = link->next;
  } else {
    *bin = link->next;
  }
  if (link->next != NULL) {
    link->next->bin[kind].previous = link->previous;
  }
  if (*bin == NULL) {
    filled[kind][superslab->bin_set] &= ~(UINT64_C(1) << superslab->bin_run[kind]);
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

struct superslab *bins_find(enum run_kind kind, enum tier tier, bool dense, unsigned units) {
  unsigned set = tier_set(tier, dense);
  uint64_t fitting = filled[kind][set] >> units << units;
  return fitting == 0 ? NULL : *bin_of(kind, set, (unsigned)__builtin_ctzll(fitting));
}

void bins_clear(void) {
  memset(filled, 0, sizeof filled);
  memset(first_bins, 0, sizeof first_bins);
  memset(more_bins, 0, sizeof more_bins);
}

static bool is_valid(enum run_kind kind, unsigned set, unsigned run) {
  bool valid = true;
  for (const struct superslab *s = *bin_of(kind, set, run); s != NULL; s = s->bin[kind].next) {
    valid = valid && superslab_is_valid(s) && tier_set((enum tier)s->tier, superslab_is_dense(s)) == set &&
            superslab_longest_run(s, kind) == run && s->is_retaining == (s->retained != 0);
  }
  return valid;
}

bool bins_are_valid(void) {
  bool valid = true;
  for (unsigned i = 0; i < RUN_KINDS * TIER_SETS * BIN_COUNT; i++) {
    unsigned list = i / BIN_COUNT;
    valid = valid && is_valid(list % RUN_KINDS, list / RUN_KINDS, i % BIN_COUNT);
  }
  return valid;
}
