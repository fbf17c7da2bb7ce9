#include "warm/depot.h"

#include <stdatomic.h>

#include "cold/cold.h"
#include "events/events.h"
#include "os/os.h"

enum { MAGAZINES_AT_ONCE = 8 };

void **depot_take_empty(struct depot *depot, size_t size_class) {
  if (depot->empty == NULL) {
    void **several = pool_meta_alloc((size_t)MAGAZINES_AT_ONCE * MAGAZINE_BYTES, MAGAZINE_BYTES);
    if (several == NULL) {
      return NULL;
    }
    for (unsigned i = MAGAZINES_AT_ONCE; i-- > 0;) {
      depot_give_empty(depot, several + (size_t)i * MAGAZINE_SLOTS);
    }
  }
  void **magazine = depot->empty;
  depot->empty = magazine[0];
  magazine[0] = NULL;
  *magazine_bottom(magazine, size_class) = NULL;
  return magazine;
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
