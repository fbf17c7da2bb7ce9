/* process: the beginning and the forks of a process. */
#include "warm/process.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "cold/cold.h"
#include "hakmem.h"
#include "unit/forks.h"
#include "unit/heaps.h"
#include "warm/thread.h"
#include "warm/warm.h"

static void ask(void *base) {
  for (int i = 0; i < 1000; i++) {
    ASSERT_TRUE(process_start());
    ASSERT_EQ(window_base, *(uintptr_t *)base);
  }
}

TEST(ProcessTest, StartsOnce) {
  struct unit_thread threads[4];
  uintptr_t base = window_base;
  ASSERT_NE(base, 0);
  for (size_t i = 0; i < 4; i++) {
    unit_start(&threads[i], ask, &base);
  }
  for (size_t i = 0; i < 4; i++) {
    unit_join(&threads[i]);
  }
}

/* ---- a child goes on ---- */

static void free_and_work(void *block) {
  EXPECT_EQ(memcmp(block, "before the fork", 16), 0);
  hak_free(block);
  work_everywhere((void *)1);
}

TEST(ProcessTest, TheChildGoesOnWithTheParentsBlocks) {
  SKIP_WITHOUT_FORKS
  const size_t sizes[] = {16, 1000, 20000, 100000, 5000000};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    char *block = hak_malloc(sizes[i]);
    memcpy(block, "before the fork", 16);
    EXPECT_FORKS(free_and_work, block);
    EXPECT_EQ(memcmp(block, "before the fork", 16), 0);
    hak_free(block);
  }
}

/* ---- a child of a process that has one thread ---- */

/* Whether the page is the process's alone, as <https://docs.kernel.org/admin-guide/mm/pagemap.html> has it in bit 56. */
static bool is_own_page(const void *address, bool *known) {
  uint64_t entry = 0;
  int pages = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  off_t place = (off_t)((uintptr_t)address / os_page_size() * sizeof entry);
  *known = pages >= 0 && pread(pages, &entry, sizeof entry, place) == sizeof entry && (entry >> 63 & 1) == 1;
  close(pages);
  return (entry >> 56 & 1) == 1;
}

static void expect_the_heap_to_be_shared(void *unused) {
  (void)unused;
  bool known = false;
  EXPECT_FALSE(is_own_page(thread_cache.heap, &known));
  EXPECT_TRUE(known);
  hak_free(hak_malloc(100000));
  EXPECT_TRUE(is_own_page(thread_cache.heap, &known)); /* a change is seen */
}

extern char one_thread __asm__("__libc_single_threaded") __attribute__((weak));

/* The tests have had other threads. Their child has one, and the C library may not say so. */
static void fork_with_one_thread(void *unused) {
  (void)unused;
  one_thread = 1;
  EXPECT_TRUE(os_has_one_thread());
  hak_free(hak_malloc(100000));
  EXPECT_FORKS(expect_the_heap_to_be_shared, NULL);
}

TEST(ProcessTest, AChildOfOneThreadLeavesTheHeapAloneUntilItAllocates) {
  bool known = false;
  hak_free(hak_malloc(100000));
  is_own_page(thread_cache.heap, &known);
  if (&one_thread == NULL || !known || UNIT_THREAD_SANITIZED) {
    SKIP("the C library does not say how many threads there are, or the system who has a page");
  }
  EXPECT_FORKS(fork_with_one_thread, NULL);
}

static void fork_again(void *depth) {
  work((void *)3);
  if (depth != NULL) {
    EXPECT_FORKS(fork_again, (void *)((uintptr_t)depth - 1));
  }
  work((void *)4);
}

TEST(ProcessTest, ChildrenHaveChildren) {
  SKIP_WITHOUT_FORKS
  fork_again((void *)3);
}

static void fork_on_a_thread(void *unused) {
  (void)unused;
  char *block = hak_malloc(100);
  memcpy(block, "before the fork", 16);
  EXPECT_FORKS(free_and_work, block);
  hak_free(block);
}

