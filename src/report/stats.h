/* stats: prints what the observe library has counted.
 *
 * Owns:     the choice of lines: HAKMEM_STATS and its shorthands, all when nothing is chosen.
 * Promises: standard error, without malloc and without stdio. In a library that does not count, whoever asks for
 *           figures in the environment is told which one does.
 * Callers:  report/process_report.c, report/hak_report.c. Any thread.
 */
#ifndef HAKMEM_REPORT_STATS_H
#define HAKMEM_REPORT_STATS_H

#include <stdbool.h>

void stats_start(void);

/* Whether stats_print will print at exit. */
bool stats_will_print(void);

/* False: nothing is counted, and nothing was printed. */
bool stats_print(void);

#endif
