#include "cold/huge_table.h"

#include "cold/limit.h"
#include "cold/shared_figure.h"
#include "os/os.h"

enum { FIRST_SIZE = 64 };

static RARE_ZEROES struct huge_entry first_entries[FIRST_SIZE];
static struct huge_table first = {.size = FIRST_SIZE, .entry = first_entries};

/* INVARIANT live + cached + reserved + marked <= three quarters of the size. */
static struct huge_table *table = &first;
ADDRESS_KNOWN_AS(root_huge_table, table);
static RARE_ZEROES size_t reserved, marked, cached, live_bytes, cached_bytes;
static RARE_ZEROES _Atomic size_t live;

/* Of tables that the system has refused to take back: they stay, and count. */
static RARE_ZEROES size_t refused_bytes;

/* Where the address of an entry that is marked as gone points. */
static char gone;
ADDRESS_KNOWN_AS(root_huge_gone, gone);

size_t huge_table_count(void) { return figure_get(&live); }

static bool is_taken(const struct huge_entry *entry) { return entry->start != NULL && entry->start != &gone; }
static bool is_cached(const struct huge_entry *entry) { return (entry->bytes & HUGE_CACHED) != 0; }
static bool is_live(const struct huge_entry *entry) { return is_taken(entry) && !is_cached(entry); }
static size_t bytes_of(const struct huge_entry *entry) { return entry->bytes & ~(size_t)HUGE_CACHED; }

static size_t count_taken(void) { return huge_table_count() + cached + reserved; }

