/* thread: the beginning and the end of a thread's use of the allocator. */
#include "warm/thread.h"

#include <pthread.h>
#include <string.h>

#include "hakmem.h"
#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/collect.h"
#include "warm/drain.h"
#include "warm/light.h"
#include "warm/warm.h"

/* ---- the beginning ---- */

static void begin(void *unused) {
  (void)unused;
  EXPECT_EQ(thread_cache.state, THREAD_NEW);
  EXPECT_EQ(light_claim(), NULL);
  void *block = hak_malloc(100);
  struct thread_heap *heap = thread_cache.heap;
  ASSERT_NE(heap, NULL);
  EXPECT_EQ(thread_cache.state, THREAD_STARTED);
  EXPECT_EQ(thread_cache.self, (uint64_t)heap->link.owner << UNIT_TAG_CLASS_BITS);
  EXPECT_EQ(heap->cache, &thread_cache);
  EXPECT_EQ(heap_state_of(&heap->link), HEAP_OWNED);
  EXPECT_EQ(thread_heap(), heap);
  EXPECT_EQ(light_claim(), NULL);
  hak_free(block);
  EXPECT_EQ(thread_heap(), heap);
}

TEST(ThreadTest, StartsAtItsFirstMalloc) { unit_in_thread(begin, NULL); }

enum { POSTED = 32, FREED_BY_IT = 2 * POSTED };

static void *others[FREED_BY_IT];

static void only_free(void *unused) {
  (void)unused;
  for (size_t i = 0; i < POSTED; i++) {
    hak_free(others[i]);
    ASSERT_EQ(thread_cache.heap, NULL);
  }
  hak_free(others[POSTED]);
  ASSERT_NE(thread_cache.heap, NULL);
  EXPECT_EQ(thread_cache.state, THREAD_STARTED);
  size_t published = atomic_load(&thread_cache.heap->publications);
  for (size_t i = POSTED + 1; i < FREED_BY_IT; i++) {
    hak_free(others[i]);
  }
  EXPECT_EQ(atomic_load(&thread_cache.heap->publications), published); /* they are gathered */
}

TEST(ThreadTest, OneThatOnlyFreesStartsAfterSomeBlocks) {
  for (size_t i = 0; i < FREED_BY_IT; i++) {
    others[i] = hak_malloc(100);
  }
  on_a_fresh_thread(only_free, NULL);
  heap_collect(thread_cache.heap);
  expect_own_census(class_of(others[0]), 0);
}

enum { ALIVE = 32 };

static pthread_barrier_t all_started;

/* Of very many threads one has a heap of its own only once it has been given some blocks. */
static void keep_own_heap(void *heap) {
  void *block = hak_malloc(10);
  while (thread_cache.heap == NULL) {
    hak_free(hak_malloc(10));
  }
  *(struct thread_heap **)heap = thread_cache.heap;
  pthread_barrier_wait(&all_started);
  hak_free(block);
}

static void live_together(void *unused) {
  (void)unused;
  struct unit_thread threads[ALIVE];
  struct thread_heap *heaps[ALIVE];
  pthread_barrier_init(&all_started, NULL, ALIVE);
  for (size_t i = 0; i < ALIVE; i++) {
    unit_start(&threads[i], keep_own_heap, &heaps[i]);
  }
  for (size_t i = 0; i < ALIVE; i++) {
    unit_join(&threads[i]);
    ASSERT_NE(heaps[i], NULL);
    ASSERT_NE(heaps[i], thread_cache.heap);
    for (size_t j = 0; j < i; j++) {
      ASSERT_NE(heaps[i], heaps[j]);
      ASSERT_NE(heaps[i]->link.owner, heaps[j]->link.owner);
    }
  }
  pthread_barrier_destroy(&all_started);
}

TEST(ThreadTest, NoTwoLivingThreadsShareAHeap) { EXPECT_RUNS(live_together, NULL, ""); }

/* ---- the end ---- */

enum { KEPT = 3, FREED = 150 };

struct life {
  struct thread_heap *heap;
  uint32_t owner;
  char *kept[SIZE_CLASS_COUNT][KEPT];
};

static void live(void *argument) {
  struct life *life = argument;
  static _Thread_local void *freed[FREED];
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    size_t size = size_classes[size_class].stride;
    for (size_t i = 0; i < KEPT; i++) {
      life->kept[size_class][i] = gate_malloc_class(size_class); /* not coalesced */
      memset(life->kept[size_class][i], (int)size_class, size);
    }
    for (size_t i = 0; i < FREED; i++) {
      freed[i] = hak_malloc(size);
    }
    for (size_t i = 0; i < FREED; i++) {
      hak_free(freed[i]);
    }
  }
  life->heap = thread_cache.heap;
  life->owner = life->heap->link.owner;
}

