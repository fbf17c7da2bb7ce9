#include "cold/retain.h"

#include <stdatomic.h>
#include <time.h>

#include "config/options.h"
#include "os/os.h"

enum { ROUND_SECONDS = 2 }; /* at least one whole second by a clock that counts seconds */

static _Atomic size_t active, retained, peak_active, peak_committed;
static _Atomic size_t raised;      /* what the budget has above its start */
static _Atomic size_t purged_soon; /* purged less than a second ago and not faulted back yet */
static _Atomic time_t purged_at;
static _Atomic time_t round_start;
static _Atomic size_t round_low;

static size_t get(_Atomic size_t *figure) { return atomic_load_explicit(figure, memory_order_relaxed); }
static void set(_Atomic size_t *figure, size_t to) { atomic_store_explicit(figure, to, memory_order_relaxed); }
static void add(_Atomic size_t *figure, size_t by) { atomic_fetch_add_explicit(figure, by, memory_order_relaxed); }
static void subtract(_Atomic size_t *figure, size_t by) { atomic_fetch_sub_explicit(figure, by, memory_order_relaxed); }

static time_t seconds_now(void) {
  struct timespec now = {0};
  clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
  return now.tv_sec;
}

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
  time_t seconds = seconds_now();
  if (seconds - atomic_load_explicit(&round_start, memory_order_relaxed) >= ROUND_SECONDS) {
    size_t unused = get(&round_low) / 2;
    size_t above = get(&raised);
    set(&raised, above > unused ? above - unused : 0);
    set(&round_low, now);
    atomic_store_explicit(&round_start, seconds, memory_order_relaxed);
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
  time_t now = seconds_now();
  if (now - atomic_exchange_explicit(&purged_at, now, memory_order_relaxed) > 1) {
    set(&purged_soon, 0);
  }
  add(&purged_soon, bytes);
}

void retain_faulted_back(size_t bytes) {
  size_t soon = get(&purged_soon);
  size_t back = bytes < soon ? bytes : soon;
  if (back == 0 || seconds_now() - atomic_load_explicit(&purged_at, memory_order_relaxed) > 1) {
    return;
  }
  subtract(&purged_soon, back);
  size_t limit = get(&peak_active);
  size_t above = get(&raised) + back;
  set(&raised, above < limit ? above : limit);
}

size_t retain_budget(void) { return (size_t)options.retain_kib * KIB + get(&raised); }

size_t retain_excess(void) {
  size_t now = get(&retained);
  size_t budget = retain_budget();
  return now > budget ? now - budget : 0;
}

size_t retained_bytes(void) { return get(&retained); }
size_t active_bytes(void) { return get(&active); }
size_t peak_committed_bytes(void) { return get(&peak_committed); }
