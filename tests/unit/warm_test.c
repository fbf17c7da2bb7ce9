/* warm: what HOT may ask for when its magazines do not do, all of it at once. */
#include "warm/warm.h"

#include <errno.h>
#include <pthread.h>

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/cached.h"
#include "warm/collect.h"
#include "warm/thread.h"

/* ---- out of memory ---- */

static void run_out_of_memory(void *unused) {
  (void)unused;
  enum { MANY = 200000 };
  static char *blocks[MANY];
  unit_limit_memory(24 * MIB);
  size_t had = 0;
  while (had < MANY && (blocks[had] = gate_malloc(1000)) != NULL) {
    blocks[had][0] = blocks[had][999] = 'x';
    had++;
  }
  ASSERT_LT(had, MANY);
  EXPECT_GT(had, 10000);
  errno = 0;
  EXPECT_EQ(refill(1000, size_class_of(1000)), NULL);
  EXPECT_EQ(errno, ENOMEM);
  while (gate_malloc_class(size_class_of(48)) != NULL) {
  }
  errno = 0;
  EXPECT_EQ(refill_exact(48, size_class_of(48)), NULL);
  EXPECT_EQ(errno, ENOMEM);
  errno = 0;
  EXPECT_EQ(allocate_large(100000), NULL);
  EXPECT_EQ(errno, ENOMEM);
  for (size_t i = 0; i < had; i++) {
    ASSERT_TRUE(blocks[i][0] == 'x' && blocks[i][999] == 'x');
  }
  /* What is freed serves any other class, although the system has nothing more. */
  for (size_t i = 0; i < had; i++) {
    gate_free(blocks[i]);
  }
  const size_t sizes[] = {8, 100, 5000, 30000, 1000000};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    NOTE("size %zu", sizes[i]);
    size_t again = 0;
    while (again < MANY && (blocks[again] = gate_malloc(sizes[i])) != NULL) {
      again++;
    }
    EXPECT_TRUE(again == MANY || again * sizes[i] > 12 * MIB);
    while (again > 0) {
      gate_free(blocks[--again]);
    }
  }
  EXPECT_TRUE(pool_is_valid());
}

TEST(WarmTest, AFailureIsEnomemWithNothingLost) {
  if (UNIT_SANITIZED) {
    SKIP("the address space cannot be limited");
  }
  EXPECT_RUNS(run_out_of_memory, NULL, "");
}

/* ---- many threads, and the equation ----
 *
 * Every block is counted as live for the heap and class that its tag names, and every free takes it off there. When
 * all threads rest and have posted what they gathered, the census of each heap must come to the same, but for what
 * others have cached of its blocks. */

enum { WORKERS = 3, PHASES = 12, OPERATIONS = 4000, SLOTS = 600 };

static struct {
  pthread_barrier_t barrier;
  struct thread_heap *heaps[WORKERS];
  _Atomic size_t live[WORKERS][SIZE_CLASS_COUNT];
  _Atomic size_t elsewhere[WORKERS][SIZE_CLASS_COUNT]; /* in magazines of others */
  void *_Atomic slots[SLOTS];
} shared;

static void count_in(_Atomic size_t (*counts)[SIZE_CLASS_COUNT], const void *block, size_t by) {
  unit_tag tag = unit_tag_of(block);
  for (size_t w = 0; w < WORKERS; w++) {
    if (shared.heaps[w]->link.owner == unit_tag_owner(tag)) {
      atomic_fetch_add(&counts[w][unit_tag_class(tag)], by);
    }
  }
}

static void count_block(const void *block, size_t by) { count_in(shared.live, block, by); }

static void count_elsewhere(void *block, size_t size_class, void *heap) {
  (void)size_class;
  if (unit_tag_owner(unit_tag_of(block)) != ((struct thread_heap *)heap)->link.owner) {
    count_in(shared.elsewhere, block, 1);
  }
}

static void exchange(uint64_t *seed, void *block) {
  void *old = atomic_exchange(&shared.slots[unit_below(seed, SLOTS)], block);
  if (old != NULL) {
    count_block(old, (size_t)-1);
    gate_free(old);
  }
}

static void work(void *number_value) {
  size_t number = (uintptr_t)number_value % WORKERS;
  uint64_t seed = (uintptr_t)number_value;
  shared.heaps[number] = thread_heap();
  pthread_barrier_wait(&shared.barrier);
  for (int phase = 0; phase < PHASES; phase++) {
    size_t classes = phase % 2 == 0 ? 12 : SIZE_CLASS_COUNT;
    for (int i = 0; i < OPERATIONS; i++) {
      void *block = NULL;
      if (unit_below(&seed, 3) != 0) {
        block = gate_malloc(size_classes[unit_below(&seed, classes)].stride - unit_below(&seed, 8));
        ASSERT_NE(block, NULL);
        count_block(block, 1);
      }
      exchange(&seed, block);
    }
    if (phase % 4 == 1) {
      release_free_memory(RELEASE_ALL);
    }
    heap_post(shared.heaps[number]);
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      atomic_store(&shared.elsewhere[number][size_class], 0);
    }
    pthread_barrier_wait(&shared.barrier);
    heap_enter(shared.heaps[number]);
    heap_take_returned(shared.heaps[number]);
    heap_leave(shared.heaps[number]);
    EXPECT_TRUE(each_cached_block(shared.heaps[number], count_elsewhere, shared.heaps[number]));
    pthread_barrier_wait(&shared.barrier);
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      NOTE("worker %zu, phase %d, class %zu", number, phase, size_class);
      size_t elsewhere = atomic_load(&shared.elsewhere[number][size_class]);
      expect_own_census(size_class, atomic_load(&shared.live[number][size_class]) + elsewhere);
    }
    heap_check(shared.heaps[number]);
    pthread_barrier_wait(&shared.barrier);
  }
}

static void work_together(void *seed_value) {
  hold_orphans();
  struct unit_thread threads[WORKERS];
  pthread_barrier_init(&shared.barrier, NULL, WORKERS);
  for (size_t w = 0; w < WORKERS; w++) {
    unit_start(&threads[w], work, (void *)((uintptr_t)seed_value * WORKERS + w));
  }
  for (size_t w = 0; w < WORKERS; w++) {
    unit_join(&threads[w]);
  }
  /* They have ended: what they cached is back, and what is live is still theirs. */
  for (size_t w = 0; w < WORKERS; w++) {
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      NOTE("worker %zu has ended, class %zu", w, size_class);
      struct heap_census census = heap_census(shared.heaps[w], size_class);
      EXPECT_EQ(census.cached + census.depot, 0);
      EXPECT_EQ(census.capacity, census.free + census.remote + atomic_load(&shared.live[w][size_class]));
    }
  }
  for (size_t s = 0; s < SLOTS; s++) {
    gate_free(atomic_exchange(&shared.slots[s], NULL));
  }
  release_free_memory(RELEASE_ALL);
  for (size_t w = 0; w < WORKERS; w++) {
    for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
      EXPECT_EQ(heap_census(shared.heaps[w], size_class).capacity, 0);
    }
  }
  EXPECT_TRUE(pool_is_valid());
}

TEST(WarmTest, EveryBlockIsSomewhereExactlyOnce) {
  EXPECT_RUNS(work_together, (void *)(uintptr_t)(unit_seed() % 100000), "");
}
