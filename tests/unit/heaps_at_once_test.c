/* light: how many threads have a heap from the start on, on a machine with more processors (--wrap=os_processors). */
#include "unit/light_threads.h"

enum { PROCESSORS = 16 };

size_t __wrap_os_processors(void);

size_t __wrap_os_processors(void) { return PROCESSORS; }

static void have_a_heap(void *unused) {
  (void)unused;
  hak_free(hak_malloc(1));
  EXPECT_NE(thread_cache.heap, NULL);
}

static void have_none(void *unused) {
  (void)unused;
  hak_free(hak_malloc(1));
  EXPECT_EQ(thread_cache.heap, NULL);
}

static void count_them(void *unused) {
  hak_free(hak_malloc(1));
  EXPECT_EQ(light_heaps_at_once(), PROCESSORS);
  while (registry_may_start(PROCESSORS - 1)) {
  }
  unit_in_thread(have_a_heap, unused);
  EXPECT_TRUE(registry_may_start(PROCESSORS));
  unit_in_thread(have_none, unused);
}

TEST(HeapsAtOnceTest, AsManyThreadsHaveOneAsCanRunAtOnce) { EXPECT_RUNS(count_them, NULL, ""); }
