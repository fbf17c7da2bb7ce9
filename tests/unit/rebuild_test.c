/* rebuild: a heap that a lost thread was changing.
 *
 * One thread does a bit of everything, one instruction at a time; between two of them, at every place or every so many, the process
 * forks, and the child must find a heap that it can use. HAKMEM_TEST_FORK_EVERY=1 forks at each instruction: an hour. */
#include "warm/rebuild.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "cold/shared_pool.h"
#include "hakmem.h"
#include "unit/unit.h"
#include "warm/census.h"
#include "warm/coalesce.h"
#include "warm/release.h"

#if defined(__x86_64__) && !UNIT_SANITIZED

/* Lost is what the thread has allocated and not freed yet, and what it has in its hands. */
enum { LIVE = 40, OTHERS = 200, IN_USE_MAX = 150, LOST_MAX = IN_USE_MAX + 63 + 64, EVERY_DEFAULT = 701 };

static const size_t sizes[] = {16, 200, 1000, 6000};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

/* What the stepping thread has for certain, whatever it is doing; and blocks of the main thread for it to free. */
static unsigned char *live[SIZES][LIVE];
static void *others[OTHERS];

enum {
  SPARSE = 1280,
  SPARSE_ONE_IN = 16,
  SPARSE_BYTES = 256,
  WANTED = 12,
  COALESCED_MAX = 64 /* cached by the class of 1000 bytes */
};
static unsigned char *sparse[SPARSE];

static struct {
  atomic_uint parked, go;
  atomic_bool done;
  atomic_size_t steps;
  size_t every;
  struct thread_heap *heap;
  unsigned coalesced;
} stepping;

static void short_sleep(void) {
  struct timespec time = {0, 20000};
  nanosleep(&time, NULL);
}

/* Waits for the main thread to fork, every so many instructions, whatever it holds. */
static void on_step(int number) {
  (void)number;
  size_t step = atomic_fetch_add(&stepping.steps, 1);
  if (step % stepping.every != 0) {
    return;
  }
  unsigned turn = atomic_fetch_add(&stepping.parked, 1) + 1;
  while (atomic_load(&stepping.go) != turn) {
    short_sleep();
  }
}

static void step_from_here(void) { __asm__ volatile("pushfq\n\torl $0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc"); }
static void step_no_more(void) { __asm__ volatile("pushfq\n\tandl $~0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc"); }

static void allocate_and_free(size_t size, int count) {
  void *blocks[IN_USE_MAX];
  for (int i = 0; i < count; i++) {
    blocks[i] = hak_malloc(size);
  }
  for (int i = 0; i < count; i++) {
    hak_free(blocks[i]);
  }
}

/* Slabs in which one block of 16 is live; the others may be coalesced. */
static void make_sparse(void) {
  static void *blocks[SPARSE * SPARSE_ONE_IN];
  for (size_t i = 0; i < SPARSE * SPARSE_ONE_IN; i++) {
    blocks[i] = hak_malloc(SPARSE_BYTES);
  }
  for (size_t i = 0; i < SPARSE * SPARSE_ONE_IN; i++) {
    if (i % SPARSE_ONE_IN != 0) {
      hak_free(blocks[i]);
    } else {
      sparse[i / SPARSE_ONE_IN] = blocks[i];
      memset(blocks[i], (int)(i / SPARSE_ONE_IN), SPARSE_BYTES);
    }
  }
}

static void coalesce(void) {
  void *blocks[WANTED];
  heap_enter(stepping.heap);
  unsigned taken = heap_coalesce(stepping.heap, size_class_of(1000), &blocks[WANTED - 1], WANTED);
  heap_leave(stepping.heap);
  stepping.coalesced = taken;
  for (unsigned i = 0; i < taken; i++) {
    hak_free(blocks[WANTED - 1 - i]);
  }
}

static void be_stepped(void *unused) {
  (void)unused;
  make_sparse();
  for (size_t s = 0; s < SIZES; s++) {
    allocate_and_free(sizes[s], 140);
    for (size_t i = 0; i < LIVE; i++) {
      live[s][i] = hak_malloc(sizes[s]);
      memset(live[s][i], (int)(s * LIVE + i), sizes[s]);
    }
  }
  (void)release_free_memory(RELEASE_ALL); /* what is resident would serve first */
  stepping.heap = thread_cache.heap;
  step_from_here();
  coalesce();
  for (size_t s = 0; s < SIZES; s++) {
    allocate_and_free(sizes[s], s == 0 ? IN_USE_MAX : 70);
  }
  for (size_t i = 0; i < OTHERS; i++) {
    hak_free(others[i]);
  }
  hak_collect();
  allocate_and_free(sizes[1], 70);
  allocate_and_free(100000, 3);
  step_no_more();
  atomic_store(&stepping.done, true);
}

