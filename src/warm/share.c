#include "warm/share.h"

/* With FEW threads the budget's part is the whole of it, with twice as many a half, and so on: what threads keep adds
 * up. */
enum { FEW = 32, USED_SHARE = 32, KEPT_STEP = 4 * UNIT_BYTES };

static const size_t least = 8 * MIB;

void share_tell_kept(struct thread_heap *heap) {
  size_t kept = heap->kept.bytes + heap->runs.bytes;
  size_t told = heap->kept_told;
  size_t step = kept > told ? kept - told : told - kept;
  if (step >= KEPT_STEP || kept == 0) {
    heap->kept_told = kept;
    residency_kept(told, kept);
  }
}

void share_renew(struct thread_heap *heap) {
  share_tell_kept(heap);
  size_t others = registry_thread_count();
  size_t threads = others == 0 ? 1 : others;
  size_t budget = residency_steady_budget() / (1 + (threads - 1) / FEW);
  size_t whole = limit_pressure_now() != 0 ? 0 : least + used_bytes() / USED_SHARE + budget;
  heap->share = whole / threads;
  heap->has_small_magazines |= heap->share < SHARE_FULL;
  heap->keep = residency_allowance() / threads;
}
