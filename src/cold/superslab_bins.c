#include "cold/superslab_bins.h"

#include <string.h>

enum { BIN_COUNT = SUPERSLAB_UNITS + 1 };

/* By the longest run; bit r of `filled` says that bin r is not empty. */
static uint64_t filled[RUN_KINDS][TIER_COUNT][2];
static struct superslab *first_bins[RUN_KINDS][BIN_COUNT]; /* OPEN and not dense: the only ones of a small program */
static RARE_ZEROES struct superslab *more_bins[RUN_KINDS][TIER_COUNT * 2 - 1][BIN_COUNT];

static struct superslab **bin_of(enum run_kind kind, enum tier tier, bool dense, unsigned run) {
  unsigned set = (unsigned)tier * 2 + dense;
  return set == 0 ? &first_bins[kind][run] : &more_bins[kind][set - 1][run];
}

static struct superslab **own_bin(const struct superslab *superslab, enum run_kind kind) {
  return bin_of(kind, (enum tier)superslab->tier, superslab_is_dense(superslab), superslab->bin[kind].run);
}

static void insert_by(struct superslab *superslab, enum run_kind kind) {
  struct bin_link *link = &superslab->bin[kind];
  link->run = (uint8_t)superslab_longest_run(superslab, kind);
  struct superslab **bin = own_bin(superslab, kind);
  link->previous = NULL;
  link->next = *bin;
  if (*bin != NULL) {
    (*bin)->bin[kind].previous = superslab;
  }
  *bin = superslab;
  filled[kind][superslab->tier][superslab_is_dense(superslab)] |= UINT64_C(1) << link->run;
}

static void remove_by(struct superslab *superslab, enum run_kind kind) {
  struct bin_link *link = &superslab->bin[kind];
  struct superslab **bin = own_bin(superslab, kind);
  if (link->previous != NULL) {
    link->previous->bin[kind].next = link->next;
  } else {
    *bin = link->next;
  }
  if (link->next != NULL) {
    link->next->bin[kind].previous = link->previous;
  }
  if (*bin == NULL) {
    filled[kind][superslab->tier][superslab_is_dense(superslab)] &= ~(UINT64_C(1) << link->run);
  }
}

void bins_insert(struct superslab *superslab) {
  insert_by(superslab, RUN_FREE);
  insert_by(superslab, RUN_RETAINED);
}

void bins_remove(struct superslab *superslab) {
  remove_by(superslab, RUN_FREE);
  remove_by(superslab, RUN_RETAINED);
}

struct superslab *bins_find(enum run_kind kind, enum tier tier, bool dense, unsigned units) {
  uint64_t fitting = filled[kind][tier][dense] >> units << units;
  return fitting == 0 ? NULL : *bin_of(kind, tier, dense, (unsigned)__builtin_ctzll(fitting));
}

void bins_clear(void) {
  memset(filled, 0, sizeof filled);
  memset(first_bins, 0, sizeof first_bins);
  memset(more_bins, 0, sizeof more_bins);
}

static bool is_valid(enum run_kind kind, enum tier tier, bool dense, unsigned run) {
  bool valid = true;
  for (const struct superslab *s = *bin_of(kind, tier, dense, run); s != NULL; s = s->bin[kind].next) {
    valid = valid && superslab_is_valid(s) && s->tier == tier && superslab_is_dense(s) == dense &&
            superslab_longest_run(s, kind) == run && s->in_retained_list == (s->retained != 0);
  }
  return valid;
}

bool bins_are_valid(void) {
  bool valid = true;
  for (unsigned i = 0; i < RUN_KINDS * TIER_COUNT * 2 * BIN_COUNT; i++) {
    unsigned list = i / BIN_COUNT;
    valid = valid &&
            is_valid(list % RUN_KINDS, list / RUN_KINDS % TIER_COUNT, list / RUN_KINDS / TIER_COUNT, i % BIN_COUNT);
  }
  return valid;
}
