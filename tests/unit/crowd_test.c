/* crowd: very many threads at once: which of them has a heap, and how the others share heaps. */
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "unit/light_threads.h"
#include "warm/light.h"
#include "warm/release.h"

/* ---- one that does little ---- */

static pthread_barrier_t all_started;

enum { LIGHT_CALLS = 256, LIGHT_WORK = 64 * LIGHT_CALLS, LIGHT_BLOCKS = 40, LIGHT_FREED = LIGHT_BLOCKS / 4 };

/* What a thread without a heap was given: others may free it, and read it first. */
static struct {
  char *blocks[LIGHT_BLOCKS];
  size_t served;
} light;

static size_t light_size(size_t i) { return 16 + i * 700; }

/* One more than have a heap from the start on. */
static void live_beside_others(void *unused) {
  (void)unused;
  for (size_t i = 0; i < LIGHT_BLOCKS; i++) {
    light.blocks[i] = hak_malloc(light_size(i));
    ASSERT_NE(light.blocks[i], NULL);
    ASSERT_EQ(thread_cache.heap, NULL);
    memset(light.blocks[i], (int)(i + 1), light_size(i));
    for (size_t c = 0; c < SIZE_CLASS_COUNT; c++) {
      ASSERT_EQ(thread_cache.top[c], no_magazine_top()); /* it caches nothing */
    }
  }
  EXPECT_EQ(thread_cache.state, THREAD_NEW);
  /* Its own blocks can be freed by itself. */
  for (size_t i = 0; i < LIGHT_BLOCKS; i += 4) {
    hak_free(light.blocks[i]);
    light.blocks[i] = NULL;
  }
  bool has_row = thread_cache.cpu != NULL;
  void *kept = NULL; /* so its CPU soon has none */
  for (light.served = LIGHT_BLOCKS; thread_cache.heap == NULL && light.served <= LIGHT_WORK + 1; light.served++) {
    kept = keep_block(kept, 2000);
  }
  if (has_row) {
    EXPECT_GT(light.served, LIGHT_CALLS + 1);
    EXPECT_LE(light.served, LIGHT_WORK + 1);
  } else {
    EXPECT_EQ(light.served + LIGHT_FREED, LIGHT_CALLS + 1); /* to post a block is as much work as to take one */
  }
  EXPECT_EQ(thread_cache.cpu, NULL);
  ASSERT_NE(thread_cache.heap, NULL);
  EXPECT_EQ(thread_cache.state, THREAD_STARTED);
  EXPECT_EQ(heap_state_of(&thread_cache.heap->link), HEAP_OWNED);
  /* With a heap as without. */
  free_kept(kept);
  for (size_t i = 1; i < LIGHT_BLOCKS; i += 4) {
    hak_free(light.blocks[i]);
    light.blocks[i] = NULL;
  }
}

static void free_what_a_light_thread_left(void *unused) {
  (void)unused;
  for (size_t i = 2; i < LIGHT_BLOCKS; i++) {
    for (size_t at = 0; light.blocks[i] != NULL && at < light_size(i); at++) {
      ASSERT_EQ(light.blocks[i][at], (char)(i + 1));
    }
    hak_free(light.blocks[i]);
  }
}

static void wait_with_a_heap(void *unused) {
  (void)unused;
  hak_free(hak_malloc(10));
  EXPECT_NE(thread_cache.heap, NULL); /* as many have one from their first malloc on */
  pthread_barrier_wait(&all_started);
  pthread_barrier_wait(&all_started);
}

static void live_beside_many(void *unused) {
  (void)unused;
  static struct unit_thread threads[1024];
  hak_free(hak_malloc(1));
  size_t others = light_heaps_at_once() - registry_thread_count();
  pthread_barrier_init(&all_started, NULL, (unsigned)others + 1);
  for (size_t i = 0; i < others; i++) {
    unit_start(&threads[i], wait_with_a_heap, NULL);
  }
  pthread_barrier_wait(&all_started);
  EXPECT_EQ(registry_thread_count(), light_heaps_at_once());
  size_t heaps = heap_count();
  unit_in_thread(live_beside_others, NULL);
  EXPECT_LE(heap_count(), heaps + 1); /* what served it while it was light is its own then */
  unit_in_thread(free_what_a_light_thread_left, NULL);
  pthread_barrier_wait(&all_started);
  for (size_t i = 0; i < others; i++) {
    unit_join(&threads[i]);
  }
  release_free_memory(RELEASE_ALL);
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    for (size_t c = 0; c < SIZE_CLASS_COUNT; c++) {
      EXPECT_TRUE(heap_of_link(link) == thread_cache.heap || live_in_heap(heap_of_link(link), c) == 0);
    }
  }
}

