#include "cold/huge.h"

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include "cold/retain.h"
#include "os/fatal.h"
#include "os/lock.h"

enum { KEPT_MAX = 64, LIVE_START = 64, GROWTH_SHARE = 8 };

struct mapping {
  char *start; /* NULL: no mapping here */
  size_t bytes;
};

static struct lock huge_lock = LOCK_INITIAL(LOCK_HUGE);

/* Live blocks: open addressing, at most three quarters full. */
static struct mapping first_live[LIVE_START];
static struct mapping *live = first_live;
static size_t live_size = LIVE_START;
static size_t live_count, live_bytes, allocated;

/* Free ranges, in the order of their addresses; neighbours are one range. */
struct kept_range {
  char *start;
  size_t bytes;
  size_t freed; /* when: the number of the free that made it */
};

static struct kept_range kept[KEPT_MAX];
static unsigned kept_count;
static size_t frees;

static size_t home_of(const void *start, size_t size) {
  return (size_t)(((uintptr_t)start >> 12) * UINT64_C(0x9E3779B97F4A7C15) >> 20) & (size - 1);
}

static struct mapping *live_slot(struct mapping *table, size_t size, const void *start) {
  size_t i = home_of(start, size);
  while (table[i].start != NULL && table[i].start != start) {
    i = (i + 1) & (size - 1);
  }
  return &table[i];
}

static struct mapping *live_find(const void *start) {
  struct mapping *slot = live_slot(live, live_size, start);
  return slot->start == NULL ? NULL : slot;
}

static bool live_reserve(void) {
  if ((live_count + 1) * 4 <= live_size * 3) {
    return true;
  }
  size_t size = live_size * 2;
  struct mapping *table = os_map(NULL, os_page_ceil(size * sizeof *table));
  if (table == NULL) {
    return false;
  }
  for (size_t i = 0; i < live_size; i++) {
    if (live[i].start != NULL) {
      *live_slot(table, size, live[i].start) = live[i];
    }
  }
  if (live != first_live) {
    os_unmap(live, os_page_ceil(live_size * sizeof *live));
  }
  live = table;
  live_size = size;
  return true;
}

static void live_insert(struct mapping mapping) {
  *live_slot(live, live_size, mapping.start) = mapping;
  live_count++;
  live_bytes += mapping.bytes;
}

/* Closes the gap, so that every entry is still reached from its home. */
static void live_remove(struct mapping *slot) {
  live_count--;
  live_bytes -= slot->bytes;
  size_t mask = live_size - 1;
  size_t gap = (size_t)(slot - live);
  for (size_t i = (gap + 1) & mask; live[i].start != NULL; i = (i + 1) & mask) {
    size_t home = home_of(live[i].start, live_size);
    if (((i - home) & mask) >= ((i - gap) & mask)) {
      live[gap] = live[i];
      gap = i;
    }
  }
  live[gap] = (struct mapping){NULL, 0};
}

static void kept_remove(unsigned at) {
  kept_count--;
  memmove(&kept[at], &kept[at + 1], (kept_count - at) * sizeof kept[0]);
}

/* The caller has made room for one more. */
static void kept_insert(struct kept_range range) {
  unsigned at = 0;
  while (at < kept_count && kept[at].start < range.start) {
    at++;
  }
  if (at > 0 && kept[at - 1].start + kept[at - 1].bytes == range.start) {
    range.start = kept[at - 1].start;
    range.bytes += kept[at - 1].bytes;
    kept_remove(--at);
  }
  if (at < kept_count && range.start + range.bytes == kept[at].start) {
    range.bytes += kept[at].bytes;
    kept_remove(at);
  }
  memmove(&kept[at + 1], &kept[at], (kept_count - at) * sizeof kept[0]);
  kept[at] = range;
  kept_count++;
}

/* Gives the range that was freed first back, or the part of it that is wanted; false when there is none or the system
 * refuses. */
static bool kept_unmap_oldest(size_t wanted, size_t *given_back) {
  if (kept_count == 0) {
    return false;
  }
  unsigned oldest = 0;
  for (unsigned i = 1; i < kept_count; i++) {
    oldest = kept[i].freed < kept[oldest].freed ? i : oldest;
  }
  struct kept_range *range = &kept[oldest];
  size_t bytes = os_page_ceil(wanted) < range->bytes ? os_page_ceil(wanted) : range->bytes;
  if (!os_unmap(range->start + range->bytes - bytes, bytes)) {
    return false;
  }
  range->bytes -= bytes;
  if (range->bytes == 0) {
    kept_remove(oldest);
  }
  retain_purged(bytes);
  *given_back += bytes;
  return true;
}

static void unmap_excess(void) {
  size_t given_back = 0;
  for (size_t excess; (excess = retain_excess()) > 0 && kept_unmap_oldest(excess, &given_back);) {
  }
}

/* Room in the table for `ranges` more. When the system refuses to unmap, what was freed first keeps its addresses but
 * no memory. */
static void kept_make_room(unsigned ranges) {
  size_t given_back = 0;
  while (kept_count + ranges > KEPT_MAX) {
    if (!kept_unmap_oldest(SIZE_MAX / 2, &given_back)) {
      os_purge(kept[0].start, kept[0].bytes);
      retain_purged(kept[0].bytes);
      kept_remove(0);
    }
  }
}

static char *align_up(char *address, size_t alignment) { return address + (-(uintptr_t)address & (alignment - 1)); }

