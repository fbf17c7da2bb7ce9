#include "cold/arena.h"

#include "cold/arena_size.h"
#include "cold/window.h"
#include "os/os.h"

enum { PLACING_TRIES = 16, OPEN_SHARE = 8, HUGE_SHARE = 2, HUGE_MOST = 16 << 20 };

static uintptr_t place_next; /* where the next arena is asked for */
static char *arena_end;      /* of the newest arena */
static size_t arena_left;    /* bytes before its end from which no superslab has been cut */
static char *arena_opened;   /* of the newest arena, what lies before this can be used */
static char *arena_huge;     /* of the newest arena, what is cut before this comes in huge pages */
static size_t arenas, arena_bytes;
static _Atomic(char *) untold; /* the first arena, until arena_tell */
static size_t untold_bytes;
static size_t arena_most = ARENA_MAX; /* what was refused is not asked for again at once */

static char *map_anywhere(size_t bytes) {
  char *start = os_map_aligned(bytes, SUPERSLAB_BYTES);
  if (start != NULL) {
    os_forbid(start, bytes);
  }
  return start;
}

/* A range aligned to a superslab, at the hint or wherever the system likes. */
static char *map_aligned_at(uintptr_t hint, size_t bytes) {
  char *start = os_reserve((void *)hint, bytes, OS_CLOSED); // NOLINT(performance-no-int-to-ptr)
  if (start != NULL && ((uintptr_t)start & (SUPERSLAB_BYTES - 1)) != 0) {
    os_unmap(start, bytes);
    start = map_anywhere(bytes);
  }
  return start;
}

/* An arena inside the window; a place that is taken is passed over. */
static char *arena_map(size_t bytes) {
  if (place_next == 0) {
    place_next = window_base;
  }
  for (int i = 0; i < PLACING_TRIES && window_holds((void *)place_next, bytes);
       i++) { // NOLINT(performance-no-int-to-ptr)
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
  char *anywhere = map_anywhere(bytes);
  if (anywhere != NULL && !window_holds(anywhere, bytes)) {
    os_unmap(anywhere, bytes);
    return NULL;
  }
  return anywhere;
}

static void tell(char *start, size_t bytes) {
  os_name(start, bytes, "hakmem slabs");
  os_advise_small(start, bytes);
}

static bool arena_add(void) {
  size_t bytes = (arena_bytes / 2) & ~(size_t)(SUPERSLAB_BYTES - 1);
  bytes = bytes < ARENA_MIN ? ARENA_MIN : bytes;
  bytes = bytes < arena_most ? bytes : arena_most;
  for (; bytes >= SUPERSLAB_BYTES; bytes = (bytes / 2) & ~(size_t)(SUPERSLAB_BYTES - 1)) {
    char *start = arena_map(bytes);
    if (start != NULL) {
      if (arenas == 0) {
        untold = start;
        untold_bytes = bytes;
      } else {
        tell(start, bytes);
      }
      arena_opened = arena_huge = start;
      arena_end = start + bytes;
      atomic_signal_fence(memory_order_seq_cst);
      arena_left = bytes;
      arena_bytes += bytes;
      arena_most = bytes < ARENA_MAX / 2 ? 2 * bytes : ARENA_MAX;
      arenas++;
      return true;
    }
  }
  arena_most = SUPERSLAB_BYTES;
  return false;
}

bool arena_start(void) {
  if (!window_map() || (arena_left == 0 && !arena_add())) {
    return false;
  }
  window_open();
  return true;
}

void *arena_take(void) {
  if (arena_left == 0 && !arena_add()) {
    return NULL;
  }
  char *start = arena_end - arena_left;
  arena_left -= SUPERSLAB_BYTES;
  return start;
}

/* From `start` on: a share of what has been cut so far, at least a superslab, as far as the arena reaches. */
static size_t bytes_ahead(const char *start, size_t share) {
  size_t rest = (size_t)(arena_end - start);
  size_t ahead = ((arena_bytes - arena_left) / share) & ~(size_t)(SUPERSLAB_BYTES - 1);
  ahead = ahead > SUPERSLAB_BYTES ? ahead : SUPERSLAB_BYTES;
  return ahead < rest ? ahead : rest;
}

static bool open_from(char *start, size_t bytes) {
  char *from = start > arena_opened ? start : arena_opened;
  char *end = start + bytes;
  if (end <= arena_opened) {
    return true;
  }
  if (!os_permit(from, (size_t)(end - from))) {
    return false;
  }
  arena_opened = end;
  return true;
}

/* Little ahead: what can be used counts as committed where the system is strict, and is resident where the program
 * locks its memory. */
bool arena_open(char *start, size_t bytes) {
  if (start + bytes <= arena_opened) {
    return true;
  }
  size_t ahead = bytes < SUPERSLAB_BYTES ? bytes : bytes_ahead(start, OPEN_SHARE);
  return open_from(start, ahead) || open_from(start, bytes);
}

/* With one call of each kind, as the system may keep each for as long as another thread waits for a huge page. */
void arena_serve(char *start, bool huge) {
  if (huge && start >= arena_huge) {
    size_t ahead = bytes_ahead(start, HUGE_SHARE);
    ahead = ahead < HUGE_MOST ? ahead : HUGE_MOST;
    size_t bytes = open_from(start, ahead) ? ahead : SUPERSLAB_BYTES;
    os_advise_huge(start, bytes);
    arena_huge = start + bytes;
  } else if (!huge && start < arena_huge) {
    os_advise_small(start, SUPERSLAB_BYTES);
  }
}

void arena_tell(void) {
  char *start = atomic_load_explicit(&untold, memory_order_relaxed);
  if (start != NULL && atomic_compare_exchange_strong(&untold, &start, NULL)) {
    tell(start, untold_bytes);
    window_name();
  }
}

void arena_untake(void *start) {
  INVARIANT((char *)start + SUPERSLAB_BYTES == arena_end - arena_left);
  (void)start;
  arena_left += SUPERSLAB_BYTES;
}

size_t arena_unmap_rest(void) {
  size_t rest = arena_left;
  arena_left = 0;
  if (rest == 0 || !os_unmap(arena_end - rest, rest)) {
    arena_left = rest;
    return 0;
  }
  if (place_next == (uintptr_t)arena_end) {
    place_next -= rest;
  }
  arena_bytes -= rest;
  return rest;
}

size_t arena_count(void) { return arenas; }
