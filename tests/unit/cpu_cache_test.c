/* cpu_cache: rows of magazines by CPU, which threads share. Numbers stand for blocks here: nobody looks into a block. */
#include "warm/cpu_cache.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "os/os.h"
#include "unit/heaps.h"

#define SKIP_WITHOUT_ROWS                                                                                              \
  if (!cpu_join()) {                                                                                                   \
    SKIP("the system, or the C library, has no rseq");                                                                 \
  }                                                                                                                    \
  thread_cache.cpu = NULL

enum { CLASS = 9, HOLDS = 20 };

static size_t told;

static void tell(size_t size_class, void *const *top) {
  EXPECT_TRUE(size_class == CLASS || size_class == CLASS + 1);
  told += magazine_count(top);
}

static void empty_rows(void) {
  critical_enter();
  cpu_empty(tell);
  critical_leave();
}

/* A sequence may be abandoned at any time: it is tried again. */
static void give(size_t size_class, void **top) {
  while (!cpu_give(size_class, top)) {
  }
}

/* ---- the start ---- */

/* At its end, after other threads, the process would wait for the system to note it. */
TEST(CpuCacheTest, TheSystemKnowsFromTheStartOnThatRowsAreEmptied) {
#if defined(SYS_membarrier) && HAKMEM_CPU_CACHES
  enum { REGISTRATIONS = 1 << 9, REGISTER_RESTART = 1 << 8 }; /* <linux/membarrier.h>, of Linux 6.3 and later */
  long registrations = syscall(SYS_membarrier, REGISTRATIONS, 0, 0);
  if (registrations >= 0) {
    EXPECT_NE(registrations & REGISTER_RESTART, 0);
    return;
  }
#endif
  SKIP("the system does not say what a process is registered for");
}

/* ---- one thread ---- */

static void empty_both_sets(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  void **one = depot_take_empty(&heap->depot, HOLDS);
  void **other = depot_take_empty(&heap->depot, HOLDS);
  void *blocks[HOLDS];
  EXPECT_EQ(take(heap, CLASS, blocks, 6), 6);
  ASSERT_TRUE(cpu_join());
  EXPECT_EQ(cpu_cached_bytes(), 0);
  uint64_t mark = cpu_mark();
  for (unsigned i = 0; i < 4; i++) {
    one[i + 1] = blocks[i];
  }
  give(CLASS, one + 4);
  EXPECT_NE(cpu_mark(), mark);
  EXPECT_EQ(cpu_cached_bytes(), 4 * (size_t)size_classes[CLASS].stride);
  empty_rows();
  EXPECT_EQ(told, 4);
  EXPECT_EQ(cpu_cached_bytes(), 0);
  /* The other set is in use, and has no magazine. */
  EXPECT_EQ(cpu_take(CLASS), NULL);
  EXPECT_EQ(cpu_pop(CLASS), NULL);
  other[1] = blocks[4];
  other[2] = blocks[5];
  give(CLASS, other + 2);
  EXPECT_EQ(cpu_cached_bytes(), 2 * (size_t)size_classes[CLASS].stride);
  empty_rows();
  EXPECT_EQ(told, 6);
  EXPECT_EQ(cpu_cached_bytes(), 0);
  empty_rows(); /* nothing is told twice */
  empty_rows();
  EXPECT_EQ(told, 6);
  /* Both have kept their magazines. */
  empty_rows();
  unsigned found = 0;
  for (int i = 0; i < 2; i++) {
    for (size_t left = CPU_ROWS_IN_ALL / 2; left > 0; left--) { /* the one that was given on another CPU, perhaps */
      void **top = cpu_take(CLASS);
      found += top == one || top == other;
    }
    empty_rows();
  }
  EXPECT_GE(found, 1);
  EXPECT_LE(found, 2);
}

TEST(CpuCacheTest, WhoEmptiesItIsToldOfEachBlockOnce) {
  SKIP_WITHOUT_ROWS;
  EXPECT_RUNS(empty_both_sets, NULL, "");
}

static void without_it(void *unused) {
  (void)unused;
  EXPECT_EQ(cpu_cached_bytes(), 0);
  EXPECT_EQ(cpu_mark(), 0);
  empty_rows(); /* and asks the system nothing */
  EXPECT_EQ(cpu_cached_bytes(), 0);
}

