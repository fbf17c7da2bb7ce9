#include "cold/pool_parts.h"

#include <stdatomic.h>

#include "cold/pool_parts_bounds.h"

/* A lock is looked at every so many times that it is taken; waits are many if they are a quarter of them. With two
 * processors a fifth waits where threads do little else, with sixteen a third and more. Of the huge blocks' lock two
 * thirds: ranges of any length waste less than units, and two threads alone may make nearly half of each other wait. */
enum { LOOK_AT = 1024, WAITED_SHARE = 4 };

static bool are_many(enum lock_rank lock, uint64_t waited, uint64_t taken) {
  return lock == LOCK_HUGE ? waited * 3 >= taken * 2 : waited * WAITED_SHARE >= taken;
}

static _Atomic uint32_t more_parts = PARTS_FIRST - 1;

static _Thread_local uint8_t number; /* of the thread, from 1 on; 0: it has none yet */
static RARE_ZEROES _Atomic uint32_t numbers;

/* Each lock as it was looked at last; under it. */
static RARE_ZEROES struct lock_counts looked[LOCK_RANKS];

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

void parts_waited(enum lock_rank lock, struct lock_counts now) {
  bool often = are_many(lock, now.waited - looked[lock].waited, now.taken - looked[lock].taken);
  unsigned twice = 2 * parts_count();
  looked[lock] = now;
  if (often && twice <= PARTS_MOST) {
    parts_raise(twice);
  }
}

void parts_look(enum lock_rank lock) {
  struct lock_counts now = lock_counts(lock);
  if (unlikely(now.taken % LOOK_AT == 0)) {
    parts_waited(lock, now);
  }
}
