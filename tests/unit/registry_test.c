/* registry: every heap of the process, and which of them have no thread. */
#include "cold/registry.h"

#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "cold/window.h"
#include "hakmem.h"
#include "os/lock.h"
#include "unit/forks.h"
#include "unit/unit.h"
#include "warm/heap.h"

/* The registry's orphans, as far as other tests have left any, are held back. */
static void hold_orphans(void) {
  enum heap_state was;
  while (registry_take(REGISTRY_OLDEST, &was) != NULL) {
  }
}

/* The orphan that is first in line, or this one; where there is one it was an orphan until now. */
static struct heap_link *take(void) {
  enum heap_state was = HEAP_ORPHAN;
  struct heap_link *heap = registry_take(REGISTRY_OLDEST, &was);
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

TEST(RegistryTest, TheOnlyHeapIsSparedForTheNextThread) {
  struct thread_heap *heaps[2];
  enum heap_state was;
  hold_orphans();
  EXPECT_EQ(registry_take(REGISTRY_SPARE, &was), NULL);
  for (size_t i = 0; i < 2; i++) {
    heaps[i] = heap_new();
    registry_give(&heaps[i]->link);
  }
  EXPECT_EQ(registry_take(REGISTRY_SPARE, &was), &heaps[0]->link); /* another one is left */
  EXPECT_EQ(was, HEAP_ORPHAN);
  EXPECT_EQ(registry_take(REGISTRY_SPARE, &was), NULL);
  EXPECT_EQ(heap_state_of(&heaps[1]->link), HEAP_ORPHAN);
  usleep(40000);
  EXPECT_EQ(registry_take(REGISTRY_SPARE, &was), &heaps[1]->link);
  registry_give(&heaps[1]->link); /* no thread has had it since */
  EXPECT_EQ(registry_take(REGISTRY_SPARE, &was), &heaps[1]->link);
  registry_keep(&heaps[1]->link);
  registry_give(&heaps[1]->link);
  EXPECT_EQ(registry_take(REGISTRY_SPARE, &was), NULL);
  EXPECT_EQ(take(), &heaps[1]->link); /* for a thread that starts */
}

TEST(RegistryTest, AVisitEndsWhenTheHeapIsGivenKeptOrLost) {
  struct thread_heap *heaps[3];
  hold_orphans();
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    registry_keep(link); /* what was held back, now and earlier */
  }
  for (size_t i = 0; i < 3; i++) {
    heaps[i] = heap_new();
    registry_give(&heaps[i]->link);
  }
  EXPECT_EQ(registry_visits(), 0); /* a new heap is no visit of itself */
  EXPECT_EQ(registry_make(), 1);
  registry_made(NULL);
  EXPECT_EQ(registry_visits(), 0);
  EXPECT_EQ(registry_make(), 1);
  registry_made(&heap_new()->link);
  EXPECT_EQ(registry_visits(), 1);
  registry_give(registry_heaps());
  EXPECT_EQ(registry_visits(), 0);
  EXPECT_TRUE(take_this(&heaps[0]->link));
  EXPECT_EQ(registry_visits(), 1);
  EXPECT_EQ(take(), &heaps[1]->link);
  registry_keep(&heaps[1]->link);
  EXPECT_EQ(registry_visits(), 1);
  registry_give(&heaps[0]->link);
  EXPECT_EQ(registry_visits(), 0);
  registry_give(&heaps[1]->link); /* no visit since it was kept */
  EXPECT_EQ(registry_visits(), 0);
  EXPECT_TRUE(take_this(&heaps[2]->link));
  EXPECT_EQ(registry_visits(), 1);
  registry_forked(true); /* in the child */
  EXPECT_EQ(registry_visits(), 0);
  registry_lose(&heaps[2]->link);
  EXPECT_EQ(registry_visits(), 0);
}

