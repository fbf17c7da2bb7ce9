#include "cold/guarded.h"

#include "cold/guarded_lines.h"
#include "cold/guarded_pages.h"
#include "config/config.h"

#define ADDRESSES_MAX ((size_t)64 << 30)

static uint64_t frees;
static _Atomic size_t live, live_bytes;

static void count_live(ptrdiff_t blocks, size_t size) {
  atomic_fetch_add_explicit(&live, (size_t)blocks, memory_order_relaxed);
  atomic_fetch_add_explicit(&live_bytes, (size_t)blocks * size, memory_order_relaxed);
}

/* ---- the lock ---- */

/* A lost thread was using a record: what it had not ended is as it was, but for the figures and the queues. */
static void mend(void) {
  size_t blocks = 0;
  size_t bytes = 0;
  for (uint32_t index = guarded_from(0); index != GUARDED_NONE; index = guarded_from(index + 1)) {
    const struct guarded_record *record = guarded_record(index);
    blocks += guarded_is_live(record);
    bytes += guarded_is_live(record) ? record->size : 0;
  }
  atomic_store(&live, blocks);
  atomic_store(&live_bytes, bytes);
  guarded_recount();
  guarded_requeue();
}

static void guarded_lock(void) {
  if (unlikely(lock_take(LOCK_GUARDED))) {
    mend();
  }
}

static void guarded_unlock(void) { lock_drop(LOCK_GUARDED); }

/* ---- blocks ---- */

static RARE bool start(void) {
  bool many = options.guard_every == 1 && guarded_reserve(GUARDED_SMALL_OF_ALL, GUARDED_LARGE_OF_ALL);
  bool started = many || guarded_reserve(GUARDED_SMALL, GUARDED_LARGE);
  if (started) {
    fault_watch(guarded_is_around, guarded_tell); /* where the program has a handler a fault is its own */
  }
  return started;
}

static char *take(size_t size, size_t alignment, enum family family, const struct stack *by) {
  bool small = size <= GUARDED_MAX && alignment <= os_page_size() && os_page_size() <= GUARDED_MAX;
  uint32_t index = guarded_take(small ? GUARDED_IS_SMALL : GUARDED_IS_LARGE);
  if (index == GUARDED_NONE) {
    return NULL;
  }
  struct guarded_record *record = guarded_record(index);
  if (!guarded_open(index, size, alignment)) {
    guarded_give_back(index);
    return NULL;
  }
  record->family = family;
  record->allocated_by = os_thread_id();
  record->allocated = *by;
  count_live(1, size);
  atomic_store_explicit(&record->freed_at, GUARDED_LIVE, memory_order_release);
  return record->block;
}

void *guarded_allocate(size_t size, size_t alignment, enum family family, const struct stack *by) {
  if (size >= OS_ADDRESSABLE || alignment >= OS_ADDRESSABLE) {
    return NULL;
  }
  guarded_lock();
  char *block = guarded_exist() || start() ? take(size, alignment, family, by) : NULL;
  guarded_unlock();
  return block;
}

bool guarded_holds_some(const void *block) {
  guarded_lock();
  bool holds = guarded_is_around(block);
  guarded_unlock();
  return holds;
}

/* It has no access from here on; nor do freed large blocks keep too many addresses. */
static void give(uint32_t index, const struct stack *by) {
  struct guarded_record *record = guarded_record(index);
  record->freed_by = os_thread_id();
  record->freed = *by;
  count_live(-1, record->size);
  atomic_store_explicit(&record->freed_at, ++frees, memory_order_release); /* first: a fault finds it freed */
  guarded_close(record);
  guarded_give(index);
  while (guarded_range_bytes() > ADDRESSES_MAX && guarded_drop_oldest() > 0) {
  }
}

bool guarded_free(void *block, enum family family, const struct stack *by) {
  if (!guarded_exist()) {
    return false;
  }
  guarded_lock();
  bool around = guarded_is_around(block);
  uint32_t index = around ? guarded_find(block) : GUARDED_NONE;
  const struct guarded_record *record = index == GUARDED_NONE ? NULL : guarded_record(index);
  struct guarded_damage damage = {0};
  bool fits = record != NULL && (options.secure_types == 0 || record->family == FAMILY_ANY || family == FAMILY_ANY ||
                                 record->family == family);
  if (fits) {
    damage = guarded_look(record);
    if (damage.count == 0) {
      give(index, by);
    }
  }
  guarded_unlock();
  if (around && record == NULL) {
    guarded_stop_wrong(block, "free", by);
  }
  if (around && !fits) {
    guarded_stop_family(record, family, by);
  }
  if (damage.count != 0) {
    guarded_stop_damaged(record, damage, by);
  }
  return around;
}

size_t guarded_usable_size(const void *block, const char *what) {
  if (!guarded_exist()) {
    return GUARDED_FOREIGN;
  }
  guarded_lock();
  bool around = guarded_is_around(block);
  uint32_t index = around ? guarded_find(block) : GUARDED_NONE;
  guarded_unlock();
  if (around && index == GUARDED_NONE) {
    guarded_stop_wrong(block, what, NULL);
  }
  return around ? guarded_record(index)->size : GUARDED_FOREIGN;
}

void guarded_settle(void *block, size_t size) {
  guarded_lock();
  uint32_t index = guarded_find(block);
  if (index != GUARDED_NONE && size <= guarded_record(index)->size) {
    atomic_fetch_sub_explicit(&live_bytes, guarded_record(index)->size - size, memory_order_relaxed);
    guarded_shrink(guarded_record(index), size);
  }
  guarded_unlock();
}

void guarded_set_family(void *block, enum family family) {
  guarded_lock();
  uint32_t index = guarded_find(block);
  if (index != GUARDED_NONE) {
    guarded_record(index)->family = family;
  }
  guarded_unlock();
}

void guarded_stop_size(const void *block, size_t size, const struct stack *here) {
  guarded_stop_sized(guarded_record(guarded_nearest(block)), size, here);
}

size_t guarded_check(void) {
  size_t looked_at = 0;
  for (uint32_t index = guarded_from(0); index != GUARDED_NONE; index = guarded_from(index + 1)) {
    guarded_lock();
    const struct guarded_record *record = guarded_record(index);
    bool looks = guarded_is_live(record);
    struct guarded_damage damage = looks ? guarded_look(record) : (struct guarded_damage){0};
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
  size_t bytes = guarded_counted();
  guarded_unlock();
  return bytes;
}

bool guarded_each(bool (*visit)(void *block, size_t size, void *context), void *context) {
  bool goes_on = true;
  for (uint32_t index = guarded_from(0); goes_on && index != GUARDED_NONE; index = guarded_from(index + 1)) {
    const struct guarded_record *record = guarded_record(index);
    goes_on = !guarded_is_live(record) || visit(record->block, record->size, context);
  }
  return goes_on;
}

void guarded_purge(void) {
  for (uint32_t index = guarded_from(0); index != GUARDED_NONE; index = guarded_from(index + 1)) {
    if (!guarded_is_live(guarded_record(index)) && guarded_record(index)->is_counted) {
      guarded_lock();
      if (!guarded_is_live(guarded_record(index))) {
        guarded_close(guarded_record(index));
      }
      guarded_unlock();
    }
  }
}

size_t guarded_release(void) {
  size_t released = 0;
  if (guarded_exist()) {
    guarded_lock();
    for (size_t bytes; (bytes = guarded_drop_oldest()) > 0;) {
      released += bytes;
    }
    guarded_unlock();
  }
  return released;
}
