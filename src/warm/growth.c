#include "warm/growth.h"

#include "config/config.h"
#include "warm/put.h"
#include "warm/share.h"
#include "warm/slab.h"

enum { WORTH_LEAST = 4 * UNIT_BYTES, WORTH_SHARE = 8, WAIT_LEAST = 3, WAIT_MOST = 63 };

/* In its slabs: of memory that was used before, what is free. Empty slabs that it keeps serve any class already. */
static size_t idle_bytes(const struct thread_heap *heap) {
  size_t fresh = 0;
  for (uint64_t classes = heap->carving; classes != 0; classes &= classes - 1) {
    fresh += slab_fresh_bytes(heap->lane[__builtin_ctzll(classes)].carving);
  }
  return heap->bound_bytes - heap->kept.bytes - heap->used_bytes - fresh;
}

static bool is_worth(size_t bytes, size_t of) { return bytes >= WORTH_LEAST && bytes >= of / WORTH_SHARE; }

static bool is_due(struct thread_heap *heap) {
  if (heap->growth_wait == 0) {
    return true;
  }
  heap->growth_wait--;
  return false;
}

/* The next time is soon if that has freed an eighth of what lies idle. */
static void empty_caches(struct thread_heap *heap, size_t idle) {
  size_t in_use = heap->bound_bytes - heap->kept.bytes;
  heap_put_caches(heap);
  size_t gained = in_use - (heap->bound_bytes - heap->kept.bytes);
  unsigned longer = heap->growth_step < WAIT_MOST ? 2 * heap->growth_step + 1 : WAIT_MOST;
  heap->growth_step = is_worth(gained, idle) ? WAIT_LEAST : longer;
  heap->growth_wait = heap->growth_step;
}

void growth_of_heap(struct thread_heap *heap) {
  if (share_is_used(heap)) {
    heap_put_caches(heap);
    return;
  }
  size_t idle = idle_bytes(heap);
  if (is_worth(idle, heap->used_bytes) && is_due(heap)) {
    empty_caches(heap, idle);
  } else if (heap->depot.bytes > (size_t)options.depot_kib * KIB) {
    heap_put_depot(heap); /* it may hold what it likes until the heap grows */
  }
}

void growth_of_process(size_t bytes) {
  struct thread_heap *heap = thread_cache.heap;
  if (heap == NULL || residency_is_below_peak(bytes)) {
    return;
  }
  heap_enter(heap);
  size_t idle = heap->depot.bytes + idle_bytes(heap);
  if (is_worth(idle, bytes) && is_due(heap)) {
    share_renew(heap);
    empty_caches(heap, idle);
  }
  heap_leave(heap);
}
