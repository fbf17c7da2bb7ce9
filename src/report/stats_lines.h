/* stats_lines: which lines of figures the observe library prints, and which counters stand in each.
 *
 * Owns:     nothing. docs/observe.md says how to read the lines.
 * Promises: in a library that does not count: no code.
 * Callers:  report/stats.c. Any thread.
 */
#ifndef HAKMEM_REPORT_STATS_LINES_H
#define HAKMEM_REPORT_STATS_LINES_H

#include <stdbool.h>

#if HAKMEM_OBSERVE

/* Prints the lines of the boxes chosen (config/options.def), all of them for 0. False where nothing is counted. */
bool stats_lines_print(long boxes, bool json);

#else

static inline bool stats_lines_print(long boxes, bool json) {
  (void)boxes;
  (void)json;
  return false;
}

#endif

#endif
