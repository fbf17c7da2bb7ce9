#include "warm/relief.h"

#include "warm/drain.h"
#include "warm/heap_hooks.h"
#include "warm/post.h"
#include "warm/put.h"
#include "warm/release.h"
#include "warm/share.h"
#include "warm/trim.h"

/* One level less is not taken for relief, or a page that comes and goes would be answered each time. */
NOINLINE void relief_under_pressure(struct thread_heap *heap) {
  uint16_t now = limit_pressure_now();
  if (now != 0 && now + 1 == heap->pressure) {
    return;
  }
  bool more = now > heap->pressure;
  heap->pressure = now;
  share_renew(heap);
  if (more) {
    heap_post_cpus();
    heap_put_caches(heap);
    hook_drain(heap);
    heap_drain(heap);
    trim_all(heap);
    hook_collect();
    residency_settle();
  }
}

/* What is retained will serve, unless it is on its way to the system. */
RARE void relief_make_room(size_t bytes) {
  size_t retained = limit_pressure_now() == 0 ? retained_bytes() : 0;
  if (bytes <= retained) {
    return;
  }
  limit_expect(bytes - retained);
  struct thread_heap *heap = thread_cache.heap;
  if (heap == NULL) {
    residency_settle();
    return;
  }
  heap_enter(heap);
  relief_if_needed(heap);
  heap_leave(heap);
}

bool relief_for(size_t bytes) {
  if (!limit_is_set() || !limit_has_room_for(bytes)) {
    return false;
  }
  release_free_memory(RELEASE_ALL);
  return true;
}