static size_t home_of(const struct huge_table *in, const void *start) {
  return (size_t)(((uintptr_t)start >> 12) * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (in->size - 1);
}

/* The first entry of a block's probe sequence that is free for it. */
static struct huge_entry *free_entry(struct huge_table *in, const void *start) {
  size_t i = home_of(in, start);
  while (is_taken(&in->entry[i])) {
    i = (i + 1) & (in->size - 1);
  }
  return &in->entry[i];
}

/* The address last: an entry shows whole, or not at all. */
static void store(struct huge_entry *entry, struct huge_entry value) {
  char *start = value.start;
  value.start = entry->start;
  *entry = value;
  atomic_signal_fence(memory_order_seq_cst);
  entry->start = start;
}

static size_t mapping_bytes(size_t size) { return os_page_ceil(sizeof *table + size * sizeof *table->entry); }

/* NULL: the limit, or the system. */
static struct huge_table *map(size_t size) {
  size_t bytes = mapping_bytes(size);
  if (!limit_charge(bytes)) {
    return NULL;
  }
  struct huge_table *new = os_map(NULL, bytes);
  if (new == NULL) {
    limit_uncharge(bytes);
  } else {
    os_name(new, bytes, "hakmem metadata");
    new->size = size;
    new->entry = (struct huge_entry *)(void *)(new + 1);
  }
  return new;
}

/* A table without the marked entries, of twice the size where the others fill more than three eighths. */
static bool renew(void) {
  size_t size = count_taken() * 8 > table->size * 3 ? table->size * 2 : table->size;
  struct huge_table *new = map(size);
  if (new == NULL) {
    return false;
  }
  for (size_t i = 0; i < table->size; i++) {
    if (is_taken(&table->entry[i])) {
      store(free_entry(new, table->entry[i].start), table->entry[i]);
    }
  }
  struct huge_table *old = table;
  atomic_signal_fence(memory_order_seq_cst);
  table = new;
  marked = 0;
  if (old != &first) {
    size_t old_bytes = mapping_bytes(old->size);
    if (os_unmap(old, old_bytes)) {
      limit_uncharge(old_bytes);
    } else {
      refused_bytes += old_bytes;
    }
  }
  return true;
}

bool huge_table_reserve(void) {
  if ((count_taken() + marked + 1) * 4 > table->size * 3 && !renew()) {
    return false;
  }
  reserved++;
  return true;
}

void huge_table_unreserve(void) { reserved--; }

void huge_table_enter(char *start, size_t bytes) {
  struct huge_entry *entry = free_entry(table, start);
  marked -= entry->start == &gone;
  store(entry, (struct huge_entry){.start = start, .bytes = bytes});
  reserved--;
  figure_set(&live, huge_table_count() + 1);
  live_bytes += bytes;
}

static struct huge_entry *find(const void *start) {
  size_t i = home_of(table, start);
  while (table->entry[i].start != NULL && table->entry[i].start != start) {
    i = (i + 1) & (table->size - 1);
  }
  return &table->entry[i];
}

struct huge_entry *huge_table_find(const void *start) {
  struct huge_entry *entry = find(start);
  return is_live(entry) ? entry : NULL;
}

/* Where the next entry was never used no search goes on: this one and those marked before it need no mark. */
static void clear_marks(size_t i) {
  size_t mask = table->size - 1;
  while (table->entry[(i + 1) & mask].start == NULL && table->entry[i].start == &gone) {
    table->entry[i].start = NULL;
    marked--;
    i = (i - 1) & mask;
  }
}

void huge_table_remove(struct huge_entry *entry) {
  live_bytes -= entry->bytes;
  figure_set(&live, huge_table_count() - 1);
  reserved++;
  entry->start = &gone;
  marked++;
  clear_marks((size_t)(entry - table->entry));
}

void huge_table_cache(struct huge_entry *entry) {
  live_bytes -= entry->bytes;
  cached_bytes += entry->bytes;
  figure_set(&live, huge_table_count() - 1);
  cached++;
  entry->bytes |= HUGE_CACHED;
}

struct huge_entry *huge_table_uncache(const char *start) {
  struct huge_entry *entry = find(start);
  entry->bytes &= ~(size_t)HUGE_CACHED;
  cached--;
  figure_set(&live, huge_table_count() + 1);
  cached_bytes -= entry->bytes;
  live_bytes += entry->bytes;
  return entry;
}

void huge_table_resize(struct huge_entry *entry, size_t bytes) {
  live_bytes += bytes - entry->bytes;
  entry->bytes = bytes;
}

/* Its entry, live or cached; NULL: no block does. */
static const struct huge_entry *around(const void *address) {
  for (size_t i = 0; i < table->size; i++) {
    const struct huge_entry *entry = &table->entry[i];
    if (is_taken(entry) && (size_t)((const char *)address - entry->start) < bytes_of(entry)) {
      return entry;
    }
  }
  return NULL;
}

const void *huge_table_around(const void *address) {
  const struct huge_entry *entry = around(address);
  return entry == NULL || is_cached(entry) ? NULL : entry->start;
}

bool huge_table_caches(const void *address) {
  const struct huge_entry *entry = around(address);
  return entry != NULL && is_cached(entry);
}

void huge_table_visit(const void *start, void (*visit)(struct huge_entry *entry, void *context), void *context) {
  struct huge_entry *one = start == NULL ? NULL : huge_table_find(start);
  if (one != NULL) {
    visit(one, context);
  }
  for (size_t i = 0; start == NULL && i < table->size; i++) {
    if (is_live(&table->entry[i])) {
      visit(&table->entry[i], context);
    }
  }
}

size_t huge_table_bytes(void) { return live_bytes; }
size_t huge_table_cached_bytes(void) { return cached_bytes; }

size_t huge_table_own_bytes(void) { return refused_bytes + (table == &first ? 0 : mapping_bytes(table->size)); }

void huge_table_mend(void) {
  size_t count = 0;
  marked = cached = live_bytes = cached_bytes = 0;
  reserved = 1; /* the thread that forked may be about to enter a block */
  for (size_t i = 0; i < table->size; i++) {
    const struct huge_entry *entry = &table->entry[i];
    marked += entry->start == &gone;
    if (is_live(entry)) {
      count++;
      live_bytes += entry->bytes;
    } else if (is_taken(entry)) {
      cached++;
      cached_bytes += bytes_of(entry);
    }
  }
  figure_set(&live, count);
}