static void fork_on_a_new_thread(void *unused) {
  (void)unused;
  EXPECT_FORKS(work_everywhere, (void *)5);
}

TEST(ProcessTest, AnyThreadMayFork) {
  SKIP_WITHOUT_FORKS
  unit_in_thread(fork_on_a_thread, NULL);
  unit_in_thread(fork_on_a_new_thread, NULL);
}

/* ---- heaps of threads that are gone in the child ---- */

enum { KEPT = 6, CACHED = 300, SIZE = 1000 };

static struct {
  pthread_barrier_t ready, done;
  struct thread_heap *heap;
  char *kept[KEPT];
  bool changing;
} idle;

static void be_idle(void *unused) {
  (void)unused;
  void *cached[CACHED];
  for (size_t i = 0; i < KEPT; i++) {
    idle.kept[i] = hak_malloc(SIZE);
    memset(idle.kept[i], 'k', SIZE);
  }
  for (size_t i = 0; i < CACHED; i++) {
    cached[i] = hak_malloc(SIZE);
  }
  for (size_t i = 0; i < CACHED; i++) {
    hak_free(cached[i]);
  }
  idle.heap = thread_cache.heap;
  if (idle.changing) {
    heap_enter(idle.heap);
  }
  pthread_barrier_wait(&idle.ready);
  pthread_barrier_wait(&idle.done);
  if (idle.changing) {
    heap_leave(idle.heap);
  }
  for (size_t i = 0; i < KEPT; i++) {
    hak_free(idle.kept[i]);
  }
}

static void beside_an_idle_thread(bool changing, void (*forks)(void *)) {
  struct unit_thread thread;
  hold_orphans(); /* the thread gets a new heap */
  idle.changing = changing;
  pthread_barrier_init(&idle.ready, NULL, 2);
  pthread_barrier_init(&idle.done, NULL, 2);
  unit_start(&thread, be_idle, NULL);
  pthread_barrier_wait(&idle.ready);
  const enum heap_state state = changing ? HEAP_CHANGING : HEAP_OWNED;
  EXPECT_EQ(heap_state_of(&idle.heap->link), state);
  forks(NULL);
  /* Nothing of that reaches the parent. */
  EXPECT_EQ(heap_state_of(&idle.heap->link), state);
  EXPECT_EQ(critical_deferred, NULL);
  pthread_barrier_wait(&idle.done);
  unit_join(&thread);
}

static void claim_heap(void *unused) {
  (void)unused;
  size_t size_class = size_class_of(SIZE);
  EXPECT_EQ(heap_state_of(&idle.heap->link), idle.changing ? HEAP_TORN : HEAP_LOST);
  EXPECT_EQ(idle.heap->cache, NULL);
  ASSERT_EQ(heap_claim_this(idle.heap), idle.heap);
  EXPECT_EQ(heap_state_of(&idle.heap->link), HEAP_CHANGING);
  struct heap_census census = heap_census(idle.heap, size_class);
  EXPECT_EQ(census.cached, 0);
  EXPECT_EQ(census.depot, 0);
  EXPECT_EQ(census.capacity - census.free - census.remote, KEPT);
  heap_give(idle.heap);
  for (size_t i = 0; i < KEPT; i++) {
    EXPECT_EQ(idle.kept[i][SIZE - 1], 'k');
    hak_free(idle.kept[i]);
  }
  work_everywhere((void *)6);
}

static void fork_and_claim(void *unused) {
  (void)unused;
  EXPECT_FORKS(claim_heap, NULL);
}

TEST(ProcessTest, TheHeapOfAThreadThatIsGoneIsAnOrphanWithNothingLost) {
  SKIP_WITHOUT_FORKS
  beside_an_idle_thread(false, fork_and_claim);
}

static void have_adopted(void *adopted) {
  void *block = hak_malloc(SIZE);
  *(bool *)adopted = thread_cache.heap == idle.heap;
  EXPECT_TRUE(!*(bool *)adopted || heap_state_of(&idle.heap->link) == HEAP_OWNED);
  hak_free(block);
}

