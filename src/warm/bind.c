#include "warm/bind.h"

#include "events/events.h"
#include "warm/adopt.h"
#include "warm/collect.h"
#include "warm/drain.h"
#include "warm/growth.h"
#include "warm/lane.h"
#include "warm/share.h"
#include "warm/trim.h"

enum { PREFILL_FROM_SLABS = 16 };

/* Of what the heap has itself: a run that a large block has left, or an empty slab, of another class. What else it has
 * goes to the shared pool if that does not do: it may be a part of a longer run there, and a wider slab has the unit
 * that is wanted. */
static struct slab *own_units(struct thread_heap *heap, unsigned units) {
  struct slab *run = runs_take(&heap->runs, units);
  if (run != NULL) {
    return run;
  }
  runs_flush(&heap->runs);
  struct slab *kept = lane_take_kept(heap, units);
  if (kept == NULL && units == 1 && heap->kept.bytes > 0) {
    lane_release_kept(heap, heap->kept.bytes - 1);
  }
  return kept;
}

static struct slab *fresh_units(struct thread_heap *heap, size_t size_class) {
  unsigned units = size_classes[size_class].units;
  struct slab *own = own_units(heap, units);
  if (own != NULL || units > 1) {
    return own != NULL ? own : probed_take(&density_wide, units, pool_take);
  }
  bool growing = heap->bound_bytes >= (size_t)PREFILL_FROM_SLABS * UNIT_BYTES;
  unsigned before = heap->warm_pool.count;
  struct slab *unit = warm_pool_take(&heap->warm_pool, warm_pool_prefill(growing, share_of_units(heap)));
  observe_warm_pool(size_class, before, heap->warm_pool.count);
  return unit;
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

/* For messages: here, where a system call more is not seen, not at each thread's start. */
static void note_thread(struct thread_heap *heap) {
  if (unlikely(atomic_load_explicit(&heap->link.thread, memory_order_relaxed) == 0)) {
    atomic_store_explicit(&heap->link.thread, os_note_thread(), memory_order_relaxed);
  }
}

bool heap_bind(struct thread_heap *heap, size_t size_class) {
  note_thread(heap);
  heap->now = os_milliseconds();
  heap_collect(heap);
  share_renew(heap);
  if (size_classes[size_class].units > 1 || lane_kept(heap, 1) == NULL) { /* one cached block keeps a wide slab */
    growth_of_heap(heap);
  }
  trim_aged(heap);
  trim_before_bind(heap, size_classes[size_class].units * (size_t)UNIT_BYTES);
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
    lane_set_carving(heap, size_class, slab);
  }
  return true;
}
