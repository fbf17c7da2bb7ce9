#include "cold/retain.h"

#include <stdatomic.h>

#include "config/options.h"
#include "os/os.h"

enum { ROUND_MS = 1000, SOON_MS = 1000 };

static _Atomic size_t active, retained, peak_active, peak_committed;
static _Atomic size_t raised;      /* what the budget has above its start */
static _Atomic size_t purged_soon; /* purged less than a second ago and not faulted back yet */
static _Atomic uint64_t purged_at;
static _Atomic uint64_t round_start;
static _Atomic size_t round_low;

static size_t get(_Atomic size_t *figure) { return atomic_load_explicit(figure, memory_order_relaxed); }
static void set(_Atomic size_t *figure, size_t to) { atomic_store_explicit(figure, to, memory_order_relaxed); }
static void add(_Atomic size_t *figure, size_t by) { atomic_fetch_add_explicit(figure, by, memory_order_relaxed); }
static void subtract(_Atomic size_t *figure, size_t by) { atomic_fetch_sub_explicit(figure, by, memory_order_relaxed); }

static void raise_to(_Atomic size_t *peak, size_t value) {
  if (value > get(peak)) {
    set(peak, value);
  }
}

/* What was never needed in a round is half given up. */
static void round_watch(void) {
  size_t now = get(&retained);
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

void retain_activate(size_t fresh_bytes, size_t reused_bytes) {
  subtract(&retained, reused_bytes);
  add(&active, fresh_bytes + reused_bytes);
  raise_to(&peak_active, get(&active));
  raise_to(&peak_committed, get(&active) + get(&retained));
  round_watch();
}

void retain_deactivate(size_t bytes) {
  subtract(&active, bytes);
  add(&retained, bytes);
}

void retain_drop(size_t bytes) { subtract(&active, bytes); }

void retain_purged(size_t bytes) {
  subtract(&retained, bytes);
  uint64_t now = os_milliseconds();
  if (now - atomic_exchange_explicit(&purged_at, now, memory_order_relaxed) > SOON_MS) {
    set(&purged_soon, 0);
  }
  add(&purged_soon, bytes);
}

void retain_faulted_back(size_t bytes) {
  size_t soon = get(&purged_soon);
  size_t back = bytes < soon ? bytes : soon;
  if (back == 0 || os_milliseconds() - atomic_load_explicit(&purged_at, memory_order_relaxed) > SOON_MS) {
    return;
  }
  subtract(&purged_soon, back);
  size_t limit = get(&peak_active);
  size_t raise = get(&raised) + back;
  set(&raised, raise < limit ? raise : limit);
}

size_t retain_budget(void) { return (size_t)options.retain_kib * KIB + get(&raised); }

static size_t above(size_t value, size_t limit) { return value > limit ? value - limit : 0; }

size_t retain_excess(void) {
  size_t now = get(&retained);
  size_t excess = above(now, retain_budget());
  return excess < now ? excess : now;
}

size_t retained_bytes(void) { return get(&retained); }
size_t active_bytes(void) { return get(&active); }
size_t peak_committed_bytes(void) { return get(&peak_committed); }
