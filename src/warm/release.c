#include "warm/release.h"

#include "warm/census.h"
#include "warm/claim.h"
#include "warm/cpu_cache.h"
#include "warm/drain.h"
#include "warm/heap_hooks.h"
#include "warm/post.h"
#include "warm/trim.h"

/* Every orphan once: the list is walked by taking the first and giving it back as the last. */
static void release_orphans(size_t (*trim)(struct thread_heap *heap)) {
  size_t heaps = 0;
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    heaps++;
  }
  struct thread_heap *orphan;
  for (; heaps > 0 && (orphan = heap_claim_oldest()) != NULL; heaps--) {
    heap_drain(orphan);
    trim(orphan);
    heap_give(orphan);
  }
}

void release_idle_orphans(void) { release_orphans(trim_idle); }

/* The calling thread's heap. One that has none has nothing to give, and is not given one for it. */
static void release_own(void) {
  struct thread_heap *heap = thread_cache.heap;
  if (heap != NULL) {
    heap_enter(heap);
    thread_drain(heap);
    trim_all(heap);
    heap_check(heap);
    heap_leave(heap);
  }
}

void release_idle_cpus(uint32_t age) {
  static uint64_t mark;
  static uint64_t since;
  uint64_t now = os_milliseconds();
  uint64_t seen = cpu_mark();
  if (seen != mark) {
    mark = seen;
    since = now;
  } else if (now - since >= age && since != 0) {
    heap_post_cpus();
    mark = cpu_mark();
    since = 0; /* until somebody uses them */
  }
}

size_t release_free_memory(enum release_level level) {
  size_t purged_before = os_counts().purged_bytes;
  if (level >= RELEASE_THREAD) {
    heap_post_cpus();
    release_own();
  }
  if (level >= RELEASE_ALL) {
    release_orphans(trim_all);
    hook_collect();
  }
  pool_purge(SIZE_MAX);
  size_t unmapped = huge_purge();
  guarded_purge();
  INVARIANT(pool_is_valid());
  return os_counts().purged_bytes - purged_before + unmapped;
}
