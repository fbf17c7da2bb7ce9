/* process: the beginning, the forks and the end of a process that runs on hakmem.
 *
 * Owns:     the order of start-up (options, window), the fork handlers, and the check at exit.
 * Promises: start-up happens once, at the first malloc of any thread, and allocates nothing; it may fail for want of
 *           memory and is tried again at the next call. fork() takes no lock and waits for nobody; the child may use
 *           every function at once, on any number of threads; what it loses is said in warm/rebuild.h. Other libraries'
 *           fork handlers may allocate, free and fork, in any order. A signal handler may fork while it interrupts any
 *           function.
 * Callers:  warm/thread.c, warm/route.c, src/api; the C library, for constructors, fork handlers and destructors.
 */
#ifndef HAKMEM_WARM_PROCESS_H
#define HAKMEM_WARM_PROCESS_H

#include <stdbool.h>
#include <stddef.h>

/* True once the process has started. */
bool process_start(void);

/* Looks for misuse, which stops the program: in the secure library of any block of the process, else among those that
 * the calling thread has cached. How many were looked at. */
size_t process_check(void);

#endif
