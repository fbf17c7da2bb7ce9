#include "cold/residency.h"

#include <stdatomic.h>

#include "cold/limit.h"
#include "cold/purge_policy.h"
#include "config/config.h"
#include "events/events.h"
#include "os/os.h"

enum { ROUND_MS = 1000, SOON_MS = 1000, WAY_MS = 20 };
enum { PEAK_SHARE = 4, SLACK_SHARE = 8, FRESH_SHARE = 4, WHOLE_SHARE = 8, RAISE = 16 };

static const struct holder_calls *_Atomic joined[HOLDERS];

/* Changed by any thread, at nearly every step, and read together: one line of the cache. */
static struct {
  _Alignas(64) _Atomic size_t active[HOLDERS];
  _Atomic size_t retained[HOLDERS];
  _Atomic size_t holes;    /* bytes of active memory that were given back */
  _Atomic size_t fresh[2]; /* of slabs of several units, and of one, that were never used */
  _Atomic size_t kept;     /* of active memory: empty, and kept by heaps */
} figures;

_Static_assert(sizeof figures == 64, "one line");

static _Atomic size_t peak_used, peak_committed, peak_resident;
static _Atomic size_t unit_slabs;  /* slabs of one unit */
static _Atomic size_t whole;       /* retained in huge pages that are in use */
static _Atomic size_t raised;      /* what the budget has above its start */
static _Atomic size_t purged_soon; /* purged less than a second ago and not faulted back yet */
static _Atomic uint64_t purged_at;
static _Atomic uint64_t round_start;
static _Atomic size_t round_low;
static atomic_bool helper;
static void (*_Atomic told)(void);

static size_t get(_Atomic size_t *figure) { return atomic_load_explicit(figure, memory_order_relaxed); }
static void set(_Atomic size_t *figure, size_t to) { atomic_store_explicit(figure, to, memory_order_relaxed); }
static void add(_Atomic size_t *figure, size_t by) {
  if (by > 0) {
    observe_shared_figure();
    atomic_fetch_add_explicit(figure, by, memory_order_relaxed);
  }
}

static size_t smaller(size_t a, size_t b) { return a < b ? a : b; }

/* Never below 0: two boxes may take from one figure, and a child of fork() may have lost a step. Bytes taken. */
static size_t take_up_to(_Atomic size_t *figure, size_t wanted) {
  size_t there = get(figure);
  size_t taken;
  do {
    taken = smaller(wanted, there);
    observe_shared_figure();
  } while (!atomic_compare_exchange_weak_explicit(figure, &there, there - taken, memory_order_relaxed,
                                                  memory_order_relaxed));
  return taken;
}

static size_t above(size_t value, size_t limit) { return value > limit ? value - limit : 0; }

static void subtract(_Atomic size_t *figure, size_t by) {
  if (by > 0) {
    take_up_to(figure, by);
  }
}

static void raise_to(_Atomic size_t *peak, size_t value) {
  if (value > get(peak)) {
    set(peak, value);
  }
}

/* Three quarters of what was not needed in a round are given back. */
static void round_watch(void) {
  size_t now = retained_bytes();
  if (now < get(&round_low)) {
    set(&round_low, now);
  }
  uint64_t time = os_milliseconds();
  if (time - atomic_load_explicit(&round_start, memory_order_relaxed) >= ROUND_MS) {
    size_t unused = get(&round_low) / 4 * 3;
    size_t raise = get(&raised);
    set(&raised, raise > unused ? raise - unused : 0);
    set(&round_low, now);
    atomic_store_explicit(&round_start, time, memory_order_relaxed);
  }
}

void residency_activate(enum holder holder, size_t fresh_bytes, size_t reused_bytes) {
  subtract(&figures.retained[holder], reused_bytes);
  add(&figures.active[holder], fresh_bytes + reused_bytes);
  raise_to(&peak_used, used_bytes());
  raise_to(&peak_committed, active_bytes() + retained_bytes());
}