TEST(CpuCacheTest, WhoNeverJoinsPaysNothing) { EXPECT_RUNS(without_it, NULL, ""); }

/* ---- many threads, moved from CPU to CPU, preempted, interrupted, and emptied meanwhile ---- */

#if HAKMEM_CPU_CACHES

enum { THREADS = 6, EACH = 40, TOKENS = THREADS * EACH, MAGAZINES = 2 * THREADS, ROUNDS = 400000, TICK_US = 300 };

/* The same by the box, which has its rows emptied meanwhile, and by its sequences with rows of this test, by the number
 * of the CPU itself. */
static bool by_number;
static struct cpu_row own_rows[CPU_ROWS];
static struct cpu_row *own = own_rows;

static struct cpu_place place(void) {
  return (struct cpu_place){thread_cache.cpu, offsetof(struct cpu_area, cpu_id), &own};
}

static void *pop(void) { return by_number ? cpu_section_pop(place(), CLASS) : cpu_pop(CLASS); }
static bool push(void *token) { return by_number ? cpu_section_push(place(), CLASS, token) : cpu_push(CLASS, token); }
static void **take_out(void) { return by_number ? cpu_section_take(place(), CLASS) : cpu_take(CLASS); }
static bool put_in(void **top) { return by_number ? cpu_section_give(place(), CLASS, top) : cpu_give(CLASS, top); }

static _Alignas(MAGAZINE_BYTES) void *magazine[MAGAZINES][MAGAZINE_SLOTS];
static atomic_uint times_seen[TOKENS + 1];
static atomic_bool stop;

struct hand {
  void *token[TOKENS];
  size_t count;
};

static _Thread_local struct hand mine, handlers;
static _Thread_local void **spare[MAGAZINES];
static _Thread_local size_t spares;

static void keep(struct hand *hand, void *token) {
  ASSERT_LT(hand->count, TOKENS);
  hand->token[hand->count++] = token;
}

static void count_hand(struct hand *hand) {
  while (hand->count > 0) {
    atomic_fetch_add(&times_seen[(uintptr_t)hand->token[--hand->count]], 1);
  }
}

static void interrupt(int signal) {
  (void)signal;
  if (thread_cache.cpu == NULL) {
    return;
  }
  void *token = pop();
  if (token != NULL) {
    keep(&handlers, token);
  }
  if (handlers.count > 0 && push(handlers.token[handlers.count - 1])) {
    handlers.count--;
  }
}

/* Keeps all that a magazine holds, and the magazine. */
static void keep_all(void **top) {
  for (; *top != NULL; top--) {
    keep(&mine, *top);
  }
  spare[spares++] = top;
}

static void move_to_a_cpu(uint64_t *random) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(unit_below(random, (size_t)sysconf(_SC_NPROCESSORS_ONLN)), &one);
  sched_setaffinity(0, sizeof one, &one);
}

static void step(uint64_t *random) {
  void **top;
  void *token;
  switch (unit_below(random, 8)) {
  case 0:
  case 1:
  case 2:
    if ((token = pop()) != NULL) {
      keep(&mine, token);
    }
    break;
  case 3:
  case 4:
  case 5:
    if (mine.count > 0 && push(mine.token[mine.count - 1])) {
      mine.count--;
    }
    break;
  case 6:
    if ((top = take_out()) != NULL && !put_in(top)) {
      keep_all(top);
    }
    break;
  default:
    if (spares > 0 && put_in(spare[spares - 1])) {
      spares--;
    }
  }
}

static void share_rows(void *slot) {
  size_t first = (size_t)(uintptr_t)slot;
  uint64_t random = unit_seed() + first;
  ASSERT_TRUE(cpu_join());
  for (size_t i = 0; i < EACH; i++) {
    keep(&mine, (void *)(first * EACH + i + 1)); // NOLINT(performance-no-int-to-ptr)
  }
  for (size_t i = 0; i < 2; i++) {
    spare[spares++] = magazine_bottom(magazine[2 * first + i], HOLDS);
  }
  for (size_t i = 0; i < ROUNDS; i++) {
    step(&random);
    if (i % 512 == 0) {
      move_to_a_cpu(&random);
    }
  }
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, NULL);
  count_hand(&mine);
  count_hand(&handlers);
  thread_cache.cpu = NULL;
}

