#include "secure/zero.h"

#include <string.h>

#include "os/os.h"
#include "secure/os_secure.h"
#include "secure/stop.h"
#include "warm/warm.h"

enum { ZERO_FREE = 0, ZERO_LIVE = 1 }; /* live: and the family, above it */

static const uintptr_t nowhere = (uintptr_t)1 << 62;

uintptr_t zero_base = (uintptr_t)1 << 62;

static _Atomic uint32_t turns;
static uint32_t factor, shift; /* the order within a group */

void zero_start(void) {
  factor = (uint32_t)os_secret() * 2 + 1;
  shift = (uint32_t)os_secret();
}

/* The states lie behind the range. */
static _Atomic uint8_t *state_of_index(size_t index) {
  return (_Atomic uint8_t *)(zero_base + ZERO_BYTES + index); // NOLINT(performance-no-int-to-ptr)
}

/* Maps the range, without access, and the states. Of two threads that do one is too late, and gives its own back. */
static NOINLINE bool map(void) {
  char *range = os_map(NULL, ZERO_BYTES + ZERO_BLOCKS);
  if (range == NULL) {
    return false;
  }
  uintptr_t expected = nowhere;
  bool forbidden = os_forbid(range, ZERO_BYTES);
  if (!forbidden || !__atomic_compare_exchange_n(&zero_base, &expected, (uintptr_t)range, false, __ATOMIC_ACQ_REL,
                                                 __ATOMIC_ACQUIRE)) {
    os_unmap(range, ZERO_BYTES + ZERO_BLOCKS);
    return forbidden;
  }
  os_name(range, ZERO_BYTES + ZERO_BLOCKS, "hakmem zero");
  return true;
}

/* The address whose turn it is. */
static size_t next(void) {
  uint32_t turn = atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed);
  uint32_t in_group = (turn * factor + shift) % ZERO_GROUP;
  return (turn / ZERO_GROUP * ZERO_GROUP + in_group) % ZERO_BLOCKS;
}

void *zero_allocate(void) {
  if (unlikely(__atomic_load_n(&zero_base, __ATOMIC_ACQUIRE) == nowhere) && (!process_start() || !map())) {
    return NULL;
  }
  for (int i = 0; i < ZERO_TRIES; i++) {
    size_t index = next();
    uint8_t expected = ZERO_FREE;
    if (atomic_compare_exchange_strong(state_of_index(index), &expected, ZERO_LIVE)) {
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
  return state_of_index(offset / ZERO_GRAIN);
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
