#include "warm/depot.h"

#include <stdatomic.h>

#include "cold/cold.h"
#include "events/events.h"
#include "os/os.h"

enum { EMPTIES_MAX = 64 };

/* ---- the stock of empty magazines: those that are sent home are made by one thread and emptied by another ---- */

static void **_Atomic stock; /* changed under the lock; read without it as a hint */

static void **stock_take(void) {
  if (atomic_load_explicit(&stock, memory_order_relaxed) == NULL) {
    return NULL;
  }
  lock_take(LOCK_STOCK); /* torn or not: it is whole at every moment */
  void **magazine = stock;
  if (magazine != NULL) {
    stock = magazine[0];
  }
  lock_drop(LOCK_STOCK);
  return magazine;
}

static void stock_give(void **magazine) {
  lock_take(LOCK_STOCK);
  magazine[0] = stock;
  stock = magazine;
  lock_drop(LOCK_STOCK);
}

/* ---- a heap's own ---- */

void **depot_take_empty(struct depot *depot, unsigned blocks) {
  if (depot->empty == NULL) {
    void **one = stock_take();
    if (one == NULL) {
      one = pool_meta_alloc(MAGAZINE_BYTES, MAGAZINE_BYTES);
    }
    if (one == NULL) {
      return NULL;
    }
    depot_give_empty(depot, one);
  }
  void **magazine = depot->empty;
  depot->empty = magazine[0];
  depot->empties--;
  magazine[0] = NULL;
  *magazine_bottom(magazine, blocks) = NULL;
  return magazine_bottom(magazine, blocks);
}

void depot_give_empty(struct depot *depot, void **magazine) {
  if (depot->empties == EMPTIES_MAX) {
    stock_give(magazine);
    return;
  }
  depot->empties++;
  magazine[0] = depot->empty;
  atomic_signal_fence(memory_order_seq_cst);
  depot->empty = magazine;
}

void depot_push(struct depot *depot, size_t size_class, void **magazine) {
  INVARIANT(magazine_count(magazine_full_top(magazine)) == size_classes[size_class].magazine);
  magazine[0] = depot->full[size_class];
  atomic_signal_fence(memory_order_seq_cst);
  depot->full[size_class] = magazine;
  depot->filled |= UINT64_C(1) << size_class;
  depot->bytes += magazine_block_bytes(size_class);
  observe_depot_push();
}

void **depot_pop(struct depot *depot, size_t size_class) {
  void **magazine = depot->full[size_class];
  if (magazine != NULL) {
    void **next = magazine[0];
    depot->full[size_class] = next;
    atomic_signal_fence(memory_order_seq_cst);
    if (next == NULL) {
      depot->filled &= ~(UINT64_C(1) << size_class);
    }
    magazine[0] = NULL;
    depot->bytes -= magazine_block_bytes(size_class);
    INVARIANT(depot->bytes <= SIZE_MAX / 2);
  }
  return magazine;
}

size_t depot_victim(struct depot *depot) {
  if (depot->filled == 0) {
    return SIZE_CLASS_COUNT;
  }
  uint64_t after = depot->filled >> 1 >> depot->cursor << depot->cursor << 1;
  depot->cursor = (size_t)__builtin_ctzll(after != 0 ? after : depot->filled);
  return depot->cursor;
}
