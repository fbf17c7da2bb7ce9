#include "warm/release.h"

#include "warm/census.h"
#include "warm/claim.h"
#include "warm/drain.h"
#include "warm/heap_hooks.h"
#include "warm/light.h"
#include "warm/trim.h"

/* Every orphan once: the list is walked by taking the first and giving it back as the last. */
static void release_orphans(size_t (*trim)(struct thread_heap *heap)) {
  size_t heaps = 0;
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    heaps++;
  }
  struct thread_heap *orphan;
  for (; heaps > 0 && (orphan = heap_claim()) != NULL; heaps--) {
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

/* What is cached by CPU, by way of any heap that is to be had. */
static void release_rows(void) {
  struct thread_heap *heap = thread_cache.heap;
  if (heap != NULL) {
    heap_enter(heap);
    light_put(heap);
    heap_leave(heap);
  } else if ((heap = heap_claim()) != NULL) {
    light_put(heap);
    heap_give(heap);
  }
}

size_t release_free_memory(enum release_level level) {
  size_t purged_before = os_counts().purged_bytes;
  if (level >= RELEASE_THREAD) {
    release_rows();
  }
  if (level >= RELEASE_THREAD) {
    release_own();
  }
  if (level >= RELEASE_ALL) {
    release_orphans(trim_all);
    hook_collect();
  }
  pool_purge(SIZE_MAX);
  size_t unmapped = huge_purge();
  INVARIANT(pool_is_valid());
  return os_counts().purged_bytes - purged_before + unmapped;
}
