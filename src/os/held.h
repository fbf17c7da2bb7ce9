/* held: how long each lock is held and waited for, which the observe library alone measures.
 *
 * Owns:     for each lock the time when it was taken, and the sums of the times that it was held and waited for.
 * Promises: in a library that does not count: no code, no data. Else a lock costs two looks at the clock more, and the
 *           sum is without the time that a look takes.
 * Callers:  os/lock.c, by the thread that holds the lock; held_now: before; held_time: report/, any thread.
 */
#ifndef HAKMEM_OS_HELD_H
#define HAKMEM_OS_HELD_H

#include <stdint.h>

#if HAKMEM_OBSERVE

#include "os/machine.h"

enum { HELD_LOCKS = 15 };

/* The lock of this number was taken; it is about to be dropped. */
void held_begin(unsigned lock);
void held_end(unsigned lock);

/* The thread took it, and has waited for it since then. */
static inline uint64_t held_now(void) { return os_nanoseconds(); }
void held_waited(unsigned lock, uint64_t since);

/* Nanoseconds in all, of a lock that was taken so often. */
struct held_time {
  uint64_t held, waited;
};

struct held_time held_time(unsigned lock, uint64_t taken);

#else

static inline void held_begin(unsigned lock) { (void)lock; }
static inline void held_end(unsigned lock) { (void)lock; }
static inline uint64_t held_now(void) { return 0; }

static inline void held_waited(unsigned lock, uint64_t since) {
  (void)lock;
  (void)since;
}

#endif

#endif
