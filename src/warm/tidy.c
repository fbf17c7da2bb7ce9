#include "warm/tidy.h"

#include "warm/collect.h"
#include "warm/lane.h"
#include "warm/put.h"
#include "warm/trim.h"

void heap_tidy(struct thread_heap *orphan) {
  heap_collect(orphan);
  heap_put_depot(orphan);
  lane_release_kept(orphan, 0);
  warm_pool_flush(&orphan->warm_pool);
  runs_flush(&orphan->runs);
  trim_after_put(orphan);
}
