#include "cold/huge_cost.h"

#include <stdatomic.h>

#include "cold/shared_figure.h"
#include "config/config.h"
#include "events/events.h"
#include "os/os.h"

enum { LONG_NS = 1000000, SKIPPED_MOST = 255 };

/* Huge pages that are not asked for yet, and how many they were after the last touch. Two threads may lose a step. */
static _Atomic size_t to_skip, skipped;

bool huge_cost_is_low(size_t pages) {
  size_t left = figure_get(&to_skip);
  if (left == 0 || options.thp != thp_default) {
    return true;
  }
  figure_set(&to_skip, left > pages ? left - pages : 0);
  return false;
}

bool huge_cost_try(char *start) {
  if (options.thp != thp_default) {
    return true;
  }
  uint64_t before = os_nanoseconds(); /* not the thread's own clock: a sandbox may kill who asks for it */
  os_touch(start, 1);
  bool is_long = os_nanoseconds() - before >= LONG_NS;
  observe_huge_tried(is_long);
  size_t more = 2 * figure_get(&skipped) + 1;
  size_t skip = is_long ? more < SKIPPED_MOST ? more : SKIPPED_MOST : 0;
  figure_set(&skipped, skip);
  figure_set(&to_skip, skip);
  return !is_long;
}
