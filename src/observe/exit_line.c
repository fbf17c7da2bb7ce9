#include "observe/exit_line.h"

#include <unistd.h>

#include "cold/huge.h"
#include "cold/large.h"
#include "cold/registry.h"
#include "cold/retain.h"
#include "cold/shared_pool.h"
#include "os/fatal.h"
#include "warm/heap.h"

void heap_summary_fill(hak_heap_summary *summary) {
  struct pool_figures pool = pool_figures();
  struct os_counts os = os_counts();
  summary->arenas = pool.arenas;
  summary->superslabs = pool.superslabs;
  summary->superslabs_hot = pool.tier[TIER_HOT];
  summary->superslabs_draining = pool.tier[TIER_DRAINING];
  summary->superslabs_free = pool.tier[TIER_FREE];
  summary->large = large_count();
  summary->huge = huge_count();
  summary->slabs_bound = pool.slabs_taken;
  summary->slabs_recycled = pool.slabs_recycled;
  summary->remote_batches = heap_published();
  summary->orphans_adopted = registry_adoptions();
  summary->mmap_calls = os.map_calls;
  summary->munmap_calls = os.unmap_calls;
  summary->purged_bytes = os.purged_bytes;
  summary->retained_bytes = retained_bytes();
  summary->active_bytes = active_bytes();
  summary->peak_committed_bytes = peak_committed_bytes();
}

void exit_line_print(void) {
  hak_heap_summary s = {.struct_size = sizeof s};
  heap_summary_fill(&s);
  notice("[HAKMEM] version=%s pid=%d arenas=%zu superslabs=%zu slabs_bound=%zu slabs_recycled=%zu remote_batches=%zu "
         "orphans_adopted=%zu large=%zu huge=%zu mmap=%zu munmap=%zu purge_kib=%zu retained_kib=%zu "
         "peak_committed_kib=%zu",
         HAKMEM_VERSION, (int)getpid(), s.arenas, s.superslabs, s.slabs_bound, s.slabs_recycled, s.remote_batches,
         s.orphans_adopted, s.large, s.huge, s.mmap_calls, s.munmap_calls, s.purged_bytes / KIB, s.retained_bytes / KIB,
         s.peak_committed_bytes / KIB);
}
