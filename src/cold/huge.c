#include "cold/huge.h"

#include "cold/huge_ranges.h"
#include "cold/huge_table.h"
#include "cold/retain.h"
#include "os/os.h"

enum { GROWTH_SHARE = 8 };

static size_t allocated;

static void huge_lock(void) {
  if (unlikely(lock_take(LOCK_HUGE))) {
    huge_table_mend();
    retain_recount(RETAIN_HUGE, huge_table_bytes(), huge_ranges_bytes());
  }
}

static void huge_unlock(void) { lock_drop(LOCK_HUGE); }

/* ---- under the lock ---- */

static void unmap_excess(void) {
  for (size_t excess; (excess = retain_excess()) > 0 && huge_ranges_unmap_oldest(excess) > 0;) {
  }
}

/* A fresh mapping; what is retained beyond the budget is unmapped, so that retaining does not raise the peak. */
static char *map_fresh(size_t bytes, size_t alignment) {
  char *start = alignment <= os_page_size() ? os_map(NULL, bytes) : os_map_aligned(bytes, alignment);
  if (start != NULL) {
    retain_activate(RETAIN_HUGE, bytes, 0);
    retain_faulted_back(bytes);
    unmap_excess();
  }
  return start;
}

static char *allocate(size_t bytes, size_t alignment, bool *zeroed) {
  char *start = huge_ranges_take(bytes, alignment);
  *zeroed = start == NULL;
  if (start == NULL) {
    return map_fresh(bytes, alignment);
  }
  retain_activate(RETAIN_HUGE, 0, bytes);
  return start;
}

/* ---- blocks ---- */

void *huge_allocate(size_t size, size_t alignment, bool *zeroed) {
  size_t bytes = os_page_ceil(size);
  char *start = NULL;
  huge_lock();
  if (huge_table_reserve()) {
    start = allocate(bytes, alignment, zeroed);
    if (start != NULL) {
      huge_table_enter(start, bytes);
      allocated++;
    } else {
      huge_table_unreserve();
    }
  }
  huge_unlock();
  return start;
}

bool huge_free(void *block) {
  huge_lock();
  struct huge_entry *entry = huge_table_find(block);
  bool found = entry != NULL;
  if (found) {
    size_t bytes = entry->bytes;
    huge_table_remove(entry);
    huge_table_unreserve();
    huge_ranges_give(block, bytes);
    retain_deactivate(RETAIN_HUGE, bytes);
    unmap_excess();
  }
  huge_unlock();
  return found;
}

size_t huge_usable_size(const void *block) {
  huge_lock();
  struct huge_entry *entry = huge_table_find(block);
  size_t bytes = entry == NULL ? 0 : entry->bytes;
  huge_unlock();
  return bytes;
}

const void *huge_around(const void *address) {
  huge_lock();
  const void *around = huge_table_around(address);
  huge_unlock();
  return around;
}

/* ---- resizing ---- */

/* Takes a live block out of the table while it moves; its bytes, or 0. */
static size_t leave_table(void *block) {
  huge_lock();
  struct huge_entry *entry = huge_table_find(block);
  size_t bytes = entry == NULL ? 0 : entry->bytes;
  if (entry != NULL) {
    huge_table_remove(entry);
  }
  huge_unlock();
  return bytes;
}

static void enter_table(char *start, size_t old_bytes, size_t bytes) {
  huge_lock();
  huge_table_enter(start, bytes);
  if (bytes > old_bytes) {
    retain_activate(RETAIN_HUGE, bytes - old_bytes, 0);
    unmap_excess();
  } else {
    retain_drop(RETAIN_HUGE, old_bytes - bytes);
  }
  huge_unlock();
}

/* Growth is rarely the last: some address space, not memory, is taken ahead. */
static size_t bytes_ahead(size_t exact, size_t old_bytes) {
  bool fits = exact > old_bytes && old_bytes / GROWTH_SHARE < PTRDIFF_MAX - exact;
  return fits ? exact + os_page_ceil(old_bytes / GROWTH_SHARE) : exact;
}

void *huge_resize(void *block, size_t size) {
  critical_enter(); /* the block is this thread's while it is in no table */
  size_t old_bytes = leave_table(block);
  char *moved = NULL;
  if (old_bytes != 0) {
    size_t exact = os_page_ceil(size);
    size_t bytes = bytes_ahead(exact, old_bytes);
    moved = os_remap(block, old_bytes, bytes);
    if (moved == NULL && bytes > exact) {
      bytes = exact;
      moved = os_remap(block, old_bytes, bytes);
    }
    enter_table(moved != NULL ? moved : block, old_bytes, moved != NULL ? bytes : old_bytes);
  }
  critical_leave();
  return moved;
}

size_t huge_purge(void) {
  size_t given_back = 0;
  huge_lock();
  for (size_t bytes; (bytes = huge_ranges_unmap_oldest(SIZE_MAX)) > 0;) {
    given_back += bytes;
  }
  huge_unlock();
  return given_back;
}

/* ---- figures ---- */

size_t huge_count(void) {
  huge_lock();
  size_t count = allocated;
  huge_unlock();
  return count;
}

size_t huge_live_count(void) {
  huge_lock();
  size_t count = huge_table_count();
  huge_unlock();
  return count;
}

size_t huge_live_bytes(void) {
  huge_lock();
  size_t bytes = huge_table_bytes();
  huge_unlock();
  return bytes;
}
