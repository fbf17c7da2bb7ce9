/* silent: what events come to in a library that does not count. Nothing.
 *
 * Owns:     nothing.
 * Promises: no code, no data.
 * Callers:  events/event.h, which has events/counting.h in its place in the observe library; the functions
 *           are described there.
 */
#ifndef HAKMEM_EVENTS_SILENT_H
#define HAKMEM_EVENTS_SILENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "events/counters.h"

enum { OBSERVE_COUNTS = false };

static inline void observe_add(enum observe_counter counter, size_t by) {
  (void)counter;
  (void)by;
}

static inline bool observe_under_lock(void) { return false; }

static inline void observe_take_path(enum malloc_path path) { (void)path; }

static inline enum malloc_path observe_path_taken(void) { return MALLOC_CACHE; }

static inline void observe_allocated(void *block, size_t size, enum malloc_path path) {
  (void)block;
  (void)size;
  (void)path;
}

static inline void observe_released(void *block, size_t stride, enum free_path path) {
  (void)block;
  (void)stride;
  (void)path;
}

static inline bool observe_superslab(uintptr_t window, size_t superslabs, size_t index) {
  (void)window;
  (void)superslabs;
  (void)index;
  return true;
}

static inline void observe_thread_started(void) {}
static inline void observe_thread_ended(void) {}
static inline void observe_forked(void) {}

#endif
