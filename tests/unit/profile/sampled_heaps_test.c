/* sampled_heaps: blocks of slabs with tags of their own, which obey every rule of slabs. */
#include "profile/sampled_heaps.h"

#include <sched.h>
#include <string.h>

#include "hot/hot.h"
#include "unit/heaps.h"

TEST(SampledHeapsTest, BlocksOfEachClassHaveAReservedTag) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    char *block = sampled_heaps_take(size_class);
    ASSERT_NE(block, NULL);
    unit_tag tag = unit_tag_of(block);
    EXPECT_TRUE(sample_tag(tag));
    EXPECT_EQ(unit_tag_class(tag), size_class);
    EXPECT_EQ(gate_usable_size(block, "test"), size_classes[size_class].stride);
    memset(block, 1, size_classes[size_class].stride);
    gate_free(block);
  }
  EXPECT_FALSE(sample_tag(unit_tag_of(gate_malloc(10))));
  EXPECT_FALSE(sample_tag(UNIT_TAG_NONE));
  EXPECT_FALSE(sample_tag(UNIT_TAG_LARGE));
}

TEST(SampledHeapsTest, ABlockComesAgainWhenItWasFreed) {
  enum { BLOCKS = 3000 };
  static char *blocks[BLOCKS];
  size_t class = size_class_of(1000);
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < BLOCKS; i++) {
      blocks[i] = sampled_heaps_take(class);
      ASSERT_NE(blocks[i], NULL);
      memset(blocks[i], i, 1000);
    }
    for (int i = 0; i < BLOCKS; i++) {
      ASSERT_EQ((unsigned char)blocks[i][999], (unsigned char)i);
      gate_free(blocks[i]);
    }
  }
  size_t used = unit_mapped();
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < BLOCKS; i++) {
      blocks[i] = sampled_heaps_take(class);
    }
    for (int i = 0; i < BLOCKS; i++) {
      gate_free(blocks[i]);
    }
  }
  EXPECT_LE(unit_mapped(), used + MIB);
}

static void free_twice(void *unused) {
  (void)unused;
  char *block = sampled_heaps_take(size_class_of(100));
  gate_free(block);
  gate_free(block);
}

static void free_inside(void *unused) {
  (void)unused;
  gate_free((char *)sampled_heaps_take(size_class_of(100)) + 16);
}

TEST(SampledHeapsTest, MisuseIsStopped) {
  EXPECT_STOPS(free_twice, NULL, "hakmem: double free: pointer " ANY_POINTER ", .*");
  EXPECT_STOPS(free_inside, NULL, "hakmem: free of an interior pointer: pointer " ANY_POINTER ", .*");
}

/* ---- threads ---- */

enum { THREADS = 12, EACH = 4000, KEPT = 50, SECONDS = 20 };

/* While others have all heaps a thread is refused: they go on, if need be on this processor. */
static char *take_in_time(size_t size_class) {
  uint64_t begin = os_milliseconds();
  char *block = sampled_heaps_take(size_class);
  while (block == NULL && os_milliseconds() - begin < SECONDS * UINT64_C(1000)) {
    sched_yield();
    block = sampled_heaps_take(size_class);
  }
  return block;
}

static void take_and_free(void *unused) {
  (void)unused;
  char *kept[KEPT] = {0};
  for (int i = 0; i < EACH; i++) {
    size_t size = (size_t)(i * 37 % 2000 + 1);
    char *block = take_in_time(size_class_of(size));
    if (block == NULL) {
      unit_fail(__FILE__, __LINE__, "all heaps are somebody's for good");
      break;
    }
    if (kept[i % KEPT] != NULL) {
      if (*kept[i % KEPT] != (char)(i % KEPT)) {
        unit_fail(__FILE__, __LINE__, "another thread has the same block");
      }
      gate_free(kept[i % KEPT]);
    }
    kept[i % KEPT] = block;
    *block = (char)(i % KEPT);
  }
  for (int i = 0; i < KEPT; i++) {
    gate_free(kept[i]);
  }
}

TEST(SampledHeapsTest, ThreadsTakeAtTheSameTime) {
  struct unit_thread threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    unit_start(&threads[i], take_and_free, NULL);
  }
  for (int i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
}

static void see_own_heap(void *unused) {
  (void)unused;
  while (thread_cache.heap == NULL) { /* its first block may be a sample: that needs no heap of its own */
    gate_free(gate_malloc(10));
  }
  if (owner_is_reserved(thread_cache.heap->link.owner)) {
    unit_fail(__FILE__, __LINE__, "the thread has a heap of samples");
  }
}

TEST(SampledHeapsTest, NoThreadEverHasOne) {
  void *block = sampled_heaps_take(size_class_of(48));
  for (int i = 0; i < 50; i++) {
    unit_in_thread(see_own_heap, NULL);
  }
  gate_free(block);
}

/* ---- fork ---- */

static void use_in_child(void *block) {
  gate_free(block);
  for (int i = 0; i < 1000; i++) {
    char *more = sampled_heaps_take(size_class_of(500));
    ASSERT_NE(more, NULL);
    EXPECT_TRUE(sample_tag(unit_tag_of(more)));
    gate_free(more);
  }
  unit_in_thread(see_own_heap, NULL);
}

static _Atomic bool stop;

static void go_on(void *unused) {
  (void)unused;
  while (!stop) {
    gate_free(sampled_heaps_take(size_class_of(500)));
  }
}

TEST(SampledHeapsTest, AChildOfForkHasThem) {
  if (UNIT_SANITIZED) {
    SKIP("no threads in the child of fork() under a sanitizer");
  }
  struct unit_thread busy[2];
  for (int i = 0; i < 2; i++) {
    unit_start(&busy[i], go_on, NULL);
  }
  for (int i = 0; i < 30; i++) {
    void *block = sampled_heaps_take(size_class_of(500));
    EXPECT_FORKS(use_in_child, block);
    gate_free(block);
  }
  stop = true;
  for (int i = 0; i < 2; i++) {
    unit_join(&busy[i]);
  }
}
