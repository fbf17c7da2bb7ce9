#include "warm/depot.h"

#include <stdatomic.h>

#include "cold/cold.h"
#include "events/events.h"
#include "os/os.h"

void **depot_take_empty(struct depot *depot, unsigned blocks) {
  if (depot->empty == NULL) {
    void **one = pool_meta_alloc(MAGAZINE_BYTES, MAGAZINE_BYTES);
    if (one == NULL) {
      return NULL;
    }
    depot_give_empty(depot, one);
  }
  void **magazine = depot->empty;
  depot->empty = magazine[0];
  magazine[0] = NULL;
  *magazine_bottom(magazine, blocks) = NULL;
  return magazine_bottom(magazine, blocks);
}

void depot_give_empty(struct depot *depot, void **magazine) {
  magazine[0] = depot->empty;
  atomic_signal_fence(memory_order_seq_cst);
  depot->empty = magazine;
}

void depot_push(struct depot *depot, size_t size_class, void **magazine) {
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
