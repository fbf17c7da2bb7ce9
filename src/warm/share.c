#include "warm/share.h"

#include "warm/cpu_cache.h"

enum { ACTIVE_SHARE = 32 };

static const size_t least = 8 * MIB;

void share_renew(struct thread_heap *heap) {
  size_t others = registry_thread_count();
  size_t threads = others == 0 ? 1 : others;
  size_t active = active_bytes();
  size_t absent = hole_bytes();
  size_t in_use = active > absent ? active - absent : 0;
  size_t whole = limit_pressure_now() != 0 ? 0 : least + in_use / ACTIVE_SHARE + residency_steady_budget();
  heap->share = whole / threads;
  heap->cache_share = whole / cpu_sharers(threads);
  heap->has_small_magazines |= heap->cache_share < SHARE_FULL;
  size_t budget = residency_steady_budget();
  size_t retained = retained_bytes();
  heap->keep = budget > retained ? (budget - retained) / threads : 0;
}
