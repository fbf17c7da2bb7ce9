#include "warm/put.h"

#include "events/events.h"
#include "warm/lane.h"
#include "warm/whole.h"

/* A block of another heap, which counts it as used: its slab has gone there since it was freed, or it was gathered, and
 * served here (warm/gather.h). */
static void send_on(struct thread_heap *heap, struct place place, size_t stride) {
  uint64_t bit = UINT64_C(1) << place.index % 64;
  observe_home_block_sent_on(bit);
  heap_send_bits(place.slab, place.index / 64, bit);
  heap->used_bytes += stride;
}

/* Such a one, or one of a slab with coalesced blocks, which may be of a smaller class. */
static NOINLINE void put_other(struct thread_heap *heap, const void *block, size_t size_class) {
  unit_tag tag = unit_tag_of(block);
  size_t slab_class = unit_tag_class(tag);
  if (route_of(tag) != ROUTE_SLAB || (slab_class != size_class && !unit_tag_is_coalesced(tag))) {
    fatal_released(block, size_class);
  }
  struct place place = place_of(block, slab_class);
  if (place.index == PLACE_NONE) {
    fatal_interior(block, slab_class, "free");
  }
  size_t stride = size_classes[size_class].stride;
  if (unit_tag_owner(tag) != heap->link.owner) {
    send_on(heap, place, stride);
    return;
  }
  unsigned parts = slab_put_whole(place.slab, place.index);
  heap->used_bytes += stride;
  heap->used_bytes -= (size_t)parts * size_classes[slab_class].stride;
  if (!place.slab->listed || slab_is_empty(place.slab)) {
    lane_gained(heap, place.slab);
  }
}

/* The index of the block that begins `offset` bytes behind the start of its slab. */
static inline size_t index_of(const void *block, size_t offset, struct size_class shape, size_t size_class) {
  size_t index = block_index_at(&shape, offset);
  if (unlikely(index * shape.stride != offset)) {
    fatal_interior(block, size_class, "free");
  }
  return index;
}

/* Blocks may come in runs: the slab is looked up once a run, and a bitmap word is written once. Those freed in no order
 * are runs of one. */
void heap_put(struct thread_heap *heap, size_t size_class, void *const *blocks, unsigned count) {
  observe_blocks_put(count);
  const struct size_class shape = size_classes[size_class];
  const size_t bytes = (size_t)shape.capacity * shape.stride;
  void *const *const end = blocks + count;
  const unit_tag mine = unit_tag_for(heap->link.owner, size_class);
  heap->used_bytes -= (size_t)count * shape.stride;
  while (blocks < end) {
    if (unlikely(unit_tag_at(window_unit(*blocks)) != mine)) {
      put_other(heap, *blocks++, size_class);
      continue;
    }
    struct superslab *superslab = superslab_of(*blocks);
    unsigned unit = slab_unit(superslab, *blocks, shape.units);
    struct slab *slab = &superslab->slab[unit];
    KEEP_COMPUTED(slab);
    INVARIANT(atomic_load(&slab->heap) == heap && slab->size_class == size_class);
    uintptr_t start = ((uintptr_t)*blocks & ~(uintptr_t)(SUPERSLAB_BYTES - 1)) + ((size_t)unit << UNIT_SHIFT);
    void *const *first = blocks; /* of those in `bits` */
    size_t offset = (uintptr_t)*blocks - start;
    size_t index = index_of(*blocks, offset, shape, size_class);
    if (unlikely(offset >= bytes)) {
      fatal_interior(*blocks, size_class, "free");
    }
    size_t word = index / 64;
    uint64_t bits = UINT64_C(1) << index % 64;
    while (++blocks < end && (offset = (uintptr_t)*blocks - start) < bytes) {
      index = index_of(*blocks, offset, shape, size_class);
      uint64_t bit = UINT64_C(1) << index % 64;
      if (index / 64 != word || (bits & bit) != 0) {
        slab_put(slab, (unsigned)word, bits, (unsigned)(blocks - first));
        word = index / 64;
        bits = 0;
        first = blocks;
      }
      bits |= bit;
    }
    slab_put(slab, (unsigned)word, bits, (unsigned)(blocks - first));
    if (unlikely(!slab->listed || slab->free_count == shape.capacity)) {
      lane_gained(heap, slab);
    }
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

static void put_depot_class(struct thread_heap *heap, size_t size_class) {
  void **magazine;
  while ((magazine = depot_pop(&heap->depot, size_class)) != NULL) {
    heap_put_full(heap, size_class, magazine);
  }
}

void heap_put_depot(struct thread_heap *heap) {
  while (heap->depot.filled != 0) {
    put_depot_class(heap, (size_t)__builtin_ctzll(heap->depot.filled));
  }
}

static void put_cache_class(struct thread_heap *heap, size_t size_class) {
  void **top = thread_cache.top[size_class];
  if (*top != NULL) {
    thread_cache.top[size_class] = no_magazine_top();
    heap_put_magazine(heap, size_class, top);
  }
}

void heap_put_class(struct thread_heap *heap, size_t size_class) {
  put_cache_class(heap, size_class);
  put_depot_class(heap, size_class);
}

void heap_put_caches(struct thread_heap *heap) {
  bool own = heap->cache == &thread_cache; /* else the magazines hold blocks of another heap */
  for (size_t size_class = 0; own && size_class < SIZE_CLASS_COUNT; size_class++) {
    put_cache_class(heap, size_class);
  }
  heap_put_depot(heap);
  heap->drained_used = heap->used_bytes;
}
