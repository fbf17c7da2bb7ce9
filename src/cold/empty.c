#include "cold/empty.h"

#include "cold/words.h"
#include "os/os.h"

/* Of an address: EMPTY_FREE, or EMPTY_LIVE and its mark above that bit. */
enum { EMPTY_FREE = 0, EMPTY_LIVE = 1 };

static const uintptr_t nowhere = (uintptr_t)1 << 62;

_Atomic uintptr_t empty_base = (uintptr_t)1 << 62;

static _Atomic uint32_t turns;
static uint32_t order_factor = 1, order_shift;

void empty_order(uint32_t factor, uint32_t shift) {
  order_factor = factor;
  order_shift = shift;
}

/* The states lie behind the range. */
static _Atomic uint8_t *state_of_index(size_t index) {
  return (_Atomic uint8_t *)(atomic_load(&empty_base) + EMPTY_BYTES + index); // NOLINT(performance-no-int-to-ptr)
}

/* Maps the range, without access, and the states. Of two threads that do one is too late, and gives its own back. */
static RARE bool map(void) {
  char *range = os_map(NULL, EMPTY_BYTES + EMPTY_BLOCKS);
  if (range == NULL) {
    return false;
  }
  uintptr_t before = nowhere;
  bool forbidden = os_forbid(range, EMPTY_BYTES);
  if (!forbidden || !atomic_compare_exchange_strong(&empty_base, &before, (uintptr_t)range)) {
    os_unmap(range, EMPTY_BYTES + EMPTY_BLOCKS);
    return forbidden;
  }
  os_name(range, EMPTY_BYTES + EMPTY_BLOCKS, "hakmem empty blocks");
  return true;
}

/* The address whose turn it is. */
static size_t next_index(void) {
  uint32_t turn = atomic_fetch_add_explicit(&turns, 1, memory_order_relaxed);
  uint32_t in_group = (turn * order_factor + order_shift) % EMPTY_GROUP;
  return (turn / EMPTY_GROUP * EMPTY_GROUP + in_group) % EMPTY_BLOCKS;
}

void *empty_allocate(void) {
  if (unlikely(atomic_load(&empty_base) == nowhere) && !map()) {
    return NULL;
  }
  for (int i = 0; i < EMPTY_TRIES; i++) {
    size_t index = next_index();
    uint8_t state = EMPTY_FREE;
    if (atomic_compare_exchange_strong(state_of_index(index), &state, EMPTY_LIVE)) {
      return (void *)(atomic_load(&empty_base) + index * EMPTY_GRAIN); // NOLINT(performance-no-int-to-ptr)
    }
  }
  return NULL;
}

/* The state of an address in the range. */
static _Atomic uint8_t *state_of(const void *block, const char *what) {
  size_t offset = (uintptr_t)block - atomic_load(&empty_base);
  if (offset % EMPTY_GRAIN != 0) {
    fatal("%s: pointer %p, a block of zero bytes, thread %ld", words_of_wrong(block, what, "an interior").text, block,
          os_thread_id());
  }
  return state_of_index(offset / EMPTY_GRAIN);
}

static _Noreturn RARE void fatal_freed(const void *block, const char *what) {
  fatal("%s: pointer %p, a block of zero bytes, thread %ld", words_of_freed(what).text, block, os_thread_id());
}

bool empty_free(const void *block) {
  if (!empty_holds(block)) {
    return false;
  }
  if (atomic_exchange(state_of(block, "free"), EMPTY_FREE) == EMPTY_FREE) {
    fatal_freed(block, "free");
  }
  return true;
}

bool empty_is_live(const void *block, const char *what) {
  if (!empty_holds(block)) {
    return false;
  }
  if (atomic_load(state_of(block, what)) == EMPTY_FREE) {
    fatal_freed(block, what);
  }
  return true;
}

void empty_set_mark(const void *block, unsigned mark) {
  atomic_store(state_of(block, "free"), (uint8_t)(EMPTY_LIVE | mark << 1));
}

unsigned empty_mark(const void *block) { return atomic_load(state_of(block, "free")) >> 1; }
