#include "cold/huge_ranges.h"

#include "os/os.h"

enum { LEFT_SHARE = 8 };

/* Takes `bytes` out of a range, from `before` on. False: there is no place for what would be left on both sides. */
static bool cut(struct huge_range *from, size_t before, size_t bytes) {
  struct huge_range range = *from;
  size_t after = range.bytes - before - bytes;
  struct huge_range rest = {range.start + before + bytes, after, range.freed};
  if (before > 0 && after > 0 && places_count() == RANGES_MAX) {
    return false;
  }
  if (before > 0) {
    places_change(from, (struct huge_range){range.start, before, range.freed});
    if (after > 0) {
      places_add(rest);
    }
  } else if (after > 0) {
    places_change(from, rest);
  } else {
    places_drop(from);
  }
  return true;
}

static struct huge_range *find_oldest(void) {
  struct huge_range *oldest = NULL;
  for (unsigned i = 0; i < places_count(); i++) {
    struct huge_range *range = places_at(i);
    oldest = oldest == NULL || range->freed < oldest->freed ? range : oldest;
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

static uint64_t later(uint64_t a, uint64_t b) { return a > b ? a : b; }

/* Joins a range with its neighbours; it counts as freed when the last of them was. False: it has none. */
static bool join(struct huge_range range) {
  struct neighbours beside = places_beside(range);
  struct huge_range *place = beside.before != NULL ? beside.before : beside.behind;
  if (beside.behind != NULL) {
    range.bytes += beside.behind->bytes;
    range.freed = later(range.freed, beside.behind->freed);
  }
  if (beside.before != NULL) {
    range.start = beside.before->start;
    range.bytes += beside.before->bytes;
    range.freed = later(range.freed, beside.before->freed);
  }
  if (beside.before != NULL && beside.behind != NULL) {
    places_drop(beside.behind);
  }
  if (place != NULL) {
    places_change(place, range);
  }
  return place != NULL;
}

struct huge_range huge_ranges_give(struct huge_range range) {
  struct huge_range displaced = {0};
  if (!join(range) && places_add(range) == NULL) {
    struct huge_range *oldest = find_oldest();
    displaced = *oldest;
    places_drop(oldest);
    places_add(range);
  }
  return displaced;
}

static size_t skipped_to(const char *address, size_t alignment) { return -(uintptr_t)address & (alignment - 1); }

bool huge_ranges_hold(const void *address) {
  for (unsigned i = 0; i < places_count(); i++) {
    const struct huge_range *range = places_at(i);
    if ((size_t)((const char *)address - range->start) < range->bytes) {
      return true;
    }
  }
  return false;
}

/* Where in a range that fits a block begins. */
static char *place_of(const struct huge_range *range, size_t bytes, size_t alignment) {
  if (bytes >= SHARED_BELOW) {
    return range->start + skipped_to(range->start, alignment);
  }
  char *last = range->start + range->bytes - bytes;
  return last - ((uintptr_t)last & (alignment - 1));
}

/* All of a range where little would be left of it, else `bytes`. */
static size_t all_or(size_t bytes, const struct huge_range *range) {
  return range->bytes - bytes <= bytes / LEFT_SHARE ? range->bytes : bytes;
}

char *huge_ranges_take(size_t *bytes, size_t alignment) {
  struct huge_range *best = places_best(*bytes, alignment);
  if (best == NULL) {
    return NULL;
  }
  *bytes = skipped_to(best->start, alignment) == 0 ? all_or(*bytes, best) : *bytes;
  char *start = place_of(best, *bytes, alignment);
  return cut(best, (size_t)(start - best->start), *bytes) ? start : NULL;
}

char *huge_ranges_take_first(size_t *bytes, size_t room) {
  struct huge_range *best = places_best(room, 1);
  if (best == NULL) {
    return NULL;
  }
  char *start = best->start;
  *bytes = all_or(*bytes, best);
  cut(best, 0, *bytes);
  return start;
}

static struct huge_range *behind(char *start) { return places_beside((struct huge_range){.start = start}).behind; }

size_t huge_ranges_behind(char *start) {
  const struct huge_range *range = behind(start);
  return range == NULL ? 0 : range->bytes;
}

size_t huge_ranges_take_behind(char *start, size_t bytes) {
  struct huge_range *range = behind(start);
  if (range == NULL || range->bytes < bytes) {
    return 0;
  }
  bytes = all_or(bytes, range);
  cut(range, 0, bytes); /* nothing is left before it, so there is a place for the rest */
  return bytes;
}

/* Bytes of whole huge pages in a range. */
static size_t huge_pages_in(const struct huge_range *range) {
  size_t before = skipped_to(range->start, OS_HUGE_PAGE);
  return range->bytes > before ? (range->bytes - before) & ~(size_t)(OS_HUGE_PAGE - 1) : 0;
}

struct huge_range huge_ranges_cut_huge_pages(size_t wanted) {
  struct huge_range *most = NULL;
  for (unsigned i = 0; i < places_count(); i++) {
    struct huge_range *range = places_at(i);
    most = huge_pages_in(range) > (most == NULL ? 0 : huge_pages_in(most)) ? range : most;
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
  for (unsigned i = 0; i < places_count(); i++) {
    bytes += places_at(i)->bytes;
  }
  return bytes;
}
