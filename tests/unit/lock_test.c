/* lock: a mutex with a rank; debug builds check the order. */
#include "os/lock.h"

#include "unit/unit.h"

enum { THREADS = 4, ROUNDS = 20000 };

static struct lock shared_lock = LOCK_INITIAL(LOCK_POOL);
static size_t guarded;

static void count_up(void *unused) {
  (void)unused;
  for (int i = 0; i < ROUNDS; i++) {
    lock_take(&shared_lock);
    guarded++;
    lock_drop(&shared_lock);
  }
}

TEST(LockTest, OneThreadAtATime) {
  struct unit_thread threads[THREADS];
  guarded = 0;
  for (size_t i = 0; i < THREADS; i++) {
    unit_start(&threads[i], count_up, NULL);
  }
  for (size_t i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_EQ(guarded, THREADS * ROUNDS);
}

static struct lock start = LOCK_INITIAL(LOCK_START), orphans = LOCK_INITIAL(LOCK_ORPHANS), big = LOCK_INITIAL(LOCK_BIG),
                   huge = LOCK_INITIAL(LOCK_HUGE), pool = LOCK_INITIAL(LOCK_POOL), meta = LOCK_INITIAL(LOCK_META);

TEST(LockTest, RisingRanksMayBeHeldTogether) {
  struct lock *const all[] = {&start, &orphans, &big, &huge, &pool, &meta};
  for (size_t i = 0; i < LOCK_RANKS; i++) {
    EXPECT_EQ(all[i]->rank, i);
    lock_take(all[i]);
  }
  for (size_t i = LOCK_RANKS; i-- > 0;) {
    lock_drop(all[i]);
  }
  /* What has been dropped may be taken again, below others that came and went. */
  lock_take(&meta);
  lock_drop(&meta);
  lock_take(&orphans);
  lock_take(&pool);
  lock_drop(&pool);
  lock_take(&huge);
  lock_drop(&huge);
  lock_drop(&orphans);
}

static void take_on_a_thread_of_its_own(void *lock) {
  lock_take(lock);
  lock_drop(lock);
}

TEST(LockTest, TheOrderIsEachThreadsOwn) {
  lock_take(&pool);
  unit_in_thread(take_on_a_thread_of_its_own, &orphans);
  lock_drop(&pool);
}

#if HAKMEM_VALIDATE
static void take_lower(void *unused) {
  (void)unused;
  lock_take(&pool);
  lock_take(&orphans);
}

static void take_the_same_rank(void *unused) {
  (void)unused;
  lock_take(&pool);
  lock_take(&shared_lock);
}

static void take_between(void *unused) {
  (void)unused;
  lock_take(&orphans);
  lock_take(&meta);
  lock_take(&huge);
}

TEST(LockTest, DebugBuildsStopAtTheWrongOrder) {
  EXPECT_STOPS(take_lower, NULL, "hakmem: lock order broken: rank 1 asked for while ranks 10 are held\n");
  EXPECT_STOPS(take_the_same_rank, NULL, "hakmem: lock order broken: rank 4 asked for while ranks 10 are held\n");
  EXPECT_STOPS(take_between, NULL, "hakmem: lock order broken: rank 3 asked for while ranks 22 are held\n");
}
#endif
