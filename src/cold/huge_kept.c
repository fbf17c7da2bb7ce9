#include "cold/huge_kept.h"

#include <stdatomic.h>

#include "cold/huge_lock.h"
#include "cold/huge_table.h"
#include "cold/limit.h"
#include "cold/residency.h"
#include "os/os.h"

/* What is put together from several ranges is an area of the system's for each huge page, at worst: 8,192 of the 65,530
 * that a process may have. */
#define ASSEMBLED_MAX ((size_t)16 * GIB)

/* Of ranges that the system has refused to unmap and to empty: they are in no table, stay resident, and count. */
static RARE_ZEROES _Atomic size_t refused_bytes;

size_t huge_kept_refused_bytes(void) { return atomic_load_explicit(&refused_bytes, memory_order_relaxed); }

void huge_kept_unmap(struct huge_range range) {
  if (range.start != NULL) {
    if (os_unmap(range.start, range.bytes) || os_purge(range.start, range.bytes)) {
      limit_uncharge(range.bytes);
    } else {
      atomic_fetch_add_explicit(&refused_bytes, range.bytes, memory_order_relaxed);
    }
    residency_purged(HOLDER_HUGE, range.bytes);
  }
}

/* A range that is in no table is retained again. */
static void retain(struct huge_range range) {
  struct huge_range displaced = {0};
  if (range.bytes > 0) {
    huge_lock();
    displaced = huge_ranges_give(range);
    huge_unlock();
  }
  huge_kept_unmap(displaced);
}

void huge_kept_add(char *start, size_t bytes) {
  residency_activate(HOLDER_HUGE, bytes, 0);
  residency_deactivate(HOLDER_HUGE, bytes);
  retain((struct huge_range){start, bytes, os_milliseconds()});
}

static struct huge_range take_huge_pages(size_t wanted) {
  struct huge_range pages = {0};
  huge_lock();
  if (huge_table_bytes() + huge_ranges_bytes() <= ASSEMBLED_MAX) {
    pages = huge_ranges_cut_huge_pages(wanted);
  }
  huge_unlock();
  return pages;
}

/* ---- put together ---- */

/* One huge page after another; those that do not move stay in the range. */
static enum os_moved move(struct huge_range *range, char *start, size_t *used) {
  enum os_moved moved = OS_MOVED;
  while (range->bytes > 0 && (moved = os_move(range->start, OS_HUGE_PAGE, start + *used)) == OS_MOVED) {
    range->start += OS_HUGE_PAGE;
    range->bytes -= OS_HUGE_PAGE;
    *used += OS_HUGE_PAGE;
  }
  return moved;
}

/* The mapping has lost the huge page behind `used`: what was moved is retained, the rest goes back. */
static void give_up(char *start, size_t bytes, size_t used) {
  size_t behind = used + OS_HUGE_PAGE;
  if (behind < bytes) {
    os_unmap(start + behind, bytes - behind);
  }
  retain((struct huge_range){start, used, os_milliseconds()});
}

bool huge_kept_assemble(char *start, size_t bytes, size_t *used) {
  static atomic_bool refused;
  size_t wanted = atomic_load_explicit(&refused, memory_order_relaxed) ? 0 : bytes & ~(size_t)(OS_HUGE_PAGE - 1);
  enum os_moved moved = OS_MOVED;
  struct huge_range range;
  *used = 0;
  while (moved == OS_MOVED && *used < wanted && (range = take_huge_pages(wanted - *used)).start != NULL) {
    moved = move(&range, start, used);
    retain(range);
  }
  if (moved == OS_LOST) {
    atomic_store_explicit(&refused, true, memory_order_relaxed);
    give_up(start, bytes, *used);
    *used = 0;
  }
  return moved != OS_LOST;
}

/* ---- given back ---- */

static uint64_t oldest(void) {
  huge_lock();
  uint64_t since = huge_ranges_oldest();
  huge_unlock();
  return since;
}

/* Bytes of one range given back; 0: there is none that old, or the system refuses and it is retained again. */
static size_t unmap_oldest(size_t wanted, uint64_t before) {
  struct huge_range range = {0};
  critical_enter();
  huge_lock();
  if (huge_ranges_oldest() < before) {
    range = huge_ranges_cut_oldest(wanted);
  }
  huge_unlock();
  bool unmapped = range.start != NULL && os_unmap(range.start, range.bytes);
  if (unmapped) {
    limit_uncharge(range.bytes);
    residency_purged(HOLDER_HUGE, range.bytes);
  } else if (range.start != NULL) {
    retain(range);
  }
  critical_leave();
  return unmapped ? range.bytes : 0;
}

static size_t give_back(size_t wanted, uint64_t before) {
  size_t given_back = 0;
  for (size_t bytes; given_back < wanted && (bytes = unmap_oldest(wanted - given_back, before)) > 0;) {
    given_back += bytes;
  }
  return given_back;
}

const struct holder_calls huge_holder = {oldest, give_back, NULL};

size_t huge_purge(void) { return give_back(SIZE_MAX, UINT64_MAX); }
