#include "warm/take.h"

#include "events/events.h"
#include "warm/bind.h"
#include "warm/collect.h"
#include "warm/lane.h"
#include "warm/relief.h"
#include "warm/trim.h"

static void mark_used(struct thread_heap *heap, struct slab *slab) {
  slab->taken_at = heap->now;
  slab->trimmed = 0;
}

static void count_taken(struct thread_heap *heap, struct slab *slab) {
  mark_used(heap, slab);
  lane_lost(heap, slab);
  if (slab_recycled(slab) == 0) {
    lane_unlink(heap, slab);
    observe_slab_full();
  }
}

/* The limit keeps the holes of the lane's first slab: what the others have outside holes. */
static RARE unsigned take_behind(struct thread_heap *heap, struct slab *slab, void **slot, unsigned want) {
  unsigned taken = 0;
  struct slab *next = slab->next;
  while (taken < want && (slab = next) != NULL) {
    next = slab->next;
    unsigned more = slab_take(slab, slot - taken, want - taken);
    if (more > 0) {
      count_taken(heap, slab);
      taken += more;
    }
  }
  return taken;
}

unsigned heap_take(struct thread_heap *heap, size_t size_class, void **slot, unsigned want) {
  struct lane *lane = &heap->lane[size_class];
  if (lane->first == NULL) {
    heap_collect_class(heap, size_class);
  }
  unsigned taken = 0;
  for (struct slab *slab; taken < want && (slab = lane->first) != NULL;) {
    unsigned more = slab_take(slab, slot - taken, want - taken);
    if (unlikely(more == 0)) {
      taken += take_behind(heap, slab, slot - taken, want - taken);
      break;
    }
    taken += more;
    count_taken(heap, slab);
  }
  heap->used_bytes += (size_t)taken * size_classes[size_class].stride;
  trim_after_growth(heap);
  observe_blocks_taken(taken);
  return taken;
}

unsigned heap_grow(struct thread_heap *heap, size_t size_class, void **slot, unsigned want) {
  struct lane *lane = &heap->lane[size_class];
  relief_if_needed(heap);
  if (lane->first == NULL && lane->carving == NULL && !heap_bind(heap, size_class)) {
    return 0;
  }
  if (lane->first != NULL) {
    return heap_take(heap, size_class, slot, want);
  }
  struct slab *slab = lane->carving;
  unsigned taken = slab_carve(slab, slot, want);
  if (unlikely(taken == 0)) {
    lane_gained(heap, slab); /* the limit: if nothing of it is used, others may have its units */
    return 0;
  }
  heap->used_bytes += (size_t)taken * size_classes[size_class].stride;
  trim_after_growth(heap);
  heap->fresh = true;
  observe_blocks_carved(taken);
  mark_used(heap, slab);
  lane_lost(heap, slab);
  if (slab_is_carved(slab)) {
    lane_set_carving(heap, size_class, NULL);
  }
  return taken;
}

RARE void *heap_take_one(struct thread_heap *heap, size_t size_class) {
  void *slot[1];
  bool taken = heap_take(heap, size_class, slot, 1) == 1 || heap_grow(heap, size_class, slot, 1) == 1;
  return taken ? slot[0] : NULL;
}
