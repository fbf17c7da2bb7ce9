/* waste_lines: the lines that say, class by class, what the bytes of slabs are.
 *
 * Owns:     nothing. docs/observe.md says how to read the lines.
 * Promises: INVARIANT bound == live + free + holes + fresh + rest, on each line and in the sum. In the observe library
 *           only.
 * Callers:  report/stats_lines.c. Any thread; figures of heaps that are busy are of some moment during the call.
 */
#ifndef HAKMEM_REPORT_WASTE_LINES_H
#define HAKMEM_REPORT_WASTE_LINES_H

#include "report/text.h"

void waste_lines_print(struct text *text);

#endif
