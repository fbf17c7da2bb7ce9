/* runs: large blocks that a thread has freed, for its next ones.
 *
 * Owns:     up to RUNS_MAX runs of units of a heap that no block has, resident and without a tag; and which lengths
 *           were asked for of late.
 * Promises: no lock while they serve: the shortest run that is long enough, and half as long again at most, is cut to
 *           length. They hold no more than the heap may keep (warm/share.h), together with its empty slabs; past that
 *           the oldest goes to the shared pool. Of many lengths a few runs wait, none longer than a quarter of a
 *           superslab, and neighbours become one again; where of late three lengths at most were asked for, as many as
 *           there is place for wait as they are.
 * Callers:  warm/route.c and warm/free_remote.c; WARM empties them. The thread that has the heap.
 */
#ifndef HAKMEM_WARM_RUNS_H
#define HAKMEM_WARM_RUNS_H

#include "cold/cold.h"

/* While a longer run of many lengths waits here, what is left of its superslab is too short for others like it: so each
 * may cost a superslab. And who uses so much memory at a time hardly feels the pool's lock. */
enum { RUNS_MAX = 64, RUNS_MAX_MIXED = 16, RUN_UNITS_MAX = SUPERSLAB_UNITS / 4 };

struct runs {
  struct slab *run[RUNS_MAX];       /* the oldest first */
  _Atomic unsigned count;           /* read outside heap_enter too: the helper may be changing it */
  unsigned asked;                   /* large blocks so far */
  uint64_t lengths, lengths_before; /* a bit for each length asked for lately, and in the period before: up to
                                       LARGE_FRESH_MAX by pages, above by units */
  size_t bytes;
  _Atomic size_t reused; /* large blocks that they served: warm/route.c counts them */
};

static inline unsigned runs_count(const struct runs *runs) {
  return atomic_load_explicit(&runs->count, memory_order_relaxed);
}

/* A large block of `size` is about to be given. */
void runs_asked(struct runs *runs, size_t size);

/* The last 8 large blocks and more were of three lengths at most: the next ones likely are as well. */
bool runs_repeat(const struct runs *runs);

/* They were of more than three lengths. */
bool runs_are_mixed(const struct runs *runs);

/* A run of `units`; NULL: there is none that could be cut to it. */
struct slab *runs_take(struct runs *runs, unsigned units);

/* Takes a run of a block that was freed; they hold `most` bytes at most. */
void runs_give(struct runs *runs, struct slab *run, size_t most);

/* All of them go to the shared pool. */
void runs_flush(struct runs *runs);

#endif
