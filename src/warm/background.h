/* background: a helper thread that gives back what has been free for long, so that a process need not call the
 * allocator to shrink. HAKMEM_BACKGROUND=1, or hak_option_set("background", 1).
 *
 * Several times a second it looks at what is retained (cold/residency.h), and at the heaps that nobody has: what was
 * freed to them is collected, and their free pages go back; and at the heaps of threads that sleep (warm/lend.h). What
 * has been free for less than a second stays. When nothing is retained and nothing has happened for a while it sleeps,
 * without waking up, until a thread settles what is retained, or ends.
 *
 * It also does one job for report/, each so many seconds, with or without the option: then it gives nothing back.
 *
 * Owns:     the helper, and whether there is one.
 * Promises: it allocates nothing; every signal is blocked in it; its name is "hakmem". It does not keep the process
 *           from ending: it ends with the main thread, should that end before the others. The child of fork() has none,
 *           and the option is 0 there. It is never started from within a malloc or free.
 * Callers:  warm/process.c, warm/thread.c, api/, report/stats_file.c. Any thread.
 */
#ifndef HAKMEM_WARM_BACKGROUND_H
#define HAKMEM_WARM_BACKGROUND_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

/* Starts or stops the helper as the option says, and may allocate. False: the system has no thread for it, and the
 * option is 0 again. */
bool background_follow(void);

/* From now on the helper calls `job` each so many milliseconds, at once for the first time. Called once, and may
 * allocate. False: the system has no thread for it. */
bool background_each(uint32_t milliseconds, void (*job)(void));

/* In the child of fork(). */
void background_forked(void);

/* The calling thread's heap has nobody now. */
void background_thread_ended(void);

/* Milliseconds between two looks, and after which what is free is given back; a test may set them. */
extern HIDDEN _Atomic uint32_t background_period, background_age;

#endif
