#include "warm/rebuild.h"

#include <string.h>

#include "warm/holes.h"
#include "warm/inside.h"
#include "warm/lane.h"

static bool is_slab_of(const struct thread_heap *heap, unit_tag tag) { return unit_tag_owner(tag) == heap->link.owner; }

/* Blocks from `top` down to the NULL, or to the link. Some may have been put back already, or lie there twice. */
static void put_back(const struct thread_heap *heap, size_t size_class, void *const *top) {
  void *const *lowest = magazine_of((void **)top) + 1;
  for (; top >= lowest && *top != NULL; top--) {
    unit_tag tag = unit_tag_of(*top);
    if (!is_slab_of(heap, tag) || (unit_tag_class(tag) != size_class && !unit_tag_is_coalesced(tag))) {
      continue;
    }
    struct place place = place_of(*top, unit_tag_class(tag));
    INVARIANT(place.index != PLACE_NONE);
    uint64_t bit = UINT64_C(1) << place.index % 64;
    place.slab->free[place.index / 64] |= bit & ~atomic_load(&place.slab->remote[place.index / 64]);
  }
}

static void put_back_cached(struct thread_heap *heap, size_t size_class) {
  void **top = heap->lost_top[size_class];
  if (!magazine_is_none(magazine_of(top))) {
    put_back(heap, size_class, top);
  }
  void **magazine;
  while ((magazine = heap->depot.full[size_class]) != NULL) {
    put_back(heap, size_class, magazine_full_top(magazine));
    heap->depot.full[size_class] = magazine[0];
    atomic_signal_fence(memory_order_seq_cst);
    depot_give_empty(&heap->depot, magazine);
  }
}

/* What is free, is so with its inside, which may have been about to be so, or to be no longer. */
static void make_whole(struct slab *slab, unsigned word) {
  uint64_t inside = inside_of(slab, word);
  if (inside != 0) {
    slab->free[word] = inside_with(slab->free[word], inside);
    inside &= slab->free[word];
    inside_remove(slab, word, inside, (unsigned)__builtin_popcountll(inside));
  }
}

/* Every free block counts as recycled: which of them lie in fresh memory was in the count that is not to be trusted. */
static void recount(struct slab *slab, unit_tag tag, void *context) {
  struct thread_heap *heap = context;
  if (!is_slab_of(heap, tag)) {
    return;
  }
  const struct size_class *shape = &size_classes[unit_tag_class(tag)];
  inside_recount(slab);
  uint32_t free_blocks = 0;
  for (unsigned word = 0; word < shape->words; word++) {
    make_whole(slab, word);
    free_blocks += (uint32_t)__builtin_popcountll(slab->free[word]);
  }
  slab->free_count = free_blocks;
  slab->first_word = 0;
  residency_holes_closed(holes_bytes(slab)); /* some may have been on their way to the system */
  slab->has_holes = false;
  slab_carve_all(slab);
  slab->listed = false;
  slab->kept = false;
  slab->trimmed = 0;
  heap->bound_bytes += slab_bytes(slab);
  heap->used_bytes += (size_t)(shape->capacity - free_blocks) * shape->stride;
}

static void regain(struct slab *slab, unit_tag tag, void *context) {
  struct thread_heap *heap = context;
  if (is_slab_of(heap, tag)) {
    lane_gained(heap, slab);
  }
}

void heap_rebuild(struct thread_heap *heap) {
  memset(heap->lane, 0, sizeof heap->lane);
  memset(&heap->kept, 0, sizeof heap->kept);
  heap->queued = 0;
  heap->carving = 0;
  heap->warm_pool.count = 0;
  heap->runs.count = 0;
  heap->runs.bytes = 0;
  huge_cache_mend(&heap->huge_cache);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    put_back_cached(heap, size_class);
    heap->lost_top[size_class] = no_magazine_top();
  }
  heap->depot.bytes = 0;
  heap->depot.filled = 0;
  heap->bound_bytes = 0;
  heap->used_bytes = 0;
  heap->trim_below = 0;
  each_bound_slab(recount, heap);
  each_bound_slab(regain, heap);
}
