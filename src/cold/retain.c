#include "cold/retain.h"

#include <stdatomic.h>

#include "config/config.h"
#include "os/os.h"

enum { ROUND_MS = 1000, SOON_MS = 1000, PEAK_SHARE = 16, SLACK_SHARE = 8 };

static _Atomic size_t active[RETAIN_HOLDERS], retained[RETAIN_HOLDERS], peak_active, peak_committed;
static _Atomic size_t raised;      /* what the budget has above its start */
static _Atomic size_t purged_soon; /* purged less than a second ago and not faulted back yet */
static _Atomic uint64_t purged_at;
static _Atomic uint64_t round_start;
static _Atomic size_t round_low;

static size_t get(_Atomic size_t *figure) { return atomic_load_explicit(figure, memory_order_relaxed); }
static void set(_Atomic size_t *figure, size_t to) { atomic_store_explicit(figure, to, memory_order_relaxed); }
static void add(_Atomic size_t *figure, size_t by) { atomic_fetch_add_explicit(figure, by, memory_order_relaxed); }

/* Never below 0: two boxes may take from one figure, and a child of fork() may have lost a step. Bytes taken. */
static size_t take_up_to(_Atomic size_t *figure, size_t wanted) {
  size_t there = get(figure);
  size_t taken;
  do {
    taken = wanted < there ? wanted : there;
  } while (!atomic_compare_exchange_weak_explicit(figure, &there, there - taken, memory_order_relaxed,
                                                  memory_order_relaxed));
  return taken;
}

static void subtract(_Atomic size_t *figure, size_t by) { take_up_to(figure, by); }

static void raise_to(_Atomic size_t *peak, size_t value) {
  if (value > get(peak)) {
    set(peak, value);
  }
}

/* Half of what was not needed in a round is given back. */
static void round_watch(void) {
  size_t now = retained_bytes();
  if (now < get(&round_low)) {
    set(&round_low, now);
  }
  uint64_t time = os_milliseconds();
  if (time - atomic_load_explicit(&round_start, memory_order_relaxed) >= ROUND_MS) {
    size_t unused = get(&round_low) / 2;
    size_t raise = get(&raised);
    set(&raised, raise > unused ? raise - unused : 0);
    set(&round_low, now);
    atomic_store_explicit(&round_start, time, memory_order_relaxed);
  }
}

void retain_activate(enum retain_holder holder, size_t fresh_bytes, size_t reused_bytes) {
  subtract(&retained[holder], reused_bytes);
  add(&active[holder], fresh_bytes + reused_bytes);
  raise_to(&peak_active, active_bytes());
  raise_to(&peak_committed, active_bytes() + retained_bytes());
  round_watch();
}

void retain_deactivate(enum retain_holder holder, size_t bytes) {
  subtract(&active[holder], bytes);
  add(&retained[holder], bytes);
}

void retain_drop(enum retain_holder holder, size_t bytes) { subtract(&active[holder], bytes); }

void retain_recount(enum retain_holder holder, size_t active_bytes, size_t retained_bytes) {
  set(&active[holder], active_bytes);
  set(&retained[holder], retained_bytes);
}

void retain_purged(enum retain_holder holder, size_t bytes) {
  subtract(&retained[holder], bytes);
  uint64_t now = os_milliseconds();
  if (now - atomic_exchange_explicit(&purged_at, now, memory_order_relaxed) > SOON_MS) {
    set(&purged_soon, 0);
  }
  add(&purged_soon, bytes);
}

void retain_faulted_back(size_t bytes) {
  if (get(&purged_soon) == 0 || os_milliseconds() - atomic_load_explicit(&purged_at, memory_order_relaxed) > SOON_MS) {
    return;
  }
  size_t limit = get(&peak_active);
  size_t raise = get(&raised) + take_up_to(&purged_soon, bytes);
  set(&raised, raise < limit ? raise : limit);
}

size_t retain_budget(void) { return (size_t)options.retain_kib * KIB + get(&raised); }

static size_t above(size_t value, size_t limit) { return value > limit ? value - limit : 0; }

size_t retain_excess(void) {
  size_t now = retained_bytes();
  size_t peak = get(&peak_active);
  size_t beyond_budget = above(now, retain_budget());
  size_t beyond_peak =
      above(active_bytes() + now, peak + peak / PEAK_SHARE + (size_t)options.retain_kib * KIB / SLACK_SHARE);
  size_t excess = beyond_budget > beyond_peak ? beyond_budget : beyond_peak;
  return excess < now ? excess : now;
}

size_t retained_bytes(void) { return get(&retained[RETAIN_POOL]) + get(&retained[RETAIN_HUGE]); }
size_t active_bytes(void) { return get(&active[RETAIN_POOL]) + get(&active[RETAIN_HUGE]); }
size_t peak_committed_bytes(void) { return get(&peak_committed); }
