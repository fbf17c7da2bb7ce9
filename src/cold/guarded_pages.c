#include "cold/guarded_pages.h"

#include <string.h>

#include "cold/limit.h"

enum { FILL = 0xB5, FRONT_EVERY = 4 };

static _Atomic size_t counted, range_bytes;
static uint64_t random_state;

static void count(size_t bytes) { atomic_fetch_add_explicit(&counted, bytes, memory_order_relaxed); }

size_t guarded_counted(void) { return atomic_load(&counted); }
size_t guarded_range_bytes(void) { return atomic_load(&range_bytes); }

static size_t table_bytes(void) {
  const struct guarded_kind_records *kind = guarded_table()->kind;
  return guarded_table_bytes(kind[GUARDED_IS_SMALL].count, kind[GUARDED_IS_LARGE].count);
}

static void uncount(struct guarded_record *record) {
  if (record->is_counted) {
    record->is_counted = false;
    atomic_fetch_sub_explicit(&counted, record->pages, memory_order_relaxed);
    limit_uncharge(record->pages);
  }
}

void guarded_recount(void) {
  size_t may_be_resident = guarded_exist() ? table_bytes() : 0;
  size_t ranges = 0;
  uint32_t large = 0;
  for (uint32_t index = guarded_from(0); index != GUARDED_NONE; index = guarded_from(index + 1)) {
    struct guarded_record *record = guarded_record(index);
    if (record->range == NULL) {
      uncount(record); /* it was being given back */
    }
    bool has_range = index >= guarded_table()->kind[GUARDED_IS_LARGE].from && record->range != NULL;
    may_be_resident += record->is_counted ? record->pages : 0;
    ranges += has_range ? record->range_bytes : 0;
    large += has_range;
  }
  atomic_store(&counted, may_be_resident);
  atomic_store(&range_bytes, ranges);
  atomic_store(&guarded_ranges, large);
}

/* ---- the bytes beside a block ---- */

static void fill_from(struct guarded_record *record, char *from) {
  memset(from, FILL, (size_t)(guarded_pages(record) + record->pages - from));
}

static void fill_beside(struct guarded_record *record) {
  memset(guarded_pages(record), FILL, (size_t)(record->block - guarded_pages(record)));
  fill_from(record, record->block + record->size);
}

