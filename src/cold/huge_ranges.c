#include "cold/huge_ranges.h"

#include "os/os.h"

enum { LEFT_SHARE = 8 };

static RARE_ZEROES struct huge_range ranges[RANGES_MAX];
ADDRESS_KNOWN_AS(root_huge_ranges, ranges);

static void drop(struct huge_range *range) { range->start = NULL; }

/* The address last: a range shows whole, or not at all. */
static void store(struct huge_range *range, struct huge_range value) {
  range->bytes = value.bytes;
  range->freed = value.freed;
  atomic_signal_fence(memory_order_seq_cst);
  range->start = value.start;
}

static struct huge_range *find_free(void) {
  for (unsigned i = 0; i < RANGES_MAX; i++) {
    if (ranges[i].start == NULL) {
      return &ranges[i];
    }
  }
  return NULL;
}

/* Takes `bytes` out of a range, from `before` on. False: there is no place for what would be left on both sides. */
static bool cut(struct huge_range *from, size_t before, size_t bytes) {
  struct huge_range range = *from;
  size_t after = range.bytes - before - bytes;
  struct huge_range *room = find_free();
  if (before > 0 && after > 0 && room == NULL) {
    return false;
  }
  drop(from);
  if (before > 0) {
    store(from, (struct huge_range){range.start, before, range.freed});
  }
  if (after > 0) {
    store(before > 0 ? room : from, (struct huge_range){range.start + before + bytes, after, range.freed});
  }
  return true;
}

static struct huge_range *find_oldest(void) {
  struct huge_range *oldest = NULL;
  for (unsigned i = 0; i < RANGES_MAX; i++) {
    if (ranges[i].start != NULL && (oldest == NULL || ranges[i].freed < oldest->freed)) {
      oldest = &ranges[i];
    }
  }
  return oldest;
}

uint64_t huge_ranges_oldest(void) {
  const struct huge_range *oldest = find_oldest();
  return oldest == NULL ? UINT64_MAX : oldest->freed;
}

struct huge_range huge_ranges_cut_oldest(size_t wanted) {
  struct huge_range *oldest = find_oldest();
  if (oldest == NULL) {
    return (struct huge_range){0};
  }
  struct huge_range range = *oldest;
  size_t keep = wanted < range.bytes ? (range.bytes - wanted) & ~(os_page_size() - 1) : 0;
  size_t in_huge_page = (uintptr_t)(range.start + keep) & (OS_HUGE_PAGE - 1);
  keep = keep > in_huge_page ? keep - in_huge_page : 0;
  cut(oldest, keep, range.bytes - keep); /* nothing is left behind it, so there is a place for the rest */
  return (struct huge_range){range.start + keep, range.bytes - keep, range.freed};
}

/* Joins a range with its neighbours, which leave the table; it counts as freed when the last of them was. */
static struct huge_range joined(struct huge_range range) {
  for (unsigned i = 0; i < RANGES_MAX; i++) {
    struct huge_range *other = &ranges[i];
    if (other->start == NULL) {
      continue;
    }
    bool before = other->start + other->bytes == range.start;
    if (before || range.start + range.bytes == other->start) {
      range.start = before ? other->start : range.start;
      range.bytes += other->bytes;
      range.freed = other->freed > range.freed ? other->freed : range.freed;
      drop(other);
    }
  }
  return range;
}

struct huge_range huge_ranges_give(struct huge_range range) {
  range = joined(range);
  struct huge_range *room = find_free();
  struct huge_range displaced = {0};
  if (room == NULL) {
    room = find_oldest();
    displaced = *room;
    drop(room);
  }
  store(room, range);
  return displaced;
}

static size_t skipped_to(const char *address, size_t alignment) { return -(uintptr_t)address & (alignment - 1); }

static struct huge_range *find_best(size_t bytes, size_t alignment) {
  struct huge_range *best = NULL;
  for (unsigned i = 0; i < RANGES_MAX; i++) {
    struct huge_range *range = &ranges[i];
    if (range->start != NULL && range->bytes >= bytes && range->bytes - bytes >= skipped_to(range->start, alignment) &&
        (best == NULL || range->bytes < best->bytes)) {
      best = range;
    }
  }
  return best;
}

bool huge_ranges_fit(size_t bytes) { return find_best(bytes, 1) != NULL; }

char *huge_ranges_take(size_t *bytes, size_t alignment) {
  struct huge_range *best = find_best(*bytes, alignment);
  if (best == NULL) {
    return NULL;
  }
  size_t before = skipped_to(best->start, alignment);
  size_t after = best->bytes - before - *bytes;
  char *start = best->start + before;
  *bytes += after <= *bytes / LEFT_SHARE ? after : 0;
  return cut(best, before, *bytes) ? start : NULL;
}

/* Bytes of whole huge pages in a range. */
static size_t huge_pages_in(const struct huge_range *range) {
  size_t before = skipped_to(range->start, OS_HUGE_PAGE);
  return range->bytes > before ? (range->bytes - before) & ~(size_t)(OS_HUGE_PAGE - 1) : 0;
}

struct huge_range huge_ranges_cut_huge_pages(size_t wanted) {
  struct huge_range *most = NULL;
  for (unsigned i = 0; i < RANGES_MAX; i++) {
    if (ranges[i].start != NULL && huge_pages_in(&ranges[i]) > (most == NULL ? 0 : huge_pages_in(most))) {
      most = &ranges[i];
    }
  }
  if (most == NULL) {
    return (struct huge_range){0};
  }
  size_t before = skipped_to(most->start, OS_HUGE_PAGE);
  size_t bytes = huge_pages_in(most) < wanted ? huge_pages_in(most) : wanted;
  struct huge_range pages = {most->start + before, bytes, most->freed};
  return cut(most, before, bytes) ? pages : (struct huge_range){0};
}

size_t huge_ranges_bytes(void) {
  size_t bytes = 0;
  for (unsigned i = 0; i < RANGES_MAX; i++) {
    bytes += ranges[i].start != NULL ? ranges[i].bytes : 0;
  }
  return bytes;
}
