#include "warm/tally.h"

#include "warm/heap.h"

/* Pages on their way to the system when the heap was torn may still be there. */
static size_t bytes_of_slab(const struct slab *slab) {
  const struct thread_heap *heap = atomic_load(&slab->heap);
  return heap_state_of(&heap->link) == HEAP_TORN ? slab_reach_bytes(slab) : slab_counted_bytes(slab);
}

/* A slab, a large block, or units in a warm pool or used for records. */
static size_t bytes_of_run(const struct slab *slab, unit_tag tag) {
  switch (route_of(tag)) {
  case ROUTE_SLAB:
    return bytes_of_slab(slab);
  case ROUTE_LARGE:
    return slab_bytes(slab);
  default:
    return (size_t)slab->dirty * UNIT_BYTES;
  }
}

static size_t bytes_of_superslab(const struct superslab *superslab) {
  size_t bytes = (size_t)__builtin_popcountll(superslab->retained | superslab->purging) * UNIT_BYTES;
  for (unsigned unit = 0; unit < SUPERSLAB_UNITS - HOOK_GUARD_UNITS; unit++) {
    bool taken = ((superslab->free | superslab->purging) >> unit & 1) == 0;
    if (taken && superslab->head[unit] == unit) {
      bytes += bytes_of_run(&superslab->slab[unit], unit_tag_at(window_unit(superslab->start) + unit));
    }
  }
  return bytes;
}

size_t tally_counted_bytes(void) {
  size_t bytes = huge_counted_bytes() + guarded_counted_bytes() + meta_counted_bytes();
  const struct superslab *superslab = NULL;
  while ((superslab = superslab_next(superslab)) != NULL) {
    bytes += superslab->unmapped ? 0 : bytes_of_superslab(superslab);
  }
  bytes += superslab_records_bytes();
  return bytes;
}
