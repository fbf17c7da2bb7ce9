/* release: everything that is free goes back to the operating system. */
#include "warm/release.h"

#include <string.h>

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/put.h"
#include "warm/thread.h"

static void collect_all(void *unused) {
  (void)unused;
  enum { BLOCKS = 60000 };
  static char *blocks[BLOCKS];
  release_free_memory(RELEASE_ALL);
  size_t active = active_bytes();
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = gate_malloc(i % 2000 + 1);
    blocks[i][0] = 1;
  }
  char *large = gate_malloc(MIB);
  memset(large, 1, MIB);
  char *huge = gate_malloc(10 * MIB);
  memset(huge, 1, 10 * MIB);
  for (size_t i = 0; i < BLOCKS; i++) {
    gate_free(blocks[i]);
  }
  gate_free(large);
  gate_free(huge);
  size_t given_back = release_free_memory(RELEASE_ALL);
  EXPECT_GT(given_back, 0);
  EXPECT_EQ(retained_bytes(), 0);
  EXPECT_LE(active_bytes(), active + MIB);
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    struct heap_census census = heap_census(thread_cache.heap, size_class);
    EXPECT_EQ(census.cached + census.depot + census.remote, 0);
  }
  EXPECT_TRUE(pool_is_valid());
}

TEST(ReleaseTest, CollectGivesBackWhatIsEmpty) { EXPECT_RUNS(collect_all, NULL, ""); }

static void collect_twice(void *unused) {
  (void)unused;
  enum { BLOCKS = 20000 };
  static char *blocks[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = gate_malloc(1000);
    memset(blocks[i], 1, 1000);
  }
  size_t before = os_counts().purged_bytes;
  for (size_t i = 0; i < BLOCKS; i++) {
    if (i % 100 != 0) {
      gate_free(blocks[i]);
    }
  }
  size_t purged = os_counts().purged_bytes;
  EXPECT_EQ(release_free_memory(RELEASE_ALL), os_counts().purged_bytes - purged);
  /* Pages between blocks that live, most of which went back while they were freed. */
  EXPECT_GE(os_counts().purged_bytes - before, BLOCKS * 1000UL / 2);
  for (size_t i = 0; i < BLOCKS; i += 100) {
    EXPECT_EQ(blocks[i][999], 1);
  }
  EXPECT_EQ(release_free_memory(RELEASE_ALL), 0); /* there is nothing more */
}

TEST(ReleaseTest, CollectTellsTheBytesThatWereGivenBack) { EXPECT_RUNS(collect_twice, NULL, ""); }

static void leave_blocks(void *blocks) {
  for (size_t i = 0; i < 500; i++) {
    ((void **)blocks)[i] = gate_malloc(2000);
  }
}

TEST(ReleaseTest, CollectReachesOrphans) {
  static void *blocks[500];
  thread_heap(); /* or this thread would adopt what is left */
  on_a_fresh_thread(leave_blocks, blocks);
  struct thread_heap *orphan = atomic_load(&place_of(blocks[0], class_of(blocks[0])).slab->heap);
  EXPECT_EQ(heap_state_of(&orphan->link), HEAP_ORPHAN);
  for (size_t i = 0; i < 500; i++) {
    gate_free(blocks[i]);
  }
  EXPECT_GT(orphan->bound_bytes, 0);
  release_free_memory(RELEASE_ALL);
  EXPECT_EQ(heap_census(orphan, size_class_of(2000)).capacity, 0);
  EXPECT_EQ(heap_state_of(&orphan->link), HEAP_ORPHAN);
}

static void release_of_a_child(void *unused) {
  (void)unused;
  release_free_memory(RELEASE_ALL);
  for (struct heap_link *link = registry_heaps(); link != NULL; link = link->next_heap) {
    EXPECT_EQ(heap_state_of(link), link == &thread_cache.heap->link ? HEAP_OWNED : HEAP_ORPHAN);
    struct thread_heap *heap = heap_of_link(link);
    EXPECT_TRUE(heap == thread_cache.heap || heap->bound_bytes == 0);
  }
}

TEST(ReleaseTest, EveryHeapThatNobodyHasIsReached) {
  thread_heap();
  struct thread_heap *heaps[4]; /* given away; as lost threads had them; as one was changing it */
  heaps[0] = new_heap();
  for (size_t i = 1; i < 4; i++) {
    heaps[i] = heap_new();
  }
  for (size_t i = 0; i < 4; i++) {
    void *block[2];
    ASSERT_EQ(take(heaps[i], size_class_of(64), block, 2), 2);
    depot_push(&heaps[i]->depot, size_class_of(1024), full_magazine(heaps[i], size_class_of(1024)));
    heap_put(heaps[i], size_class_of(64), block, 1);
    post_block(NULL, block[1]);
  }
  heap_give(heaps[0]);
  heap_leave(heaps[1]);
  heap_leave(heaps[2]);
  critical_leave();
  EXPECT_FORKS(release_of_a_child, NULL); /* which mends first: LOST and TORN */
}
