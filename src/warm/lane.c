#include "warm/lane.h"

#include "events/events.h"
#include "warm/share.h"

void lane_link(struct thread_heap *heap, struct slab *slab) {
  struct lane *lane = &heap->lane[slab->size_class];
  INVARIANT(!slab->listed && slab_recycled(slab) > 0);
  slab->listed = true;
  slab->next = NULL;
  slab->previous = lane->last;
  if (lane->last != NULL) {
    lane->last->next = slab;
  } else {
    lane->first = slab;
  }
  lane->last = slab;
}

void lane_unlink(struct thread_heap *heap, struct slab *slab) {
  struct lane *lane = &heap->lane[slab->size_class];
  INVARIANT(slab->listed);
  slab->listed = false;
  if (slab->previous != NULL) {
    slab->previous->next = slab->next;
  } else {
    lane->first = slab->next;
  }
  if (slab->next != NULL) {
    slab->next->previous = slab->previous;
  } else {
    lane->last = slab->previous;
  }
}

void lane_leave(struct thread_heap *heap, struct slab *slab) {
  if (slab->listed) {
    lane_unlink(heap, slab);
  }
  if (heap->lane[slab->size_class].carving == slab) {
    heap->lane[slab->size_class].carving = NULL;
  }
}

/* Releases an empty slab. Whoever publishes it at this moment holds its token; then it comes again through the
 * queue. */
static void release(struct thread_heap *heap, struct slab *slab) {
  if (!remote_token_take(slab)) {
    return;
  }
  lane_leave(heap, slab);
  heap->bound_bytes -= slab_bytes(slab);
  slab_unbind(slab);
  observe_slab_released();
  if (slab->units == 1) {
    warm_pool_give(&heap->warm_pool, slab, share_of_units(heap));
  } else {
    pool_give(slab);
  }
}

void lane_gained(struct thread_heap *heap, struct slab *slab) {
  if (!slab->listed && slab_recycled(slab) > 0) {
    lane_link(heap, slab);
  }
  if (slab_is_empty(slab)) {
    release(heap, slab);
  }
}
