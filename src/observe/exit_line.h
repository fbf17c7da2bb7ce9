/* exit_line: the one line that shows that hakmem served a program (HAKMEM_VERBOSE=1), and the figures behind it.
 *
 * Owns:     nothing; it asks COLD's boxes and the heaps for figures they keep anyway.
 * Promises: no figure here costs anything on the way of a malloc or free.
 * Callers:  warm/process.c at exit; api/report.c on demand. Any thread.
 */
#ifndef HAKMEM_OBSERVE_EXIT_LINE_H
#define HAKMEM_OBSERVE_EXIT_LINE_H

#include "hakmem.h"

/* Fills every field but struct_size. */
void heap_summary_fill(hak_heap_summary *summary);

/* [HAKMEM] version= pid= ... on standard error. */
void exit_line_print(void);

#endif
