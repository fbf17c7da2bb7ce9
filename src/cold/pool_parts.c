#include "cold/pool_parts.h"

#include <stdatomic.h>

#include "cold/pool_parts_bounds.h"

/* A part's lock is looked at every so many times that it is taken; waits are many if they are this share of them. With
 * two processors a fifth waits where threads do little else, with sixteen a third and more. */
enum { LOOK_AT = 1024, WAITED_SHARE = 4 };

static _Atomic uint32_t more_parts = PARTS_FIRST - 1;

static _Thread_local uint8_t number; /* of the thread, from 1 on; 0: it has none yet */
static RARE_ZEROES _Atomic uint32_t numbers;

/* Each lock as it was looked at last; under it. */
static RARE_ZEROES struct lock_counts looked[POOL_PARTS];

unsigned parts_count(void) { return atomic_load_explicit(&more_parts, memory_order_relaxed) + 1; }

static NOINLINE unsigned own_of(unsigned parts) {
  if (number == 0) {
    number = (uint8_t)(1 + atomic_fetch_add_explicit(&numbers, 1, memory_order_relaxed) % POOL_PARTS);
  }
  return (number - 1U) % parts;
}

unsigned parts_own(void) {
  unsigned parts = parts_count();
  return likely(parts == 1) ? 0 : own_of(parts);
}

void parts_raise(unsigned parts) {
  uint32_t before = atomic_load(&more_parts);
  while (before < parts - 1 && !atomic_compare_exchange_weak(&more_parts, &before, parts - 1)) {
  }
}

void parts_waited(unsigned part, struct lock_counts now) {
  bool often = (now.waited - looked[part].waited) * WAITED_SHARE >= now.taken - looked[part].taken;
  unsigned twice = 2 * parts_count();
  looked[part] = now;
  if (often && twice <= PARTS_MOST) {
    parts_raise(twice);
  }
}

void parts_look(unsigned part) {
  struct lock_counts now = lock_counts(LOCK_POOL + part);
  if (unlikely(now.taken % LOOK_AT == 0)) {
    parts_waited(part, now);
  }
}
