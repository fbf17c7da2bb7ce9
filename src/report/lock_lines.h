/* lock_lines: the lines that say what threads contend for: the locks, and the memory that several of them write.
 *
 * Owns:     nothing. docs/observe.md says how to read the lines.
 * Promises: in the observe library alone.
 * Callers:  report/stats_lines.c. Any thread.
 */
#ifndef HAKMEM_REPORT_LOCK_LINES_H
#define HAKMEM_REPORT_LOCK_LINES_H

#include "events/events.h"
#include "report/text.h"

#if HAKMEM_OBSERVE
void lock_lines_print(struct text *text, const struct observe_sums *sums);
#endif

#endif
