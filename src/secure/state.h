/* state: whether a block is live, and the size that it was asked for with, out of line.
 *
 * Two bytes a block say who has it. The owner of the slab writes the first with plain stores, as it does everything
 * on its own path; any other thread claims the block by one compare-and-swap of both. So of several other threads
 * that free a block at once exactly one succeeds, and the owner sees what another thread claimed before. Where the
 * owner and another thread free at the very same moment both may go on; then the bytes contradict each other, which
 * stops the program when the block is next handed out.
 *
 *                          owner's   another's
 *   free, by its owner     FREE      FREE
 *   on its way in or out   CHANGING  FREE       the owner writes its canary or zeroes it
 *   live                   LIVE      FREE
 *   being freed by another LIVE      CHANGING
 *   free, by another       LIVE      LIVE       on its way to the slab, or there
 *
 * A block that is live has a whole canary, and one that is free is zero as far as it is filled, whoever looks: what
 * is in between is CHANGING, and stays so for a child of fork() if its thread was lost then.
 *
 * Owns:     the states, and the table that finds them by the unit of a slab. They are never unmapped: a free of a
 *           block of a slab that was released finds some.
 * Promises: a block of a slab that is not bound is not live.
 * Callers:  src/secure. Any thread; state_map by whoever binds the slab.
 */
#ifndef HAKMEM_SECURE_STATE_H
#define HAKMEM_SECURE_STATE_H

#include "cold/cold.h"

enum { STATE_FREE = 0, STATE_LIVE = 0x01, STATE_CHANGING = 0x02 };
enum { STATE_CLAIMED = STATE_LIVE | STATE_CHANGING << 8, STATE_FREED_BY_ANOTHER = STATE_LIVE | STATE_LIVE << 8 };

struct block_state {
  _Atomic uint16_t now;
  _Atomic uint16_t size; /* of a live block: what was asked for; its canary lies there */
};

extern HIDDEN _Atomic(struct block_state *) *state_units; /* of each unit of the window that is a slab */

/* States can be had in the units of a superslab; false when there is no memory. May be called again. */
bool state_start(const char *superslab_start);

/* States for the blocks of a class in a slab that is being bound; false when there is no memory. */
bool state_map(const char *slab_start, size_t size_class);

/* The units of a superslab whose last page is out of bounds: secure/guard.c's. */
_Atomic uint32_t *state_guards(const char *superslab_start);

/* The state of the block that an address in a unit tagged with `size_class` lies in; past the last block, one that is
 * never live. */
static inline struct block_state *state_of(const void *block, size_t size_class) {
  size_t offset = (uintptr_t)block & (UNIT_BYTES - 1);
  struct block_state *states = atomic_load_explicit(&state_units[window_unit(block)], memory_order_relaxed);
  return states + block_index_at(&size_classes[size_class], offset);
}

/* Whether an address lies where there is a slab, or was one. */
static inline bool state_is_of_a_slab(const void *address) {
  size_t unit = window_unit(address);
  return unit < window_units && state_units != NULL &&
         atomic_load_explicit(&state_units[unit], memory_order_relaxed) != NULL;
}

static inline uint16_t state_now(struct block_state *state) {
  return atomic_load_explicit(&state->now, memory_order_acquire);
}

static inline bool state_is_live(struct block_state *state) {
  return atomic_load_explicit(&state->now, memory_order_relaxed) == STATE_LIVE;
}

/* Nobody has it, and nobody freed it a second time. */
static inline bool state_says_free(uint16_t now) { return now == STATE_FREE || now == STATE_FREED_BY_ANOTHER; }

static inline bool state_is_free(struct block_state *state) {
  return state_says_free(atomic_load_explicit(&state->now, memory_order_relaxed));
}

static inline _Atomic uint8_t *state_own(struct block_state *state) { return (_Atomic uint8_t *)(void *)&state->now; }
static inline _Atomic uint8_t *state_other(struct block_state *state) {
  return (_Atomic uint8_t *)(void *)&state->now + 1;
}

static inline size_t state_size(struct block_state *state) {
  return atomic_load_explicit(&state->size, memory_order_relaxed);
}
static inline void state_set_size(struct block_state *state, size_t size) {
  atomic_store_explicit(&state->size, (uint16_t)size, memory_order_relaxed);
}

/* The owner hands the block out: it is written between the two. */
static inline void state_leave(struct block_state *state) {
  atomic_store_explicit(&state->now, STATE_CHANGING, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
}
static inline void state_set_live(struct block_state *state) {
  atomic_store_explicit(&state->now, STATE_LIVE, memory_order_release);
}

/* The owner frees a live block: it is zeroed between the two. The other threads' byte is left as it is. */
static inline void state_return(struct block_state *state) {
  atomic_store_explicit(state_own(state), STATE_CHANGING, memory_order_relaxed);
  atomic_thread_fence(memory_order_release);
}
static inline void state_free(struct block_state *state) {
  atomic_store_explicit(state_own(state), STATE_FREE, memory_order_release);
}

/* Any thread takes a live block, to free it or to write its canary anew; false: the block was not live. */
static inline bool state_claim(struct block_state *state) {
  uint16_t live = STATE_LIVE;
  return atomic_compare_exchange_strong(&state->now, &live, STATE_CLAIMED);
}
static inline void state_freed(struct block_state *state) {
  atomic_store_explicit(state_other(state), STATE_LIVE, memory_order_release);
}
static inline void state_kept(struct block_state *state) {
  atomic_store_explicit(state_other(state), STATE_FREE, memory_order_release);
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the owner's byte is the low one");

#endif
