/* What the secure gate does with blocks of zero bytes (cold/empty.h). */
#include "cold/empty.h"

#include <signal.h>

#include "secure/asked.h"
#include "unit/unit.h"

TEST(EmptySecureTest, IsUniqueAndAlignedWhileItLives) {
  enum { BLOCKS = 20000 };
  static uintptr_t blocks[BLOCKS];
  static bool seen[EMPTY_BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = (uintptr_t)gate_malloc(0);
    ASSERT_TRUE(empty_holds((void *)blocks[i]));
    ASSERT_EQ(blocks[i] % EMPTY_GRAIN, 0);
    size_t index = (blocks[i] - empty_base) / EMPTY_GRAIN;
    ASSERT_FALSE(seen[index]);
    seen[index] = true;
    ASSERT_EQ(gate_usable_size((void *)blocks[i], "test"), 0);
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    gate_free((void *)blocks[i]);
  }
}

TEST(EmptySecureTest, AnAddressIsUsedAgainAfterAllOthers) {
  void *first = gate_malloc(0);
  gate_free(first);
  for (size_t i = 0; i < 2 * EMPTY_GROUP; i++) {
    void *next = gate_malloc(0);
    ASSERT_NE(next, first);
    gate_free(next);
  }
}

TEST(EmptySecureTest, BeyondTheBoundABlockOfTheSmallestClassServes) {
  static void *blocks[EMPTY_BLOCKS + 100];
  size_t others = 0;
  for (size_t i = 0; i < EMPTY_BLOCKS + 100; i++) {
    blocks[i] = gate_malloc(0);
    ASSERT_NE(blocks[i], NULL);
    others += !empty_holds(blocks[i]);
    ASSERT_EQ(gate_usable_size(blocks[i], "test"), 0);
  }
  EXPECT_GE(others, 100);
  for (size_t i = 0; i < EMPTY_BLOCKS + 100; i++) {
    gate_free(blocks[i]);
  }
}

TEST(EmptySecureTest, ReallocGoesFromItToAnySize) {
  void *block = gate_malloc(0);
  EXPECT_FALSE(gate_serves(block, 0, 100));
  EXPECT_FALSE(gate_serves(block, 0, 100000));
  EXPECT_EQ(gate_resize(block, 100000), NULL);
  gate_free_sized(block, 0, false);
}

static char *a_block(void) { return gate_malloc(0); }

static void read_it(void *unused) {
  (void)unused;
  *(volatile char *)a_block();
}

static void write_it(void *unused) {
  (void)unused;
  *(volatile char *)a_block() = 1;
}

static void read_freed(void *unused) {
  (void)unused;
  char *block = a_block();
  gate_free(block);
  *(volatile char *)block;
}

static void free_twice(void *unused) {
  (void)unused;
  char *block = a_block();
  gate_free(block);
  gate_free(a_block());
  gate_free(block);
}

static void free_inside(void *unused) {
  (void)unused;
  gate_free(a_block() + 8);
}

static void size_of_freed(void *unused) {
  (void)unused;
  char *block = a_block();
  gate_free(block);
  gate_usable_size(block, "realloc");
}

TEST(EmptySecureTest, EveryUseIsAFaultAndMisuseStops) {
  EXPECT_KILLED(read_it, NULL, SIGSEGV);
  EXPECT_KILLED(write_it, NULL, SIGSEGV);
  EXPECT_KILLED(read_freed, NULL, SIGSEGV);
  EXPECT_STOPS(free_twice, NULL,
               "hakmem: double free: pointer " ANY_POINTER ", a block of zero bytes, thread " ANY_NUMBER "\n");
  EXPECT_STOPS(free_inside, NULL,
               "hakmem: free of an interior pointer: pointer " ANY_POINTER ", a block of zero bytes, thread " ANY_NUMBER
               "\n");
  EXPECT_STOPS(size_of_freed, NULL,
               "hakmem: realloc of a freed block: pointer " ANY_POINTER ", a block of zero bytes, thread " ANY_NUMBER
               "\n");
}

static void allocate_many(void *unused) {
  (void)unused;
  for (int i = 0; i < 100000; i++) {
    void *block = gate_malloc(0);
    ASSERT_EQ(gate_usable_size(block, "test"), 0);
    gate_free(block);
  }
}

TEST(EmptySecureTest, ThreadsShareIt) {
  struct unit_thread threads[4];
  for (int i = 0; i < 4; i++) {
    unit_start(&threads[i], allocate_many, NULL);
  }
  for (int i = 0; i < 4; i++) {
    unit_join(&threads[i]);
  }
}
