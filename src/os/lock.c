#include "os/lock.h"

#include "os/fatal.h"
#include "os/held.h"
#include "os/threads.h"

enum { FREE = 0, HELD, WAITED_FOR };

/* A lock is held for less time than it takes to sleep and to be woken, unless its holder was interrupted. So who finds
 * others asleep does not join them at once: with many threads all would sleep, and each drop would wake the next. */
enum { SPINS = 400 };

struct lock {
  _Alignas(64) _Atomic uint32_t word;
  bool torn;
  _Atomic uint64_t taken, waited; /* changed under the lock only */
};

/* Few programs need the locks of more than one part of the pool. */
enum { MORE_PARTS = LOCK_POOL_PARTS - 1 };
static struct lock locks[LOCK_RANKS - MORE_PARTS];
static RARE_ZEROES struct lock more_locks[MORE_PARTS];

static struct lock *lock_of(enum lock_rank rank) {
  if (rank <= LOCK_POOL) {
    return &locks[rank];
  }
  return rank <= LOCK_POOL_LAST ? &more_locks[rank - LOCK_POOL - 1] : &locks[rank - MORE_PARTS];
}

static _Thread_local uint16_t held_ranks;

/* How many forks, one within a handler of the other, the thread is in; whether the processes that began them had no
 * other thread; and the one that began the last. */
static _Thread_local uint8_t fork_depth;
static _Thread_local bool fork_is_alone;
static _Thread_local long fork_process;

static unsigned bit_of(enum lock_rank rank) { return 1U << rank; }

unsigned lock_held_ranks(void) { return held_ranks; }

/* A lock that is held, and not by the one thread that the child has, was a lost thread's. */
static void find_torn(void) {
  for (enum lock_rank rank = LOCK_START; rank < LOCK_RANKS; rank++) {
    struct lock *lock = lock_of(rank);
    if (atomic_load(&lock->word) != FREE && (held_ranks & bit_of(rank)) == 0) {
      lock->torn = true;
      atomic_store(&lock->word, FREE);
    }
  }
}

static void look_whether_forked(void) {
  long process = os_process_id();
  if (process != fork_process) {
    fork_process = process;
    if (!fork_is_alone) {
      find_torn();
    }
  }
}

void lock_fork_prepare(void) {
  if (fork_depth > 0) {
    look_whether_forked(); /* another library's handler in the child, which runs before ours, forks */
  }
  fork_is_alone = os_has_one_thread() && (fork_depth == 0 || fork_is_alone);
  fork_depth++;
  fork_process = os_process_id();
}

void lock_fork_parent(void) { fork_depth--; }

bool lock_fork_child(void) {
  look_whether_forked();
  fork_depth--;
  return !fork_is_alone;
}

static void count(_Atomic uint64_t *counter) {
  uint64_t before = atomic_load_explicit(counter, memory_order_relaxed);
  atomic_store_explicit(counter, before + 1, memory_order_relaxed);
}

/* Whether the lock was dropped soon, and is the caller's. */
static bool spin_for(struct lock *lock) {
  for (unsigned i = 0; i < SPINS; i++) {
    SPIN_PAUSE();
    uint32_t word = atomic_load_explicit(&lock->word, memory_order_relaxed);
    if (word == FREE &&
        atomic_compare_exchange_weak_explicit(&lock->word, &word, HELD, memory_order_acquire, memory_order_relaxed)) {
      return true;
    }
  }
  return false;
}

static NOINLINE void wait_for(struct lock *lock) {
  if (spin_for(lock)) {
    count(&lock->waited);
    return;
  }
  for (;;) {
    if (fork_depth > 0) {
      look_whether_forked(); /* another library's handler in the child, which runs before ours */
    }
    if (atomic_exchange_explicit(&lock->word, WAITED_FOR, memory_order_acquire) == FREE) {
      count(&lock->waited);
      return;
    }
    os_wait(&lock->word, WAITED_FOR);
  }
}

bool lock_take(enum lock_rank rank) {
  struct lock *lock = lock_of(rank);
  critical_enter();
  INVARIANT(held_ranks >> rank == 0); /* ranks are taken in rising order */
  uint32_t expected = FREE;
  if (!atomic_compare_exchange_strong_explicit(&lock->word, &expected, HELD, memory_order_acquire,
                                               memory_order_relaxed)) {
    uint64_t since = held_now();
    wait_for(lock);
    held_waited(rank, since);
  }
  held_begin(rank);
  count(&lock->taken);
  held_ranks |= (uint16_t)bit_of(rank);
  bool torn = lock->torn;
  if (unlikely(torn)) {
    lock->torn = false;
  }
  return torn;
}

void lock_drop(enum lock_rank rank) {
  struct lock *lock = lock_of(rank);
  INVARIANT((held_ranks & bit_of(rank)) != 0);
  held_ranks &= (uint16_t)~bit_of(rank);
  held_end(rank);
  if (atomic_exchange_explicit(&lock->word, FREE, memory_order_release) == WAITED_FOR) {
    os_wake(&lock->word);
  }
  critical_leave();
}

struct lock_counts lock_counts(enum lock_rank rank) {
  uint64_t waited = atomic_load_explicit(&lock_of(rank)->waited, memory_order_relaxed);
  uint64_t taken = atomic_load_explicit(&lock_of(rank)->taken, memory_order_relaxed);
  return (struct lock_counts){.taken = taken, .waited = waited < taken ? waited : taken};
}