static void adopt_by_a_new_thread(void *unused) {
  (void)unused;
  let_threads_last();
  bool adopted = false;
  for (int i = 0; i < 100 && !adopted; i++) {
    unit_in_thread(have_adopted, &adopted);
  }
  EXPECT_TRUE(adopted);
  for (size_t i = 0; i < KEPT; i++) {
    hak_free(idle.kept[i]);
  }
  hak_collect();
  struct heap_census census = heap_census(idle.heap, size_class_of(SIZE));
  EXPECT_EQ(census.capacity, census.free);
}

static void fork_and_adopt(void *unused) {
  (void)unused;
  EXPECT_FORKS(adopt_by_a_new_thread, NULL);
}

TEST(ProcessTest, ThreadsOfTheChildAdoptIt) {
  SKIP_WITHOUT_FORKS
  beside_an_idle_thread(false, fork_and_adopt);
}

TEST(ProcessTest, AHeapThatWasChangingIsBuiltAnewWithNothingLost) {
  SKIP_WITHOUT_FORKS
  beside_an_idle_thread(true, fork_and_claim);
}

static void end_the_call_and_claim(void *unused) {
  (void)unused;
  struct thread_heap *mine = thread_cache.heap;
  EXPECT_EQ(critical_depth, 1);
  EXPECT_NE(critical_deferred, NULL);
  EXPECT_EQ(heap_state_of(&mine->link), HEAP_CHANGING);
  EXPECT_EQ(heap_state_of(&idle.heap->link), HEAP_CHANGING); /* as the fork found it */
  EXPECT_NE(idle.heap->cache, NULL);
  critical_enter();
  critical_leave(); /* not the outermost */
  EXPECT_EQ(heap_state_of(&idle.heap->link), HEAP_CHANGING);
  heap_leave(mine);
  EXPECT_EQ(critical_deferred, NULL);
  EXPECT_EQ(heap_state_of(&mine->link), HEAP_OWNED);
  claim_heap(NULL);
}

static void fork_within_a_call(void *unused) {
  (void)unused;
  struct thread_heap *mine = thread_heap();
  heap_enter(mine);
  EXPECT_FORKS(end_the_call_and_claim, NULL);
  heap_leave(mine);
}

TEST(ProcessTest, AForkWithinACallMendsTheChildWhenTheCallEnds) {
  SKIP_WITHOUT_FORKS
  beside_an_idle_thread(true, fork_within_a_call);
}

static void end_the_lock_and_claim(void *unused) {
  (void)unused;
  EXPECT_EQ(lock_held_ranks(), 1U << LOCK_HUGE); /* its own: still held, and not torn */
  EXPECT_EQ(heap_state_of(&idle.heap->link), HEAP_CHANGING);
  lock_drop(LOCK_HUGE);
  EXPECT_FALSE(lock_take(LOCK_HUGE));
  lock_drop(LOCK_HUGE);
  claim_heap(NULL);
}

static void fork_within_a_lock(void *unused) {
  (void)unused;
  EXPECT_FALSE(lock_take(LOCK_HUGE));
  EXPECT_FORKS(end_the_lock_and_claim, NULL);
  lock_drop(LOCK_HUGE);
}

TEST(ProcessTest, AForkUnderALockMendsTheChildWhenTheLockIsDropped) {
  SKIP_WITHOUT_FORKS
  beside_an_idle_thread(true, fork_within_a_lock);
}

/* ---- a handler that forks, whatever it interrupts ----
 *
 * A thread runs one instruction at a time, and every so many the handler of that signal forks. The child goes on with the call
 * that was interrupted, while another thread, which it does not have, was changing its heap. */

#if defined(__x86_64__) && !UNIT_SANITIZED

enum { EVERY_DEFAULT = 997, PLENTY = 100 };

static struct {
  size_t every, steps, forks;
  bool is_child;
  void *others[PLENTY];
} handler;

