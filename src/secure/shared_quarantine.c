#include "secure/shared_quarantine.h"

#include "secure/check.h"
#include "secure/os_secure.h"

_Atomic(void *) shared_quarantine[SIZE_CLASS_COUNT][QUARANTINE_SLOTS];

/* Threads that meet here may draw the same number, which is as good. */
static unsigned random_slot(unsigned log2) {
  static _Atomic uint64_t random;
  uint64_t next = atomic_load_explicit(&random, memory_order_relaxed);
  next = (next == 0 ? os_secret() : next) * 0x5851F42D + 0x14057B7F;
  atomic_store_explicit(&random, next, memory_order_relaxed);
  return (uint32_t)(next >> 32) >> (32 - log2);
}

void *shared_quarantine_exchange(size_t size_class, void *block) {
  unsigned slot = random_slot(quarantine_log2(size_class));
  return atomic_exchange_explicit(&shared_quarantine[size_class][slot], block, memory_order_acq_rel);
}

void shared_quarantine_drain(void (*visit)(size_t size_class, void *const *top)) {
  for (size_t i = 0; i < SIZE_CLASS_COUNT * (size_t)QUARANTINE_SLOTS; i++) {
    _Atomic(void *) *slot = &shared_quarantine[i / QUARANTINE_SLOTS][i % QUARANTINE_SLOTS];
    void *magazine[] = {NULL, NULL};
    if (atomic_load_explicit(slot, memory_order_relaxed) != NULL) {
      magazine[1] = atomic_exchange_explicit(slot, NULL, memory_order_acq_rel);
    }
    if (magazine[1] != NULL) {
      check_free(magazine[1], i / QUARANTINE_SLOTS);
      visit(i / QUARANTINE_SLOTS, &magazine[1]);
    }
  }
}

void shared_quarantine_each(void (*visit)(void *block, void *context), void *context) {
  for (size_t i = 0; i < SIZE_CLASS_COUNT * (size_t)QUARANTINE_SLOTS; i++) {
    void *block =
        atomic_load_explicit(&shared_quarantine[i / QUARANTINE_SLOTS][i % QUARANTINE_SLOTS], memory_order_relaxed);
    if (block != NULL) {
      visit(block, context);
    }
  }
}
