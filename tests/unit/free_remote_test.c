/* free_remote: a free of what is not in the calling thread's own slabs. */
#include "warm/free_remote.h"

#include <errno.h>

#include "hot/hot.h"
#include "unit/heaps.h"
#include "warm/collect.h"
#include "warm/drain.h"
#include "warm/thread.h"

enum { LENT = 2000 };

static struct {
  struct thread_heap *heap;
  void *blocks[LENT];
} lender;

static void lend(size_t size_class) {
  lender.heap = thread_heap();
  for (size_t i = 0; i < LENT; i++) {
    lender.blocks[i] = gate_malloc_class(size_class);
  }
}

/* Blocks that this thread has gathered, in so many magazines. */
static size_t gathered(size_t *magazines) {
  size_t count = 0;
  *magazines = 0;
  for (size_t i = 0; i < HOME_ENTRIES; i++) {
    const struct home_entry *entry = &thread_cache.heap->home[i];
    if (entry->tag != 0) {
      EXPECT_EQ(entry, home_entry_of(thread_cache.heap->home, entry->tag));
      count += magazine_count(entry->top);
      ++*magazines;
    }
  }
  return count;
}

static void free_lent(void *class_value) {
  size_t size_class = (uintptr_t)class_value;
  thread_heap();
  size_t magazines;
  for (size_t i = 0; i < LENT; i++) {
    free_remote(lender.blocks[i]);
    ASSERT_LE(gathered(&magazines), size_classes[size_class].magazine);
    ASSERT_EQ(magazines, 1);
  }
  EXPECT_EQ(heap_census(lender.heap, size_class).remote, 0);
  heap_post(thread_cache.heap);
  EXPECT_EQ(gathered(&magazines), 0);
}

TEST(FreeRemoteTest, RemoteFreesAreGatheredAndSentHomeInMagazines) {
  let_threads_last();
  const size_t classes[] = {1, 8, 20, 28};
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
    NOTE("class %zu", classes[i]);
    struct heap_census before = heap_census(thread_heap(), classes[i]);
    size_t live = before.capacity - before.free - before.cached - before.depot - before.remote;
    lend(classes[i]);
    heap_collect(lender.heap);
    size_t published = heap_publications();
    unit_in_thread(free_lent, (void *)classes[i]);
    /* Far fewer publications than blocks: one a magazine, and of the last one one a slab. */
    EXPECT_LE(heap_publications() - published, (size_t)LENT / size_classes[classes[i]].magazine + 2);
    heap_enter(lender.heap);
    thread_drain(lender.heap);
    heap_leave(lender.heap);
    EXPECT_EQ(heap_census(lender.heap, classes[i]).remote, 0);
    expect_census(lender.heap, classes[i], live); /* all are back */
  }
}

static void free_everything(void *unused) {
  (void)unused;
  errno = UNTOUCHED_ERRNO;
  for (size_t i = 0; i < LENT; i++) {
    free_remote(lender.blocks[i]);
  }
  free_remote(NULL);
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
}

TEST(FreeRemoteTest, ARemoteFreeComesBackToItsOwnersNextRefill) {
  struct thread_heap *heap = thread_heap();
  lend(size_class_of(384));
  unit_in_thread(free_everything, NULL);
  size_t bound = heap->bound_bytes;
  for (int i = 0; i < LENT; i++) {
    lender.blocks[i] = gate_malloc_class(size_class_of(384));
  }
  EXPECT_LE(heap->bound_bytes, bound);
  for (int i = 0; i < LENT; i++) {
    gate_free(lender.blocks[i]);
  }
}

TEST(FreeRemoteTest, FreeRemoteTakesLargeAndHugeBlocksAndNull) {
  size_t huge = huge_live_count();
  void *block = allocate_large(100000);
  EXPECT_EQ(unit_tag_of(block), UNIT_TAG_LARGE);
  free_remote(block);
  EXPECT_EQ(unit_tag_of(block), UNIT_TAG_NONE);
  block = allocate_large(5 * MIB);
  EXPECT_EQ(huge_live_count() - huge, 1);
  free_remote(block);
  EXPECT_EQ(huge_live_count(), huge);
  free_remote(NULL);
}

/* ---- misuse ---- */

static void free_announced(void *pointer) {
  thread_heap();
  announce(pointer, unit_of(pointer));
  gate_free(pointer);
}

