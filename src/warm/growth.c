#include "warm/growth.h"

#include "config/config.h"
#include "warm/lane.h"
#include "warm/lend.h"
#include "warm/put.h"
#include "warm/relief.h"
#include "warm/share.h"
#include "warm/slab.h"

enum { WORTH_LEAST = 2 * UNIT_BYTES, WORTH_SHARE = 8, KEPT_MS = 20 };

NOINLINE size_t heap_idle_bytes(const struct thread_heap *heap) {
  size_t fresh = 0;
  for (uint64_t classes = heap->carving; classes != 0; classes &= classes - 1) {
    fresh += slab_fresh_bytes(heap->lane[__builtin_ctzll(classes)].carving);
  }
  return heap->bound_bytes - heap->kept.bytes - heap->used_bytes - fresh;
}

/* What the caches were emptied for in vain lies beside blocks in use, and does not count again. */
static bool is_worth(struct thread_heap *heap, size_t idle, size_t of) {
  if (heap->idle_in_vain > idle) {
    heap->idle_in_vain = idle;
  }
  size_t more = idle - heap->idle_in_vain;
  return more >= WORTH_LEAST && more >= of / WORTH_SHARE;
}

static NOINLINE void empty_caches(struct thread_heap *heap) {
  heap_put_caches(heap);
  heap->idle_in_vain = heap_idle_bytes(heap);
}

void growth_of_heap(struct thread_heap *heap) {
  if (share_is_used(heap) || is_worth(heap, heap_idle_bytes(heap), heap->used_bytes)) {
    empty_caches(heap);
  } else if (heap->depot.bytes > (size_t)options.depot_kib * KIB) {
    heap_put_depot(heap); /* it may hold what it likes until the heap grows */
  }
  lend_for_growth(heap->now);
}

/* Of the slabs that the heap keeps empty, as many as that is, but for those from which blocks were taken just now.
 * Returns the bytes. */
static size_t release_kept(struct thread_heap *heap, size_t bytes) {
  size_t had = heap->kept.bytes;
  size_t least = had > bytes ? had - bytes : 0;
  uint64_t now = os_milliseconds();
  while (heap->kept.bytes > least && now - heap->kept.oldest->taken_at >= KEPT_MS) {
    lane_release_kept(heap, heap->kept.bytes - 1);
  }
  size_t released = had - heap->kept.bytes;
  if (released > 0) {
    warm_pool_flush(&heap->warm_pool); /* which has the first of their units */
  }
  return released;
}

/* For a block of so many bytes, which has some of them. Returns the bytes of slabs that went to the shared pool. */
static size_t make_way(size_t had, size_t size) {
  size_t bytes = size - had;
  relief_before(bytes);
  struct thread_heap *heap = thread_cache.heap;
  if (heap == NULL || residency_is_below_peak(bytes)) {
    return 0;
  }
  heap_enter(heap);
  if (is_worth(heap, heap->depot.bytes + heap_idle_bytes(heap), bytes)) {
    share_renew(heap);
    empty_caches(heap);
  }
  /* What the process may not have is about to be refused, and nothing goes back for it. */
  size_t released = heap->kept.bytes > 0 && size <= os_writable_limit() ? release_kept(heap, bytes) : 0;
  heap_leave(heap);
  return released;
}

void growth_by_large(size_t size) { make_way(0, size); }

void growth_by_huge(size_t had, size_t size) { residency_make_way(make_way(had, size)); }
