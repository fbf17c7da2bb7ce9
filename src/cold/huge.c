#include "cold/huge.h"

#include <stdatomic.h>

#include "cold/huge_kept.h"
#include "cold/huge_lock.h"
#include "cold/huge_pages.h"
#include "cold/huge_ranges.h"
#include "cold/huge_shared.h"
#include "cold/huge_table.h"
#include "cold/limit.h"
#include "cold/residency.h"
#include "cold/shared_figure.h"
#include "os/os.h"

enum { COPY_SHARE = 4 };

static RARE_ZEROES size_t allocated;

/* Bytes of ranges that came and went since the residency was settled; they change under the lock. */
static RARE_ZEROES _Atomic size_t changed;

/* ---- blocks ---- */

static void note_changed(size_t bytes) { figure_set(&changed, figure_get(&changed) + bytes); }

static void settle_changed(void) {
  if (residency_is_due(figure_get(&changed))) {
    figure_set(&changed, 0);
    residency_settle();
  }
}

static char *map_own(struct huge_plan plan, size_t alignment, size_t *fresh) {
  if (!limit_charge(plan.bytes)) {
    return NULL;
  }
  size_t used = 0;
  char *start = huge_pages_map(plan, alignment);
  if (start != NULL && alignment <= OS_HUGE_PAGE && huge_pages_may_be_used(plan) &&
      !huge_kept_assemble(start, plan.bytes, &used)) {
    start = huge_pages_map(plan, alignment);
  }
  limit_uncharge(start == NULL ? plan.bytes : used);
  if (start != NULL) {
    huge_pages_fresh(plan, start, used);
    *fresh = plan.bytes - used;
    residency_activate(HOLDER_HUGE, *fresh, used);
    residency_faulted_back(*fresh);
  }
  return start;
}

/* At least `*bytes`; as many as it says then, and how many of these are fresh memory. */
static char *map_fresh(size_t *bytes, size_t alignment, size_t *fresh) {
  struct huge_plan plan = huge_pages_plan(*bytes, alignment);
  *bytes = plan.bytes;
  char *start = plan.shares ? huge_shared_map(plan.bytes, fresh) : NULL;
  return start != NULL ? start : map_own(plan, alignment, fresh);
}

/* A block of a range of `*bytes` or a little more: the one that fits best, or, where `room` is not 0, the start of one
 * that has so much. Where there is none `*start` is NULL, and the table has room for a block of fresh memory if one is
 * to `follow`. False: the table has none. */
static bool reserve(size_t *bytes, size_t alignment, size_t room, bool follow, char **start) {
  huge_lock();
  bool reserved = huge_table_reserve();
  *start = NULL;
  if (reserved) {
    *start = room > 0 ? huge_ranges_take_first(bytes, room) : huge_ranges_take(bytes, alignment);
  }
  if (*start != NULL) {
    huge_table_enter(*start, *bytes);
    allocated++;
    note_changed(*bytes);
  } else if (reserved && !follow) {
    huge_table_unreserve();
  }
  huge_unlock();
  if (*start != NULL) {
    residency_activate(HOLDER_HUGE, 0, *bytes);
  }
  return reserved;
}

static void enter_fresh(char *start, size_t bytes) {
  huge_lock();
  if (start == NULL) {
    huge_table_unreserve();
  } else {
    huge_table_enter(start, bytes);
    allocated++;
  }
  huge_unlock();
}

void *huge_allocate(size_t size, size_t alignment, bool *zeroed) {
  size_t bytes = os_page_ceil(size);
  char *start;
  size_t fresh = 0;
  critical_enter(); /* the mapping is this thread's while it is in no table */
  if (reserve(&bytes, alignment, 0, true, &start) && start == NULL) {
    start = map_fresh(&bytes, alignment, &fresh);
    enter_fresh(start, bytes);
  }
  critical_leave();
  *zeroed = fresh == bytes;
  residency_settle();
  return start;
}

static char *take_retained(size_t bytes, size_t alignment, size_t room) {
  char *start;
  critical_enter();
  reserve(&bytes, alignment, room, false, &start);
  critical_leave();
  return start;
}

void *huge_allocate_retained(size_t size, size_t alignment) {
  char *start = places_count() == 0 ? NULL : take_retained(os_page_ceil(size), alignment, 0);
  if (start != NULL) {
    settle_changed();
  }
  return start;
}