static void check_life(const struct life *life) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    for (size_t i = 0; i < KEPT; i++) {
      ASSERT_EQ(life->kept[size_class][i][0], size_class);
      ASSERT_EQ(life->kept[size_class][i][size_classes[size_class].stride - 1], size_class);
    }
  }
}

static void free_life(const struct life *life) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    for (size_t i = 0; i < KEPT; i++) {
      hak_free(life->kept[size_class][i]);
    }
  }
}

TEST(ThreadTest, WhatItCachedIsBackInItsSlabsWhenItEnds) {
  struct life life;
  hold_orphans();
  unit_in_thread(live, &life);
  EXPECT_EQ(heap_state_of(&life.heap->link), HEAP_ORPHAN);
  EXPECT_EQ(life.heap->cache, NULL);
  EXPECT_EQ(life.heap->depot.bytes, 0);
  EXPECT_EQ(life.heap->warm_pool.count, 0);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    struct heap_census census = heap_census(life.heap, size_class);
    EXPECT_EQ(census.cached, 0);
    EXPECT_EQ(census.depot, 0);
    EXPECT_EQ(census.capacity - census.free - census.remote, KEPT);
  }
  check_life(&life);
  free_life(&life);
}

static void adopt(void *argument) {
  const struct life *life = argument;
  void *block = hak_malloc(64);
  EXPECT_EQ(thread_cache.heap, life->heap);
  EXPECT_EQ(thread_cache.heap->link.owner, life->owner);
  EXPECT_EQ(heap_state_of(&life->heap->link), HEAP_OWNED);
  /* What its predecessor left is now its own: it goes to its cache, and comes back from it. */
  hak_free(life->kept[size_class_of(1024)][0]);
  EXPECT_EQ(hak_malloc(1024), life->kept[size_class_of(1024)][0]);
  hak_free(block);
}

TEST(ThreadTest, TheNextThreadAdoptsTheHeapAndItsOwnerNumber) {
  struct life life;
  let_threads_last();
  hold_orphans();
  unit_in_thread(live, &life);
  size_t adoptions = registry_adoptions();
  size_t heaps = heap_count();
  unit_in_thread(adopt, &life);
  EXPECT_GT(registry_adoptions(), adoptions);
  EXPECT_EQ(heap_count(), heaps);
  EXPECT_EQ(heap_state_of(&life.heap->link), HEAP_ORPHAN);
  check_life(&life);
  free_life(&life);
}

TEST(ThreadTest, ThreadsOneAfterAnotherUseOneHeap) {
  struct life life;
  hold_orphans();
  for (int i = 0; i < 20; i++) {
    unit_in_thread(live, &life);
    free_life(&life);
  }
  size_t heaps = heap_count();
  size_t superslabs = pool_figures().superslabs;
  for (int i = 0; i < 200; i++) {
    unit_in_thread(live, &life);
    free_life(&life);
  }
  EXPECT_EQ(heap_count(), heaps);
  EXPECT_LE(pool_figures().superslabs, superslabs + 4);
}

struct gathering {
  void *blocks[5];
};

static void gather_and_end(void *argument) {
  struct gathering *gathering = argument;
  hak_free(hak_malloc(1));
  for (size_t i = 0; i < 5; i++) {
    hak_free(gathering->blocks[i]);
  }
}

TEST(ThreadTest, WhatItHasGatheredIsPostedWhenItEnds) {
  struct gathering gathering;
  hold_orphans();
  for (size_t i = 0; i < 5; i++) {
    gathering.blocks[i] = hak_malloc(1500);
  }
  size_t size_class = size_class_of(1500);
  struct thread_heap *mine = thread_cache.heap;
  heap_collect(mine);
  unit_in_thread(gather_and_end, &gathering);
  EXPECT_EQ(heap_census(mine, size_class).remote, 5);
  heap_collect(mine);
  EXPECT_EQ(heap_census(mine, size_class).remote, 0);
}

static void end_by_exit(void *life) {
  live(life);
  pthread_exit(NULL);
}

TEST(ThreadTest, EndsByPthreadExitToo) {
  struct life life;
  hold_orphans();
  unit_in_thread(end_by_exit, &life);
  EXPECT_EQ(heap_state_of(&life.heap->link), HEAP_ORPHAN);
  EXPECT_EQ(live_in_heap(life.heap, 33), KEPT);
  free_life(&life);
}

/* ---- after the end ----
 *
 * A destructor that asks for one more round each time: in the rounds before the last the thread's cache still serves
 * it, and after hakmem's own last word a heap is borrowed for each call. */

