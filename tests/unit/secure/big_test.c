/* big: blocks with a mapping, a canary and a guard page of their own. */
#include "secure/big.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "cold/huge.h"
#include "os/system.h"
#include "secure/checked_gate.h"
#include "unit/unit.h"

TEST(BigTest, AllOfItIsUsableAndZero) {
  for (size_t size = 33000; size <= 4 * MIB; size = size * 5 / 4) {
    unsigned char *block = big_allocate(size, 16);
    ASSERT_NE((uintptr_t)block, 0);
    size_t usable = big_usable_size(block, "test");
    ASSERT_GE(usable, size);
    ASSERT_EQ(usable, big_good_size(size));
    for (size_t i = 0; i < usable; i += 64) {
      ASSERT_EQ(block[i], 0);
    }
    memset(block, 0xEE, usable);
    ASSERT_TRUE(big_free(block));
  }
}

TEST(BigTest, IsAligned) {
  for (size_t alignment = 16; alignment <= 8 * MIB; alignment *= 2) {
    void *block = big_allocate(100, alignment);
    ASSERT_NE((uintptr_t)block, 0);
    ASSERT_EQ((uintptr_t)block % alignment, 0);
    ASSERT_TRUE(big_free(block));
  }
}

TEST(BigTest, KeepsItsBytesWhenItIsResized) {
  unsigned char *block = big_allocate(100 * KIB, 16);
  memset(block, 0x5A, 100 * KIB);
  for (size_t size = 200 * KIB; size <= 16 * MIB; size *= 2) {
    block = big_resize(block, size);
    ASSERT_NE((uintptr_t)block, 0);
    ASSERT_GE(big_usable_size(block, "test"), size);
    for (size_t i = 0; i < 100 * KIB; i += 512) {
      ASSERT_EQ(block[i], 0x5A);
    }
    memset(block + 100 * KIB, 0x77, size - 100 * KIB);
  }
  block = big_resize(block, 150 * KIB);
  ASSERT_NE((uintptr_t)block, 0);
  ASSERT_EQ(block[100 * KIB - 1], 0x5A);
  ASSERT_TRUE(big_free(block));
}

TEST(BigTest, ImpossibleSizesFail) {
  errno = 0;
  EXPECT_EQ((uintptr_t)big_allocate(SIZE_MAX, 16), 0);
  EXPECT_EQ(errno, ENOMEM);
  EXPECT_EQ((uintptr_t)big_allocate(PTRDIFF_MAX, 16), 0);
  EXPECT_EQ(big_good_size(SIZE_MAX), 0);
  EXPECT_EQ(big_good_size(PTRDIFF_MAX), 0);
}

TEST(BigTest, IsNotHandedOutAgainAtOnce) {
  big_release_all();
  size_t others = huge_live_count();
  for (int i = 0; i < 50; i++) {
    void *block = big_allocate(100 * KIB, 16);
    big_free(block);
    void *next = big_allocate(100 * KIB, 16);
    ASSERT_NE((uintptr_t)next, (uintptr_t)block);
    big_free(next);
  }
  big_release_all();
  EXPECT_EQ(huge_live_count(), others);
}

static char *freed(void) {
  char *block = big_allocate(100 * KIB, 16);
  big_free(block);
  return block;
}

static void read_freed(void *unused) {
  (void)unused;
  *(volatile char *)freed();
}

static void write_behind(void *unused) {
  (void)unused;
  char *block = big_allocate(100 * KIB, 16);
  *(volatile char *)(block + big_good_size(100 * KIB) + 8) = 1;
}

static void free_freed(void *unused) {
  (void)unused;
  big_free(freed());
}

TEST(BigTest, WhatIsFreeOrBehindIsOutOfBounds) {
  EXPECT_KILLED(read_freed, NULL, SIGSEGV);
  EXPECT_KILLED(write_behind, NULL, SIGSEGV);
  EXPECT_STOPS(free_freed, NULL,
               "hakmem: double free: pointer " ANY_POINTER ", a block of " ANY_NUMBER
               " bytes with a mapping of its own, thread " ANY_NUMBER "\n");
}