void residency_deactivate(enum holder holder, size_t bytes) {
  subtract(&figures.active[holder], bytes);
  observe_shared_figure();
  atomic_fetch_add(&figures.retained[holder], bytes); /* before `told` is read, or who wants to be told would miss it */
}

void residency_drop(enum holder holder, size_t bytes) { subtract(&figures.active[holder], bytes); }

void residency_recount(enum holder holder, size_t active_bytes, size_t retained_bytes) {
  set(&figures.active[holder], active_bytes);
  set(&figures.retained[holder], retained_bytes);
}

static void purged_now(size_t bytes) {
  uint64_t now = os_milliseconds();
  observe_shared_figure();
  if (now - atomic_exchange_explicit(&purged_at, now, memory_order_relaxed) > SOON_MS) {
    set(&purged_soon, 0);
  }
  add(&purged_soon, bytes);
}

void residency_purged(enum holder holder, size_t bytes) {
  subtract(&figures.retained[holder], bytes);
  purged_now(bytes);
}

void residency_holes_made(size_t bytes) {
  add(&figures.holes, bytes);
  purged_now(bytes);
}

void residency_fresh(size_t bytes, unsigned units) { add(&figures.fresh[units == 1], bytes); }
void residency_fresh_used(size_t bytes, unsigned units) { subtract(&figures.fresh[units == 1], bytes); }
void residency_holes_left(size_t bytes) { add(&figures.holes, bytes); }
void residency_holes_closed(size_t bytes) { subtract(&figures.holes, bytes); }

void residency_hole_filled(size_t bytes) {
  subtract(&figures.holes, bytes);
  residency_faulted_back(bytes);
}

static void change(_Atomic size_t *figure, size_t before, size_t now) {
  if (now > before) {
    add(figure, now - before);
  } else {
    subtract(figure, before - now);
  }
}

void residency_kept(size_t before, size_t now) { change(&figures.kept, before, now); }
void residency_whole(size_t before, size_t now) { change(&whole, before, now); }

size_t hole_bytes(void) { return get(&figures.holes) + get(&figures.fresh[false]) + get(&figures.fresh[true]); }

void residency_unit_bound(void) { add(&unit_slabs, 1); }
void residency_unit_unbound(void) { subtract(&unit_slabs, 1); }
bool residency_units_are_dense(void) {
  return get(&figures.fresh[true]) / UNIT_BYTES * FRESH_SHARE <= get(&unit_slabs);
}

bool residency_is_below_peak(size_t bytes) { return used_bytes() + bytes <= get(&peak_used); }

bool residency_is_soon(void) {
  return get(&purged_soon) > 0 && os_milliseconds() - atomic_load_explicit(&purged_at, memory_order_relaxed) <= SOON_MS;
}

void residency_faulted_back(size_t bytes) {
  if (!residency_is_soon()) {
    return;
  }
  size_t limit = get(&peak_used);
  size_t raise = get(&raised) + RAISE * take_up_to(&purged_soon, bytes);
  set(&raised, smaller(raise, limit));
}

size_t residency_steady_budget(void) { return (size_t)options.retain_kib * KIB + get(&raised); }

size_t residency_budget(void) {
  if (limit_pressure_now() != 0) {
    return 0;
  }
  size_t steady = residency_steady_budget();
  size_t peak = get(&peak_used);
  return atomic_load_explicit(&helper, memory_order_relaxed) && peak > steady ? peak : steady;
}

size_t residency_allowance(void) {
  size_t peak = get(&peak_used);
  size_t most = peak + peak / PEAK_SHARE + (size_t)options.retain_kib * KIB / SLACK_SHARE;
  size_t left = above(most, used_bytes());
  size_t budget = residency_budget();
  return smaller(budget, left);
}

size_t residency_excess(void) {
  size_t now = retained_bytes();
  size_t excess = above(now + get(&figures.kept), residency_allowance());
  size_t easily = above(now, get(&whole)); /* without breaking a huge page in use */
  if (excess <= easily) {
    return excess;
  }
  size_t rest = above(smaller(excess, now), get(&peak_used) / WHOLE_SHARE);
  return rest > easily ? rest : easily;
}

