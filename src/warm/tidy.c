#include "warm/tidy.h"

#include "warm/collect.h"
#include "warm/lane.h"
#include "warm/put.h"
#include "warm/share.h"
#include "warm/trim.h"

NOINLINE void heap_tidy(struct thread_heap *heap) {
  heap_collect(heap);
  heap_put_depot(heap);
  depot_tidy(&heap->depot);
  lane_release_kept(heap, 0);
  warm_pool_flush(&heap->warm_pool);
  runs_flush(&heap->runs);
  huge_flush(&heap->huge_cache);
  share_tell_kept(heap);
}

void heap_tidy_and_trim(struct thread_heap *orphan) {
  heap_tidy(orphan);
  trim_after_put(orphan);
}
