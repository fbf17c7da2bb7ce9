/* light_work: threads that begin after others have ended are brief, until one of them does more. */
#include "warm/light_work.h"

#include <sched.h>

#include "config/config.h"
#include "unit/forks.h"
#include "unit/light_threads.h"
#include "warm/release.h"

enum { SIZE = 64, BRIEF_WORK = 2048, LASTING_NEXT = 128 };

/* How many blocks the thread is given until it has a heap; MORE: it has none by then. */
enum { MORE = 2 * BRIEF_WORK };

static size_t use_until_it_has_a_heap(size_t times) {
  size_t used = 0;
  while (used < times && thread_cache.heap == NULL) {
    void *block = hak_malloc(SIZE);
    EXPECT_NE(block, NULL);
    hak_free(block);
    used++;
  }
  return used;
}

static void use_much(void *used) { *(size_t *)used = use_until_it_has_a_heap(MORE); }
static void use_little(void *used) { *(size_t *)used = use_until_it_has_a_heap(100); }

static size_t blocks_without_a_heap(void (*use)(void *used)) {
  size_t used = 0;
  unit_in_thread(use, &used);
  return used;
}

static void begin_a_process(void) {
  hak_free(hak_malloc(1)); /* the first thread has a heap */
  ASSERT_NE(thread_cache.heap, NULL);
  hold_orphans();
}

static void begin_after_a_thread_has_ended(void) {
  begin_a_process();
  EXPECT_EQ(blocks_without_a_heap(use_little), 1); /* none had until now */
}

static void be_brief(void *unused) {
  (void)unused;
  begin_a_process();
  size_t threads = registry_thread_count();
  EXPECT_EQ(blocks_without_a_heap(use_little), 1); /* no thread has ended so far */
  size_t heaps = heap_count();
  for (int i = 0; i < 200; i++) {
    ASSERT_EQ(blocks_without_a_heap(use_little), 100);
  }
  EXPECT_EQ(heap_count(), heaps);
  EXPECT_EQ(registry_thread_count(), threads);
}

TEST(LightWorkTest, AThreadThatDoesLittleAfterOthersHaveEndedHasNoHeap) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(be_brief, NULL, "");
}

static void outgrow(void *unused) {
  (void)unused;
  begin_after_a_thread_has_ended();
  size_t used = blocks_without_a_heap(use_much);
  EXPECT_GE(used, BRIEF_WORK / 2);
  EXPECT_LE(used, BRIEF_WORK);
  for (size_t i = 0; i < LASTING_NEXT; i++) {
    ASSERT_EQ(blocks_without_a_heap(use_little), 1); /* expected to last */
  }
  EXPECT_EQ(blocks_without_a_heap(use_little), 100);
}

TEST(LightWorkTest, AfterOneThatDoesMoreTheNextBeginWithAHeap) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(outgrow, NULL, "");
}

static void stay_on_this_cpu(void) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET((size_t)sched_getcpu(), &one);
  ASSERT_EQ(sched_setaffinity(0, sizeof one, &one), 0);
}

static void leave_nothing(void *unused) {
  (void)unused;
  stay_on_this_cpu(); /* so do its threads */
  begin_after_a_thread_has_ended();
  EXPECT_EQ(blocks_without_a_heap(use_little), 100);
  EXPECT_GT(cpu_cached_bytes(), 0);
  EXPECT_LE(blocks_without_a_heap(use_much), BRIEF_WORK);
  EXPECT_EQ(cpu_cached_bytes(), 0);
  release_free_memory(RELEASE_ALL);
  EXPECT_EQ(live_in_orphans(), 0);
}

TEST(LightWorkTest, OneThatDoesMoreLeavesNothingAtItsCpu) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(leave_nothing, NULL, "");
}

static void free_first(void *block) {
  hak_free(block);
  EXPECT_EQ(use_until_it_has_a_heap(100), 100);
}

static void free_another_threads_block(void *unused) {
  (void)unused;
  begin_after_a_thread_has_ended();
  unit_in_thread(free_first, hak_malloc(SIZE));
}

TEST(LightWorkTest, AThreadMayFreeBeforeItIsBrief) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(free_another_threads_block, NULL, "");
}

static void be_sampled(void *unused) {
  (void)unused;
  begin_after_a_thread_has_ended();
  options.guard_every = 1000000; /* slow paths, which a heap counts */
  EXPECT_EQ(blocks_without_a_heap(use_little), 1);
}

TEST(LightWorkTest, WhereBlocksAreGuardedSamplesAThreadHasAHeap) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(be_sampled, NULL, "");
}

/* As many have a heap as may at once: it is light for longer. */
static void join_a_crowd(void *unused) {
  (void)unused;
  begin_after_a_thread_has_ended();
  count_as_heaps_at_once();
  EXPECT_EQ(blocks_without_a_heap(use_much), MORE);
}

TEST(LightWorkTest, InACrowdAThreadIsLightForLonger) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(join_a_crowd, NULL, "");
}

static void crowd_while_brief(void *used) {
  *(size_t *)used = use_until_it_has_a_heap(100);
  count_as_heaps_at_once();
  *(size_t *)used += use_until_it_has_a_heap(MORE);
}

static void be_crowded_out(void *unused) {
  (void)unused;
  begin_after_a_thread_has_ended();
  EXPECT_EQ(blocks_without_a_heap(crowd_while_brief), 100 + MORE);
}

TEST(LightWorkTest, ABriefThreadThatDoesMoreInACrowdStaysLight) {
  SKIP_WITHOUT_ROWS
  EXPECT_RUNS(be_crowded_out, NULL, "");
}