TEST(CrowdTest, OfVeryManyThreadsOneThatDoesLittleHasNoHeap) { EXPECT_RUNS(live_beside_many, NULL, ""); }

/* ---- a crowd ---- */

enum { CROWD = 100, CROWD_BLOCKS = 10 };

static void be_one_of_a_crowd(void *slot) {
  void *blocks[CROWD_BLOCKS];
  for (size_t i = 0; i < CROWD_BLOCKS; i++) {
    blocks[i] = hak_malloc(200);
    memset(blocks[i], 0x5C, 200);
  }
  *(void **)slot = blocks[0];
  pthread_barrier_wait(&all_started);
  for (size_t i = 1; i < CROWD_BLOCKS; i++) {
    EXPECT_EQ(((char *)blocks[i])[199], 0x5C);
    hak_free(blocks[i]);
  }
}

static _Atomic bool holds, all_run;

/* Has the lock that each new heap needs until all threads run, as if it had lost its processor. No longer than a while:
 * who starts them may need the lock, too. */
static void keep_others_from_new_heaps(void *unused) {
  (void)unused;
  enum { MILLISECONDS = 200 };
  lock_take(LOCK_META);
  holds = true;
  for (int i = 0; i < MILLISECONDS && !all_run; i++) {
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  }
  nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
  lock_drop(LOCK_META);
}

/* Those that have no heap share slabs. */
static void crowd(void *unused) {
  (void)unused;
  static struct unit_thread threads[CROWD];
  static void *left[CROWD];
  pthread_barrier_init(&all_started, NULL, CROWD);
  for (size_t i = 0; i < CROWD; i++) {
    unit_start(&threads[i], be_one_of_a_crowd, &left[i]);
  }
  all_run = true;
  for (size_t i = 0; i < CROWD; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_LE(heap_count(), CROWD / 2); /* a thread that loses its processor while it has a heap costs another one */
  for (size_t i = 0; i < CROWD; i++) {
    EXPECT_EQ(((char *)left[i])[0], 0x5C);
    hak_free(left[i]);
  }
  EXPECT_TRUE(pool_is_valid());
}

TEST(CrowdTest, ACrowdSharesHeaps) { EXPECT_RUNS(crowd, NULL, ""); }

static void crowd_that_waits(void *unused) {
  struct unit_thread holder;
  unit_start(&holder, keep_others_from_new_heaps, NULL);
  while (!holds) {
    sched_yield();
  }
  crowd(unused);
  unit_join(&holder);
}

TEST(CrowdTest, NotEachOfACrowdThatWaitsForALockMakesAHeap) { EXPECT_RUNS(crowd_that_waits, NULL, ""); }

/* ---- a heap that somebody has for a moment ---- */

static _Atomic bool begins;

static void begin_while_the_orphan_is_visited(void *heap) {
  atomic_store(&begins, true);
  void *block = hak_malloc(100);
  *(struct thread_heap **)heap = thread_cache.heap;
  hak_free(block);
}

/* Gives it back somewhat later than the other thread has looked for one. */
static void *visit(void *orphan) {
  enum { LATER = 4 };
  EXPECT_EQ(heap_claim_this(orphan), (struct thread_heap *)orphan);
  while (!atomic_load(&begins)) {
    sched_yield();
  }
  for (int i = 0; i < LATER; i++) {
    sched_yield();
  }
  heap_give(orphan);
  return NULL;
}

/* By chance a thread's patience ends before, most of all while other programs want the CPUs: so not each time; and
 * hardly ever would one that does not wait find it given back. The last test, for the heaps that are made then. */
TEST(CrowdTest, WaitsALittleForAHeapThatSomebodyHasForAMoment) {
  enum { ATTEMPTS = 100, ENOUGH = 4 };
  int adopted = 0;
  struct thread_heap *orphan = new_heap();
  heap_give(orphan);
  for (int i = 0; i < ATTEMPTS && adopted < ENOUGH; i++) {
    pthread_t visitor;
    atomic_store(&begins, false);
    EXPECT_EQ(pthread_create(&visitor, NULL, visit, orphan), 0);
    while (heap_has_nobody(&orphan->link)) {
      sched_yield();
    }
    struct thread_heap *got = NULL;
    unit_in_thread(begin_while_the_orphan_is_visited, &got);
    pthread_join(visitor, NULL);
    adopted += got == orphan;
    if (got != orphan && got != NULL) {
      EXPECT_EQ(heap_claim_this(got), got); /* out of the way */
    }
  }
  EXPECT_EQ(adopted, ENOUGH);
}