/* Those that are about to have a heap count. */
TEST(RegistryTest, OfThreadsThatBeginAtOnceNoMoreMayStart) {
  enum { MORE = 3 };
  size_t most = registry_thread_count() + MORE;
  for (size_t i = 0; i < MORE; i++) {
    EXPECT_TRUE(registry_may_start(most));
  }
  EXPECT_FALSE(registry_may_start(most));
  EXPECT_TRUE(registry_may_start(SIZE_MAX)); /* and counts as well */
  registry_ended();
  EXPECT_FALSE(registry_may_start(most));
  registry_ended();
  EXPECT_EQ(registry_thread_count(), most - 1);
  EXPECT_TRUE(registry_may_start(most));
  registry_forked(true);
  EXPECT_EQ(registry_thread_count(), 1);
  registry_forked(false);
  registry_ended(); /* no more than there were */
  EXPECT_EQ(registry_thread_count(), 0);
  EXPECT_TRUE(registry_may_start(1));
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

/* ---- a lost thread ---- */

enum { ORPHANS = 20, FORKS = 60 };

static struct heap_link *orphans[ORPHANS];
static atomic_bool torn, done;

/* A heap that nobody has; who gives one away is in no critical section any more. */
static struct heap_link *new_orphan(void) {
  struct thread_heap *heap = heap_new();
  registry_give(&heap->link);
  critical_leave();
  return &heap->link;
}

/* Has the lock, and the list's links point anywhere, when the process forks. */
static void tear(void *unused) {
  (void)unused;
  struct heap_link before[ORPHANS];
  lock_take(LOCK_ORPHANS);
  for (size_t i = 0; i < ORPHANS; i++) {
    before[i].next_free = orphans[i]->next_free;
    before[i].previous_free = orphans[i]->previous_free;
    orphans[i]->next_free = i % 3 == 0 ? NULL : orphans[0];
    orphans[i]->previous_free = i % 3 == 1 ? NULL : orphans[ORPHANS - 1];
  }
  atomic_store(&torn, true);
  while (!atomic_load(&done)) {
    sched_yield();
  }
  for (size_t i = 0; i < ORPHANS; i++) {
    orphans[i]->next_free = before[i].next_free;
    orphans[i]->previous_free = before[i].previous_free;
  }
  lock_drop(LOCK_ORPHANS);
}

/* Takes every heap that nobody has: each once, and none is left over. */
static void take_all(size_t *taken) {
  enum heap_state was;
  struct heap_link *heap;
  while ((heap = registry_take(REGISTRY_OLDEST, &was)) != NULL) {
    ASSERT_GE(was, HEAP_ORPHAN);
    ASSERT_EQ(heap_state_of(heap), HEAP_CHANGING); /* it would be taken twice else */
    for (size_t i = 0; i < ORPHANS; i++) {
      taken[i] += orphans[i] == heap;
    }
  }
  for (heap = registry_heaps(); heap != NULL; heap = heap->next_heap) {
    EXPECT_FALSE(heap_has_nobody(heap));
  }
}

static void take_in_child(void *unused) {
  (void)unused;
  size_t taken[ORPHANS] = {0};
  EXPECT_FALSE(take_this(&(struct heap_link){.state = HEAP_OWNED}));
  EXPECT_TRUE(take_this(orphans[7])); /* from the middle */
  registry_give(orphans[7]);
  take_all(taken);
  for (size_t i = 0; i < ORPHANS; i++) {
    EXPECT_EQ(taken[i], 1);
  }
  registry_give(orphans[3]);
  EXPECT_EQ(take(), orphans[3]);
}

static void fork_beside(void *unused) {
  (void)unused;
  struct unit_thread thread;
  for (size_t i = 0; i < ORPHANS; i++) {
    orphans[i] = new_orphan();
  }
  unit_start(&thread, tear, NULL);
  while (!atomic_load(&torn)) {
    sched_yield();
  }
  EXPECT_FORKS(take_in_child, NULL);
  atomic_store(&done, true);
  unit_join(&thread);
  size_t taken[ORPHANS] = {0};
  take_all(taken);
  for (size_t i = 0; i < ORPHANS; i++) {
    EXPECT_EQ(taken[i], 1);
  }
}

TEST(RegistryTest, TheListOfALostThreadIsMadeAnew) {
  SKIP_WITHOUT_FORKS;
  EXPECT_RUNS(fork_beside, NULL, "");
}

static void use_a_heap(void *unused) {
  (void)unused;
  void *blocks[10];
  for (size_t i = 0; i < 10; i++) {
    blocks[i] = hak_malloc(100 * i + 1);
    ASSERT_NE(blocks[i], NULL);
  }
  for (size_t i = 0; i < 10; i++) {
    hak_free(blocks[i]);
  }
}

/* Takes orphans and gives them back, which is all that the registry does for threads that begin and end. */
static void hammer(void *unused) {
  (void)unused;
  while (!atomic_load(&done)) {
    enum heap_state was;
    critical_enter();
    struct heap_link *heap = registry_take(REGISTRY_OLDEST, &was);
    if (heap != NULL) {
      registry_give(heap);
    }
    if (registry_take_this(orphans[ORPHANS / 2], &was)) {
      registry_give(orphans[ORPHANS / 2]);
    }
    critical_leave();
  }
}

static void go_on_in_child(void *unused) {
  (void)unused;
  size_t taken[ORPHANS] = {0};
  for (size_t i = 0; i < 3; i++) {
    unit_in_thread(use_a_heap, NULL);
  }
  take_all(taken);
  for (size_t i = 0; i < ORPHANS; i++) {
    EXPECT_EQ(taken[i], 1);
  }
}

static void fork_often(void *unused) {
  (void)unused;
  for (size_t i = 0; i < ORPHANS; i++) {
    orphans[i] = new_orphan();
  }
  fork_beside_two(FORKS, hammer, &done, go_on_in_child, 1);
}

TEST(RegistryTest, AForkAtAnyMomentLosesNoHeap) {
  SKIP_WITHOUT_FORKS;
  EXPECT_RUNS(fork_often, NULL, "");
}
