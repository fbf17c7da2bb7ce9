#include "cold/huge_shared.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "cold/huge_cost.h"
#include "cold/huge_kept.h"
#include "cold/huge_lock.h"
#include "cold/limit.h"
#include "cold/residency.h"
#include "os/os.h"

enum { REST_SHARE = 4, AHEAD_SHARE = 8, AHEAD_LEAST = 2 * OS_HUGE_PAGE, AHEAD_MOST = 8 * OS_HUGE_PAGE };

/* The pages to come, the last one first. */
static RARE_ZEROES char *low, *top;

/* A child of fork() finds those pages, or none. */
static void set(char *start, size_t bytes) {
  top = NULL;
  atomic_signal_fence(memory_order_seq_cst);
  low = start;
  atomic_signal_fence(memory_order_seq_cst);
  top = start + bytes;
}

static char *map(char *below, size_t bytes) {
  char *start = os_map(below == NULL ? NULL : below - bytes, bytes);
  if (start != NULL && ((uintptr_t)start & (OS_HUGE_PAGE - 1)) != 0) {
    os_unmap(start, bytes);
    start = os_map_aligned(bytes, OS_HUGE_PAGE);
  }
  if (start != NULL) {
    os_name(start, bytes, "hakmem huge");
    os_advise_huge(start, bytes);
  }
  return start;
}

/* False: the system has no memory. Where another thread was first, what this one has mapped goes back. */
static bool map_ahead(char *below) {
  size_t bytes = (used_bytes() / AHEAD_SHARE) & ~(size_t)(OS_HUGE_PAGE - 1);
  bytes = bytes < AHEAD_LEAST ? AHEAD_LEAST : bytes < AHEAD_MOST ? bytes : AHEAD_MOST;
  char *start = map(below, bytes);
  if (start == NULL) {
    bytes = OS_HUGE_PAGE;
    start = map(below, bytes);
  }
  if (start == NULL) {
    return false;
  }
  huge_lock();
  bool is_first = low >= top;
  if (is_first) {
    set(start, bytes);
  }
  huge_unlock();
  if (!is_first) {
    os_unmap(start, bytes);
  }
  return true;
}

/* What lies behind the next page and is retained, if a block would have all of it; the block would begin in the page
 * then. */
static size_t used_behind(size_t bytes) {
  size_t behind = huge_ranges_behind(top);
  return behind < bytes ? behind : 0;
}

enum taken { TAKEN, NONE_LEFT, TOO_MUCH_LEFT };

/* The end of the next page and `*used` bytes behind it. */
static enum taken take(size_t bytes, char **start, size_t *used, char **below) {
  enum taken taken = TAKEN;
  huge_lock();
  *used = used_behind(bytes);
  if (OS_HUGE_PAGE + *used - bytes > used_bytes() / REST_SHARE) {
    taken = TOO_MUCH_LEFT;
  } else if (low >= top) {
    taken = NONE_LEFT;
    *below = low;
  } else {
    if (*used > 0) {
      huge_ranges_take_behind(top);
    }
    *start = top + *used - bytes;
    top -= OS_HUGE_PAGE;
  }
  huge_unlock();
  return taken;
}

static bool take_or_map(size_t bytes, char **start, size_t *used) {
  char *below;
  enum taken taken;
  while ((taken = take(bytes, start, used, &below)) == NONE_LEFT && map_ahead(below)) {
  }
  return taken == TAKEN;
}

char *huge_shared_map(size_t bytes, size_t *fresh) {
  if (!limit_charge(OS_HUGE_PAGE)) {
    return NULL;
  }
  size_t used;
  char *start;
  if (!take_or_map(bytes, &start, &used)) {
    limit_uncharge(OS_HUGE_PAGE);
    return NULL;
  }
  size_t rest = OS_HUGE_PAGE + used - bytes;
  char *page = start - rest;
  if (!huge_cost_is_low(1) || !huge_cost_try(start)) {
    os_advise_small(page, OS_HUGE_PAGE);
  }
  *fresh = bytes - used;
  residency_activate(HOLDER_HUGE, *fresh, used);
  residency_faulted_back(*fresh);
  huge_kept_add(page, rest);
  return start;
}