/* Takes from the smallest range that fits; what is left of it on either side stays kept. */
static char *kept_take(size_t bytes, size_t alignment) {
  unsigned best = KEPT_MAX;
  for (unsigned i = 0; i < kept_count; i++) {
    size_t skipped = (size_t)(align_up(kept[i].start, alignment) - kept[i].start);
    bool fits = kept[i].bytes >= bytes && kept[i].bytes - bytes >= skipped;
    if (fits && (best == KEPT_MAX || kept[i].bytes < kept[best].bytes)) {
      best = i;
    }
  }
  if (best == KEPT_MAX) {
    return NULL;
  }
  struct kept_range range = kept[best];
  kept_remove(best);
  char *start = align_up(range.start, alignment);
  char *end = start + bytes;
  size_t before = (size_t)(start - range.start);
  size_t after = range.bytes - before - bytes;
  kept_make_room(2);
  if (before > 0) {
    kept_insert((struct kept_range){range.start, before, range.freed});
  }
  if (after > 0) {
    kept_insert((struct kept_range){end, after, range.freed});
  }
  retain_activate(0, bytes);
  return start;
}

static bool last_was_touched;

static bool was_touched(char *start, size_t bytes) {
  enum { AT_ONCE = 4096 };
  unsigned char resident[AT_ONCE];
  for (size_t at = 0; at < bytes; at += AT_ONCE * os_page_size()) {
    size_t part = bytes - at < AT_ONCE * os_page_size() ? bytes - at : AT_ONCE * os_page_size();
    if (mincore(start + at, part, resident) != 0) {
      return false;
    }
    for (size_t i = 0; i < part / os_page_size(); i++) {
      if ((resident[i] & 1) == 0) {
        return false;
      }
    }
  }
  return true;
}

/* A fresh mapping; what is kept and does not fit makes way for it, so that keeping does not raise the peak. */
static char *map_fresh(size_t bytes, size_t alignment) {
  bool wide = last_was_touched && bytes >= 4 * MIB;
  size_t least = wide ? 2 * MIB : os_page_size();
  char *start = alignment <= least && !wide ? os_map(NULL, bytes) : os_map_aligned(bytes, alignment < least ? least : alignment);
  if (start != NULL) {
    if (wide) {
      madvise(start, bytes, MADV_HUGEPAGE);
    }
    retain_activate(bytes, 0);
    retain_faulted_back(bytes);
    unmap_excess();
  }
  return start;
}

void *huge_allocate(size_t size, size_t alignment, bool *zeroed) {
  size_t bytes = os_page_ceil(size);
  lock_take(&huge_lock);
  char *start = NULL;
  if (live_reserve()) {
    start = kept_take(bytes, alignment);
    *zeroed = start == NULL;
    if (start == NULL) {
      start = map_fresh(bytes, alignment);
    }
    if (start != NULL) {
      live_insert((struct mapping){start, bytes});
      allocated++;
    }
  }
  lock_drop(&huge_lock);
  return start;
}

bool huge_free(void *block) {
  lock_take(&huge_lock);
  struct mapping *slot = live_find(block);
  bool found = slot != NULL;
  if (found) {
    struct mapping mapping = *slot;
    last_was_touched = was_touched(mapping.start, mapping.bytes);
    live_remove(slot);
    kept_make_room(1);
    kept_insert((struct kept_range){mapping.start, mapping.bytes, ++frees});
    retain_deactivate(mapping.bytes);
    unmap_excess();
  }
  lock_drop(&huge_lock);
  return found;
}

size_t huge_usable_size(const void *block) {
  lock_take(&huge_lock);
  struct mapping *slot = live_find(block);
  size_t bytes = slot == NULL ? 0 : slot->bytes;
  lock_drop(&huge_lock);
  return bytes;
}

const void *huge_around(const void *address) {
  const void *around = NULL;
  lock_take(&huge_lock);
  for (size_t i = 0; i < live_size && around == NULL; i++) {
    size_t offset = (size_t)((const char *)address - live[i].start);
    around = live[i].start != NULL && offset < live[i].bytes ? live[i].start : NULL;
  }
  lock_drop(&huge_lock);
  return around;
}

void *huge_resize(void *block, size_t size) {
  lock_take(&huge_lock);
  struct mapping *slot = live_find(block);
  struct mapping mapping = *slot;
  size_t exact = os_page_ceil(size);
  size_t bytes = exact;
  if (exact > mapping.bytes && mapping.bytes / GROWTH_SHARE < PTRDIFF_MAX - exact) {
    /* Growth is rarely the last: some address space, not memory, is taken ahead. */
    bytes = exact + os_page_ceil(mapping.bytes / GROWTH_SHARE);
  }
  char *moved = os_remap(mapping.start, mapping.bytes, bytes);
  if (moved == NULL && bytes > exact) {
    bytes = exact;
    moved = os_remap(mapping.start, mapping.bytes, bytes);
  }
  if (moved != NULL) {
    live_remove(slot);
    if (bytes > mapping.bytes) {
      retain_activate(bytes - mapping.bytes, 0);
    } else {
      retain_drop(mapping.bytes - bytes);
    }
    live_insert((struct mapping){moved, bytes});
  }
  lock_drop(&huge_lock);
  return moved;
}

size_t huge_purge(void) {
  size_t given_back = 0;
  lock_take(&huge_lock);
  while (kept_unmap_oldest(SIZE_MAX / 2, &given_back)) {
  }
  lock_drop(&huge_lock);
  return given_back;
}

static size_t read_figure(const size_t *figure) {
  lock_take(&huge_lock);
  size_t value = *figure;
  lock_drop(&huge_lock);
  return value;
}

size_t huge_count(void) { return read_figure(&allocated); }
size_t huge_live_count(void) { return read_figure(&live_count); }
size_t huge_live_bytes(void) { return read_figure(&live_bytes); }

void huge_fork_lock(void) { lock_take(&huge_lock); }
void huge_fork_unlock(void) { lock_drop(&huge_lock); }
