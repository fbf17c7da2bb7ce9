/* registry: every heap of the process, and which of them have no thread. */
#include "cold/registry.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "cold/window.h"
#include "unit/unit.h"
#include "warm/heap.h"

/* The registry's orphans, as far as other tests have left any, are held back. */
static void hold_orphans(void) {
  enum heap_state was;
  while (registry_take(&was) != NULL) {
  }
}

/* The orphan that is first in line, or this one; where there is one it was an orphan until now. */
static struct heap_link *take(void) {
  enum heap_state was = HEAP_ORPHAN;
  struct heap_link *heap = registry_take(&was);
  EXPECT_EQ(was, HEAP_ORPHAN);
  return heap;
}

static bool take_this(struct heap_link *heap) {
  enum heap_state was = HEAP_ORPHAN;
  bool taken = registry_take_this(heap, &was);
  EXPECT_EQ(was, HEAP_ORPHAN);
  return taken;
}

TEST(RegistryTest, OwnersAreNumbersOfTheirOwn) {
  struct thread_heap *heaps[100];
  for (size_t i = 0; i < 100; i++) {
    heaps[i] = heap_new();
    ASSERT_NE(heaps[i], NULL);
    EXPECT_GE(heaps[i]->link.owner, 1);
    EXPECT_LE(heaps[i]->link.owner, OWNER_MAX);
    EXPECT_EQ(heap_state_of(&heaps[i]->link), HEAP_CHANGING);
    for (size_t j = 0; j < i; j++) {
      ASSERT_NE(heaps[i]->link.owner, heaps[j]->link.owner);
    }
  }
  /* All are on the list, the newest first. */
  struct heap_link *link = registry_heaps();
  for (size_t i = 100; i-- > 0; link = link->next_heap) {
    ASSERT_EQ(link, &heaps[i]->link);
  }
}

TEST(RegistryTest, OrphansAreTakenInTheOrderTheyCame) {
  struct thread_heap *heaps[5];
  hold_orphans();
  EXPECT_EQ(take(), NULL);
  for (size_t i = 0; i < 5; i++) {
    heaps[i] = heap_new();
    registry_give(&heaps[i]->link);
    EXPECT_EQ(heap_state_of(&heaps[i]->link), HEAP_ORPHAN);
  }
  for (size_t i = 0; i < 5; i++) {
    EXPECT_EQ(take(), &heaps[i]->link);
    EXPECT_EQ(heap_state_of(&heaps[i]->link), HEAP_CHANGING);
  }
  EXPECT_EQ(take(), NULL);
}

TEST(RegistryTest, AHeapIsTakenByNameOnlyWhileItIsAnOrphan) {
  struct thread_heap *heaps[3];
  hold_orphans();
  for (size_t i = 0; i < 3; i++) {
    heaps[i] = heap_new();
    EXPECT_FALSE(take_this(&heaps[i]->link));
    registry_give(&heaps[i]->link);
  }
  /* From the middle, from the front, and the last. */
  EXPECT_TRUE(take_this(&heaps[1]->link));
  EXPECT_FALSE(take_this(&heaps[1]->link));
  EXPECT_TRUE(take_this(&heaps[0]->link));
  registry_give(&heaps[1]->link);
  EXPECT_EQ(take(), &heaps[2]->link);
  EXPECT_TRUE(take_this(&heaps[1]->link));
  EXPECT_EQ(take(), NULL);
  registry_give(&heaps[0]->link);
  EXPECT_EQ(take(), &heaps[0]->link);
}

TEST(RegistryTest, AdoptionsAreCounted) {
  size_t before = registry_adoptions();
  registry_count_adoption();
  registry_count_adoption();
  EXPECT_EQ(registry_adoptions() - before, 2);
}

#if HAKMEM_VALIDATE
static void orphan_twice(void *unused) {
  (void)unused;
  struct thread_heap *heap = heap_new();
  registry_give(&heap->link);
  registry_give(&heap->link);
}

TEST(RegistryTest, DebugBuildsRefuseASecondOrphaning) {
  EXPECT_STOPS(orphan_twice, NULL, "hakmem: invariant broken: .* at .*registry\\.c:[0-9]+\n");
}
#endif

/* ---- many threads ---- */

enum { HEAPS = 12, THREADS = 6, STEPS = 5000 };

static struct thread_heap *contested[HEAPS];
static _Atomic unsigned holders[HEAPS];
static _Atomic unsigned held[HEAPS];

static size_t number_of(const struct heap_link *link) {
  for (size_t i = 0; i < HEAPS; i++) {
    if (&contested[i]->link == link) {
      return i;
    }
  }
  return HEAPS;
}

static void hold_and_let_go(void *seed_value) {
  uint64_t seed = (uintptr_t)seed_value;
  for (int step = 0; step < STEPS; step++) {
    struct heap_link *link;
    if (unit_random(&seed) % 2 == 0) {
      link = take();
    } else {
      link = &contested[unit_below(&seed, HEAPS)]->link;
      link = take_this(link) ? link : NULL;
    }
    if (link == NULL) {
      sched_yield();
      continue;
    }
    size_t i = number_of(link);
    ASSERT_LT(i, HEAPS);
    ASSERT_EQ(atomic_fetch_add(&holders[i], 1), 0);
    heap_of_link(link)->bound_bytes++; /* who holds it need not lock it */
    atomic_fetch_add(&held[i], 1);
    ASSERT_EQ(atomic_fetch_sub(&holders[i], 1), 1);
    registry_give(link);
  }
}

TEST(RegistryTest, AnOrphanHasOneHolderAtATime) {
  struct unit_thread threads[THREADS];
  uint64_t seed = unit_seed();
  hold_orphans();
  for (size_t i = 0; i < HEAPS; i++) {
    contested[i] = heap_new();
    atomic_store(&held[i], 0);
    registry_give(&contested[i]->link);
  }
  for (size_t i = 0; i < THREADS; i++) {
    unit_start(&threads[i], hold_and_let_go, (void *)(uintptr_t)(seed + i));
  }
  for (size_t i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  for (size_t i = 0; i < HEAPS; i++) {
    EXPECT_GT(atomic_load(&held[i]), 0);
    EXPECT_EQ(contested[i]->bound_bytes, atomic_load(&held[i]));
    contested[i]->bound_bytes = 0;
    /* None is lost, none is on the list twice. */
    EXPECT_TRUE(take_this(&contested[i]->link));
  }
  EXPECT_EQ(take(), NULL);
}

static void enroll_all(void *unused) {
  (void)unused;
  static struct heap_link link; /* the list of heaps is of no use after this */
  size_t enrolled = 0;
  uint32_t last = 0;
  while (registry_enroll(&link)) {
    EXPECT_GT(link.owner, last);
    last = link.owner;
    enrolled++;
  }
  EXPECT_EQ(last, OWNER_MAX);
  EXPECT_GT(enrolled, OWNER_MAX - 100);
  EXPECT_FALSE(registry_enroll(&link));
  EXPECT_EQ(heap_new(), NULL);
}

TEST(RegistryTest, OwnerNumbersRunOutWithoutHarm) {
  if (UNIT_SANITIZED) {
    SKIP("too slow under a sanitizer");
  }
  EXPECT_RUNS(enroll_all, NULL, "");
}
