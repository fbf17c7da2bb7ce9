#include "warm/runs.h"

#include "warm/heap.h"

enum { LONGER_SHARE = 8 };

static void set_count(struct runs *runs, unsigned count) {
  atomic_store_explicit(&runs->count, count, memory_order_relaxed);
}

static size_t bytes_of(const struct slab *run) { return (size_t)run->units << UNIT_SHIFT; }

/* The list is whole at every moment, for a child of fork(): a run is in it once, or lost. */
static struct slab *leave(struct runs *runs, unsigned i) {
  struct slab *run = runs->run[i];
  runs->bytes -= bytes_of(run);
  unsigned left = runs_count(runs) - 1;
  set_count(runs, left);
  for (; i < left; i++) {
    runs->run[i] = runs->run[i + 1];
  }
  return run;
}

struct slab *runs_take(struct runs *runs, unsigned units) {
  unsigned best = RUNS_MAX;
  for (unsigned i = runs_count(runs); i-- > 0;) {
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
  while (runs_count(runs) > 0 && (runs_count(runs) == RUNS_MAX || runs->bytes + bytes_of(run) > most)) {
    pool_give(leave(runs, 0));
  }
  if (bytes_of(run) > most) {
    pool_give(run);
    return;
  }
  runs->run[runs_count(runs)] = run;
  runs->bytes += bytes_of(run);
  set_count(runs, runs_count(runs) + 1);
}

void runs_flush(struct runs *runs) {
  while (runs_count(runs) > 0) {
    pool_give(leave(runs, 0));
  }
}

void runs_count_reused(struct runs *runs) {
  size_t reused = atomic_load_explicit(&runs->reused, memory_order_relaxed);
  atomic_store_explicit(&runs->reused, reused + 1, memory_order_relaxed);
}

size_t runs_reused(void) {
  size_t reused = 0;
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    reused += atomic_load_explicit(&heap_of_link(link)->runs.reused, memory_order_relaxed);
  }
  return reused;
}
