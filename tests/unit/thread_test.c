/* thread: the beginning and the end of a thread's use of the allocator. */
#include "warm/thread.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "hakmem.h"
#include "unit/heaps.h"
#include "warm/collect.h"
#include "warm/drain.h"
#include "warm/light.h"
#include "warm/warm.h"

static size_t live_blocks(struct thread_heap *heap, size_t size_class) {
  struct heap_census census = heap_census(heap, size_class);
  return census.capacity - census.free - census.remote - census.cached - census.depot;
}

static size_t heap_count(void) {
  size_t count = 0;
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    count++;
  }
  return count;
}

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

/* ---- very many threads ---- */

enum { HEAPS_AT_ONCE = 16, LIGHT_CALLS = 256, LIGHT_WORK = 64 * LIGHT_CALLS, LIGHT_BLOCKS = 40 };

/* What a thread without a heap was given: others may free it, and read it first. */
static struct {
  char *blocks[LIGHT_BLOCKS];
  size_t served;
} light;

static size_t light_size(size_t i) { return 16 + i * 700; }

/* The seventeenth of those that live at once. */
static void live_as_the_seventeenth(void *unused) {
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
    EXPECT_EQ(light.served, LIGHT_CALLS + 1);
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
  EXPECT_NE(thread_cache.heap, NULL); /* the first sixteen have one from their first malloc on */
  pthread_barrier_wait(&all_started);
  pthread_barrier_wait(&all_started);
}

static void live_beside_sixteen(void *unused) {
  (void)unused;
  struct unit_thread threads[HEAPS_AT_ONCE];
  hak_free(hak_malloc(1));
  size_t others = HEAPS_AT_ONCE - registry_thread_count();
  pthread_barrier_init(&all_started, NULL, (unsigned)others + 1);
  for (size_t i = 0; i < others; i++) {
    unit_start(&threads[i], wait_with_a_heap, NULL);
  }
  pthread_barrier_wait(&all_started);
  EXPECT_EQ(registry_thread_count(), HEAPS_AT_ONCE);
  size_t heaps = heap_count();
  unit_in_thread(live_as_the_seventeenth, NULL);
  EXPECT_LE(heap_count(), heaps + 1); /* what served it while it was light is its own then */
  unit_in_thread(free_what_a_light_thread_left, NULL);
  pthread_barrier_wait(&all_started);
  for (size_t i = 0; i < others; i++) {
    unit_join(&threads[i]);
  }
  release_free_memory(RELEASE_ALL);
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    for (size_t c = 0; c < SIZE_CLASS_COUNT; c++) {
      EXPECT_TRUE(heap_of_link(link) == thread_cache.heap || live_blocks(heap_of_link(link), c) == 0);
    }
  }
}

TEST(ThreadTest, OfVeryManyThreadsOneThatDoesLittleHasNoHeap) { EXPECT_RUNS(live_beside_sixteen, NULL, ""); }

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

/* Those that have no heap share slabs. */
static void crowd(void *unused) {
  (void)unused;
  static struct unit_thread threads[CROWD];
  static void *left[CROWD];
  pthread_barrier_init(&all_started, NULL, CROWD);
  for (size_t i = 0; i < CROWD; i++) {
    unit_start(&threads[i], be_one_of_a_crowd, &left[i]);
  }
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

TEST(ThreadTest, ACrowdSharesHeaps) { EXPECT_RUNS(crowd, NULL, ""); }

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
      life->kept[size_class][i] = hak_malloc(size);
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
  hak_free(life->kept[20][0]);
  EXPECT_EQ(hak_malloc(1024), life->kept[20][0]);
  hak_free(block);
}

TEST(ThreadTest, TheNextThreadAdoptsTheHeapAndItsOwnerNumber) {
  struct life life;
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
  EXPECT_EQ(live_blocks(life.heap, 33), KEPT);
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
    EXPECT_EQ(live_blocks(late.heap, size_class), 0);
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

/* By chance a thread's patience ends before: so not each time. The last test, for the heaps that are made then. */
TEST(ThreadTest, WaitsALittleForAHeapThatSomebodyHasForAMoment) {
  enum { ATTEMPTS = 8, ENOUGH = 4 };
  int adopted = 0;
  struct thread_heap *orphan = new_heap();
  heap_give(orphan);
  for (int i = 0; i < ATTEMPTS; i++) {
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
  EXPECT_GE(adopted, ENOUGH);
}
