/* lock: a mutex with a rank.
 *
 * Owns:     the order in which COLD's locks are taken: a thread takes ranks in rising order only.
 * Promises: the order is checked in debug builds. While a thread forks it holds every lock, and passes through them: other
 *           libraries' fork handlers that run in between may allocate and free.
 * Callers:  COLD. Nothing that holds a lock calls back into HOT.
 */
#ifndef HAKMEM_OS_LOCK_H
#define HAKMEM_OS_LOCK_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "os/os.h"

enum lock_rank { LOCK_START = 0, LOCK_ORPHANS, LOCK_BIG, LOCK_HUGE, LOCK_POOL, LOCK_META, LOCK_RANKS };

struct lock {
  pthread_mutex_t mutex;
  enum lock_rank rank;
};

#define LOCK_INITIAL(lock_rank)                                                                                        \
  { .mutex = PTHREAD_MUTEX_INITIALIZER, .rank = (lock_rank) }

/* How many fork() calls, one within a handler of the other, the calling thread is in: it holds all locks. */
extern HIDDEN _Thread_local uint8_t lock_fork_depth;

#if HAKMEM_VALIDATE
void lock_check_take(enum lock_rank rank);
void lock_check_drop(enum lock_rank rank);
/* A bit for each rank that the calling thread holds or is about to take. */
unsigned lock_held_ranks(void);
#else
static inline void lock_check_take(enum lock_rank rank) { (void)rank; }
static inline void lock_check_drop(enum lock_rank rank) { (void)rank; }
#endif

static inline void lock_take(struct lock *lock) {
  if (unlikely(lock_fork_depth > 0)) {
    return;
  }
  lock_check_take(lock->rank);
  pthread_mutex_lock(&lock->mutex);
}

static inline void lock_drop(struct lock *lock) {
  if (unlikely(lock_fork_depth > 0)) {
    return;
  }
  pthread_mutex_unlock(&lock->mutex);
  lock_check_drop(lock->rank);
}

#endif
