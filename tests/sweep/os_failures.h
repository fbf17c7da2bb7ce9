/* os_failures: the system calls for memory of the objects under test, made to fail, or to be forked beside, as
 * HAKMEM_TEST_FAIL says.
 *
 * Owns:     mmap, munmap, madvise, mprotect, mremap and mincore of what is linked with -Wl,--wrap for each of them, and process_madvise, which
 *           has no function and goes through syscall(); their count.
 * Promises: fails from the very first call of the process on, before main; a call that fails has no effect and sets an errno
 *           that is not ENOMEM where the system has such a one, so that nobody passes it on unseen.
 * Callers:  the sweep. Any thread.
 */
#ifndef HAKMEM_TESTS_SWEEP_OS_FAILURES_H
#define HAKMEM_TESTS_SWEEP_OS_FAILURES_H

#include <stdbool.h>
#include <stddef.h>

/* HAKMEM_TEST_FAIL=MODE:N */
enum os_failures {
  OS_FAIL_NONE,
  OS_FAIL_ONCE,   /* the n-th call */
  OS_FAIL_ONWARD, /* every call from the n-th on */
  OS_FAIL_EVERY,  /* every n-th call */
  OS_FAIL_LIMIT,  /* what would bring the mapped bytes above n MiB */
  OS_FORK,        /* none; before the n-th call and after it, os_failures_pause is called */
  OS_FORK_UNMAPS  /* the same, and calls of munmap alone count */
};

enum os_failures os_failures_mode(const char *name);

/* What is called on the thread that makes the n-th call; NULL: nothing. */
extern void (*_Atomic os_failures_pause)(void);

/* No call fails from here on. */
void os_failures_end(void);

/* Calls, those that failed, and those that gave memory back to the system. */
size_t os_calls(void);
size_t os_calls_failed(void);
size_t os_calls_giving_back(void);

#endif
