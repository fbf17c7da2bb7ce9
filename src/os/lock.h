/* lock: a mutex with a rank.
 *
 * Owns:     the order in which COLD's locks are taken: a thread takes ranks in rising order only.
 * Promises: the order is checked in debug builds; a lock may be re-initialised in the child of fork().
 * Callers:  COLD. Nothing that holds a lock calls back into HOT.
 */
#ifndef HAKMEM_OS_LOCK_H
#define HAKMEM_OS_LOCK_H

#include <pthread.h>

enum lock_rank { LOCK_START = 0, LOCK_ORPHANS, LOCK_HUGE, LOCK_POOL, LOCK_META, LOCK_RANKS };

struct lock {
  pthread_mutex_t mutex;
  enum lock_rank rank;
};

#define LOCK_INITIAL(lock_rank)                                                                                        \
  { .mutex = PTHREAD_MUTEX_INITIALIZER, .rank = (lock_rank) }

#if HAKMEM_VALIDATE
void lock_check_take(enum lock_rank rank);
void lock_check_drop(enum lock_rank rank);
#else
static inline void lock_check_take(enum lock_rank rank) { (void)rank; }
static inline void lock_check_drop(enum lock_rank rank) { (void)rank; }
#endif

static inline void lock_take(struct lock *lock) {
  lock_check_take(lock->rank);
  pthread_mutex_lock(&lock->mutex);
}

static inline void lock_drop(struct lock *lock) {
  pthread_mutex_unlock(&lock->mutex);
  lock_check_drop(lock->rank);
}

#endif