static void see(size_t size_class, void *const *top) {
  EXPECT_EQ(size_class, CLASS);
  for (; *top != NULL; top--) {
    keep(&mine, *top);
  }
}

/* What it finds it gives back, as one that joins. */
static void empty_them(void *unused) {
  (void)unused;
  uint64_t random = 1;
  ASSERT_TRUE(cpu_join());
  while (!atomic_load(&stop)) {
    critical_enter();
    cpu_empty(see);
    critical_leave();
    for (size_t i = 0; i < 200 && mine.count > 0; i++) {
      step(&random);
    }
    usleep(500);
  }
  count_hand(&mine);
  thread_cache.cpu = NULL;
}

/* They have none afterwards: the check at exit would take them for blocks. */
static void count_rows(struct cpu_row *rows, size_t count) {
  for (size_t i = 0; i < count; i++) {
    for (void **top = rows[i].top[CLASS]; top != NULL && *top != NULL; top--) {
      atomic_fetch_add(&times_seen[(uintptr_t)*top], 1);
    }
    rows[i].top[CLASS] = NULL;
  }
}

static void share_among_many(void *unused) {
  (void)unused;
  struct unit_thread threads[THREADS];
  struct unit_thread emptier;
  struct itimerval tick = {{0, TICK_US}, {0, TICK_US}};
  struct sigaction action = {.sa_handler = interrupt, .sa_flags = SA_RESTART};
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &tick, NULL);
  for (size_t i = 0; i < THREADS; i++) {
    unit_start(&threads[i], share_rows, (void *)i); // NOLINT(performance-no-int-to-ptr)
  }
  if (!by_number) {
    unit_start(&emptier, empty_them, NULL);
  }
  for (size_t i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  atomic_store(&stop, true);
  if (!by_number) {
    unit_join(&emptier);
  }
  tick = (struct itimerval){{0, 0}, {0, 0}};
  setitimer(ITIMER_REAL, &tick, NULL);
  count_hand(&handlers); /* of this thread */
  count_rows(own_rows, CPU_ROWS);
  count_rows(cpu_rows, CPU_ROWS_IN_ALL);
  for (size_t i = 1; i <= TOKENS; i++) {
    NOTE("block %zu", i);
    ASSERT_EQ(atomic_load(&times_seen[i]), 1);
  }
}

static void share_by_number(void *unused) {
  by_number = true;
  share_among_many(unused);
}

TEST(CpuCacheTest, NoBlockIsLostOrTwiceWhereThreadsAreMovedInterruptedAndEmptied) {
  SKIP_WITHOUT_ROWS;
  EXPECT_RUNS(share_among_many, NULL, "");
}

TEST(CpuCacheTest, NorWhereRowsAreThoseOfTheCpusThemselves) {
  SKIP_WITHOUT_ROWS;
  EXPECT_RUNS(share_by_number, NULL, "");
}

#endif

/* ---- fork ---- */

static void find_the_rest(void *unused) {
  (void)unused;
  told = 0;
  cpu_forked();
  empty_rows();
  empty_rows();
  EXPECT_EQ(told, HOLDS);
}

static void fork_while_emptying(size_t size_class, void *const *top) {
  if (size_class == CLASS) {
    EXPECT_EQ(magazine_count(top), 3);
    EXPECT_FORKS(find_the_rest, NULL);
  }
  told += magazine_count(top);
}

static void give_some(struct thread_heap *heap, size_t size_class, unsigned count) {
  void **bottom = depot_take_empty(&heap->depot, HOLDS);
  EXPECT_EQ(take(heap, size_class, bottom + 1, count), count);
  give(size_class, bottom + count);
}

static void fork_in_between(void *unused) {
  (void)unused;
  struct thread_heap *heap = new_heap();
  ASSERT_TRUE(cpu_join());
  give_some(heap, CLASS, 3);
  give_some(heap, CLASS + 1, HOLDS);
  critical_enter();
  cpu_empty(fork_while_emptying);
  critical_leave();
  EXPECT_EQ(told, 3 + HOLDS);
}

/* What was on its way is lost to the child, and it has nothing twice. */
TEST(CpuCacheTest, AForkWhileItIsEmptiedLosesOneMagazine) {
  SKIP_WITHOUT_ROWS;
  EXPECT_RUNS(fork_in_between, NULL, "");
}
