#include "warm/share.h"

/* With FEW threads the budget's part is the whole of it, with twice as many a half, and so on: what threads keep adds
 * up. */
enum { FEW = 32, USED_SHARE = 32, KEPT_STEP = 4 * UNIT_BYTES, SOFT_SHARE = 64 };

static const size_t least = 8 * MIB;

void share_tell_kept(struct thread_heap *heap) {
  size_t kept = heap->kept.bytes + heap->runs.bytes + huge_cache_bytes(&heap->huge_cache);
  size_t told = heap->kept_told;
  size_t step = kept > told ? kept - told : told - kept;
  if (step >= KEPT_STEP || kept == 0) {
    heap->kept_told = kept;
    residency_kept(told, kept);
  }
}

/* What all threads may cache. With a soft limit so little of it that those that sleep above it do not matter. */
static size_t share_of_all(size_t threads) {
  if (limit_pressure_now() != 0) {
    return 0;
  }
  size_t whole = least + used_bytes() / USED_SHARE + residency_steady_budget() / (1 + (threads - 1) / FEW);
  size_t soft = limit_soft();
  return soft != 0 && whole > soft / SOFT_SHARE ? soft / SOFT_SHARE : whole;
}

/* A main thread that only waits for its workers needs none of their part. With a soft limit nothing is left idle but
 * for the share: a thread that sleeps would keep it above that. */
size_t share_idle(const struct thread_heap *heap) {
  if (limit_soft() != 0 || limit_pressure_now() != 0) {
    return 0;
  }
  size_t bound = heap->bound_bytes / UNIT_BYTES;
  size_t active = active_bytes() / UNIT_BYTES;
  size_t budget = residency_steady_budget();
  return bound >= active ? budget : budget / UNIT_BYTES * bound / active * UNIT_BYTES;
}

void share_renew(struct thread_heap *heap) {
  share_tell_kept(heap);
  size_t others = registry_thread_count();
  size_t threads = others == 0 ? 1 : others;
  size_t whole = share_of_all(threads);
  heap->share = whole / threads;
  heap->has_small_magazines |= heap->share < SHARE_FULL;
  heap->keep = residency_allowance() / threads;
}
