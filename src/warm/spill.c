#include "warm/spill.h"

#include <string.h>

#include "events/events.h"
#include "warm/depot_bound.h"
#include "warm/put.h"
#include "warm/relief.h"
#include "warm/share.h"
#include "warm/spot_check.h"
#include "warm/trim.h"

enum { DEPOT_SPILL_AT_ONCE = 2 };

/* Makes room in the depot for one more magazine; the classes give magazines in turn, two at most at a time, so that
 * the depot follows a heap that shrinks. False: there is no room. */
static bool make_room(struct thread_heap *heap, size_t size_class) {
  size_t wanted = magazine_block_bytes(size_class);
  size_t limit = depot_bound(heap->share);
  for (int i = 0; i < DEPOT_SPILL_AT_ONCE && heap->depot.bytes + wanted > limit; i++) {
    size_t victim = depot_victim(&heap->depot);
    if (victim == SIZE_CLASS_COUNT) {
      return false;
    }
    heap_put_full(heap, victim, depot_pop(&heap->depot, victim));
  }
  return heap->depot.bytes + wanted <= limit;
}

/* The blocks of a full magazine, `count` of them, are as many as it may hold from now on; some may then go back to
 * their slabs, the oldest first. The new top. */
static void **resize(struct thread_heap *heap, size_t size_class, void **magazine, unsigned count, unsigned may_hold) {
  void **oldest = magazine_full_top(magazine) - count + 1;
  unsigned keep = may_hold > count ? count : may_hold / 2;
  if (keep < count) {
    heap_put(heap, size_class, oldest, count - keep);
    observe_spill(count - keep);
  }
  void **bottom = magazine_bottom(magazine, may_hold);
  memmove(bottom + 1, oldest + (count - keep), keep * sizeof *bottom);
  *bottom = NULL;
  return bottom + keep;
}

/* The same above the soft limit. */
static RARE void **relieve(struct thread_heap *heap, size_t size_class) {
  relief_under_pressure(heap);
  void **magazine = magazine_of(thread_cache.top[size_class]);
  unsigned may_hold = share_of_class(heap, size_class);
  if (magazine_is_none(magazine)) {
    return depot_take_empty(&heap->depot, may_hold);
  }
  return resize(heap, size_class, magazine, magazine_count(magazine_full_top(magazine)), may_hold);
}

/* A new top, with a place above it; NULL: there is neither a magazine nor memory for one. */
static void **make_place(struct thread_heap *heap, size_t size_class, enum free_path *path) {
  void **magazine = magazine_of(thread_cache.top[size_class]);
  unsigned may_hold = share_of_class(heap, size_class);
  if (magazine_is_none(magazine)) {
    *path = FREE_CACHE;
    return depot_take_empty(&heap->depot, may_hold);
  }
  unsigned full = size_classes[size_class].magazine;
  unsigned count = heap->has_small_magazines ? magazine_count(magazine_full_top(magazine)) : full;
  if (count == full && may_hold == full && make_room(heap, size_class)) {
    void **empty = depot_exchange(&heap->depot, size_class, magazine, heap->bound_bytes);
    if (empty != NULL) {
      *path = FREE_DEPOT;
      return empty;
    }
  }
  *path = FREE_SPILL;
  return unlikely(relief_is_needed(heap)) ? relieve(heap, size_class)
                                          : resize(heap, size_class, magazine, count, may_hold);
}

static void spill_heap(struct thread_heap *heap, size_t size_class, void *block) {
  enum free_path path;
  void **top = make_place(heap, size_class, &path);
  observe_free(block, size_classes[size_class].stride, top == NULL ? FREE_SPILL : path);
  if (top == NULL) {
    heap_put(heap, size_class, &block, 1);
    return;
  }
  top[1] = block;
  cache_set_top(size_class, top + 1);
  trim_after_put(heap);
}

static _Noreturn RARE void fatal_twice(const void *block, size_t size_class) {
  struct place place = place_of(block, size_class);
  if (place.index == PLACE_NONE) {
    fatal_interior(block, size_class, "free");
  }
  fatal_double_free(place.slab, place.index);
}

NOINLINE void spill(size_t size_class, void *block) {
  struct thread_heap *heap = thread_cache.heap;
  if (unlikely(*thread_cache.top[size_class] == block)) {
    fatal_twice(block, size_class);
  }
  heap_enter(heap);
  spill_heap(heap, size_class, block);
  heap_leave(heap);
  if (heap_tick(heap)) {
    spot_check_round(heap);
  }
}