struct guarded_damage guarded_look(const struct guarded_record *record) {
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

void guarded_shrink(struct guarded_record *record, size_t size) {
  record->size = size;
  fill_from(record, record->block + size);
}

/* ---- addresses ---- */

bool guarded_reserve(uint32_t small, uint32_t large) {
  size_t table = guarded_table_bytes(small, large);
  size_t rest = 2 * (size_t)GUARDED_MARGIN + (size_t)small * GUARDED_STRIDE;
  if (!limit_charge(table)) {
    return false;
  }
  char *range = os_map(NULL, table + rest);
  if (range == NULL || !os_forbid(range + table, rest)) {
    if (range != NULL) {
      os_unmap(range, table + rest);
    }
    limit_uncharge(table);
    return false;
  }
  os_name(range, table + rest, "hakmem guarded samples");
  count(table);
  guarded_table_make(range, table + rest, small, large);
  return true;
}

/* Gives the range of a freed large block back; its bytes, 0 where it has none or the system refuses. A child of fork()
 * that loses this thread loses the range: its addresses may be another's by then. */
static size_t drop_range(struct guarded_record *record) {
  size_t bytes = record->range_bytes;
  char *range = record->range;
  record->range = NULL;
  atomic_signal_fence(memory_order_seq_cst);
  if (range == NULL || !os_unmap(range, bytes)) {
    record->range = range;
    return 0;
  }
  uncount(record);
  atomic_fetch_sub_explicit(&range_bytes, bytes, memory_order_relaxed);
  atomic_fetch_sub_explicit(&guarded_ranges, 1, memory_order_relaxed);
  return bytes;
}

size_t guarded_drop_oldest(void) {
  struct guarded_record *oldest = NULL;
  uint32_t index = guarded_exist() ? guarded_from(guarded_table()->kind[GUARDED_IS_LARGE].from) : GUARDED_NONE;
  for (; index != GUARDED_NONE; index = guarded_from(index + 1)) {
    struct guarded_record *record = guarded_record(index);
    bool older = oldest == NULL || atomic_load(&record->freed_at) < atomic_load(&oldest->freed_at);
    oldest = record->range != NULL && !guarded_is_live(record) && older ? record : oldest;
  }
  return oldest == NULL ? 0 : drop_range(oldest);
}

/* A range of so many bytes without access. Where the addresses are used up, what was freed first gives its own. */
static char *map_range(size_t bytes) {
  char *range;
  do {
    range = os_map(NULL, bytes);
  } while (range == NULL && guarded_drop_oldest() > 0);
  if (range != NULL && !os_forbid(range, bytes)) {
    os_unmap(range, bytes);
    range = NULL;
  }
  return range;
}

static bool take_range(struct guarded_record *record, size_t size, size_t alignment) {
  size_t aligning = alignment > os_page_size() ? alignment : 0;
  size_t bytes = os_page_ceil(size) + 2 * (size_t)GUARDED_MARGIN + aligning;
  char *range = map_range(bytes);
  if (range == NULL) {
    return false;
  }
  os_name(range, bytes, "hakmem guarded samples");
  record->block = range + GUARDED_MARGIN;
  record->size = 0;
  record->pages = 0;
  record->range_bytes = bytes;
  record->range = range;
  atomic_fetch_add_explicit(&range_bytes, bytes, memory_order_relaxed);
  atomic_fetch_add_explicit(&guarded_ranges, 1, memory_order_relaxed);
  return true;
}

static void take_slot(struct guarded_record *record, uint32_t index) {
  record->range = guarded_table()->slots + (size_t)index * GUARDED_STRIDE - GUARDED_MAX;
  record->range_bytes = GUARDED_STRIDE + GUARDED_MAX;
}

/* ---- pages ---- */

static bool is_at_the_front(void) {
  if (random_state == 0) {
    random_state = os_random() | 1;
  }
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (random_state >> 32) % FRONT_EVERY == 0;
}

/* In pages that begin at `start`, where there is room for so many bytes. */
static void place(struct guarded_record *record, const char *start, size_t room, size_t size, size_t alignment) {
  size_t page_mask = os_page_size() - 1;
  uintptr_t first = ((uintptr_t)start + alignment - 1) & ~(uintptr_t)(alignment - 1);
  uintptr_t last = ((uintptr_t)start + room - size) & ~(uintptr_t)(alignment - 1);
  bool front = size == 0 || alignment > os_page_size() || is_at_the_front();
  uintptr_t block = front ? first : last;
  record->block = (char *)block; // NOLINT(performance-no-int-to-ptr)
  record->size = size;
  record->pages = ((block + size + page_mask) & ~page_mask) - (block & ~page_mask);
}

static bool open_pages(struct guarded_record *record) {
  if (!limit_charge(record->pages)) {
    return false;
  }
  if (record->pages > 0 && !os_permit(guarded_pages(record), record->pages)) {
    limit_uncharge(record->pages);
    return false;
  }
  record->is_counted = record->pages > 0;
  count(record->pages);
  fill_beside(record);
  return true;
}

bool guarded_open(uint32_t index, size_t size, size_t alignment) {
  struct guarded_record *record = guarded_record(index);
  bool small = index < guarded_table()->kind[GUARDED_IS_LARGE].from;
  if (small ? !guarded_close(record) : record->range != NULL && drop_range(record) == 0) {
    return false;
  }
  struct guarded_record before = {.block = record->block, .size = record->size, .pages = record->pages};
  if (small) {
    take_slot(record, index);
    place(record, record->range + GUARDED_MAX, GUARDED_MAX, size, alignment);
  } else if (take_range(record, size, alignment)) {
    place(record, record->range + GUARDED_MARGIN, os_page_ceil(size), size, alignment);
  } else {
    return false;
  }
  bool opened = open_pages(record);
  if (!opened && small) {
    record->block = before.block;
    record->size = before.size;
    record->pages = before.pages;
  } else if (!opened) {
    drop_range(record);
  }
  return opened;
}

bool guarded_close(struct guarded_record *record) {
  if (record->is_counted && os_forbid(guarded_pages(record), record->pages) &&
      os_purge(guarded_pages(record), record->pages)) {
    uncount(record);
  }
  return !record->is_counted;
}
