/* stats_file: writes the figures of the heap to a file (HAKMEM_STATS_FILE), so that nobody need change a program, or
 * have its standard error, to see them.
 *
 *   when                                          by whom
 *   the process ends by exit                      the thread that calls exit
 *   it gets SIGTERM, or another signal            the thread that gets it: in the handler, or as soon as some thread
 *   (HAKMEM_STATS_SIGNAL)                         leaves its critical section
 *   so many seconds (HAKMEM_STATS_SECONDS)        the helper of warm/background.h; not in the child of fork()
 *
 * Owns:     the file, one writer at a time, and the handlers of those signals.
 * Promises: a reader finds a whole file or none (os/file.h). No malloc, no stdio. A file that cannot be written costs
 *           the program one line on standard error, once. No handler is taken over from a program that has one, and one
 *           that it sets later is the one. A signal that ends a process ends it as it would have. The child of fork()
 *           has a file of its own where the path has %p in it.
 * Callers:  report/process_report.c.
 */
#ifndef HAKMEM_REPORT_STATS_FILE_H
#define HAKMEM_REPORT_STATS_FILE_H

/* When the options have been read; once. */
void stats_file_start(void);

/* Waits for another writer, but not for long. */
void stats_file_end(void);

#endif
