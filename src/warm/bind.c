#include "warm/bind.h"

#include "config/config.h"
#include "events/events.h"
#include "warm/adopt.h"
#include "warm/collect.h"
#include "warm/drain.h"
#include "warm/lane.h"
#include "warm/put.h"
#include "warm/share.h"
#include "warm/trim.h"

enum { PREFILL_FROM_SLABS = 16 };

/* Of what the heap has itself: a run that a large block has left, or an empty slab, of another class. What else it has
 * goes to the shared pool if that does not do: it may be cut there. */
static struct slab *own_units(struct thread_heap *heap, unsigned units) {
  struct slab *run = NULL; /* the experiment */
  (void)units;
  if (run != NULL) {
    return run;
  }
  runs_flush(&heap->runs);
  if (heap->kept.bytes > 0 && heap->warm_pool.count == 0) {
    lane_release_kept(heap, heap->kept.bytes - 1);
  }
  return NULL;
}

static struct slab *fresh_units(struct thread_heap *heap, size_t size_class) {
  unsigned units = size_classes[size_class].units;
  struct slab *own = own_units(heap, units);
  INVARIANT(own == NULL);
  pool_wanted = (uint8_t)size_class;
  if (units > 1) {
    struct slab *taken = pool_take(units);
    pool_wanted = SIZE_CLASS_COUNT + 1;
    return taken;
  }
  bool growing = heap->bound_bytes >= (size_t)PREFILL_FROM_SLABS * UNIT_BYTES;
  struct slab *taken = warm_pool_take(&heap->warm_pool, warm_pool_prefill(growing, share_of_units(heap)));
  pool_wanted = SIZE_CLASS_COUNT + 1;
  return taken;
}

/* Fresh units bound to a class; NULL: no memory for them or for their bitmaps. */
static struct slab *fresh_slab(struct thread_heap *heap, size_t size_class) {
  struct slab *slab = fresh_units(heap, size_class);
  if (slab != NULL && !slab_bind(slab, size_class, heap, heap->link.owner)) {
    pool_give(slab);
    slab = NULL;
  }
  return slab;
}

bool heap_bind(struct thread_heap *heap, size_t size_class) {
  heap->now = os_milliseconds();
  heap_collect(heap);
  share_renew(heap);
  if (share_is_used(heap)) {
    heap_put_caches(heap);
  } else if (heap->depot.bytes > (size_t)options.depot_kib * KIB) {
    heap_put_depot(heap); /* it may hold what it likes until the heap grows */
  }
  trim_aged(heap);
  adopt_from_orphan(heap, size_class);
  if (heap->lane[size_class].first != NULL) {
    return true;
  }
  INVARIANT(heap->lane[size_class].carving == NULL);
  struct slab *slab = fresh_slab(heap, size_class);
  if (slab == NULL) {
    heap_drain(heap); /* empty slabs of other classes are kept, and may lie side by side */
    if (heap->lane[size_class].first != NULL) {
      return true;
    }
    slab = fresh_slab(heap, size_class);
  }
  if (slab == NULL && reclaim() > 0) {
    slab = fresh_slab(heap, size_class);
  }
  if (slab == NULL) {
    return false;
  }
  observe_slab_bound(slab->dirty != 0);
  heap->bound_bytes += slab_bytes(slab);
  if (slab_recycled(slab) > 0) {
    lane_link(heap, slab);
  }
  if (!slab_is_carved(slab)) {
    heap->lane[size_class].carving = slab;
  }
  return true;
}
