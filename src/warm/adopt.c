#include "warm/adopt.h"

#include "events/events.h"
#include "warm/claim.h"
#include "warm/lane.h"
#include "warm/share.h"
#include "warm/tidy.h"

enum { ORPHANS_MAX = 4 };

/* The caller has claimed the orphan, and holds the slab's token. */
static void adopt_slab(struct thread_heap *heap, struct thread_heap *orphan, struct slab *slab) {
  lane_leave(orphan, slab);
  slab_carve_all(slab); /* its new owner carves another slab */
  orphan->bound_bytes -= slab_bytes(slab);
  heap->bound_bytes += slab_bytes(slab);
  unit_tag_set(window_unit(slab_start(slab)), slab->units, unit_tag_for(heap->link.owner, slab->size_class));
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

/* Adopts slabs of the class until the heap has so many recycled blocks of it; what is still missing then. */
static unsigned adopt_some(struct thread_heap *heap, struct thread_heap *orphan, size_t size_class, unsigned want) {
  heap_tidy_and_trim(orphan);
  struct slab *slab = orphan->lane[size_class].first;
  while (slab != NULL && want > 0) {
    struct slab *next = slab->next;
    if (remote_token_take(slab)) {
      adopt_slab(heap, orphan, slab);
      unsigned more = slab_recycled(slab);
      want = more < want ? want - more : 0;
    }
    slab = next;
  }
  return want;
}

void adopt_from_orphan(struct thread_heap *heap, size_t size_class) {
  unsigned want = (share_of_class(heap, size_class) + 1) / 2;
  for (unsigned i = 0; i < ORPHANS_MAX && want > 0; i++) {
    struct thread_heap *orphan = heap_claim_oldest(); /* and given back it is the newest */
    if (orphan == NULL) {
      return;
    }
    want = adopt_some(heap, orphan, size_class, want);
    heap_give(orphan);
  }
}
