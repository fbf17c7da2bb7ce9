#include "warm/collect.h"

#include "events/events.h"
#include "warm/depot_bound.h"
#include "warm/lane.h"
#include "warm/put.h"
#include "warm/whole.h"

/* Of a slab that has coalesced blocks. */
static NOINLINE unsigned put_bits(struct slab *slab, unsigned word, uint64_t bits) {
  unsigned count = 0;
  for (; bits != 0; bits &= bits - 1) {
    count += slab_put_whole(slab, word * 64 + (unsigned)__builtin_ctzll(bits));
  }
  return count;
}

unsigned slab_collect(struct slab *slab) {
  unsigned words = size_classes[slab->size_class].words;
  unsigned collected = 0;
  for (unsigned word = 0; word < words; word++) {
    if (atomic_load(&slab->remote[word]) == 0) {
      continue;
    }
    observe_shared_remote();
    uint64_t bits = atomic_exchange(&slab->remote[word], 0);
    unsigned count = (unsigned)__builtin_popcountll(bits);
    observe_blocks_collected(count);
    if (unlikely(slab->insides > 0)) {
      count = put_bits(slab, word, bits);
    } else {
      slab_put(slab, word, bits, count);
    }
    collected += count;
  }
  return collected;
}

/* Sorts the queue by class; the slabs' tokens stay taken. */
static void sort_queue(struct thread_heap *heap) {
  struct slab *slab = remote_queue_take(&heap->queue);
  while (slab != NULL) {
    struct slab *next = slab->queue_next;
    INVARIANT(atomic_load(&slab->heap) == heap);
    slab->queue_next = heap->lane[slab->size_class].queued;
    heap->lane[slab->size_class].queued = slab;
    heap->queued |= UINT64_C(1) << slab->size_class;
    slab = next;
  }
}

static void collect_lane(struct thread_heap *heap, size_t size_class) {
  struct slab *slab = heap->lane[size_class].queued;
  heap->lane[size_class].queued = NULL;
  heap->queued &= ~(UINT64_C(1) << size_class);
  while (slab != NULL) {
    struct slab *next = slab->queue_next;
    remote_token_give(slab);
    heap->used_bytes -= (size_t)slab_collect(slab) * size_classes[size_class].stride;
    lane_gained(heap, slab);
    slab = next;
  }
}

void heap_collect_class(struct thread_heap *heap, size_t size_class) {
  sort_queue(heap);
  collect_lane(heap, size_class);
}

/* Another processor wrote it last. */
static inline void fetch_returned(void **magazine) {
  enum { LINE_SLOTS = 8 };
  for (int slot = MAGAZINE_SLOTS - LINE_SLOTS; slot > 0; slot -= LINE_SLOTS) {
    __builtin_prefetch(&magazine[slot], 1);
  }
}

void heap_take_returned(struct thread_heap *heap) {
  for (void **magazine = home_stack_take(&heap->returned), **next; magazine != NULL; magazine = next) {
    next = magazine[0];
    fetch_returned(magazine);
    magazine[0] = NULL;
    size_t size_class = unit_tag_class(unit_tag_of(*magazine_full_top(magazine)));
    depot_push(&heap->depot, size_class, magazine);
    if (heap->depot.bytes > depot_bound(heap->share)) {
      heap_put_full(heap, size_class, depot_pop(&heap->depot, size_class));
    }
  }
}

void heap_collect(struct thread_heap *heap) {
  heap_take_returned(heap);
  sort_queue(heap);
  while (heap->queued != 0) {
    collect_lane(heap, (size_t)__builtin_ctzll(heap->queued));
  }
}
