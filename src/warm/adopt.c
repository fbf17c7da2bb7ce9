#include "warm/adopt.h"

#include "events/events.h"
#include "warm/claim.h"
#include "warm/collect.h"
#include "warm/lane.h"
#include "warm/tidy.h"

/* The caller has claimed the orphan, and holds the slab's token. */
static void adopt_slab(struct thread_heap *heap, struct thread_heap *orphan, struct slab *slab) {
  lane_leave(orphan, slab);
  slab_carve_all(slab); /* its new owner carves another slab */
  orphan->bound_bytes -= slab_bytes(slab);
  heap->bound_bytes += slab_bytes(slab);
  unit_tag flag = slab->insides > 0 ? UNIT_TAG_COALESCED : 0;
  unit_tag_set(window_unit(slab_start(slab)), slab->units, unit_tag_for(heap->link.owner, slab->size_class) | flag);
  const struct size_class *shape = &size_classes[slab->size_class];
  size_t used = (size_t)(shape->capacity - slab->free_count) * shape->stride;
  orphan->used_bytes -= used;
  heap->used_bytes += used;
  atomic_store(&slab->heap, heap);
  remote_token_give(slab);
  heap->used_bytes -= (size_t)slab_collect(slab) * shape->stride;
  lane_gained(heap, slab);
  registry_count_adoption();
  observe_slab_adopted();
}

void adopt_from_orphan(struct thread_heap *heap, size_t size_class) {
  struct thread_heap *orphan = heap_claim_spare();
  if (orphan == NULL) {
    return;
  }
  heap_tidy_and_trim(orphan);
  struct slab *slab = orphan->lane[size_class].first;
  while (slab != NULL && heap->lane[size_class].first == NULL) {
    struct slab *next = slab->next;
    if (remote_token_take(slab)) {
      adopt_slab(heap, orphan, slab);
    }
    slab = next;
  }
  heap_give(orphan);
}