/* ---- asking the holders ---- */

void residency_join(enum holder holder, const struct holder_calls *calls) {
  atomic_store_explicit(&joined[holder], calls, memory_order_release);
}

/* The holder whose memory has been free for the longest time, but for those in the set `refused`; HOLDERS: none has
 * any. */
static enum holder find_oldest(unsigned refused) {
  enum holder found = HOLDERS;
  uint64_t found_at = HOLDER_EMPTY;
  for (enum holder holder = HOLDER_POOL; holder < HOLDERS; holder++) {
    const struct holder_calls *calls = atomic_load_explicit(&joined[holder], memory_order_acquire);
    uint64_t oldest = calls == NULL || (refused >> holder & 1) != 0 ? HOLDER_EMPTY : calls->oldest();
    if (oldest < found_at) {
      found = holder;
      found_at = oldest;
    }
  }
  return found;
}

static NOINLINE void give_back(size_t wanted) {
  unsigned refused = 0;
  enum holder holder;
  while (wanted > 0 && (holder = find_oldest(refused)) != HOLDERS) {
    size_t given = joined[holder]->give_back(wanted, UINT64_MAX);
    wanted -= smaller(given, wanted);
    refused |= (unsigned)(given == 0) << holder;
  }
}

/* The same of what has been free for so long; the bytes given back. */
static size_t give_back_older(size_t wanted, uint32_t milliseconds) {
  uint64_t now = os_milliseconds();
  size_t given_back = 0;
  for (enum holder holder = HOLDER_POOL; holder < HOLDERS && given_back < wanted && now > milliseconds; holder++) {
    const struct holder_calls *calls = atomic_load_explicit(&joined[holder], memory_order_acquire);
    given_back += calls == NULL ? 0 : calls->give_back(wanted - given_back, now - milliseconds);
  }
  return given_back;
}

/* As far as the boxes know. */
static size_t resident_bytes(void) { return above(active_bytes(), hole_bytes()) + retained_bytes(); }

/* What raises the most that was resident at once takes the place of what has been retained for a while. Where nothing
 * has been, the holders, who take locks, are not asked again in the same millisecond. */
static void make_way(void) {
  static RARE_ZEROES _Atomic uint64_t asked_in_vain;
  size_t raised_by = smaller(above(resident_bytes(), get(&peak_resident)), retained_bytes());
  if (raised_by == 0 || atomic_load_explicit(&asked_in_vain, memory_order_relaxed) == os_milliseconds()) {
    return;
  }
  if (give_back_older(raised_by, WAY_MS) == 0) {
    atomic_store_explicit(&asked_in_vain, os_milliseconds(), memory_order_relaxed);
  }
}

void residency_settle(void) {
  round_watch();
  make_way();
  size_t excess = residency_excess();
  if (excess > 0) {
    give_back(purge_now(excess, residency_budget() == 0 ? 0 : get(&peak_used)));
  }
  raise_to(&peak_resident, resident_bytes());
  void (*begins)(void) = atomic_load(&told);
  if (unlikely(begins != NULL)) {
    begins();
  }
}

/* ---- the helper ---- */

size_t residency_give_back_older(uint32_t milliseconds) { return give_back_older(SIZE_MAX, milliseconds); }

void residency_set_helper(bool present) { atomic_store(&helper, present); }
void residency_tell(void (*begins)(void)) { atomic_store(&told, begins); }

size_t retained_bytes(void) {
  return atomic_load(&figures.retained[HOLDER_POOL]) + atomic_load(&figures.retained[HOLDER_HUGE]);
}
size_t active_bytes(void) { return get(&figures.active[HOLDER_POOL]) + get(&figures.active[HOLDER_HUGE]); }
size_t used_bytes(void) { return above(above(active_bytes(), hole_bytes()), get(&figures.kept)); }
size_t peak_committed_bytes(void) { return get(&peak_committed); }