static void fork_on_step(int number, siginfo_t *info, void *context) {
  (void)number;
  (void)info;
  if (handler.steps++ % handler.every != 0) {
    return;
  }
  handler.forks++;
  pid_t child = fork();
  if (child == 0) {
    handler.is_child = true;
    alarm(20);
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~0x100;
    return;
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

static void step_from_here(void) { __asm__ volatile("pushfq\n\torl $0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc"); }
static void step_no_more(void) { __asm__ volatile("pushfq\n\tandl $~0x100, (%%rsp)\n\tpopfq" ::: "memory", "cc"); }

/* All paths of WARM and COLD, and blocks that are live throughout. */
static void make_calls(void) {
  static const size_t sizes[] = {16, 200, 1000, 6000, 100000, 3000000};
  static unsigned char *made[PLENTY];
  for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++) {
    const size_t count = sizes[s] > 50000 ? 3 : PLENTY;
    for (size_t i = 0; i < count; i++) {
      made[i] = hak_malloc(sizes[s]);
      ASSERT_NE(made[i], NULL);
      made[i][0] = made[i][sizes[s] - 1] = (unsigned char)i;
    }
    for (size_t i = 0; i < count; i++) {
      ASSERT_TRUE(made[i][0] == i && made[i][sizes[s] - 1] == i);
      hak_free(made[i]);
    }
  }
  for (size_t i = 0; i < PLENTY; i++) {
    hak_free(handler.others[i]);
  }
  hak_collect();
}

static void lend_and_change(void *unused) {
  for (size_t i = 0; i < PLENTY; i++) {
    handler.others[i] = hak_malloc(i % 2 == 0 ? 64 : 2000);
  }
  be_idle(unused);
}

static void fork_in_handlers(void *unused) {
  (void)unused;
  struct unit_thread thread;
  struct sigaction action = {.sa_sigaction = fork_on_step, .sa_flags = SA_SIGINFO};
  sigaction(SIGTRAP, &action, NULL);
  const char *every = getenv("HAKMEM_TEST_FORK_EVERY");
  handler.every = every != NULL ? strtoul(every, NULL, 10) : EVERY_DEFAULT;
  idle.changing = true;
  pthread_barrier_init(&idle.ready, NULL, 2);
  pthread_barrier_init(&idle.done, NULL, 2);
  unit_start(&thread, lend_and_change, NULL);
  pthread_barrier_wait(&idle.ready);
  thread_heap();
  step_from_here();
  make_calls();
  step_no_more();
  EXPECT_EQ(critical_depth, 0);
  EXPECT_EQ(critical_deferred, NULL);
  EXPECT_EQ(lock_held_ranks(), 0);
  EXPECT_EQ(heap_state_of(&thread_cache.heap->link), HEAP_OWNED);
  EXPECT_EQ(heap_state_of(&idle.heap->link) == HEAP_CHANGING, !handler.is_child);
  for (size_t i = 0; i < KEPT; i++) {
    EXPECT_EQ(idle.kept[i][SIZE - 1], 'k');
  }
  if (!handler.is_child) {
    pthread_barrier_wait(&idle.done);
    unit_join(&thread);
    printf("%zu instructions, %zu forks\n", handler.steps, handler.forks);
    EXPECT_GT(handler.forks, 100);
    return;
  }
  work_everywhere((void *)7);
  for (size_t i = 0; i < KEPT; i++) {
    hak_free(idle.kept[i]);
  }
  hak_collect();
  EXPECT_TRUE(pool_is_valid());
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    struct thread_heap *heap = heap_of_link(link);
    EXPECT_EQ(heap_state_of(link), heap == thread_cache.heap ? HEAP_OWNED : HEAP_ORPHAN);
    expect_census(heap, size_class_of(64), 0);
    expect_census(heap, size_class_of(2000), 0);
  }
}

TEST(ProcessTest, AHandlerMayForkWhateverCallItInterrupts) { EXPECT_RUNS(fork_in_handlers, NULL, ""); }

#else

TEST(ProcessTest, AHandlerMayForkWhateverCallItInterrupts) { SKIP("a thread is stepped by x86-64's trap flag"); }

#endif
