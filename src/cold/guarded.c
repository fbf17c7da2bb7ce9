#include "cold/guarded.h"

#include <string.h>

#include "cold/guarded_lines.h"
#include "cold/limit.h"

enum { FILL = 0xB5, FRONT_EVERY = 4 };

static uint64_t allocations, frees;
static _Atomic size_t live, live_bytes, counted;

static size_t table_bytes(void) { return os_page_ceil(sizeof(struct guarded_table)); }

static char *slot_start(unsigned slot) {
  uintptr_t start = atomic_load(&guarded_base) + (size_t)slot * GUARDED_STRIDE + GUARDED_MAX;
  return (char *)start; // NOLINT(performance-no-int-to-ptr)
}

static void count_live(ptrdiff_t blocks, size_t size) {
  atomic_fetch_add_explicit(&live, (size_t)blocks, memory_order_relaxed);
  atomic_fetch_add_explicit(&live_bytes, (size_t)blocks * size, memory_order_relaxed);
}

/* ---- the lock ---- */

/* A lost thread was using a slot: what it had not ended is as it was, but for the figures. */
static void mend(void) {
  size_t blocks = 0;
  size_t bytes = 0;
  size_t may_be_resident = 0;
  bool mapped = atomic_load(&guarded_base) != GUARDED_NOWHERE;
  for (unsigned slot = 0; mapped && slot < GUARDED_SLOTS; slot++) {
    const struct guarded_record *record = &guarded_table()->record[slot];
    blocks += guarded_is_live(slot);
    bytes += guarded_is_live(slot) ? record->size : 0;
    may_be_resident += record->is_counted ? record->pages : 0;
  }
  atomic_store(&live, blocks);
  atomic_store(&live_bytes, bytes);
  atomic_store(&counted, may_be_resident + (mapped ? table_bytes() : 0));
}

static void guarded_lock(void) {
  if (unlikely(lock_take(LOCK_GUARDED))) {
    mend();
  }
}

static void guarded_unlock(void) { lock_drop(LOCK_GUARDED); }

/* ---- the bytes beside a block ---- */

static struct guarded_damage look(const struct guarded_record *record) {
  struct guarded_damage damage = {0};
  const char *end = guarded_pages(record) + record->pages;
  for (const char *byte = guarded_pages(record); byte < end; byte++) {
    byte += byte == record->block ? record->size : 0;
    if (byte < end && (unsigned char)*byte != FILL) {
      damage.from = damage.count == 0 ? byte - record->block : damage.from;
      damage.count++;
    }
  }
  return damage;
}

/* ---- pages ---- */

/* Takes access away and gives the memory back. Where the system refuses the slot is not used again before it does. */
static bool close_off(struct guarded_record *record) {
  if (record->is_counted && os_forbid(guarded_pages(record), record->pages) &&
      os_purge(guarded_pages(record), record->pages)) {
    record->is_counted = false;
    atomic_fetch_sub_explicit(&counted, record->pages, memory_order_relaxed);
    limit_uncharge(record->pages);
  }
  return !record->is_counted;
}

static bool open_up(struct guarded_record *record) {
  if (!limit_charge(record->pages)) {
    return false;
  }
  if (!os_permit(guarded_pages(record), record->pages)) {
    limit_uncharge(record->pages);
    return false;
  }
  record->is_counted = true;
  atomic_fetch_add_explicit(&counted, record->pages, memory_order_relaxed);
  return true;
}

/* ---- blocks ---- */

static bool is_ours(const void *address) { return guarded_holds(address); }

static RARE bool map(void) {
  if (!limit_charge(table_bytes())) {
    return false;
  }
  char *range = os_map(NULL, GUARDED_BYTES + table_bytes());
  if (range == NULL || !os_forbid(range, GUARDED_BYTES)) {
    if (range != NULL) {
      os_unmap(range, GUARDED_BYTES + table_bytes());
    }
    limit_uncharge(table_bytes());
    return false;
  }
  os_name(range, GUARDED_BYTES + table_bytes(), "hakmem guarded samples");
  atomic_fetch_add(&counted, table_bytes());
  atomic_store(&guarded_base, (uintptr_t)range);
  fault_watch(is_ours, guarded_tell); /* where the program has a handler a fault is its own */
  return true;
}

/* The slot that has been free for the longest time. */
static unsigned find_free(void) {
  unsigned found = GUARDED_SLOTS;
  uint64_t since = GUARDED_LIVE;
  for (unsigned slot = 0; slot < GUARDED_SLOTS; slot++) {
    uint64_t freed_at = atomic_load_explicit(&guarded_table()->freed_at[slot], memory_order_relaxed);
    if (freed_at < since) {
      found = slot;
      since = freed_at;
    }
  }
  return found;
}

