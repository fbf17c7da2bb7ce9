/* signals: signals that the program leaves to the system.
 *
 * Owns:     nothing; the dispositions are the process's.
 * Promises: no handler is taken over from a program that has one, and a program that sets one later has it. System
 *           calls that are interrupted go on; errno is kept.
 * Callers:  os/fault.c, report/stats_file.c, profile/occasions.c. Any thread; os_end_by_signal in a signal handler,
 *           too.
 */
#ifndef HAKMEM_OS_SIGNALS_H
#define HAKMEM_OS_SIGNALS_H

#include <signal.h>
#include <stdbool.h>

/* Whether an action is to call this handler, which may be SIG_DFL or SIG_IGN. */
bool os_signal_calls(const struct sigaction *action, void (*handler)(int signal));

/* Calls `handler` at a signal from now on. False: the program handles it or ignores it, and nothing has changed. */
bool os_on_signal(int signal, void (*handler)(int signal));

/* The process ends as the system lets it end by this signal: as soon as it is not blocked in the calling thread. Does
 * nothing if `handler` is not the program's any more. */
void os_end_by_signal(int signal, void (*handler)(int signal));

#endif
