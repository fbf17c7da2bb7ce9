/* lock: COLD's mutexes, one a rank, which fork() neither takes nor waits for.
 *
 * In the child, a lock that a thread of the parent held is free and *torn*: what it guards may be half changed. Who
 * takes it next is told, and makes what it guards whole from what is true at every moment. A lock that the forking
 * thread itself holds (a signal handler forked) stays held: the thread goes on and drops it.
 *
 * Owns:     the locks, and the order in which they are taken: a thread takes ranks in rising order only.
 * Promises: the order is checked in debug builds. A thread that holds a lock is in a critical section. Each lock counts
 *           how often it was taken, under itself: no atomic read-modify-write more.
 * Callers:  COLD, WARM's start and its stock; lock_counts: report/. Nothing that holds a lock calls back into HOT.
 */
#ifndef HAKMEM_OS_LOCK_H
#define HAKMEM_OS_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "os/critical.h"

/* Each part of the shared pool has a lock (cold/pool_parts.h). */
enum { LOCK_POOL_PARTS = 8 };

/* No library has both LOCK_BIG, the secure one's, and LOCK_SAMPLES, the profile one's. */
enum lock_rank {
  LOCK_START = 0,
  LOCK_ORPHANS,
  LOCK_BIG,
  LOCK_SAMPLES = LOCK_BIG,
  LOCK_GUARDED,
  LOCK_HUGE,
  LOCK_POOL,
  LOCK_POOL_LAST = LOCK_POOL + LOCK_POOL_PARTS - 1,
  LOCK_STOCK,
  LOCK_META,
  LOCK_RANKS
};

/* True: the lock is torn. The caller makes whole what it guards before it goes on. */
bool lock_take(enum lock_rank rank);

void lock_drop(enum lock_rank rank);

/* How often a lock was taken, and how often of these another thread held it. The child of fork() counts on from its
 * parent's figures. For any thread, as a figure. */
struct lock_counts {
  uint64_t taken, waited;
};

struct lock_counts lock_counts(enum lock_rank rank);

/* A bit for each rank that the calling thread holds. */
unsigned lock_held_ranks(void);

/* The calling thread is about to fork; and has forked, as the parent or as the child. A child that takes a lock, or
 * forks, before it has said so finds out by itself. True from lock_fork_child: the parent may have had threads that the
 * child does not have. */
void lock_fork_prepare(void);
void lock_fork_parent(void);
bool lock_fork_child(void);

#endif
