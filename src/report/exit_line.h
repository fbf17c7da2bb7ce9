/* exit_line: the one line that shows that hakmem served a program (HAKMEM_VERBOSE=1).
 *
 * Owns:     nothing.
 * Promises: one line on standard error.
 * Callers:  report/process_report.c.
 */
#ifndef HAKMEM_REPORT_EXIT_LINE_H
#define HAKMEM_REPORT_EXIT_LINE_H

/* [HAKMEM] version= pid= ... */
void exit_line_print(void);

#endif
