/* process_report: what a process prints at its end, because an option asks for it.
 *
 * Owns:     whether it has been printed.
 * Promises: printed once a process: at exit, at quick_exit, or at _exit where that is ours (report/leave.c). Not by a
 *           child of vfork or of a bare clone, whose memory or threads are another process's; not from within a call
 *           that a signal interrupted.
 * Callers:  report/leave.c; the C library, for the constructor and the handlers at exit.
 */
#ifndef HAKMEM_REPORT_PROCESS_REPORT_H
#define HAKMEM_REPORT_PROCESS_REPORT_H

/* The process leaves without handlers at exit. */
void process_report_leave(void);

#endif
