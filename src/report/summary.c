#include "report/summary.h"

#include "os/os.h"
#include "warm/warm.h"

void summary_fill(hak_heap_summary *summary) {
  struct pool_figures pool = pool_figures();
  struct os_counts os = os_counts();
  summary->arenas = pool.arenas;
  summary->superslabs = pool.superslabs;
  summary->superslabs_open = pool.tier[TIER_OPEN];
  summary->superslabs_draining = pool.tier[TIER_DRAINING];
  summary->superslabs_free = pool.tier[TIER_FREE];
  summary->large = pool.larges_taken + large_blocks_reused();
  summary->huge = huge_count();
  summary->slabs_bound = pool.slabs_taken;
  summary->slabs_recycled = pool.slabs_recycled;
  summary->remote_batches = heap_publications();
  summary->orphans_adopted = registry_adoptions();
  summary->mmap_calls = os.map_calls;
  summary->munmap_calls = os.unmap_calls;
  summary->purged_bytes = os.purged_bytes;
  summary->retained_bytes = retained_bytes();
  summary->active_bytes = active_bytes();
  summary->peak_committed_bytes = peak_committed_bytes();
  bounds_get(&summary->limit_soft_bytes, &summary->limit_bytes);
  summary->counted_bytes = counted_bytes();
}

/* ---- live bytes ---- */

static void add_live(struct slab *slab, unit_tag tag, void *sum) {
  *(size_t *)sum += (size_t)slab_live_count(slab, unit_tag_class(tag)) * size_classes[unit_tag_class(tag)].stride;
}

static size_t cached_bytes(void) {
  size_t bytes = cpu_cached_bytes() + (thread_cache.heap != NULL ? thread_cache.heap->depot.bytes : 0);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    bytes += (size_t)magazine_count(thread_cache.top[size_class]) * size_classes[size_class].stride;
  }
  return bytes;
}

struct memory_in_use memory_in_use(void) {
  size_t live = large_live_bytes();
  each_bound_slab(add_live, &live);
  size_t cached = cached_bytes();
  size_t active = active_bytes();
  size_t huge = huge_live_bytes();
  return (struct memory_in_use){
      .slab_bytes = active > huge ? active - huge : 0,
      .live_bytes = live > cached ? live - cached : 0,
      .retained_bytes = retained_bytes(),
      .huge_blocks = huge_live_count() + guarded_live_count(),
      .huge_bytes = huge + guarded_live_bytes(),
  };
}
