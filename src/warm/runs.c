#include "warm/runs.h"

#include <string.h>

enum { LONGER_SHARE = 8 };

static size_t bytes_of(const struct slab *run) { return (size_t)run->units << UNIT_SHIFT; }

/* The list is whole at every moment, for a child of fork(): a run is in it once, or lost. */
static struct slab *leave(struct runs *runs, unsigned i) {
  struct slab *run = runs->run[i];
  runs->bytes -= bytes_of(run);
  runs->count--;
  memmove(&runs->run[i], &runs->run[i + 1], (runs->count - i) * sizeof runs->run[0]);
  return run;
}

struct slab *runs_take(struct runs *runs, unsigned units) {
  unsigned best = RUNS_MAX;
  for (unsigned i = runs->count; i-- > 0;) {
    unsigned has = runs->run[i]->units;
    if (has == units) {
      return leave(runs, i);
    }
    if (has > units && has - units <= units / LONGER_SHARE && (best == RUNS_MAX || has < runs->run[best]->units)) {
      best = i;
    }
  }
  return best == RUNS_MAX ? NULL : leave(runs, best);
}

void runs_give(struct runs *runs, struct slab *run, size_t most) {
  while (runs->count > 0 && (runs->count == RUNS_MAX || runs->bytes + bytes_of(run) > most)) {
    pool_give(leave(runs, 0));
  }
  if (bytes_of(run) > most) {
    pool_give(run);
    return;
  }
  runs->run[runs->count] = run;
  runs->bytes += bytes_of(run);
  runs->count++;
}

void runs_flush(struct runs *runs) {
  while (runs->count > 0) {
    pool_give(leave(runs, 0));
  }
}
