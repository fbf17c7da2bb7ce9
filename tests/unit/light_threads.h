/* light_threads: for tests of threads that have no heap: as if so many had one that each that starts from then on is
 * light. */
#ifndef HAKMEM_TESTS_UNIT_LIGHT_THREADS_H
#define HAKMEM_TESTS_UNIT_LIGHT_THREADS_H

#include "hakmem.h"
#include "unit/heaps.h"
#include "warm/cpu_cache.h"
#include "warm/light.h"
#include "warm/light_work.h"

static inline void count_as_heaps_at_once(void) {
  while (registry_may_start(light_heaps_at_once())) {
  }
}

static inline void fill_up(void) {
  hak_free(hak_malloc(1));
  hold_orphans();
  count_as_heaps_at_once();
}

static inline void in_a_light_thread(void (*body)(void *), void *argument) {
  fill_up();
  unit_in_thread(body, argument);
}

/* Whether CPUs have magazines here. */
static inline bool rows_are_there(void) {
  bool joined = cpu_join();
  thread_cache.cpu = NULL;
  return joined;
}

#define SKIP_WITHOUT_ROWS                                                                                              \
  if (!rows_are_there()) {                                                                                             \
    SKIP("the system, or the library, has no magazines by CPU");                                                       \
  }

/* Blocks in use of heaps that nobody has. */
static inline size_t live_in_orphans(void) {
  size_t live = 0;
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    for (size_t c = 0; heap_has_nobody(link) && c < SIZE_CLASS_COUNT; c++) {
      struct heap_census census = heap_census(heap_of_link(link), c);
      live += census.capacity - census.free - census.remote;
    }
  }
  return live;
}

#endif
