#include "warm/spill.h"

#include <string.h>

#include "config/config.h"
#include "events/events.h"
#include "warm/claim.h"
#include "warm/cpu_cache.h"
#include "warm/free_remote.h"
#include "warm/post.h"
#include "warm/put.h"
#include "warm/relief.h"
#include "warm/share.h"
#include "warm/thread.h"
#include "warm/trim.h"

enum { DEPOT_SPILL_AT_ONCE = 2 };

/* ---- back to the slabs ---- */

/* How many blocks from the first on, of `count`, have bits in the same word of the same slab; those are *bits. */
static unsigned run_of_word(size_t size_class, void *const *blocks, unsigned count, uint64_t *bits) {
  struct place first = place_of(*blocks, size_class);
  unsigned run = 0;
  for (*bits = 0; run < count; run++) {
    struct place place = place_of(blocks[run], size_class);
    uint64_t bit = UINT64_C(1) << place.index % 64;
    if (place.slab != first.slab || place.index / 64 != first.index / 64 || (*bits & bit) != 0) {
      break;
    }
    *bits |= bit;
  }
  return run;
}

/* Blocks of this heap's slabs and of others', which are posted. What is no block of the class heap_put finds. */
static void put_mixed(struct thread_heap *heap, size_t size_class, void *const *blocks, unsigned count) {
  const unit_tag mine = unit_tag_for(heap->link.owner, size_class);
  for (unsigned run; count > 0; blocks += run, count -= run) {
    unit_tag tag = unit_tag_of(*blocks);
    struct place place = place_of(*blocks, size_class);
    bool is_whole = route_of(tag) == ROUTE_SLAB && unit_tag_class(tag) == size_class && place.index != PLACE_NONE;
    if (is_whole && tag != mine) {
      uint64_t bits;
      run = run_of_word(size_class, blocks, count, &bits);
      heap_post_bits(heap, place.slab, place.index / 64, bits);
      continue;
    }
    for (run = 1; run < count && unit_tag_of(blocks[run]) == mine; run++) {
    }
    heap_put(heap, size_class, blocks, run);
  }
}

static void put_full(struct thread_heap *heap, size_t size_class, void **magazine) {
  if (!cpu_is_joined()) {
    heap_put_full(heap, size_class, magazine);
    return;
  }
  unsigned full = size_classes[size_class].magazine;
  put_mixed(heap, size_class, magazine_bottom(magazine, full) + 1, full);
  observe_depot_taken_apart();
  depot_give_empty(&heap->depot, magazine);
}

/* ---- a place ---- */

/* Makes room in the depot for one more magazine; the classes give magazines in turn, two at most at a time, so that
 * the depot follows a heap that shrinks. False: there is no room. */
static bool make_room(struct thread_heap *heap, size_t size_class) {
  size_t wanted = magazine_block_bytes(size_class);
  size_t limit = heap->share; /* until the heap grows: warm/bind.c */
  for (int i = 0; i < DEPOT_SPILL_AT_ONCE && heap->depot.bytes + wanted > limit; i++) {
    size_t victim = depot_victim(&heap->depot);
    if (victim == SIZE_CLASS_COUNT) {
      return false;
    }
    put_full(heap, victim, depot_pop(&heap->depot, victim));
  }
  return heap->depot.bytes + wanted <= limit;
}

/* The blocks of a full magazine, `count` of them, are as many as it may hold from now on; some may then go back to their slabs,
 * the oldest first. The new top. */
static void **resize(struct thread_heap *heap, size_t size_class, void **magazine, unsigned count, unsigned may_hold) {
  void **oldest = magazine_full_top(magazine) - count + 1;
  unsigned keep = may_hold > count ? count : may_hold / 2;
  if (keep < count) {
    put_mixed(heap, size_class, oldest, count - keep);
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
  bool any_size = heap->has_small_magazines || cpu_is_joined();
  unsigned count = any_size ? magazine_count(magazine_full_top(magazine)) : full;
  bool owned = heap == thread_cache.heap; /* else it is an orphan for the call, and holds nothing outside its slabs */
  if (owned && count == full && may_hold == full && make_room(heap, size_class)) {
    void **empty = depot_take_empty(&heap->depot, full);
    if (empty != NULL) {
      *path = FREE_DEPOT;
      depot_push(&heap->depot, size_class, magazine);
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

/* ---- by CPU ---- */

#if HAKMEM_CPU_CACHES

/* Places a block on the CPU's magazine, which is the thread's meanwhile. */
static void spill_claimed(struct thread_heap *heap, size_t size_class, void *block) {
  cpu_claim(size_class);
  void **top = thread_cache.top[size_class];
  if (unlikely(*top == block)) {
    fatal_twice(block, size_class);
  }
  if (((uintptr_t)(top + 1) & (MAGAZINE_BYTES - 1)) == 0) {
    spill_heap(heap, size_class, block);
  } else {
    top[1] = block;
    cache_set_top(size_class, top + 1);
    observe_free(block, size_classes[size_class].stride, FREE_CACHE);
  }
  heap_unclaim(heap, size_class);
}

static void spill_cpu(size_t size_class, void *block) {
  struct thread_heap *heap = thread_heap();
  if (heap != NULL) {
    heap_enter(heap);
    spill_claimed(heap, size_class, block);
    heap_leave(heap);
    heap_tick(heap);
  } else if ((heap = thread_claim()) != NULL) {
    share_renew(heap);
    heap->keep = 0;
    spill_claimed(heap, size_class, block);
    heap_give(heap);
  } else {
    free_remote(block);
  }
}

/* True: there was a place; or the block is none of the thread's own, and has gone to who owns it. */
static bool free_without_cpu(size_t size_class, void *block) {
  if ((unit_tag_of(block) ^ thread_cache.self) >= SIZE_CLASS_COUNT) {
    free_remote(block);
    return true;
  }
  return thread_cache_push(size_class, block);
}

#endif

NOINLINE void spill(size_t size_class, void *block) {
#if HAKMEM_CPU_CACHES
  bool joins = thread_cache.cpu == &cpu_none;
  if (cpu_is_joined()) {
    if (!joins || !cpu_push(size_class, block)) {
      spill_cpu(size_class, block);
    }
    return;
  }
  if (free_without_cpu(size_class, block)) {
    return;
  }
#endif
  struct thread_heap *heap = thread_cache.heap;
  if (unlikely(*thread_cache.top[size_class] == block)) {
    fatal_twice(block, size_class);
  }
  heap_enter(heap);
  spill_heap(heap, size_class, block);
  heap_leave(heap);
  heap_tick(heap);
}
