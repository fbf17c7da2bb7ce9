#include "cold/huge_in_place.h"

#include "cold/huge_kept.h"
#include "cold/huge_lock.h"
#include "cold/huge_pages.h"
#include "cold/huge_ranges.h"
#include "cold/huge_table.h"
#include "cold/residency.h"
#include "os/os.h"

/* What lies behind the block's new end is in the table no more before it is retained: a lost thread loses it. */
static struct huge_range shrink(struct huge_entry *entry, size_t bytes) {
  struct huge_range tail = {entry->start + bytes, entry->bytes - bytes, os_milliseconds()};
  huge_table_resize(entry, bytes);
  return huge_ranges_give(tail);
}

/* By a range that begins where the block ends. Bytes that it has more; 0: there is none so long. */
static size_t grow(struct huge_entry *entry, size_t bytes) {
  size_t more = huge_ranges_take_behind(entry->start + entry->bytes, bytes - entry->bytes);
  huge_table_resize(entry, entry->bytes + more);
  return more;
}

size_t huge_resize_in_place(void *block, size_t size) {
  size_t bytes = os_page_ceil(size);
  struct huge_range displaced = {0};
  size_t less = 0;
  size_t more = 0;
  huge_pages_left(block);
  critical_enter();
  huge_lock();
  struct huge_entry *entry = huge_table_find(block);
  if (entry != NULL && bytes < entry->bytes) {
    less = entry->bytes - bytes;
    displaced = shrink(entry, bytes);
  } else if (entry != NULL && bytes > entry->bytes) {
    more = grow(entry, bytes);
  }
  size_t usable = entry == NULL ? 0 : entry->bytes;
  huge_unlock();
  if (less > 0) {
    residency_deactivate(HOLDER_HUGE, less);
  } else if (more > 0) {
    residency_activate(HOLDER_HUGE, 0, more);
  }
  huge_kept_unmap(displaced);
  critical_leave();
  if (less + more > 0) {
    residency_settle();
  }
  return usable;
}
