#include "cold/huge_shared.h"

#include <stdatomic.h>
#include <stdbool.h>

#include "cold/huge_cost.h"
#include "cold/huge_kept.h"
#include "cold/huge_lock.h"
#include "cold/limit.h"
#include "cold/residency.h"
#include "os/os.h"

enum { REST_SHARE = 2, AHEAD_SHARE = 8, AHEAD_LEAST = 2 * OS_HUGE_PAGE, AHEAD_MOST = 8 * OS_HUGE_PAGE };

/* The pages to come, the last one first; `low` is where the next ones are to end. */
static RARE_ZEROES char *low, *top;

static size_t bytes_left(void) { return low < top ? (size_t)(top - low) : 0; }

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

static size_t bytes_ahead(void) {
  size_t bytes = (used_bytes() / AHEAD_SHARE) & ~(size_t)(OS_HUGE_PAGE - 1);
  return bytes < AHEAD_LEAST ? AHEAD_LEAST : bytes < AHEAD_MOST ? bytes : AHEAD_MOST;
}

/* Adds new pages, below the others if they are neighbours; else in their place. What has no place any more is the
 * caller's: those others, or the new ones if another thread was first. */
static struct huge_range add(char *start, size_t bytes, const char *below) {
  struct huge_range spare = {start, bytes, 0};
  huge_lock();
  if (low == below && start + bytes == low) {
    low = start;
    spare.bytes = 0;
  } else if (low == below) {
    spare = (struct huge_range){low, bytes_left(), 0};
    set(start, bytes);
  }
  huge_unlock();
  return spare;
}

/* False: the system has no memory. */
static bool map_ahead(char *below, size_t least) {
  size_t ahead = bytes_ahead();
  size_t bytes = ahead < least ? least : ahead;
  char *start = map(below, bytes);
  if (start == NULL) {
    bytes = least;
    start = map(below, bytes);
  }
  if (start == NULL) {
    return false;
  }
  struct huge_range spare = add(start, bytes, below);
  if (spare.bytes > 0) {
    os_unmap(spare.start, spare.bytes);
  }
  return true;
}

/* What a block is made of: pages to come, and what lies behind them and is retained. */
struct parts {
  char *start; /* of the block */
  size_t fresh, used;
};

/* Bytes that are retained behind those pages, for a block that would have all of them, and so begin in a page. */
static size_t used_behind(size_t bytes) {
  size_t behind = top == NULL ? 0 : huge_ranges_behind(top);
  return behind < bytes ? behind : 0;
}

/* What a block would leave is resident, and nobody's: a process of few such blocks may never use it. */
static bool is_too_much(size_t rest) {
  return rest > committed_bytes_of(HOLDER_HUGE) / REST_SHARE || rest > residency_budget();
}

static size_t whole_pages(size_t bytes) { return (bytes + OS_HUGE_PAGE - 1) & ~(size_t)(OS_HUGE_PAGE - 1); }

enum taken { TAKEN, TOO_FEW, TOO_MUCH_LEFT };

static enum taken take(size_t bytes, struct parts *parts, char **below) {
  enum taken taken = TAKEN;
  huge_lock();
  parts->used = used_behind(bytes);
  parts->fresh = whole_pages(bytes - parts->used);
  if (is_too_much(parts->fresh + parts->used - bytes)) {
    taken = TOO_MUCH_LEFT;
  } else if (bytes_left() < parts->fresh) {
    taken = TOO_FEW;
    *below = low;
  } else {
    if (parts->used > 0) {
      huge_ranges_take_behind(top, parts->used);
    }
    parts->start = top + parts->used - bytes;
    top -= parts->fresh;
  }
  huge_unlock();
  return taken;
}

static bool take_or_map(size_t bytes, struct parts *parts) {
  char *below;
  enum taken taken;
  while ((taken = take(bytes, parts, &below)) == TOO_FEW && map_ahead(below, parts->fresh)) {
  }
  return taken == TAKEN;
}

char *huge_shared_map(size_t bytes, size_t *fresh) {
  size_t charged = whole_pages(bytes);
  if (!limit_charge(charged)) {
    return NULL;
  }
  struct parts parts;
  if (!take_or_map(bytes, &parts)) {
    limit_uncharge(charged);
    return NULL;
  }
  limit_uncharge(charged - parts.fresh);
  size_t rest = parts.fresh + parts.used - bytes;
  char *pages = parts.start - rest;
  if (!huge_cost_is_low(parts.fresh / OS_HUGE_PAGE) || !huge_cost_try(parts.start)) {
    os_advise_small(pages, parts.fresh);
  }
  *fresh = bytes - parts.used;
  residency_activate(HOLDER_HUGE, *fresh, parts.used);
  residency_faulted_back(*fresh);
  huge_kept_add(pages, rest);
  return parts.start;
}
