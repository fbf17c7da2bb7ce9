/* process: the beginning, the forks and the end of a process that runs on hakmem.
 *
 * Owns:     the order of start-up (options, window, thread key), the fork handlers, and the exit line's moment.
 * Promises: start-up happens once, at the first malloc of any thread, and allocates nothing; it may fail for want of
 *           memory and is tried again at the next call.
 * Callers:  warm/thread.c; the C library, for constructors, fork handlers and destructors.
 */
#ifndef HAKMEM_WARM_PROCESS_H
#define HAKMEM_WARM_PROCESS_H

#include <stdbool.h>

/* True once the process has started. */
bool process_start(void);

#endif
