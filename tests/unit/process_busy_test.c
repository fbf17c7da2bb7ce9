/* process: forks beside threads that are busy. */
#include "warm/process.h"

#include <stdatomic.h>

#include "cold/cold.h"
#include "hakmem.h"
#include "unit/forks.h"
#include "unit/heaps.h"
#include "warm/warm.h"

/* ---- locks ---- */

enum { HAMMERS = 4, LOCK_FORKS = 30 };

static atomic_bool stop;

static void take_every_lock(void) {
  bool zeroed;
  struct slab *slab = pool_take(1, USE_WHOLE);
  ASSERT_NE(slab, NULL);
  pool_give(slab);
  void *block = huge_allocate(4096, 1, &zeroed);
  EXPECT_TRUE(huge_free(block));
  struct thread_heap *orphan = heap_claim_oldest();
  if (orphan != NULL) {
    heap_give(orphan);
  }
  void *piece = meta_alloc(64, 64);
  ASSERT_NE(piece, NULL);
  meta_free(piece, 64);
}

static void hammer(void *which) {
  bool zeroed;
  while (!atomic_load(&stop)) {
    switch ((uintptr_t)which) {
    case 0:
      pool_give(pool_take(1, USE_WHOLE));
      break;
    case 1:
      huge_free(huge_allocate(4096, 1, &zeroed));
      break;
    case 2: {
      struct thread_heap *orphan = heap_claim_oldest();
      if (orphan != NULL) {
        heap_give(orphan);
      }
      break;
    }
    default:
      meta_free(meta_alloc(64, 64), 64);
      break;
    }
  }
}

/* What a lost thread held is free, and what it guards is whole. */
static void use_every_lock(void *unused) {
  (void)unused;
  EXPECT_EQ(lock_held_ranks(), 0);
  take_every_lock();
  EXPECT_TRUE(pool_is_valid());
}

TEST(ProcessTest, NoLockIsHeldInTheChild) {
  SKIP_WITHOUT_FORKS
  struct unit_thread threads[HAMMERS];
  heap_give(heap_new());
  atomic_store(&stop, false);
  for (size_t i = 0; i < HAMMERS; i++) {
    unit_start(&threads[i], hammer, (void *)i);
  }
  for (int i = 0; i < LOCK_FORKS; i++) {
    EXPECT_FORKS(use_every_lock, NULL);
  }
  atomic_store(&stop, true);
  for (size_t i = 0; i < HAMMERS; i++) {
    unit_join(&threads[i]);
  }
}

/* ---- a parent that is busy ---- */

enum { BUSY = 3, FORKS = 40, SHARED = 64 };

static char *_Atomic shared[SHARED]; /* blocks of all threads, for whoever takes one */

/* Each thread has a megabyte of its own, and so uses what it gathers, and what has come home to others. */
static void be_busy(void *seed_value) {
  uint64_t seed = (uintptr_t)seed_value;
  void *kept = NULL;
  for (int i = 0; i < 600; i++) {
    kept = keep_block(kept, 2000);
  }
  while (!atomic_load(&stop)) {
    size_t size = unit_below(&seed, 64) == 0 ? 70000 + unit_below(&seed, 3000000) : unit_below(&seed, 3000) + 1;
    char *block = hak_malloc(size);
    ASSERT_NE(block, NULL);
    block[size - 1] = 'b';
    hak_free(atomic_exchange(&shared[unit_below(&seed, SHARED)], block));
    if (unit_below(&seed, 1000) == 0) {
      hak_collect();
    }
  }
  free_kept(kept);
}

static void child_of_busy_parent(void *seed_value) {
  for (size_t i = 0; i < SHARED; i++) {
    hak_free(atomic_exchange(&shared[i], NULL)); /* whichever thread it came from */
  }
  work_everywhere(seed_value);
}

TEST(ProcessTest, TheChildOfABusyParentWorks) {
  SKIP_WITHOUT_FORKS
  if (UNIT_SANITIZED) {
    SKIP("the sanitizer's own malloc, which the start of a thread calls, may be locked in the child");
  }
  struct unit_thread threads[BUSY];
  atomic_store(&stop, false);
  for (size_t i = 0; i < BUSY; i++) {
    unit_start(&threads[i], be_busy, (void *)(100 + i));
  }
  for (uintptr_t i = 0; i < FORKS; i++) {
    EXPECT_FORKS(child_of_busy_parent, (void *)(200 + i));
  }
  atomic_store(&stop, true);
  for (size_t i = 0; i < BUSY; i++) {
    unit_join(&threads[i]);
  }
  for (size_t i = 0; i < SHARED; i++) {
    hak_free(atomic_exchange(&shared[i], NULL));
  }
}
