#include "cold/limit.h"

#include "config/config.h"
#include "events/events.h"

enum { LEVELS = 128, RELIEF_SHARE = 32 };

static _Atomic size_t counted;

_Atomic uint16_t limit_pressure;

static size_t hard_limit(void) { return (size_t)atomic_load_explicit(&options.limit, memory_order_relaxed); }
size_t limit_soft(void) { return (size_t)atomic_load_explicit(&options.limit_soft, memory_order_relaxed); }

static uint16_t level_of(size_t now, size_t soft, uint16_t before) {
  if (now > soft) {
    size_t level = 1 + (now - soft) / (soft / LEVELS + 1);
    return level < UINT16_MAX ? (uint16_t)level : UINT16_MAX;
  }
  return before != 0 && now > soft - soft / RELIEF_SHARE;
}

/* Two threads may store in the wrong order: the next call puts it right. */
static RARE void judge(size_t now, size_t soft, uint16_t before) {
  uint16_t level = soft == 0 ? 0 : level_of(now, soft, before);
  if (level != before) {
    atomic_store_explicit(&limit_pressure, level, memory_order_relaxed);
  }
}

static inline void watch(size_t now) {
  size_t soft = limit_soft();
  uint16_t before = limit_pressure_now();
  if (unlikely((soft | before) != 0)) {
    judge(now, soft, before);
  }
}

bool limit_charge_some(size_t bytes) {
  size_t now = counted_bytes();
  size_t hard;
  do {
    observe_shared_figure();
    hard = hard_limit();
    if (unlikely(hard != 0 && (now > hard || bytes > hard - now))) {
      return false;
    }
  } while (
      !atomic_compare_exchange_weak_explicit(&counted, &now, now + bytes, memory_order_relaxed, memory_order_relaxed));
  watch(now + bytes);
  return true;
}

void limit_expect(size_t bytes) { watch(counted_bytes() + bytes); }

void limit_charge_anyway(size_t bytes) {
  observe_shared_figure();
  watch(atomic_fetch_add_explicit(&counted, bytes, memory_order_relaxed) + bytes);
}

void limit_uncharge(size_t bytes) {
  observe_shared_figure();
  watch(atomic_fetch_sub_explicit(&counted, bytes, memory_order_relaxed) - bytes);
}

void limit_recount(size_t bytes) {
  atomic_store_explicit(&counted, bytes, memory_order_relaxed);
  watch(bytes);
}

bool limit_is_set(void) { return hard_limit() != 0 || limit_soft() != 0; }

bool limit_has_room_for(size_t bytes) {
  size_t hard = hard_limit();
  return hard == 0 || bytes <= hard;
}

size_t counted_bytes(void) { return atomic_load_explicit(&counted, memory_order_relaxed); }