void *huge_allocate_roomy(size_t had, size_t size) {
  if (size <= had || places_count() == 0 || !huge_pages_used_whole(had)) {
    return NULL;
  }
  size_t bytes = os_page_ceil(size);
  size_t worth = had + had / COPY_SHARE;
  return take_retained(bytes, 1, bytes > worth ? bytes : worth);
}

/* ---- freeing ---- */

static struct huge_range retain(struct huge_entry *entry, uint64_t now) {
  struct huge_range range = {entry->start, entry->bytes, now};
  huge_table_remove(entry);
  huge_table_unreserve();
  note_changed(range.bytes);
  return huge_ranges_give(range);
}

/* The block whose place a freed one takes; NULL: there was a place. */
static struct huge_entry *put_in(struct huge_cache *cache, struct huge_entry *entry) {
  size_t bytes = entry->bytes;
  huge_table_cache(entry);
  char *displaced = huge_cache_put(cache, entry->start, bytes);
  return displaced == NULL ? NULL : huge_table_uncache(displaced);
}

/* Into the cache, if there is one. */
static bool free_block(void *block, struct huge_cache *cache) {
  struct huge_range displaced = {0};
  uint64_t now = os_milliseconds();
  size_t bytes = 0;
  huge_pages_left(block);
  critical_enter();
  huge_lock();
  struct huge_entry *entry = huge_table_find(block);
  bool was_live = entry != NULL;
  if (was_live && cache != NULL && entry->bytes <= HUGE_CACHED_BYTES_MAX) {
    entry = put_in(cache, entry);
  }
  if (entry != NULL) {
    bytes = entry->bytes;
    displaced = retain(entry, now);
  }
  huge_unlock();
  if (bytes > 0) {
    residency_deactivate(HOLDER_HUGE, bytes);
    huge_kept_unmap(displaced);
  }
  critical_leave();
  settle_changed();
  return was_live;
}

bool huge_free(void *block) { return free_block(block, NULL); }

/* ---- a thread's cache ---- */

static void make_live(const char *start) {
  huge_lock();
  huge_table_uncache(start);
  allocated++;
  huge_unlock();
}

void *huge_allocate_cached(struct huge_cache *cache, size_t size) {
  char *start = huge_cache_take(cache, os_page_ceil(size));
  if (start != NULL) {
    make_live(start);
  }
  return start;
}

bool huge_free_cached(struct huge_cache *cache, void *block, size_t most) {
  bool has_room = huge_cache_bytes(cache) + HUGE_CACHED_BYTES_MAX <= most;
  if (!has_room && huge_cache_bytes(cache) > 0) {
    huge_flush(cache);
  }
  return free_block(block, has_room ? cache : NULL);
}

void huge_flush(struct huge_cache *cache) {
  char *start;
  while ((start = huge_cache_take_any(cache)) != NULL) {
    make_live(start);
    huge_free(start);
  }
}

/* ---- figures ---- */

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

bool huge_was_freed(const void *address) {
  huge_lock();
  bool was_freed = huge_table_caches(address) || huge_ranges_hold(address);
  huge_unlock();
  return was_freed;
}

void huge_visit(const void *start, void (*visit)(struct huge_entry *entry, void *context), void *context) {
  huge_lock();
  huge_table_visit(start, visit, context);
  huge_unlock();
}

size_t huge_count(void) {
  huge_lock();
  size_t count = allocated;
  huge_unlock();
  return count;
}

size_t huge_live_count(void) { return huge_table_count(); }

size_t huge_live_bytes(void) {
  huge_lock();
  size_t bytes = huge_table_bytes();
  huge_unlock();
  return bytes;
}

void huge_recount(void) {
  huge_lock();
  residency_recount(HOLDER_HUGE, huge_table_bytes() + huge_table_cached_bytes(), huge_ranges_bytes());
  huge_unlock();
}

size_t huge_counted_bytes(void) {
  huge_lock();
  size_t bytes = huge_table_bytes() + huge_table_cached_bytes() + huge_table_own_bytes() + huge_ranges_bytes() +
                 huge_kept_refused_bytes();
  huge_unlock();
  return bytes;
}
