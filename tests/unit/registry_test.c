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
  while (registry_adopt() != NULL) {
  }
}

TEST(RegistryTest, OwnersAreNumbersOfTheirOwn) {
  struct thread_heap *heaps[100];
  for (size_t i = 0; i < 100; i++) {
    heaps[i] = heap_new();
    ASSERT_NE(heaps[i], NULL);
    EXPECT_GE(heaps[i]->link.owner, 1);
    EXPECT_LE(heaps[i]->link.owner, OWNER_MAX);
    EXPECT_FALSE(atomic_load(&heaps[i]->link.orphan));
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

TEST(RegistryTest, OrphansAreAdoptedInTheOrderTheyCame) {
  struct thread_heap *heaps[5];
  hold_orphans();
  EXPECT_EQ(registry_adopt(), NULL);
  for (size_t i = 0; i < 5; i++) {
    heaps[i] = heap_new();
    registry_orphan(&heaps[i]->link);
    EXPECT_TRUE(atomic_load(&heaps[i]->link.orphan));
  }
  for (size_t i = 0; i < 5; i++) {
    EXPECT_EQ(registry_adopt(), &heaps[i]->link);
    EXPECT_FALSE(atomic_load(&heaps[i]->link.orphan));
  }
  EXPECT_EQ(registry_adopt(), NULL);
}

TEST(RegistryTest, AHeapIsBorrowedOnlyWhileItIsAnOrphan) {
  struct thread_heap *heaps[3];
  hold_orphans();
  for (size_t i = 0; i < 3; i++) {
    heaps[i] = heap_new();
    EXPECT_FALSE(registry_borrow(&heaps[i]->link));
    registry_orphan(&heaps[i]->link);
  }
  /* From the middle, from the front, and the last. */
  EXPECT_TRUE(registry_borrow(&heaps[1]->link));
  EXPECT_FALSE(registry_borrow(&heaps[1]->link));
  EXPECT_TRUE(registry_borrow(&heaps[0]->link));
  registry_orphan(&heaps[1]->link);
  EXPECT_EQ(registry_adopt(), &heaps[2]->link);
  EXPECT_TRUE(registry_borrow(&heaps[1]->link));
  EXPECT_EQ(registry_adopt(), NULL);
  registry_orphan(&heaps[0]->link);
  EXPECT_EQ(registry_adopt(), &heaps[0]->link);
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
  registry_orphan(&heap->link);
  registry_orphan(&heap->link);
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
      link = registry_adopt();
    } else {
      link = &contested[unit_below(&seed, HEAPS)]->link;
      link = registry_borrow(link) ? link : NULL;
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
    registry_orphan(link);
  }
}

TEST(RegistryTest, AnOrphanHasOneHolderAtATime) {
  struct unit_thread threads[THREADS];
  uint64_t seed = unit_seed();
  hold_orphans();
  for (size_t i = 0; i < HEAPS; i++) {
    contested[i] = heap_new();
    atomic_store(&held[i], 0);
    registry_orphan(&contested[i]->link);
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
    EXPECT_TRUE(registry_borrow(&contested[i]->link));
  }
  EXPECT_EQ(registry_adopt(), NULL);
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
