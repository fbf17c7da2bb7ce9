#include "cold/pool_purge.h"

#include "cold/arena.h"
#include "cold/limit.h"
#include "cold/residency.h"
#include "cold/superslab_lists.h"
#include "os/os.h"

/* The first run of RETAINED units of a superslab. */
static uint32_t first_run(uint32_t retained, unsigned *unit, unsigned *units) {
  *unit = (unsigned)__builtin_ctz(retained);
  uint32_t above = ~(retained >> *unit);
  *units = above == 0 ? SUPERSLAB_UNITS : (unsigned)__builtin_ctz(above);
  uint32_t run = *units == SUPERSLAB_UNITS ? UINT32_MAX : (UINT32_C(1) << *units) - 1;
  return run << *unit;
}

/* Purges one run of what was retained before `before`. It counts as taken meanwhile, so nobody binds it while the
 * system empties it. False: nothing to purge, or the system refused. */
static bool purge_one(uint64_t before, size_t *given_back) {
  struct superslab *superslab = lists_find_retained(before);
  if (superslab == NULL) {
    return false;
  }
  unsigned unit;
  unsigned units;
  uint32_t run = first_run(superslab->retained, &unit, &units);
  lists_leave(superslab);
  superslab->purging |= run;
  atomic_signal_fence(memory_order_seq_cst); /* a child of fork() mends what is purging, whatever else is set */
  bool whole = run == UINT32_MAX;
  superslab->free &= ~run;
  superslab->retained &= ~run;
  superslab_set_dense(superslab, superslab->dense && whole); /* else the system may fill the hole again */
  lists_join(superslab, true);
  pool_unlock();

  bool purged = os_purge(superslab->start + ((size_t)unit << UNIT_SHIFT), (size_t)units << UNIT_SHIFT);

  pool_lock();
  lists_leave(superslab);
  if (purged) {
    superslab->retained &= ~run; /* set if the lists were mended meanwhile */
    superslab->purged |= run;
    residency_purged(HOLDER_POOL, bytes_of_units(run));
    limit_uncharge(bytes_of_units(run));
    *given_back += bytes_of_units(run);
  } else {
    superslab->retained |= run;
  }
  superslab->free |= run;
  atomic_signal_fence(memory_order_seq_cst);
  superslab->purging &= ~run;
  lists_join(superslab, true);
  return purged;
}

static size_t purge(size_t wanted, uint64_t before) {
  size_t given_back = 0;
  critical_enter(); /* the run is this thread's while the lock is dropped */
  pool_lock();
  while (given_back < wanted && purge_one(before, &given_back)) {
  }
  pool_unlock();
  critical_leave();
  return given_back;
}

size_t pool_purge(size_t wanted) { return purge(wanted, UINT64_MAX); }

static uint64_t oldest(void) {
  pool_lock();
  const struct superslab *superslab = lists_find_retained(UINT64_MAX);
  uint64_t since = superslab == NULL ? HOLDER_EMPTY : superslab->retained_at;
  pool_unlock();
  return since;
}

const struct holder_calls pool_holder = {oldest, purge};

/* False: the system refused. */
static bool unmap_one(struct superslab *superslab) {
  superslab->unmapped = true;
  if (!os_unmap(superslab->start, SUPERSLAB_BYTES)) {
    superslab->unmapped = false;
    return false;
  }
  lists_leave(superslab);
  residency_purged(HOLDER_POOL, bytes_of_units(superslab->retained));
  limit_uncharge(bytes_of_units(superslab->retained));
  superslab->retained = 0;
  superslab->purged = 0;
  lists_join_unmapped(superslab);
  return true;
}

size_t pool_unmap(void) {
  size_t bytes = 0;
  pool_lock();
  for (enum tier tier = TIER_OPEN; tier < TIER_COUNT; tier++) {
    struct superslab *whole;
    while ((whole = lists_find_whole(tier)) != NULL && unmap_one(whole)) {
      bytes += SUPERSLAB_BYTES;
    }
  }
  bytes += arena_unmap_rest();
  pool_unlock();
  return bytes;
}

/* All that is free of a dense superslab may be resident. */
static void undense(struct superslab *superslab) {
  lists_leave(superslab);
  size_t bytes = bytes_of_units(superslab->free & ~superslab->retained);
  superslab->purged = 0;
  superslab->retained = superslab->free;
  residency_activate(HOLDER_POOL, bytes, 0);
  residency_deactivate(HOLDER_POOL, bytes);
  limit_charge_anyway(bytes);
  superslab_set_dense(superslab, false);
  lists_join(superslab, true);
}

void pool_undense(void) {
  size_t index;
  size_t end;
  pool_lock();
  for (superslab_range(&index, &end); index < end; index++) {
    struct superslab *superslab = superslab_at(index);
    if (superslab != NULL && superslab->dense && !superslab->unmapped) {
      undense(superslab);
    }
  }
  pool_unlock();
  pool_purge(SIZE_MAX);
}

void pool_make_sparse(struct superslab *superslab) {
  pool_lock();
  lists_leave(superslab);
  superslab_set_dense(superslab, false);
  lists_join(superslab, false);
  pool_unlock();
}

void pool_purge_mend(void) {
  size_t index;
  size_t end;
  pool_lock();
  for (superslab_range(&index, &end); index < end; index++) {
    struct superslab *superslab = superslab_at(index);
    if (superslab != NULL && superslab->purging != 0) {
      lists_leave(superslab);
      superslab_mend(superslab);
      lists_join(superslab, true);
    }
  }
  pool_unlock();
}