enum { ROUNDS = 4, SIZES = 5 };

static const size_t sizes[SIZES] = {8, 200, 5000, 100000, 3000000};

struct late {
  pthread_key_t key;
  int round;
  int rounds_started, rounds_ended;
  void *before_the_end[SIZES];
  char *after_the_end[SIZES];
  struct thread_heap *heap;
};

static void in_a_late_round(void *argument) {
  struct late *late = argument;
  if (++late->round < ROUNDS) {
    pthread_setspecific(late->key, late);
  }
  if (thread_cache.state == THREAD_STARTED) {
    late->rounds_started++;
    hak_free(hak_malloc(64));
    EXPECT_EQ(thread_cache.heap, late->heap);
    return;
  }
  late->rounds_ended++;
  EXPECT_EQ(thread_cache.state, THREAD_ENDED);
  EXPECT_EQ(thread_cache.heap, NULL);
  EXPECT_EQ(heap_state_of(&late->heap->link), HEAP_ORPHAN);
  for (size_t i = 0; i < SIZES; i++) {
    hak_free(late->before_the_end[i]);
    hak_free(late->after_the_end[i]);
    late->before_the_end[i] = NULL;
    late->after_the_end[i] = hak_malloc(sizes[i]);
    ASSERT_NE(late->after_the_end[i], NULL);
    memset(late->after_the_end[i], 0x11, sizes[i]);
    void *again = hak_malloc(sizes[i]);
    EXPECT_NE(again, late->after_the_end[i]);
    again = hak_realloc(again, 2 * sizes[i]);
    EXPECT_NE(again, NULL);
    hak_free(again);
  }
  hak_collect();
  struct thread_heap *borrowed = light_claim();
  ASSERT_NE(borrowed, NULL);
  EXPECT_EQ(heap_state_of(&borrowed->link), HEAP_CHANGING);
  EXPECT_EQ(critical_depth, 1);
  heap_give(borrowed);
  EXPECT_EQ(heap_state_of(&borrowed->link), HEAP_ORPHAN);
  EXPECT_EQ(critical_depth, 0);
  EXPECT_EQ(thread_cache.state, THREAD_ENDED);
  EXPECT_EQ(thread_cache.heap, NULL);
}

static void live_until_the_last_round(void *argument) {
  struct late *late = argument;
  for (size_t i = 0; i < SIZES; i++) {
    late->before_the_end[i] = hak_malloc(sizes[i]);
  }
  late->heap = thread_cache.heap;
  pthread_setspecific(late->key, late);
}

TEST(ThreadTest, MallocAndFreeWorkAfterTheEnd) {
  if (UNIT_THREAD_SANITIZED) {
    SKIP("the sanitizer's own end of the thread comes first");
  }
  struct late late = {0};
  hak_free(hak_malloc(1)); /* this thread has a heap of its own */
  hold_orphans();
  ASSERT_EQ(pthread_key_create(&late.key, in_a_late_round), 0);
  unit_in_thread(live_until_the_last_round, &late);
  pthread_key_delete(late.key);
  EXPECT_EQ(late.round, ROUNDS);
  EXPECT_GE(late.rounds_started, 2); /* put off, so that other destructors still run on the cache */
  EXPECT_GE(late.rounds_ended, 1);
  for (size_t i = 0; i < SIZES; i++) {
    ASSERT_NE(late.after_the_end[i], NULL);
    EXPECT_EQ(late.after_the_end[i][0], 0x11);
    EXPECT_EQ(late.after_the_end[i][sizes[i] - 1], 0x11);
    hak_free(late.after_the_end[i]);
  }
  heap_post(thread_cache.heap);
  heap_collect(late.heap);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    EXPECT_EQ(live_in_heap(late.heap, size_class), 0);
  }
}

/* ---- draining on demand ---- */

static void drain(void *unused) {
  (void)unused;
  struct life life;
  live(&life);
  heap_enter(life.heap);
  thread_drain(life.heap);
  heap_leave(life.heap);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    struct heap_census census = heap_census(life.heap, size_class);
    EXPECT_EQ(census.cached, 0);
    EXPECT_EQ(census.depot, 0);
    EXPECT_EQ(census.capacity - census.free, KEPT);
    EXPECT_EQ(magazine_of(thread_cache.top[size_class]), (void **)no_magazine);
  }
  check_life(&life);
  free_life(&life);
  hak_free(hak_malloc(size_classes[4].stride)); /* the magazines come back as they are needed */
  EXPECT_GE(heap_census(life.heap, 4).cached, 1);
}

TEST(ThreadTest, DrainingEmptiesTheCacheAndTheThreadGoesOn) {
  hold_orphans();
  unit_in_thread(drain, NULL);
}
