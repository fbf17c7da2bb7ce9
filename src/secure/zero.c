#include "secure/zero.h"

#include <string.h>

#include "os/os.h"
#include "secure/os_secure.h"
#include "secure/stop.h"

enum { ZERO_FREE = 0, ZERO_LIVE = 1 }; /* live: and the family, above it */

uintptr_t zero_base = (uintptr_t)1 << 62;

static _Atomic uint8_t *states;
static _Atomic uint32_t turns;
static uint32_t factor, shift; /* the order within a group */

/* The range without access, and its states. Two threads may both come here: one range is given back. */
static NOINLINE bool start(void) {
  char *range = os_map(NULL, ZERO_BYTES);
  char *table = range == NULL ? NULL : os_map(NULL, ZERO_BLOCKS);
  if (table == NULL || !os_forbid(range, ZERO_BYTES)) {
    if (range != NULL) {
      os_unmap(range, ZERO_BYTES);
    }
    if (table != NULL) {
      os_unmap(table, ZERO_BLOCKS);
    }
    return false;
  }
  lock_take(LOCK_BIG);
  bool first = zero_base == (uintptr_t)1 << 62;
  if (first) {
    os_name(range, ZERO_BYTES, "hakmem zero");
    factor = (uint32_t)os_secret() * 2 + 1;
    shift = (uint32_t)os_secret();
    states = (_Atomic uint8_t *)(void *)table;
    atomic_thread_fence(memory_order_release);
    zero_base = (uintptr_t)range;
  }
  lock_drop(LOCK_BIG);
  if (!first) {
    os_unmap(range, ZERO_BYTES);
    os_unmap(table, ZERO_BLOCKS);
  }
  return true;
}

/* The address whose turn it is. */
static size_t next(void) {
  uint32_t turn = atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed);
  uint32_t in_group = (turn * factor + shift) % ZERO_GROUP;
  return (turn / ZERO_GROUP * ZERO_GROUP + in_group) % ZERO_BLOCKS;
}

void *zero_allocate(void) {
  if (unlikely(__atomic_load_n(&zero_base, __ATOMIC_ACQUIRE) == (uintptr_t)1 << 62) && !start()) {
    return NULL;
  }
  for (int i = 0; i < ZERO_TRIES; i++) {
    size_t index = next();
    uint8_t expected = ZERO_FREE;
    if (atomic_compare_exchange_strong(&states[index], &expected, ZERO_LIVE)) {
      return (void *)(zero_base + index * ZERO_GRAIN); // NOLINT(performance-no-int-to-ptr)
    }
  }
  return NULL;
}

static _Noreturn RARE void stop_zero(const char *what, const void *block) {
  fatal("%s: pointer %p, a block of 0 bytes, thread %ld", what, block, os_thread_id());
}

static _Atomic uint8_t *state_at(const void *block, const char *what) {
  size_t offset = (uintptr_t)block - zero_base;
  if (offset % ZERO_GRAIN != 0) {
    fatal("%s of an interior pointer: pointer %p, among blocks of 0 bytes, thread %ld", what, block, os_thread_id());
  }
  return &states[offset / ZERO_GRAIN];
}

void zero_free(const void *block) {
  if (atomic_exchange(state_at(block, "free"), ZERO_FREE) == ZERO_FREE) {
    stop_zero("double free", block);
  }
}

void zero_check(const void *block, const char *what) {
  if (*state_at(block, what) == ZERO_FREE) {
    char words[STOP_WORDS_BYTES];
    stop_zero(stop_freed_words(what, words), block);
  }
}

void zero_set_family(const void *block, unsigned family) {
  *state_at(block, "free") = (uint8_t)(ZERO_LIVE | family << 1);
}

unsigned zero_family(const void *block) { return *state_at(block, "free") >> 1; }
