#include "cold/huge_ranges.h"

#include "cold/retain.h"
#include "os/os.h"

enum { RANGES_MAX = 64 };

static struct range {
  char *start; /* NULL: no range */
  size_t bytes;
  size_t freed; /* when: the number of the free that made it */
} ranges[RANGES_MAX];

static size_t frees;

static void drop(struct range *range) { range->start = NULL; }

/* The address last: a range shows whole, or not at all. */
static void store(struct range *range, struct range value) {
  range->bytes = value.bytes;
  range->freed = value.freed;
  atomic_signal_fence(memory_order_seq_cst);
  range->start = value.start;
}

static struct range *find_free(void) {
  for (unsigned i = 0; i < RANGES_MAX; i++) {
    if (ranges[i].start == NULL) {
      return &ranges[i];
    }
  }
  return NULL;
}

static struct range *find_oldest(void) {
  struct range *oldest = NULL;
  for (unsigned i = 0; i < RANGES_MAX; i++) {
    if (ranges[i].start != NULL && (oldest == NULL || ranges[i].freed < oldest->freed)) {
      oldest = &ranges[i];
    }
  }
  return oldest;
}

size_t huge_ranges_unmap_oldest(size_t wanted) {
  struct range *oldest = find_oldest();
  if (oldest == NULL) {
    return 0;
  }
  struct range range = *oldest;
  size_t bytes = wanted < range.bytes ? os_page_ceil(wanted) : range.bytes;
  drop(oldest);
  if (!os_unmap(range.start + range.bytes - bytes, bytes)) {
    store(oldest, range);
    return 0;
  }
  range.bytes -= bytes;
  if (range.bytes > 0) {
    store(oldest, range);
  }
  retain_purged(RETAIN_HUGE, bytes);
  return bytes;
}

/* A place for one more range. When the system refuses to unmap the oldest, it keeps its addresses but no memory. */
static struct range *make_room(void) {
  struct range *room = find_free();
  if (room == NULL) {
    if (huge_ranges_unmap_oldest(SIZE_MAX) == 0) {
      struct range *oldest = find_oldest();
      os_purge(oldest->start, oldest->bytes);
      retain_purged(RETAIN_HUGE, oldest->bytes);
      drop(oldest);
    }
    room = find_free();
  }
  return room;
}

/* Joins a range with its neighbours, which leave the table. */
static void insert(struct range range) {
  for (unsigned i = 0; i < RANGES_MAX; i++) {
    struct range *other = &ranges[i];
    if (other->start == NULL) {
      continue;
    }
    if (other->start + other->bytes == range.start) {
      range.start = other->start;
      range.bytes += other->bytes;
      drop(other);
    } else if (range.start + range.bytes == other->start) {
      range.bytes += other->bytes;
      drop(other);
    }
  }
  store(make_room(), range);
}

void huge_ranges_give(char *start, size_t bytes) { insert((struct range){start, bytes, ++frees}); }

static size_t skipped_to(const char *address, size_t alignment) { return -(uintptr_t)address & (alignment - 1); }

char *huge_ranges_take(size_t bytes, size_t alignment) {
  struct range *best = NULL;
  for (unsigned i = 0; i < RANGES_MAX; i++) {
    struct range *range = &ranges[i];
    if (range->start != NULL && range->bytes >= bytes && range->bytes - bytes >= skipped_to(range->start, alignment) &&
        (best == NULL || range->bytes < best->bytes)) {
      best = range;
    }
  }
  if (best == NULL) {
    return NULL;
  }
  struct range range = *best;
  drop(best);
  size_t before = skipped_to(range.start, alignment);
  size_t after = range.bytes - before - bytes;
  if (before > 0) {
    insert((struct range){range.start, before, range.freed});
  }
  if (after > 0) {
    insert((struct range){range.start + before + bytes, after, range.freed});
  }
  return range.start + before;
}

size_t huge_ranges_bytes(void) {
  size_t bytes = 0;
  for (unsigned i = 0; i < RANGES_MAX; i++) {
    bytes += ranges[i].start != NULL ? ranges[i].bytes : 0;
  }
  return bytes;
}
