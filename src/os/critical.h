/* critical: sections of code; a child of fork() is mended once it is outside all of them.
 *
 * A signal handler may fork while it interrupts a malloc. In the child the same thread returns to that malloc and ends
 * it. So what other threads left unfinished is mended once the thread is outside all critical sections: at once if it
 * is outside when it forks, else when it leaves the last one.
 *
 * Whatever else a signal handler wants done that takes a lock waits for the same moment.
 *
 * Owns:     how deep the calling thread is in critical sections; the function to run when a thread leaves the last.
 * Promises: two instructions each way; no lock.
 * Callers:  os/lock.h; WARM where it changes a heap or a slab. The thread itself.
 */
#ifndef HAKMEM_OS_CRITICAL_H
#define HAKMEM_OS_CRITICAL_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/base.h"

extern HIDDEN _Thread_local uint32_t critical_depth;

/* The function to run at the end of the outermost critical section; NULL nearly always. Changed by atomic operations,
 * and read plainly, which is one instruction less on each slow path. */
extern HIDDEN void (*critical_deferred)(void);

static inline void critical_enter(void) {
  critical_depth++;
  atomic_signal_fence(memory_order_seq_cst);
}

/* Runs and forgets critical_deferred. */
void critical_run_deferred(void);

static inline void critical_leave(void) {
  atomic_signal_fence(memory_order_seq_cst);
  if (--critical_depth == 0 && unlikely(critical_deferred != NULL)) {
    critical_run_deferred();
  }
}

/* In the child of fork(), which has one thread: runs `work` as soon as that thread is outside critical sections. */
void critical_defer(void (*work)(void));

/* In a signal handler: runs `work` now if the thread is outside critical sections, else as soon as some thread leaves
 * its last. False: other work waits already, and this one is not done. */
bool critical_try_defer(void (*work)(void));

#endif
