#include "warm/put.h"

#include "events/events.h"
#include "warm/cpu_cache.h"
#include "warm/lane.h"

/* Blocks come in runs: the slab is looked up once a run, and a bitmap word is written once. */
void heap_put(struct thread_heap *heap, size_t size_class, void *const *blocks, unsigned count) {
  observe_blocks_put(count);
  const struct size_class shape = size_classes[size_class];
  void *const *const end = blocks + count;
  const unit_tag mine = unit_tag_for(heap->link.owner, size_class);
  while (blocks < end) {
    struct place place = place_of(*blocks, size_class);
    if (unlikely(place.index == PLACE_NONE)) {
      fatal_interior(*blocks, size_class, "free");
    }
    struct slab *slab = place.slab;
    uintptr_t start = (uintptr_t)slab_start(slab);
    size_t bytes = (size_t)shape.capacity * shape.stride;
    unit_tag tag = unit_tag_of(*blocks);
    if (unlikely(tag != mine)) {
      if (route_of(tag) != ROUTE_SLAB || unit_tag_class(tag) != size_class) {
        fatal_released(*blocks, size_class);
      }
      uint64_t bit = UINT64_C(1) << place.index % 64;
      observe_home_block_sent_on(bit);
      heap_send_bits(slab, place.index / 64, bit);
      blocks++;
      continue;
    }
    INVARIANT(atomic_load(&slab->heap) == heap && slab->size_class == size_class);
    void *const *const run = blocks;
    size_t word = 0;
    uint64_t bits = 0;
    void *const *first = blocks; /* of those in `bits` */
    for (size_t offset; blocks < end && (offset = (uintptr_t)*blocks - start) < bytes; blocks++) {
      size_t index = offset * shape.reciprocal >> 40;
      uint64_t bit = UINT64_C(1) << index % 64;
      if (unlikely(index * shape.stride != offset)) {
        fatal_interior(*blocks, size_class, "free");
      }
      if (index / 64 != word || (bits & bit) != 0) {
        slab_put(slab, (unsigned)word, bits, (unsigned)(blocks - first));
        word = index / 64;
        bits = 0;
        first = blocks;
      }
      bits |= bit;
    }
    slab_put(slab, (unsigned)word, bits, (unsigned)(blocks - first));
    heap->used_bytes -= (size_t)(blocks - run) * shape.stride;
    lane_gained(heap, slab);
  }
}

void heap_put_full(struct thread_heap *heap, size_t size_class, void **magazine) {
  unsigned full = size_classes[size_class].magazine;
  heap_put(heap, size_class, magazine_bottom(magazine, full) + 1, full);
  observe_depot_taken_apart();
  depot_give_empty(&heap->depot, magazine);
}

void heap_put_magazine(struct thread_heap *heap, size_t size_class, void **top) {
  unsigned count = magazine_count(top);
  heap_put(heap, size_class, top - count + 1, count);
  depot_give_empty(&heap->depot, magazine_of(top));
}

void heap_unclaim(struct thread_heap *heap, size_t size_class) {
  if (!cpu_unclaim(size_class)) {
    void **top = thread_cache.top[size_class];
    thread_cache.top[size_class] = no_magazine_top();
    heap_put_magazine(heap, size_class, top);
  }
}

void heap_put_depot(struct thread_heap *heap) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    void **magazine;
    while ((magazine = depot_pop(&heap->depot, size_class)) != NULL) {
      heap_put_full(heap, size_class, magazine);
    }
  }
}

void heap_put_caches(struct thread_heap *heap) {
  bool own = heap->cache == &thread_cache; /* else the magazines hold blocks of another heap */
  for (size_t size_class = 0; own && size_class < SIZE_CLASS_COUNT; size_class++) {
    bool at_work = !magazine_is_none(magazine_of(thread_cache.top[size_class]));
    if (!at_work) {
      cpu_claim(size_class);
    }
    void **top = thread_cache.top[size_class];
    if (*top != NULL) {
      thread_cache.top[size_class] = no_magazine_top();
      heap_put_magazine(heap, size_class, top);
    }
    if (!at_work) {
      heap_unclaim(heap, size_class);
    }
  }
  heap_put_depot(heap);
  heap->drained_used = heap->used_bytes;
}
