#include "os/held.h"

#include <stdatomic.h>

#include "os/machine.h"

enum { LOOKS = 100 };

/* All change under the lock only. */
static struct held {
  _Alignas(64) uint64_t since;
  _Atomic uint64_t held, waited; /* nanoseconds */
} locks[HELD_LOCKS];

static void add_since(_Atomic uint64_t *sum, uint64_t since) {
  uint64_t before = atomic_load_explicit(sum, memory_order_relaxed);
  atomic_store_explicit(sum, before + os_nanoseconds() - since, memory_order_relaxed);
}

void held_begin(unsigned lock) { locks[lock].since = os_nanoseconds(); }
void held_end(unsigned lock) { add_since(&locks[lock].held, locks[lock].since); }
void held_waited(unsigned lock, uint64_t since) { add_since(&locks[lock].waited, since); }

/* What a look at the clock takes: the least ever seen, so that what is held does not become less from one line to the
 * next. */
static uint64_t look_nanoseconds(void) {
  static _Atomic uint64_t least_seen = UINT64_MAX;
  uint64_t least = atomic_load_explicit(&least_seen, memory_order_relaxed);
  for (unsigned i = 0; i < LOOKS; i++) {
    uint64_t before = os_nanoseconds();
    uint64_t took = os_nanoseconds() - before;
    least = took < least ? took : least;
  }
  atomic_store_explicit(&least_seen, least, memory_order_relaxed);
  return least;
}

struct held_time held_time(unsigned lock, uint64_t taken) {
  uint64_t looks = taken * look_nanoseconds();
  uint64_t held = atomic_load_explicit(&locks[lock].held, memory_order_relaxed);
  uint64_t waited = atomic_load_explicit(&locks[lock].waited, memory_order_relaxed);
  return (struct held_time){.held = held > looks ? held - looks : 0, .waited = waited};
}
