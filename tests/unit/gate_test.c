/* gate: every size finds its way in, every pointer its way back. */
#include "hot/gate.h"

#include <errno.h>
#include <string.h>

#include "cold/large.h"
#include "cold/registry.h"
#include "unit/heaps.h"

static unit_tag tag_of(const void *block) { return unit_tag_of(block); }

TEST(GateTest, EverySizeComesFromASlabOfItsClassOrTheNext) {
  for (size_t size = 1; size <= SIZE_CLASS_MAX; size += size < 1100 ? 1 : 61) {
    char *block = gate_malloc(size);
    ASSERT_NE(block, NULL);
    ASSERT_EQ((uintptr_t)block % (size <= 8 ? 8 : 16), 0);
    size_t size_class = tag_of(block) ^ thread_cache.self;
    ASSERT_TRUE(size_class == size_class_of(size) || size_class == size_class_of(size) + 1);
    ASSERT_LT(size_class, SIZE_CLASS_COUNT);
    gate_free(block);
  }
}

TEST(GateTest, WhereTheClassIsGivenItIsKept) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    void *neighbour = size_class + 1 < SIZE_CLASS_COUNT ? gate_malloc_class(size_class + 1) : NULL;
    gate_free(neighbour); /* lies ready */
    for (int i = 0; i < 100; i++) {
      void *block = gate_malloc_class(size_class);
      ASSERT_EQ(tag_of(block) ^ thread_cache.self, size_class);
      gate_free(block);
    }
  }
}

TEST(GateTest, WhatIsFreedLastIsHandedOutFirst) {
  for (size_t size_class = 0; size_class < SIZE_CLASS_SMALL_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    void *first = gate_malloc_class(size_class);
    void *second = gate_malloc_class(size_class);
    EXPECT_NE(first, second);
    gate_free(first);
    gate_free(second);
    size_t size = size_classes[size_class].stride;
    EXPECT_EQ(gate_malloc(size), second);
    EXPECT_EQ(gate_malloc(size), first);
    gate_free(first);
    gate_free(second);
  }
}

TEST(GateTest, BiggerSizesGoToLargeAndHuge) {
  huge_purge(); /* else what is retained there serves large sizes too */
  char *large = gate_malloc(SIZE_CLASS_MAX + 1);
  EXPECT_EQ(tag_of(large), UNIT_TAG_LARGE);
  char *largest = gate_malloc(LARGE_FRESH_MAX);
  EXPECT_EQ(tag_of(largest), UNIT_TAG_LARGE);
  char *huge = gate_malloc(LARGE_MAX + 1);
  EXPECT_EQ(tag_of(huge), UNIT_TAG_NONE);
  gate_free(large);
  gate_free(largest);
  gate_free(huge);
  EXPECT_EQ(tag_of(large), UNIT_TAG_NONE);
}

TEST(GateTest, ImpossibleSizesGiveNullAndEnomem) {
  const size_t sizes[] = {SIZE_MAX, SIZE_MAX - 1, (size_t)PTRDIFF_MAX + 1, PTRDIFF_MAX, PTRDIFF_MAX - 4096};
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    errno = 0;
    EXPECT_EQ(gate_malloc(sizes[i]), NULL);
    EXPECT_EQ(errno, ENOMEM);
  }
}

TEST(GateTest, SuccessLeavesErrnoAlone) {
  const size_t sizes[] = {1, 100, 5000, 40000, 3000000};
  errno = 4711;
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    for (int round = 0; round < 200; round++) {
      gate_free(gate_malloc(sizes[i]));
    }
    EXPECT_EQ(errno, 4711);
  }
  gate_free(NULL);
  EXPECT_EQ(errno, 4711);
}

TEST(GateTest, NoByteOfABlockIsWritten) {
  enum { BLOCKS = 3000 };
  static unsigned char *blocks[BLOCKS];
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class += 4) {
    NOTE("class %zu", size_class);
    size_t size = size_classes[size_class].stride;
    size_t count = size > 1024 ? 100 : BLOCKS;
    for (size_t i = 0; i < count; i++) {
      blocks[i] = gate_malloc(size);
      memset(blocks[i], (int)(i % 251), size);
    }
    /* One of two stays, so that no slab becomes empty and is given back to the system. */
    for (size_t i = 0; i < count; i += 2) {
      gate_free(blocks[i]);
    }
    for (size_t i = 0; i < count; i++) {
      ASSERT_EQ(blocks[i][0], i % 251);
      ASSERT_EQ(memcmp(blocks[i], blocks[i] + 1, size - 1), 0);
    }
    for (size_t i = 1; i < count; i += 2) {
      gate_free(blocks[i]);
    }
  }
}

static void free_on_a_new_thread(void *block) {
  EXPECT_EQ(thread_cache.state, THREAD_NEW);
  gate_free(NULL);
  gate_free(block);
  EXPECT_EQ(thread_cache.state, THREAD_NEW); /* a thread that only frees needs no heap */
  void *own = gate_malloc(48);
  EXPECT_NE(own, NULL);
  EXPECT_EQ(thread_cache.state, THREAD_STARTED);
  EXPECT_LT(tag_of(own) ^ thread_cache.self, SIZE_CLASS_COUNT);
  gate_free(own);
}

TEST(GateTest, ThreadsThatHaveNotStartedMayFreeAndAllocate) {
  let_threads_last();
  unit_in_thread(free_on_a_new_thread, gate_malloc(48));
  unit_in_thread(free_on_a_new_thread, gate_malloc(100000));
  unit_in_thread(free_on_a_new_thread, gate_malloc(5000000));
  unit_in_thread(free_on_a_new_thread, NULL);
}
