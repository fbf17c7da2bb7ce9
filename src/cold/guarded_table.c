#include "cold/guarded_table.h"

_Atomic uintptr_t guarded_base = GUARDED_NOWHERE;
_Atomic size_t guarded_bytes;
_Atomic uint32_t guarded_ranges;

size_t guarded_table_bytes(uint32_t small, uint32_t large) {
  return os_page_ceil(sizeof(struct guarded_table) + (size_t)(small + large) * sizeof(struct guarded_record));
}

void guarded_table_make(char *reservation, size_t bytes, uint32_t small, uint32_t large) {
  struct guarded_table *table = (struct guarded_table *)(void *)reservation;
  table->slots = reservation + guarded_table_bytes(small, large) + GUARDED_MARGIN;
  for (enum guarded_kind kind = 0; kind < GUARDED_KINDS; kind++) {
    struct guarded_kind_records *records = &table->kind[kind];
    records->from = kind == GUARDED_IS_SMALL ? 0 : small;
    records->count = kind == GUARDED_IS_SMALL ? small : large;
    records->first_free = GUARDED_NONE;
    records->last_free = GUARDED_NONE;
  }
  atomic_store(&guarded_bytes, bytes);
  atomic_store(&guarded_base, (uintptr_t)reservation);
}

/* ---- which serves next ---- */

static struct guarded_kind_records *kind_of(uint32_t index) {
  struct guarded_table *table = guarded_table();
  return &table->kind[index < table->kind[GUARDED_IS_LARGE].from ? GUARDED_IS_SMALL : GUARDED_IS_LARGE];
}

uint32_t guarded_from(uint32_t index) {
  for (enum guarded_kind kind = 0; guarded_exist() && kind < GUARDED_KINDS; kind++) {
    const struct guarded_kind_records *records = &guarded_table()->kind[kind];
    index = index < records->from ? records->from : index;
    if (index < records->from + atomic_load_explicit(&records->used, memory_order_acquire)) {
      return index;
    }
  }
  return GUARDED_NONE;
}

uint32_t guarded_take(enum guarded_kind kind) {
  struct guarded_kind_records *records = &guarded_table()->kind[kind];
  uint32_t had = atomic_load_explicit(&records->used, memory_order_relaxed);
  if (had < records->count) {
    atomic_store_explicit(&records->used, had + 1, memory_order_release);
    return records->from + had;
  }
  uint32_t index = records->first_free;
  if (index != GUARDED_NONE) {
    records->first_free = guarded_record(index)->next;
    records->last_free = records->first_free == GUARDED_NONE ? GUARDED_NONE : records->last_free;
  }
  return index;
}

void guarded_give(uint32_t index) {
  struct guarded_kind_records *records = kind_of(index);
  guarded_record(index)->next = GUARDED_NONE;
  if (records->last_free == GUARDED_NONE) {
    records->first_free = index;
  } else {
    guarded_record(records->last_free)->next = index;
  }
  records->last_free = index;
}

void guarded_give_back(uint32_t index) {
  struct guarded_kind_records *records = kind_of(index);
  guarded_record(index)->next = records->first_free;
  records->first_free = index;
  records->last_free = records->last_free == GUARDED_NONE ? index : records->last_free;
}

/* In the order of the records: that of the frees is lost. */
void guarded_requeue(void) {
  for (enum guarded_kind kind = 0; guarded_exist() && kind < GUARDED_KINDS; kind++) {
    guarded_table()->kind[kind].first_free = GUARDED_NONE;
    guarded_table()->kind[kind].last_free = GUARDED_NONE;
  }
  for (uint32_t index = guarded_from(0); index != GUARDED_NONE; index = guarded_from(index + 1)) {
    if (!guarded_is_live(guarded_record(index))) {
      guarded_give(index);
    }
  }
}

/* ---- addresses ---- */

static bool is_in_range(const struct guarded_record *record, const void *address) {
  return record->range != NULL && (uintptr_t)address - (uintptr_t)record->range < record->range_bytes;
}

/* The large one whose range holds an address. */
static uint32_t find_large(const void *address) {
  uint32_t index = GUARDED_NONE;
  if (atomic_load_explicit(&guarded_ranges, memory_order_relaxed) != 0) {
    index = guarded_from(guarded_table()->kind[GUARDED_IS_LARGE].from);
  }
  while (index != GUARDED_NONE && !is_in_range(guarded_record(index), address)) {
    index = guarded_from(index + 1);
  }
  return index;
}

static bool is_in_reservation(const void *address) {
  return (uintptr_t)address - atomic_load(&guarded_base) < atomic_load(&guarded_bytes);
}

bool guarded_is_around(const void *address) {
  return is_in_reservation(address) || find_large(address) != GUARDED_NONE;
}

uint32_t guarded_find(const void *block) {
  uint32_t index = GUARDED_NONE;
  if (is_in_reservation(block)) {
    const struct guarded_table *table = guarded_table();
    size_t slot = ((uintptr_t)block - (uintptr_t)table->slots) / GUARDED_STRIDE;
    index = slot < table->kind[GUARDED_IS_SMALL].count ? (uint32_t)slot : GUARDED_NONE;
  } else {
    index = find_large(block);
  }
  bool found = index != GUARDED_NONE && guarded_is_live(guarded_record(index)) && guarded_record(index)->block == block;
  return found ? index : GUARDED_NONE;
}

size_t guarded_distance(const struct guarded_record *record, const void *address) {
  uintptr_t at = (uintptr_t)address;
  uintptr_t start = (uintptr_t)record->block;
  uintptr_t end = start + record->size;
  return at < start ? start - at : at < end || at == start ? 0 : at - end + 1;
}

static bool is_nearer(const struct guarded_record *record, const struct guarded_record *other, const void *address) {
  size_t far = guarded_distance(record, address);
  size_t other_far = guarded_distance(other, address);
  return far < other_far || (far == other_far && guarded_is_live(record) && !guarded_is_live(other));
}

uint32_t guarded_nearest(const void *address) {
  uint32_t best = GUARDED_NONE;
  for (uint32_t index = guarded_from(0); index != GUARDED_NONE; index = guarded_from(index + 1)) {
    const struct guarded_record *record = guarded_record(index);
    if (record->range != NULL && (best == GUARDED_NONE || is_nearer(record, guarded_record(best), address))) {
      best = index;
    }
  }
  return best;
}
