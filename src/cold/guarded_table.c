#include "cold/guarded_table.h"

_Atomic uintptr_t guarded_base = GUARDED_NOWHERE;

static size_t stride_of(const void *address) {
  return ((uintptr_t)address - atomic_load(&guarded_base)) / GUARDED_STRIDE;
}

unsigned guarded_find(const void *block) {
  size_t slot = stride_of(block);
  bool found = slot < GUARDED_SLOTS && guarded_is_live((unsigned)slot) && guarded_table()->record[slot].block == block;
  return found ? (unsigned)slot : GUARDED_SLOTS;
}

size_t guarded_distance(const struct guarded_record *record, const void *address) {
  uintptr_t at = (uintptr_t)address;
  uintptr_t start = (uintptr_t)record->block;
  uintptr_t end = start + record->size;
  return at < start ? start - at : at < end ? 0 : at - end + 1;
}

static bool is_nearer(unsigned slot, unsigned other, const void *address) {
  const struct guarded_record *record = guarded_table()->record;
  size_t far = guarded_distance(&record[slot], address);
  size_t other_far = guarded_distance(&record[other], address);
  return far < other_far || (far == other_far && guarded_is_live(slot) && !guarded_is_live(other));
}

unsigned guarded_nearest(const void *address) {
  size_t at = stride_of(address);
  unsigned best = GUARDED_SLOTS;
  for (size_t slot = at == 0 ? 0 : at - 1; slot < GUARDED_SLOTS && slot <= at; slot++) {
    bool used = guarded_table()->record[slot].block != NULL;
    if (used && (best == GUARDED_SLOTS || is_nearer((unsigned)slot, best, address))) {
      best = (unsigned)slot;
    }
  }
  return best;
}
