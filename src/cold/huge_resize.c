#include "cold/huge_resize.h"

#include "cold/huge_lock.h"
#include "cold/huge_pages.h"
#include "cold/huge_table.h"
#include "cold/limit.h"
#include "cold/residency.h"
#include "os/os.h"

enum { GROWTH_SHARE = 8 };

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
    residency_activate(HOLDER_HUGE, bytes - old_bytes, 0);
  } else {
    residency_drop(HOLDER_HUGE, old_bytes - bytes);
  }
  huge_unlock();
}

/* Growth is rarely the last: some address space, not memory, is taken ahead; not where it counts. */
static size_t bytes_ahead(size_t exact, size_t old_bytes) {
  bool fits = !limit_is_set() && exact > old_bytes && old_bytes / GROWTH_SHARE < PTRDIFF_MAX - exact;
  return fits ? exact + os_page_ceil(old_bytes / GROWTH_SHARE) : exact;
}

static char *remap(void *block, size_t old_bytes, size_t bytes) {
  size_t more = bytes > old_bytes ? bytes - old_bytes : 0;
  if (!limit_charge(more)) {
    return NULL;
  }
  char *moved = os_remap(block, old_bytes, bytes);
  limit_uncharge(moved == NULL ? more : bytes < old_bytes ? old_bytes - bytes : 0);
  return moved;
}

void *huge_resize(void *block, size_t size) {
  critical_enter(); /* the block is this thread's while it is in no table */
  huge_pages_left(block);
  size_t old_bytes = leave_table(block);
  char *moved = NULL;
  if (old_bytes != 0) {
    size_t exact = os_page_ceil(size);
    size_t bytes = bytes_ahead(exact, old_bytes);
    moved = remap(block, old_bytes, bytes);
    if (moved == NULL && bytes > exact) {
      bytes = exact;
      moved = remap(block, old_bytes, bytes);
    }
    if (moved != NULL && bytes > old_bytes) {
      huge_pages_grown(moved, old_bytes, exact, bytes);
      residency_faulted_back(bytes - old_bytes);
    }
    enter_table(moved != NULL ? moved : block, old_bytes, moved != NULL ? bytes : old_bytes);
  }
  critical_leave();
  residency_settle();
  return moved;
}