static void free_foreign(void *pointer) { free_announced(pointer == NULL ? &pointer : pointer); }

static void free_unit_that_is_not_bound(void *unused) {
  (void)unused;
  struct slab *slab = pool_take(2, USE_PARTS);
  free_announced(slab_start(slab) + UNIT_BYTES);
}

static void free_huge_twice(void *purged) {
  void *block = allocate_large(5 * MIB);
  gate_free(block);
  if (purged != NULL) {
    huge_purge();
  }
  free_announced(block);
}

static void free_inside_huge(void *unused) {
  (void)unused;
  char *block = allocate_large(5 * MIB);
  announce(block + 4096, block);
  gate_free(block + 4096);
}

TEST(FreeRemoteTest, WhatIsNoBlockStopsTheProgram) {
  const char *line =
      ANNOUNCED "hakmem: free of an invalid pointer: pointer \\1 is no live block of hakmem, thread \\3\n";
  static _Alignas(16) int in_data;
  EXPECT_STOPS(free_foreign, NULL, line); /* on the stack */
  EXPECT_STOPS(free_foreign, &in_data, line);
  EXPECT_STOPS(free_foreign, (void *)-(uintptr_t)SIZE_CLASS_GRAIN, line);
  const char *misaligned = ANNOUNCED "hakmem: misaligned free: pointer \\1 is no live block of hakmem, thread \\3\n";
  EXPECT_STOPS(free_foreign, (void *)1, misaligned);
  EXPECT_STOPS(free_foreign, (void *)UINTPTR_MAX, misaligned);
  EXPECT_STOPS(free_unit_that_is_not_bound, NULL,
               ANNOUNCED "hakmem: double free: pointer \\1, a large block that is no more, thread \\3\n");
  EXPECT_STOPS(free_huge_twice, NULL,
               ANNOUNCED "hakmem: double free: pointer \\1, a huge block that is no more, thread \\3\n");
  static int purged;
  EXPECT_STOPS(free_huge_twice, &purged, line);
  EXPECT_STOPS(free_inside_huge, NULL,
               ANNOUNCED
               "hakmem: free of an interior pointer: pointer \\1 lies inside the huge block \\2, thread \\3\n");
}

/* The thread that bound the slab is named: it is another one. */
#define OWNED_BY_ANOTHER ", owner thread " ANY_NUMBER

static void free_inside_on_a_thread(void *block) { free_announced((char *)block + 16); }

static void free_inside_on_a_thread_without_heap(void *block) {
  announce((char *)block + 16, unit_of(block));
  gate_free((char *)block + 16);
}

static void free_inside_remote(void *with_heap) {
  unit_in_thread(with_heap != NULL ? free_inside_on_a_thread : free_inside_on_a_thread_without_heap,
                 gate_malloc_class(size_class_of(1024)));
}

TEST(FreeRemoteTest, AnInteriorPointerOfAnotherThreadStopsTheProgramAtOnce) {
  const char *line = ANNOUNCED
      "hakmem: free of an interior pointer: pointer \\1, class of 1024 bytes, slab \\2, thread \\3" OWNED_BY_ANOTHER
      "\n";
  EXPECT_STOPS(free_inside_remote, (void *)1, line);
  EXPECT_STOPS(free_inside_remote, NULL, line);
}

static void free_twice_on_a_thread(void *block) {
  thread_heap();
  gate_free(block);
  free_announced(block);
}

static void free_twice_on_a_thread_without_heap(void *block) {
  gate_free(block);
  announce(block, unit_of(block));
  gate_free(block);
}

static void free_twice_remote(void *with_heap) {
  unit_in_thread(with_heap != NULL ? free_twice_on_a_thread : free_twice_on_a_thread_without_heap,
                 gate_malloc_class(size_class_of(64)));
}

TEST(FreeRemoteTest, ADoubleFreeOfAnotherThreadsBlockStopsTheProgramAtOnce) {
  const char *line =
      ANNOUNCED "hakmem: double free: pointer \\1, class of 64 bytes, slab \\2, thread \\3" OWNED_BY_ANOTHER "\n";
  EXPECT_STOPS(free_twice_remote, (void *)1, line);
  EXPECT_STOPS(free_twice_remote, NULL, line);
}
