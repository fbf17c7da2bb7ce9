#include "warm/spill.h"

#include "config/config.h"
#include "events/events.h"
#include "warm/put.h"
#include "warm/trim.h"

enum { DEPOT_HEAP_SHARE = 64, DEPOT_SPILL_AT_ONCE = 2 };

static size_t depot_limit(const struct thread_heap *heap) {
  size_t share = heap->bound_bytes / DEPOT_HEAP_SHARE;
  size_t least = (size_t)options.depot_kib * KIB;
  return share < least ? least : share;
}

/* Makes room in the depot for one more magazine; the classes give magazines in turn, two at most at a time, so that
 * the depot follows a heap that shrinks. False: there is no room. */
static bool make_room(struct thread_heap *heap, size_t size_class) {
  size_t wanted = magazine_block_bytes(size_class);
  size_t limit = depot_limit(heap);
  for (int i = 0; i < DEPOT_SPILL_AT_ONCE && heap->depot.bytes + wanted > limit; i++) {
    size_t victim = depot_victim(&heap->depot);
    if (victim == SIZE_CLASS_COUNT) {
      return false;
    }
    heap_put_full(heap, victim, depot_pop(&heap->depot, victim));
  }
  return heap->depot.bytes + wanted <= limit;
}

/* Gives the older half of a full magazine back to its slabs; returns the new top. */
static void **spill_half(struct thread_heap *heap, size_t size_class, void **magazine) {
  void **bottom = magazine_bottom(magazine, size_class);
  unsigned all = size_classes[size_class].magazine;
  unsigned half = (all + 1) / 2;
  heap_put(heap, size_class, bottom + 1, half);
  observe_spill(half);
  for (unsigned i = half + 1; i <= all; i++) {
    bottom[i - half] = bottom[i];
  }
  return bottom + (all - half);
}

static void spill_heap(struct thread_heap *heap, size_t size_class, void *block) {
  void **magazine = magazine_of(thread_cache.top[size_class]);
  bool none = magazine_is_none(magazine);
  void **top = NULL;
  enum free_path path = FREE_SPILL;
  if (none || make_room(heap, size_class)) {
    void **empty = depot_take_empty(&heap->depot, size_class);
    if (empty != NULL) {
      path = none ? FREE_CACHE : FREE_DEPOT;
      if (!none) {
        depot_push(&heap->depot, size_class, magazine);
      }
      top = magazine_bottom(empty, size_class);
    }
  }
  observe_free(block, size_classes[size_class].stride, path);
  if (top == NULL) {
    if (none) {
      heap_put(heap, size_class, &block, 1);
      return;
    }
    top = spill_half(heap, size_class, magazine);
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
}