static void check_live(void) {
  for (size_t s = 0; s < SIZES; s++) {
    for (size_t i = 0; i < LIVE; i++) {
      EXPECT_EQ(live[s][i][0], (unsigned char)(s * LIVE + i));
      EXPECT_EQ(live[s][i][sizes[s] - 1], (unsigned char)(s * LIVE + i));
    }
  }
  for (size_t i = 0; i < SPARSE; i++) {
    EXPECT_EQ(sparse[i][0], (unsigned char)i);
    EXPECT_EQ(sparse[i][SPARSE_BYTES - 1], (unsigned char)i);
  }
}

/* Takes blocks of every size until the slabs have served several times over: none may be live. */
static void take_many(void *unused) {
  (void)unused;
  enum { MANY = 600 };
  static void *blocks[SIZES][MANY];
  for (size_t s = 0; s < SIZES; s++) {
    for (size_t i = 0; i < MANY; i++) {
      blocks[s][i] = hak_malloc(sizes[s]);
      ASSERT_NE(blocks[s][i], NULL);
      memset(blocks[s][i], 0xee, sizes[s]);
    }
  }
  for (size_t s = 0; s < SIZES; s++) {
    for (size_t i = 0; i < MANY; i++) {
      hak_free(blocks[s][i]);
    }
  }
}

static void go_on_in_child(void *unused) {
  (void)unused;
  hak_collect(); /* takes every orphan over */
  EXPECT_EQ(heap_state_of(&stepping.heap->link), HEAP_ORPHAN);
  take_many(NULL);
  unit_in_thread(take_many, NULL);
  check_live();
  for (size_t s = 0; s < SIZES; s++) {
    for (size_t i = 0; i < LIVE; i++) {
      hak_free(live[s][i]);
    }
  }
  hak_collect();
  EXPECT_TRUE(pool_is_valid());
  for (size_t s = 0; s < SIZES; s++) {
    struct heap_census census = heap_census(stepping.heap, size_class_of(sizes[s]));
    EXPECT_LE(census.capacity - census.free - census.remote, LOST_MAX);
  }
  struct heap_census census = heap_census(stepping.heap, size_class_of(SPARSE_BYTES));
  EXPECT_LE(census.capacity - census.free - census.remote, SPARSE + LOST_MAX + COALESCED_MAX);
}

TEST(RebuildTest, AForkAtAnyInstructionLeavesAUsableHeap) {
  const char *every = getenv("HAKMEM_TEST_FORK_EVERY");
  stepping.every = every != NULL ? strtoul(every, NULL, 10) : EVERY_DEFAULT;
  for (size_t i = 0; i < OTHERS; i++) {
    others[i] = hak_malloc(sizes[i % SIZES]);
  }
  struct sigaction action = {.sa_handler = on_step};
  sigaction(SIGTRAP, &action, NULL);
  struct unit_thread thread;
  unit_start(&thread, be_stepped, NULL);
  size_t forks = 0;
  while (!atomic_load(&stepping.done)) {
    if (atomic_load(&stepping.parked) == atomic_load(&stepping.go)) {
      short_sleep();
      continue;
    }
    NOTE("fork after %zu instructions", atomic_load(&stepping.steps));
    EXPECT_FORKS(go_on_in_child, NULL);
    forks++;
    atomic_fetch_add(&stepping.go, 1);
  }
  unit_join(&thread);
  check_live();
  for (size_t s = 0; s < SIZES; s++) {
    for (size_t i = 0; i < LIVE; i++) {
      hak_free(live[s][i]);
    }
  }
  printf("%zu instructions, %zu forks\n", atomic_load(&stepping.steps), forks);
  EXPECT_GT(forks, 100);
  EXPECT_EQ(stepping.coalesced, WANTED);
}

#else

TEST(RebuildTest, AForkAtAnyInstructionLeavesAUsableHeap) { SKIP("a thread is stepped by x86-64's trap flag"); }

#endif
