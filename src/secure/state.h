/* state: whether a block is live, out of line.
 *
 * Two bytes a block. The owner of the slab writes the first with plain stores, as it does everything on its own path;
 * any other thread claims the block by one compare-and-swap of both. So of several other threads that free a block at
 * once exactly one succeeds, and the owner sees what another thread claimed before. Where the owner and another thread
 * free at the very same moment both may go on; then the bytes contradict each other, which stops the program when
 * the block is next handed out.
 *
 *   free, by its owner     0          live              OWNED
 *   free, by another       CLAIMED | OWNED: on its way to the slab, or there
 *
 * Owns:     the states, and the table that finds them by the first unit of a slab. They are never unmapped: a free of
 *           a block of a slab that was released finds some.
 * Promises: a block of a slab that is not bound is not live.
 * Callers:  src/secure. Any thread; state_map by whoever binds the slab.
 */
#ifndef HAKMEM_SECURE_STATE_H
#define HAKMEM_SECURE_STATE_H

#include "cold/cold.h"

enum { STATE_OWNED = 0x01, STATE_CLAIMED = 0x0100, STATE_FREED_BY_ANOTHER = STATE_CLAIMED | STATE_OWNED };

typedef _Atomic uint16_t block_state;

extern HIDDEN _Atomic(block_state *) *state_units; /* of each unit of the window that begins a slab */

/* The table; false when there is no memory. May be called again then. */
bool state_start(void);

/* States for the blocks of a class in a slab that is being bound; false when there is no memory. */
bool state_map(const char *slab_start, size_t size_class);

/* The state of the block that an address in a unit tagged with `size_class` lies in; past the last block, one that is
 * never live. */
block_state *state_of(const void *block, size_t size_class);

/* The same where a slab is one unit. */
static inline block_state *state_of_narrow(const void *block, size_t size_class) {
  size_t offset = (uintptr_t)block & (UNIT_BYTES - 1);
  block_state *states = atomic_load_explicit(&state_units[window_unit(block)], memory_order_relaxed);
  return states + (offset * size_classes[size_class].reciprocal >> 40);
}

static inline bool state_is_live(block_state *state) {
  return atomic_load_explicit(state, memory_order_relaxed) == STATE_OWNED;
}

/* Whether the block may be handed out: nobody has it, and nobody freed it a second time. */
static inline bool state_is_free(block_state *state) {
  uint16_t now = atomic_load_explicit(state, memory_order_relaxed);
  return now == 0 || now == STATE_FREED_BY_ANOTHER;
}

static inline void state_set_live(block_state *state) {
  atomic_store_explicit(state, STATE_OWNED, memory_order_relaxed);
}

/* By the owner, of a live block. The other threads' byte is left as it is. */
static inline void state_free(block_state *state) {
  atomic_store_explicit((_Atomic uint8_t *)(void *)state, 0, memory_order_relaxed);
}

/* By any other thread; false: the block was not live. */
static inline bool state_claim(block_state *state) {
  uint16_t live = STATE_OWNED;
  return atomic_compare_exchange_strong(state, &live, STATE_FREED_BY_ANOTHER);
}

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the owner's byte is the low one");

#endif
