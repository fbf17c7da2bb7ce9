/* clock: the clocks of a test that includes this, as far as the library measures by them: they stand still, or go on by
 * as much at each look. */
#ifndef HAKMEM_TESTS_UNIT_CLOCK_H
#define HAKMEM_TESTS_UNIT_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static long look_takes;        /* nanoseconds */
static long look_takes_thread; /* of its own */

int clock_gettime(clockid_t clock, struct timespec *time) {
  static _Atomic long now, now_of_thread;
  if (clock != CLOCK_MONOTONIC && clock != CLOCK_THREAD_CPUTIME_ID) {
    return (int)syscall(SYS_clock_gettime, clock, time);
  }
  bool of_thread = clock == CLOCK_THREAD_CPUTIME_ID;
  long takes = of_thread ? look_takes_thread : look_takes;
  long looked = atomic_fetch_add(of_thread ? &now_of_thread : &now, takes) + takes;
  *time = (struct timespec){.tv_sec = looked / 1000000000, .tv_nsec = looked % 1000000000};
  return 0;
}

#endif
