#include "cold/arena.h"

#include "cold/superslab.h"
#include "config/options.h"
#include "hot/page_tag.h"
#include "os/fatal.h"

enum { PLACING_TRIES = 16 };

static const size_t window_all = (size_t)1 << 47; /* the experiment: the whole user address space */
static const size_t arena_min = 32 * MIB;
static const size_t arena_max = GIB;

static size_t window_bytes;
static uintptr_t place_next;         /* where the next arena is asked for */
static char *arena_next, *arena_end; /* what is left of the newest arena */
static size_t arenas, arena_bytes;

/* The tags of all units: 8 GiB of address space. */
static bool window_map(void) {
  for (size_t bytes = window_all; window_bytes == 0; bytes /= 2) {
    size_t tag_bytes = (bytes >> UNIT_SHIFT) * sizeof(page_tag);
    char *map = os_map(NULL, tag_bytes + (bytes >> SUPERSLAB_SHIFT) * sizeof(struct superslab *));
    if (map == NULL) {
      break;
    } else {
      window_bytes = bytes;
      page_map_tags = (_Atomic page_tag *)(void *)map;
      page_map_superslab = (_Atomic(struct superslab *) *)(void *)(map + tag_bytes);
      /* 16 to 48 TiB: between where programs are loaded on every layout of 47 bits; the exact place differs per run. */
      page_map_base = 0;
      place_next = ((uintptr_t)16 << 40) + (os_random() % ((uintptr_t)16 << 20)) * SUPERSLAB_BYTES;
      return true;
    }
  }
  return false;
}

static bool window_holds(const char *start, size_t bytes) {
  return (uintptr_t)start >= page_map_base && (uintptr_t)start + bytes <= page_map_base + window_bytes;
}

/* Where the system does not honour hints (a small address space, a sanitizer), the window goes round the first
 * arena. */
static void window_move(const char *first) {
  uintptr_t at = (uintptr_t)first & ~(uintptr_t)(SUPERSLAB_BYTES - 1);
  page_map_base = at > window_bytes / 2 ? at - window_bytes / 2 : SUPERSLAB_BYTES;
}

/* A range aligned to a superslab, at the hint or wherever the system likes. */
static char *map_aligned_at(uintptr_t hint, size_t bytes) {
  char *start = os_map((void *)hint, bytes); // NOLINT(performance-no-int-to-ptr)
  if (start != NULL && ((uintptr_t)start & (SUPERSLAB_BYTES - 1)) != 0) {
    os_unmap(start, bytes);
    start = os_map_aligned(bytes, SUPERSLAB_BYTES);
  }
  return start;
}

/* An arena inside the window; a place that is taken is passed over. */
static char *arena_map(size_t bytes) {
  for (int i = 0; i < PLACING_TRIES && place_next + bytes <= page_map_base + window_bytes; i++) {
    char *start = map_aligned_at(place_next, bytes);
    if (start == NULL) {
      return NULL;
    }
    if (arenas == 0 && !window_holds(start, bytes)) {
      window_move(start);
    }
    if (window_holds(start, bytes)) {
      place_next = (uintptr_t)start + bytes;
      return start;
    }
    os_unmap(start, bytes);
    place_next += GIB;
  }
  char *anywhere = os_map_aligned(bytes, SUPERSLAB_BYTES);
  if (anywhere != NULL && !window_holds(anywhere, bytes)) {
    os_unmap(anywhere, bytes);
    return NULL;
  }
  return anywhere;
}

static bool arena_add(void) {
  size_t bytes = (arena_bytes / 2) & ~(size_t)(SUPERSLAB_BYTES - 1);
  bytes = bytes < arena_min ? arena_min : bytes > arena_max ? arena_max : bytes;
  for (; bytes >= SUPERSLAB_BYTES; bytes = (bytes / 2) & ~(size_t)(SUPERSLAB_BYTES - 1)) {
    char *start = arena_map(bytes);
    if (start != NULL) {
      arena_next = start;
      arena_end = start + bytes;
      arena_bytes += bytes;
      arenas++;
      return true;
    }
  }
  return false;
}

bool arena_start(void) {
  if ((window_bytes == 0 && !window_map()) || !arena_add()) {
    return false;
  }
  /* From here on HOT looks at tags: with the first arena the window has its final place. */
  __atomic_store_n(&page_map_units, window_bytes >> UNIT_SHIFT, __ATOMIC_RELEASE);
  return true;
}

void *arena_take(void) {
  if (arena_next == arena_end && !arena_add()) {
    return NULL;
  }
  char *start = arena_next;
  arena_next += SUPERSLAB_BYTES;
  return start;
}

void arena_untake(void *start) {
  INVARIANT((char *)start + SUPERSLAB_BYTES == arena_next);
  arena_next = start;
}

size_t arena_count(void) { return arenas; }
