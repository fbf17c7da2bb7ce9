#include "cold/superslab_bins.h"

#include <string.h>

enum { BIN_COUNT = SUPERSLAB_UNITS + 1 };

/* By the longest run; bit r of `filled` says that bin r is not empty. */
static struct bins {
  struct superslab *bin[BIN_COUNT];
  uint64_t filled;
} tiers[RUN_KINDS][TIER_COUNT][2];

static struct bins *bins_of(const struct superslab *superslab, enum run_kind kind) {
  return &tiers[kind][superslab->tier][superslab->dense];
}

static void insert_by(struct superslab *superslab, enum run_kind kind) {
  struct bins *bins = bins_of(superslab, kind);
  struct bin_link *link = &superslab->bin[kind];
  link->run = (uint8_t)superslab_longest_run(superslab, kind);
  struct superslab **bin = &bins->bin[link->run];
  link->previous = NULL;
  link->next = *bin;
  if (*bin != NULL) {
    (*bin)->bin[kind].previous = superslab;
  }
  *bin = superslab;
  bins->filled |= UINT64_C(1) << link->run;
}

static void remove_by(struct superslab *superslab, enum run_kind kind) {
  struct bins *bins = bins_of(superslab, kind);
  struct bin_link *link = &superslab->bin[kind];
  struct superslab **bin = &bins->bin[link->run];
  if (link->previous != NULL) {
    link->previous->bin[kind].next = link->next;
  } else {
    *bin = link->next;
  }
  if (link->next != NULL) {
    link->next->bin[kind].previous = link->previous;
  }
  if (*bin == NULL) {
    bins->filled &= ~(UINT64_C(1) << link->run);
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
  const struct bins *bins = &tiers[kind][tier][dense];
  uint64_t fitting = bins->filled >> units << units;
  return fitting == 0 ? NULL : bins->bin[__builtin_ctzll(fitting)];
}

void bins_clear(void) { memset(tiers, 0, sizeof tiers); }

static bool is_valid(enum run_kind kind, enum tier tier, bool dense, unsigned run) {
  bool valid = true;
  for (const struct superslab *s = tiers[kind][tier][dense].bin[run]; s != NULL; s = s->bin[kind].next) {
    valid = valid && superslab_is_valid(s) && s->tier == tier && s->dense == dense &&
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
