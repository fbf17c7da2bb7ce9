/* output: where lines for people go.
 *
 * A program may close standard error before its end (ls and sort do), or put another file in its place. What is printed
 * at the end of the process goes to a descriptor of our own: standard error as it was at the start, or a file.
 *
 * Owns:     that descriptor, which a program started by this one does not inherit; and the text of the end until it is
 *           whole, so that lines of several processes are not mixed.
 * Promises: no stdio, no malloc, no point at which a thread can be cancelled; errno is kept. A descriptor that the
 *           program has closed, and perhaps opened again as a file of its own, is not written to.
 * Callers:  os_print: any thread. The others: report/process_report.c, at the start and at the end.
 */
#ifndef HAKMEM_OS_OUTPUT_H
#define HAKMEM_OS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Writes a line to standard error. */
void os_print(const char *text, size_t length);

/* Keeps standard error for output_begin. */
void output_keep(void);

/* The same for a file, which is made if need be, and appended to. 0, or the number of the error: nothing is kept. */
int output_keep_file(const char *path);

/* From here to output_end what the calling thread prints goes to what was kept, all at once; to standard error where
 * nothing was kept. */
void output_begin(void);
void output_end(void);

#endif
