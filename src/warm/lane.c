#include "warm/lane.h"

#include "events/events.h"
#include "warm/share.h"

enum { LOOKED_AT = 64 }; /* slabs that are kept, for one of a length */

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

/* ---- slabs that are kept ---- */

/* The last of its lane: slabs that are in use in part serve first. */
static void keep(struct thread_heap *heap, struct slab *slab) {
  if (slab->listed && slab->next != NULL) {
    lane_unlink(heap, slab);
    lane_link(heap, slab);
  }
  slab->kept = true;
  slab->kept_next = NULL;
  slab->kept_previous = heap->kept.newest;
  if (heap->kept.newest != NULL) {
    heap->kept.newest->kept_next = slab;
  } else {
    heap->kept.oldest = slab;
  }
  heap->kept.newest = slab;
  heap->kept.bytes += slab_bytes(slab);
}

void lane_unkeep(struct thread_heap *heap, struct slab *slab) {
  slab->kept = false;
  if (slab->kept_previous != NULL) {
    slab->kept_previous->kept_next = slab->kept_next;
  } else {
    heap->kept.oldest = slab->kept_next;
  }
  if (slab->kept_next != NULL) {
    slab->kept_next->kept_previous = slab->kept_previous;
  } else {
    heap->kept.newest = slab->kept_previous;
  }
  heap->kept.bytes -= slab_bytes(slab);
}

void lane_leave(struct thread_heap *heap, struct slab *slab) {
  if (slab->kept) {
    lane_unkeep(heap, slab);
  }
  if (slab->listed) {
    lane_unlink(heap, slab);
  }
  if (heap->lane[slab->size_class].carving == slab) {
    lane_set_carving(heap, slab->size_class, NULL);
  }
}

/* An empty slab is the caller's units. False: whoever publishes it at this moment holds its token; then it comes again
 * through the queue. */
static bool unbind(struct thread_heap *heap, struct slab *slab) {
  if (!remote_token_take(slab)) {
    return false;
  }
  lane_leave(heap, slab);
  heap->bound_bytes -= slab_bytes(slab);
  slab_unbind(slab);
  observe_slab_released();
  return true;
}

static void release(struct thread_heap *heap, struct slab *slab) {
  if (!unbind(heap, slab)) {
    return;
  }
  if (slab->units == 1) {
    warm_pool_give(&heap->warm_pool, slab, share_of_units(heap));
  } else {
    pool_give(slab);
  }
}

struct slab *lane_kept(const struct thread_heap *heap, unsigned units) {
  struct slab *slab = heap->kept.oldest;
  for (int i = 0; slab != NULL && slab->units != units; i++) {
    slab = i < LOOKED_AT ? slab->kept_next : NULL;
  }
  return slab;
}

struct slab *lane_take_kept(struct thread_heap *heap, unsigned units) {
  struct slab *slab = lane_kept(heap, units);
  return slab != NULL && unbind(heap, slab) ? slab : NULL;
}

void lane_gained(struct thread_heap *heap, struct slab *slab) {
  if (!slab->listed && slab_recycled(slab) > 0) {
    lane_link(heap, slab);
  }
  if (slab_is_empty(slab) && !slab->kept) {
    keep(heap, slab);
    if (unlikely(heap->kept.bytes + heap->runs.bytes + huge_cache_bytes(&heap->huge_cache) > heap->keep)) {
      runs_flush(&heap->runs);
      huge_flush(&heap->huge_cache);
      lane_release_kept(heap, heap->keep);
    }
  }
}

void lane_release_kept(struct thread_heap *heap, size_t bytes) {
  while (heap->kept.bytes > bytes) {
    struct slab *slab = heap->kept.oldest;
    lane_unkeep(heap, slab);
    release(heap, slab);
  }
}
