/* empty: addresses for requests of no bytes. */
#include "cold/empty.h"

#include <signal.h>
#include <stdlib.h>

#include "hot/hot.h"
#include "unit/heaps.h"

enum { MANY = 200000, ALL = 1 << 20 };

static void *blocks[ALL];

static int by_address(const void *a, const void *b) {
  uintptr_t left = *(const uintptr_t *)a;
  uintptr_t right = *(const uintptr_t *)b;
  return left < right ? -1 : left > right;
}

TEST(EmptyTest, EachIsAnAddressOfItsOwn) {
  for (size_t i = 0; i < MANY; i++) {
    blocks[i] = empty_allocate();
    ASSERT_NE(blocks[i], NULL);
    ASSERT_EQ((uintptr_t)blocks[i] % 16, 0);
    ASSERT_TRUE(empty_is_live(blocks[i], "free"));
  }
  qsort(blocks, MANY, sizeof *blocks, by_address);
  for (size_t i = 1; i < MANY; i++) {
    ASSERT_LT((uintptr_t)blocks[i - 1], (uintptr_t)blocks[i]);
  }
  for (size_t i = 0; i < MANY; i++) {
    ASSERT_TRUE(empty_free(blocks[i]));
  }
}

TEST(EmptyTest, TheirNumberIsBounded) {
  size_t had = 0;
  for (size_t refused = 0; had < ALL && refused < ALL / 64;) {
    blocks[had] = empty_allocate();
    refused += blocks[had] == NULL;
    had += blocks[had] != NULL;
  }
  EXPECT_EQ(had, ALL);
  void *other = gate_malloc(0); /* one of the smallest class serves */
  EXPECT_NE(other, NULL);
  EXPECT_FALSE(empty_is_live(other, "free"));
  gate_free(other);
  for (size_t i = 0; i < had; i++) {
    ASSERT_TRUE(empty_free(blocks[i]));
  }
  EXPECT_NE(empty_allocate(), NULL);
}

TEST(EmptyTest, OthersAreNone) {
  int local = 0;
  EXPECT_FALSE(empty_free(&local));
  EXPECT_FALSE(empty_free(NULL));
  EXPECT_FALSE(empty_is_live(&local, "free"));
}

static void take_and_give(void *unused) {
  (void)unused;
  void *mine[100];
  for (int round = 0; round < 1000; round++) {
    for (size_t i = 0; i < 100; i++) {
      mine[i] = gate_malloc(0);
    }
    for (size_t i = 0; i < 100; i++) {
      gate_free(mine[i]); /* one that two threads had would stop the program */
    }
  }
}

TEST(EmptyTest, ThreadsShareThem) {
  struct unit_thread threads[4];
  for (size_t i = 0; i < 4; i++) {
    unit_start(&threads[i], take_and_give, NULL);
  }
  for (size_t i = 0; i < 4; i++) {
    unit_join(&threads[i]);
  }
}

static void write_to_one(void *unused) {
  (void)unused;
  *(volatile char *)gate_malloc(0) = 1;
}

static void read_of_one(void *unused) {
  (void)unused;
  volatile char byte = *(volatile char *)gate_malloc(0);
  (void)byte;
}

TEST(EmptyTest, NothingCanBeReadOrWrittenThere) {
#if UNIT_SANITIZED
  SKIP("a sanitizer ends the process otherwise");
#endif
  EXPECT_KILLED(write_to_one, NULL, SIGSEGV);
  EXPECT_KILLED(read_of_one, NULL, SIGSEGV);
}

static void free_twice(void *unused) {
  (void)unused;
  void *block = gate_malloc(0);
  announce(block, NULL);
  gate_free(block);
  gate_free(block);
}

static void free_inside(void *unused) {
  (void)unused;
  char *block = (char *)gate_malloc(0) + 8;
  announce(block, NULL);
  gate_free(block);
}

static void usable_size_of_a_freed_one(void *unused) {
  (void)unused;
  void *block = gate_malloc(0);
  EXPECT_EQ(gate_usable_size(block, "malloc_usable_size"), 0);
  gate_free(block);
  announce(block, NULL);
  gate_usable_size(block, "malloc_usable_size");
}

TEST(EmptyTest, MisuseStopsTheProgram) {
  EXPECT_STOPS(free_twice, NULL, ANNOUNCED "hakmem: double free: pointer \\1, a block of zero bytes, thread \\3\n");
  EXPECT_STOPS(free_inside, NULL,
               ANNOUNCED "hakmem: free of an interior pointer: pointer \\1, a block of zero bytes, thread \\3\n");
  EXPECT_STOPS(usable_size_of_a_freed_one, NULL,
               ANNOUNCED
               "hakmem: malloc_usable_size of a freed block: pointer \\1, a block of zero bytes, thread \\3\n");
}

static void without_address_space(void *unused) {
  (void)unused;
  gate_free(gate_malloc(1));
  unit_limit_memory(0);
  void *block = gate_malloc(0);
  EXPECT_NE(block, NULL);
  EXPECT_EQ(gate_usable_size(block, "malloc_usable_size"), 8);
  gate_free(block);
}

TEST(EmptyTest, WhereTheSystemRefusesTheRangeASmallBlockServes) {
#if UNIT_SANITIZED
  SKIP("the address space cannot be limited");
#endif
  EXPECT_RUNS(without_address_space, NULL, "");
}
