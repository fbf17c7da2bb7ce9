#include "warm/runs.h"

static void set_count(struct runs *runs, unsigned count) {
  atomic_store_explicit(&runs->count, count, memory_order_relaxed);
}

/* The list is whole at every moment, for a child of fork(): a run is in it once, or lost. */
static struct slab *leave(struct runs *runs, unsigned i) {
  struct slab *run = runs->run[i];
  runs->bytes -= slab_bytes(run);
  unsigned left = runs_count(runs) - 1;
  set_count(runs, left);
  for (; i < left; i++) {
    runs->run[i] = runs->run[i + 1];
  }
  return run;
}

static void enter(struct runs *runs, struct slab *run) {
  runs->run[runs_count(runs)] = run;
  runs->bytes += slab_bytes(run);
  set_count(runs, runs_count(runs) + 1);
}

enum { PERIOD = 8 };

/* The longest of the first kind has 32 pages of 4 KiB, the longest of the second 16 units. */
static uint64_t bit_of(size_t size) {
  enum { PAGE = 4096 };
  bool by_page = size <= LARGE_FRESH_MAX;
  return UINT64_C(1) << (by_page ? os_page_ceil(size) / PAGE : LARGE_FRESH_MAX / PAGE + large_units(size));
}

void runs_asked(struct runs *runs, size_t size) {
  runs->lengths |= bit_of(size);
  if (++runs->asked % PERIOD == 0) {
    runs->lengths_before = runs->lengths;
    runs->lengths = 0;
  }
}

static uint64_t without_one(uint64_t lengths) { return lengths & (lengths - 1); }

static bool are_few(const struct runs *runs) {
  return without_one(without_one(without_one(runs->lengths | runs->lengths_before))) == 0;
}

bool runs_repeat(const struct runs *runs) { return runs->lengths_before != 0 && are_few(runs); }
bool runs_are_mixed(const struct runs *runs) { return runs->lengths_before != 0 && !are_few(runs); }

/* The shortest that is long enough, and half as long again at most: what is left of a longer one serves few, and breaks
 * up what the shared pool could give whole. The newest of these; RUNS_MAX: there is none. */
static unsigned best_fit(const struct runs *runs, unsigned units) {
  unsigned best = RUNS_MAX;
  unsigned shortest = SUPERSLAB_UNITS + 1;
  for (unsigned i = runs_count(runs); i-- > 0 && shortest != units;) {
    unsigned has = runs->run[i]->units;
    if (has >= units && 2 * has <= 3 * units && has < shortest) {
      shortest = has;
      best = i;
    }
  }
  return best;
}

struct slab *runs_take(struct runs *runs, unsigned units) {
  unsigned fit = best_fit(runs, units);
  if (fit == RUNS_MAX) {
    return NULL;
  }
  struct slab *run = leave(runs, fit);
  if (run->units > units) {
    enter(runs, superslab_split(run, units));
  }
  return run;
}

/* The run, and what is here of its neighbours. */
static struct slab *with_neighbours(struct runs *runs, struct slab *run) {
  for (unsigned i = runs_count(runs); i-- > 0;) {
    struct slab *other = runs->run[i];
    bool before = other + other->units == run;
    if (before || run + run->units == other) {
      leave(runs, i);
      superslab_join(before ? other : run, before ? run : other);
      run = before ? other : run;
    }
  }
  return run;
}

void runs_give(struct runs *runs, struct slab *run, size_t most) {
  bool repeat = runs_repeat(runs);
  run = repeat ? run : with_neighbours(runs, run);
  if (slab_bytes(run) > most || (run->units > RUN_UNITS_MAX && !repeat)) {
    pool_give(run);
    return;
  }
  unsigned count_max = repeat ? RUNS_MAX : RUNS_MAX_MIXED;
  while (runs_count(runs) > 0 && (runs_count(runs) >= count_max || runs->bytes + slab_bytes(run) > most)) {
    pool_give(leave(runs, 0));
  }
  enter(runs, run);
}

void runs_flush(struct runs *runs) {
  while (runs_count(runs) > 0) {
    pool_give(leave(runs, 0));
  }
}
