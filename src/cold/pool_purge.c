#include "cold/pool_purge.h"

#include "cold/arena.h"
#include "cold/limit.h"
#include "cold/pool_parts.h"
#include "cold/residency.h"
#include "cold/shared_figure.h"
#include "cold/superslab_lists.h"
#include "os/os.h"

/* Adjacent units of a superslab, as a set; `changed`: the system is to be told (superslab_tell). */
struct run {
  struct superslab *superslab;
  uint32_t units;
  bool changed;
};

/* The first one that is RETAINED, and where it lies. */
static struct run first_run(struct superslab *superslab, struct os_range *range) {
  unsigned unit = (unsigned)__builtin_ctz(superslab->retained);
  uint32_t above = ~(superslab->retained >> unit);
  unsigned units = above == 0 ? SUPERSLAB_UNITS : (unsigned)__builtin_ctz(above);
  uint32_t set = units == SUPERSLAB_UNITS ? UINT32_MAX : (UINT32_C(1) << units) - 1;
  *range = (struct os_range){superslab->start + ((size_t)unit << UNIT_SHIFT), (size_t)units << UNIT_SHIFT};
  return (struct run){superslab, set << unit, false};
}

/* The run counts as taken from now on, so that nobody binds it while the system empties it. */
static void begin(struct run *run) {
  struct superslab *superslab = run->superslab;
  superslab->purging |= run->units;
  atomic_signal_fence(memory_order_seq_cst); /* a child of fork() mends what is purging, whatever else is set */
  superslab->free &= ~run->units;
  superslab->retained &= ~run->units;
  if (run->units != UINT32_MAX) {
    run->changed = superslab_set_dense(superslab, false); /* or the system may fill the hole again */
  }
  lists_place(superslab, true);
}

static void end(struct run run, bool purged) {
  struct superslab *superslab = run.superslab;
  if (purged) {
    superslab->retained &= ~run.units; /* set if the lists were mended meanwhile */
    superslab->purged |= run.units;
    residency_purged(HOLDER_POOL, bytes_of_units(run.units));
    limit_uncharge(bytes_of_units(run.units));
  } else {
    superslab->retained |= run.units;
  }
  superslab->free |= run.units;
  atomic_signal_fence(memory_order_seq_cst);
  superslab->purging &= ~run.units;
  lists_place(superslab, true);
}

/* The caller has the lock of `part`, where most of the superslabs are still. */
static void end_all(const struct run *runs, unsigned count, unsigned part, bool purged) {
  unsigned locked = part;
  for (unsigned i = 0; i < count; i++) {
    if (unlikely(superslab_part(runs[i].superslab) != locked)) {
      pool_unlock(locked);
      pool_lock_of(runs[i].superslab);
      locked = superslab_part(runs[i].superslab);
    }
    end(runs[i], purged);
  }
  if (unlikely(locked != part)) {
    pool_unlock(locked);
    pool_lock(part);
  }
}

/* Purges so many bytes of what was retained before `before`, by one call for as many runs as it takes; the lock is
 * dropped meanwhile. Bytes given back: none as well where the system has refused one of the runs. */
static size_t purge_runs(unsigned part, size_t wanted, uint64_t before) {
  struct run runs[OS_RANGES_MAX];
  struct os_range ranges[OS_RANGES_MAX];
  unsigned count = 0;
  size_t bytes = 0;
  struct superslab *superslab;
  while (count < OS_RANGES_MAX && bytes < wanted && (superslab = lists_find_retained(part, before)) != NULL) {
    runs[count] = first_run(superslab, &ranges[count]);
    begin(&runs[count]);
    bytes += ranges[count++].bytes;
  }
  if (count == 0) {
    return 0;
  }
  pool_unlock(part);
  for (unsigned i = 0; i < count; i++) {
    if (runs[i].changed) {
      superslab_tell(runs[i].superslab);
    }
  }
  bool purged = os_purge_ranges(ranges, count) == bytes;
  pool_lock(part);
  end_all(runs, count, part, purged);
  return purged ? bytes : 0;
}

static size_t purge_part(unsigned part, size_t wanted, uint64_t before) {
  critical_enter(); /* the runs are this thread's while the lock is dropped */
  pool_lock(part);
  size_t given_back = purge_runs(part, wanted, before);
  pool_unlock(part);
  critical_leave();
  return given_back;
}

/* When that was given which a part purges next, if it was before `before`; HOLDER_EMPTY: there is none. */
static uint64_t next_of(unsigned part, uint64_t before) {
  pool_lock(part);
  const struct superslab *superslab = lists_find_retained(part, before);
  uint64_t given_at = superslab == NULL ? HOLDER_EMPTY : superslab->retained_at;
  pool_unlock(part);
  return given_at;
}

