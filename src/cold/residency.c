#include "cold/residency.h"

#include <stdatomic.h>

#include "cold/limit.h"
#include "cold/pool_parts.h"
#include "cold/purge_policy.h"
#include "cold/shared_figure.h"
#include "config/config.h"
#include "events/events.h"
#include "os/os.h"

enum { ROUND_MS = 1000, SOON_MS = 1000, WAY_MS = 20 };
enum { PEAK_SHARE = 4, PEAK_SHARE_DIVIDED = 2, SLACK_SHARE = 8, WHOLE_SHARE = 8, RAISE = 16 };

static const struct holder_calls *_Atomic joined[HOLDERS];

static _Atomic size_t peak_used, peak_committed, peak_resident;
static _Atomic size_t raised;      /* what the budget has above its start */
static _Atomic size_t purged_soon; /* purged less than a second ago and not faulted back yet */
static _Atomic uint64_t purged_at;
static _Atomic uint64_t round_start;
static _Atomic size_t round_low;
static atomic_bool helper;
static void (*_Atomic told)(void);

/* Three quarters of what was not needed in a round are given back. */
static void round_watch(size_t now) {
  if (now < figure_get(&round_low)) {
    figure_set(&round_low, now);
  }
  uint64_t time = os_milliseconds();
  if (time - atomic_load_explicit(&round_start, memory_order_relaxed) >= ROUND_MS) {
    size_t unused = figure_get(&round_low) / 4 * 3;
    size_t raise = figure_get(&raised);
    figure_set(&raised, raise > unused ? raise - unused : 0);
    figure_set(&round_low, now);
    atomic_store_explicit(&round_start, time, memory_order_relaxed);
  }
}

static void purged_now(size_t bytes) {
  uint64_t now = os_milliseconds();
  observe_shared_figure();
  if (now - atomic_exchange_explicit(&purged_at, now, memory_order_relaxed) > SOON_MS) {
    figure_set(&purged_soon, 0);
  }
  figure_add(&purged_soon, bytes);
}

void residency_purged(enum holder holder, size_t bytes) {
  residency_uncommit(holder, bytes);
  purged_now(bytes);
}

void residency_holes_made(size_t bytes) {
  residency_holes_left(bytes);
  purged_now(bytes);
}

void residency_hole_filled(size_t bytes) {
  residency_holes_closed(bytes);
  residency_faulted_back(bytes);
}

size_t residency_peak_used(void) { return figure_get(&peak_used); }
bool residency_is_below_peak(size_t bytes) { return used_bytes() + bytes <= residency_peak_used(); }

bool residency_is_soon(void) {
  return figure_get(&purged_soon) > 0 &&
         os_milliseconds() - atomic_load_explicit(&purged_at, memory_order_relaxed) <= SOON_MS;
}

void residency_faulted_back(size_t bytes) {
  if (!residency_is_soon()) {
    return;
  }
  size_t limit = figure_get(&peak_used);
  size_t raise = figure_get(&raised) + RAISE * figure_take(&purged_soon, bytes);
  figure_set(&raised, smaller(raise, limit));
}

size_t peak_committed_bytes(void) { return figure_get(&peak_committed); }

size_t residency_steady_budget(void) { return (size_t)options.retain_kib * KIB + figure_get(&raised); }

size_t residency_budget(void) {
  if (limit_pressure_now() != 0) {
    return 0;
  }
  size_t steady = residency_steady_budget();
  size_t peak = figure_get(&peak_used);
  return atomic_load_explicit(&helper, memory_order_relaxed) && peak > steady ? peak : steady;
}

/* Near the peak in use. Where the pool is divided many threads run at once, and each waits for the map of the process
 * to fault memory back. */
static size_t allowance(size_t used) {
  size_t peak = figure_get(&peak_used);
  size_t share = likely(parts_count() == 1) ? PEAK_SHARE : PEAK_SHARE_DIVIDED;
  size_t most = peak + peak / share + (size_t)options.retain_kib * KIB / SLACK_SHARE;
  size_t left = above(most, used);
  size_t budget = residency_budget();
  return smaller(budget, left);
}

size_t residency_allowance(void) { return allowance(used_bytes()); }

/* Retained in huge pages that are in use. */
static NOINLINE size_t whole_bytes(void) {
  size_t whole = 0;
  for (enum holder holder = HOLDER_POOL; holder < HOLDERS; holder++) {
    const struct holder_calls *calls = atomic_load_explicit(&joined[holder], memory_order_acquire);
    whole += calls == NULL || calls->whole == NULL ? 0 : calls->whole();
  }
  return whole;
}

static size_t excess_of(const struct amounts *now) {
  size_t excess = above(now->retained + now->kept, allowance(now->used));
  size_t easily = excess == 0 ? 0 : above(now->retained, whole_bytes()); /* without breaking a huge page in use */
  if (excess <= easily) {
    return excess;
  }
  size_t rest = above(smaller(excess, now->retained), figure_get(&peak_used) / WHOLE_SHARE);
  return rest > easily ? rest : easily;
}

size_t residency_excess(void) {
  struct amounts now;
  amounts_read(&now);
  return excess_of(&now);
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

static NOINLINE size_t give_back(size_t wanted) {
  size_t given_back = 0;
  unsigned refused = 0;
  enum holder holder;
  while (given_back < wanted && (holder = find_oldest(refused)) != HOLDERS) {
    size_t given = joined[holder]->give_back(wanted - given_back, UINT64_MAX);
    given_back += given;
    refused |= (unsigned)(given == 0) << holder;
  }
  return given_back;
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

/* What raises the most that was resident at once takes the place of what has been retained for a while. Where nothing
 * has been, the holders, who take locks, are not asked again in the same millisecond. */
static void make_way(struct amounts *now) {
  static RARE_ZEROES _Atomic uint64_t asked_in_vain;
  size_t raised_by = smaller(above(now->resident, figure_get(&peak_resident)), now->retained);
  if (raised_by == 0 || atomic_load_explicit(&asked_in_vain, memory_order_relaxed) == os_milliseconds()) {
    return;
  }
  if (give_back_older(raised_by, WAY_MS) == 0) {
    atomic_store_explicit(&asked_in_vain, os_milliseconds(), memory_order_relaxed);
  }
  amounts_read(now);
}

/* What goes back for something else may be faulted back soon, and that is no reason to retain more. */
void residency_make_way(size_t bytes) { figure_take(&purged_soon, give_back(bytes)); }

static size_t worth_giving_back(size_t excess) {
  return purge_now(excess, residency_budget() == 0 ? 0 : figure_get(&peak_used));
}

bool residency_is_due(size_t bytes) { return worth_giving_back(bytes) > 0; }

void residency_settle(void) {
  struct amounts now;
  amounts_read(&now);
  figure_raise(&peak_used, now.used);
  figure_raise(&peak_committed, now.committed);
  round_watch(now.retained);
  make_way(&now);
  size_t excess = excess_of(&now);
  if (excess > 0) {
    give_back(worth_giving_back(excess));
    amounts_read(&now);
  }
  figure_raise(&peak_resident, now.resident);
  void (*begins)(void) = atomic_load(&told);
  if (unlikely(begins != NULL)) {
    begins();
  }
}

/* ---- the helper ---- */

size_t residency_give_back_older(uint32_t milliseconds) { return give_back_older(SIZE_MAX, milliseconds); }

void residency_set_helper(bool present) { atomic_store(&helper, present); }
void residency_tell(void (*begins)(void)) { atomic_store(&told, begins); }