static void place(struct guarded_record *record, unsigned slot, size_t size, size_t alignment) {
  size_t page_mask = os_page_size() - 1;
  record->front = allocations++ % FRONT_EVERY == FRONT_EVERY - 1;
  uintptr_t start = (uintptr_t)slot_start(slot);
  uintptr_t block = record->front ? start : (start + GUARDED_MAX - size) & ~(uintptr_t)(alignment - 1);
  record->block = (char *)block; // NOLINT(performance-no-int-to-ptr)
  record->size = (uint32_t)size;
  record->pages = (uint32_t)(((block + size + page_mask) & ~page_mask) - (block & ~page_mask));
}

static char *take_slot(size_t size, size_t alignment, const struct stack *by) {
  unsigned slot = find_free();
  if (slot == GUARDED_SLOTS || !close_off(&guarded_table()->record[slot])) {
    return NULL;
  }
  struct guarded_record *record = &guarded_table()->record[slot];
  struct guarded_record before = *record;
  place(record, slot, size, alignment);
  if (!open_up(record)) {
    *record = before;
    return NULL;
  }
  char *pages = guarded_pages(record);
  memset(pages, FILL, (size_t)(record->block - pages));
  memset(record->block + size, FILL, (size_t)(pages + record->pages - (record->block + size)));
  record->allocated_by = os_thread_id();
  record->allocated = *by;
  count_live(1, size);
  atomic_store_explicit(&guarded_table()->freed_at[slot], GUARDED_LIVE, memory_order_release);
  return record->block;
}

void *guarded_allocate(size_t size, size_t alignment, const struct stack *by) {
  if (size > GUARDED_MAX || alignment > os_page_size() || os_page_size() > GUARDED_MAX) {
    return NULL;
  }
  guarded_lock();
  char *block = atomic_load(&guarded_base) != GUARDED_NOWHERE || map() ? take_slot(size, alignment, by) : NULL;
  guarded_unlock();
  return block;
}

bool guarded_free(void *block, const struct stack *by) {
  if (!guarded_holds(block)) {
    return false;
  }
  guarded_lock();
  unsigned slot = guarded_find(block);
  struct guarded_damage damage = {0};
  if (slot != GUARDED_SLOTS) {
    struct guarded_record *record = &guarded_table()->record[slot];
    damage = look(record);
    if (damage.count == 0) {
      record->freed_by = os_thread_id();
      record->freed = *by;
      count_live(-1, record->size);
      atomic_store_explicit(&guarded_table()->freed_at[slot], ++frees,
                            memory_order_release); /* first: a fault finds it freed */
      close_off(record);
    }
  }
  guarded_unlock();
  if (slot == GUARDED_SLOTS) {
    guarded_stop_wrong(block, "free", by);
  }
  if (damage.count != 0) {
    guarded_stop_damaged(&guarded_table()->record[slot], damage, by);
  }
  return true;
}

size_t guarded_usable_size(const void *block, const char *what) {
  if (!guarded_holds(block)) {
    return 0;
  }
  guarded_lock();
  unsigned slot = guarded_find(block);
  guarded_unlock();
  if (slot == GUARDED_SLOTS) {
    guarded_stop_wrong(block, what, NULL);
  }
  return guarded_table()->record[slot].size;
}

size_t guarded_check(void) {
  size_t looked_at = 0;
  for (unsigned slot = 0; slot < GUARDED_SLOTS && atomic_load(&guarded_base) != GUARDED_NOWHERE; slot++) {
    guarded_lock();
    const struct guarded_record *record = &guarded_table()->record[slot];
    bool looks = guarded_is_live(slot);
    struct guarded_damage damage = looks ? look(record) : (struct guarded_damage){0};
    guarded_unlock();
    if (damage.count != 0) {
      guarded_stop_damaged(record, damage, NULL);
    }
    looked_at += looks;
  }
  return looked_at;
}

size_t guarded_live_count(void) { return atomic_load_explicit(&live, memory_order_relaxed); }
size_t guarded_live_bytes(void) { return atomic_load_explicit(&live_bytes, memory_order_relaxed); }

size_t guarded_counted_bytes(void) {
  guarded_lock();
  size_t bytes = atomic_load(&counted);
  guarded_unlock();
  return bytes;
}

bool guarded_each(bool (*visit)(void *block, size_t size, void *context), void *context) {
  bool goes_on = true;
  bool is_there = atomic_load(&guarded_base) != GUARDED_NOWHERE;
  for (unsigned slot = 0; is_there && goes_on && slot < GUARDED_SLOTS; slot++) {
    const struct guarded_record *record = &guarded_table()->record[slot];
    goes_on = !guarded_is_live(slot) || visit(record->block, record->size, context);
  }
  return goes_on;
}