enum { NO_PART = POOL_PARTS };

/* The part whose memory has been free for the longest time, and since when; NO_PART, HOLDER_EMPTY: none retains any. */
struct oldest {
  unsigned part;
  uint64_t given_at;
};

/* Of the parts that are not in the set `done`. */
static NOINLINE struct oldest find_oldest(uint64_t before, unsigned done) {
  struct oldest oldest = {NO_PART, HOLDER_EMPTY};
  for (unsigned part = 0; part < parts_count(); part++) {
    uint64_t given_at = (done >> part & 1) != 0 ? HOLDER_EMPTY : next_of(part, before);
    if (given_at < oldest.given_at) {
      oldest = (struct oldest){part, given_at};
    }
  }
  return oldest;
}

/* The first is not looked at while there is no other. */
static unsigned oldest_part(uint64_t before, unsigned done) {
  if (likely(parts_count() == 1)) {
    return done == 0 ? 0 : NO_PART;
  }
  return find_oldest(before, done).part;
}

static size_t purge(size_t wanted, uint64_t before) {
  size_t given_back = 0;
  unsigned done = 0; /* parts that have no more, or of which the system refuses to take any */
  for (unsigned part; given_back < wanted && (part = oldest_part(before, done)) != NO_PART;) {
    size_t more = purge_part(part, wanted - given_back, before);
    given_back += more;
    done |= (unsigned)(more == 0) << part;
  }
  return given_back;
}

size_t pool_purge(size_t wanted) { return purge(wanted, UINT64_MAX); }

static uint64_t oldest(void) { return find_oldest(UINT64_MAX, 0).given_at; }

static size_t whole(void) {
  size_t units = 0;
  for (unsigned part = 0; part < parts_count(); part++) {
    units += figure_get(&list_figures_of(part)->whole_units);
  }
  return units << UNIT_SHIFT;
}

const struct holder_calls pool_holder = {oldest, purge, whole};

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

static struct superslab *find_whole(unsigned part) {
  struct superslab *whole = NULL;
  for (enum tier tier = TIER_OPEN; tier < TIER_COUNT && whole == NULL; tier++) {
    whole = lists_find_whole(part, tier);
  }
  return whole;
}

/* All that are wholly free come to the first part, to which those without addresses belong. */
static void move_whole(unsigned part) {
  struct superslab *whole;
  pool_lock(0);
  pool_lock(part);
  while ((whole = find_whole(part)) != NULL) {
    lists_move(whole, 0, true);
  }
  pool_unlock(part);
  pool_unlock(0);
}

size_t pool_unmap(void) {
  size_t bytes = 0;
  for (unsigned part = 1; part < parts_count(); part++) {
    move_whole(part);
  }
  pool_lock(0);
  for (enum tier tier = TIER_OPEN; tier < TIER_COUNT; tier++) {
    struct superslab *whole;
    while ((whole = lists_find_whole(0, tier)) != NULL && unmap_one(whole)) {
      bytes += SUPERSLAB_BYTES;
    }
  }
  bytes += arena_unmap_rest();
  pool_unlock(0);
  return bytes;
}

/* All that is free of a dense superslab may be resident. */
static void undense(struct superslab *superslab) {
  size_t bytes = bytes_of_units(superslab->free & ~superslab->retained);
  superslab->purged = 0;
  superslab->retained = superslab->free;
  residency_activate(HOLDER_POOL, bytes, 0);
  residency_deactivate(HOLDER_POOL, bytes);
  limit_charge_anyway(bytes);
  if (superslab_set_dense(superslab, false)) {
    superslab_tell(superslab);
  }
  lists_place(superslab, true);
}

void pool_undense(void) {
  struct superslab *superslab = NULL;
  while ((superslab = superslab_next(superslab)) != NULL) {
    pool_lock_of(superslab);
    if (superslab_is_dense(superslab) && !superslab->unmapped) {
      undense(superslab);
    }
    pool_unlock_of(superslab);
  }
  pool_purge(SIZE_MAX);
}

void pool_make_sparse(struct superslab *superslab) {
  pool_lock_of(superslab);
  bool changed = superslab_set_dense(superslab, false);
  lists_place(superslab, false);
  pool_unlock_of(superslab);
  if (changed) {
    superslab_tell(superslab);
  }
}

void pool_purge_mend(void) {
  struct superslab *superslab = NULL;
  while ((superslab = superslab_next(superslab)) != NULL) {
    if (superslab->purging != 0) {
      pool_lock_of(superslab);
      superslab_mend(superslab);
      lists_place(superslab, true);
      pool_unlock_of(superslab);
    }
  }
  lists_recount();
}
