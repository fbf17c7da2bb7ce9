/* asked: the size and the family of functions that a block was asked for with. */
#include "secure/asked.h"

#include <string.h>

#include "cold/huge.h"
#include "hakmem.h"
#include "secure/big.h"
#include "unit/unit.h"

static const size_t sizes[] = {0, 1, 8, 15, 100, 1000, 5000, 32000, 32760, 32761, 100000, 1 << 20, 3 << 20};

enum { SIZES = sizeof sizes / sizeof *sizes };

TEST(AskedTest, TheUsableSizeIsWhatWasAskedFor) {
  for (size_t i = 0; i < SIZES; i++) {
    void *block = gate_malloc(sizes[i]);
    ASSERT_EQ(gate_usable_size(block, "test"), sizes[i]);
    ASSERT_EQ(gate_good_size(sizes[i]), sizes[i]);
    gate_free_sized(block, sizes[i], false);
  }
  gate_free_sized(NULL, 100, false);
}

static void free_with(void *size) { gate_free_sized(gate_malloc(*(size_t *)size), *(size_t *)size ^ 1, false); }

TEST(AskedTest, ASizedFreeMustNameIt) {
  for (size_t i = 0; i < SIZES; i++) {
    EXPECT_STOPS(free_with, (void *)&sizes[i],
                 "hakmem: free with a wrong size: pointer " ANY_POINTER ", size " ANY_NUMBER ", block of " ANY_NUMBER
                 " bytes, slab " ANY_POINTER ", thread " ANY_NUMBER "\n");
  }
}

/* Grows and shrinks where it is: nothing of what was there is left behind, and the canary is where it belongs. */
TEST(AskedTest, ABlockThatServesAnotherSizeIsCleanBehindIt) {
  for (size_t from = 120; from > 112; from--) {
    for (size_t to = 120; to > 112; to--) {
      unsigned char *block = gate_malloc(from);
      memset(block, 0x5A, from);
      ASSERT_TRUE(gate_serves(block, from, to));
      ASSERT_EQ(gate_usable_size(block, "test"), to);
      for (size_t i = 0; i < to; i++) {
        ASSERT_EQ(block[i], i < from ? 0x5A : i < to && i < from + CANARY_BYTES ? 0 : block[i]);
      }
      ASSERT_NE(block[to], 0x5A);
      gate_free(block);
    }
  }
}

TEST(AskedTest, ABigBlockThatShrinksIsCleanBehindIt) {
  unsigned char *block = gate_malloc(2 << 20);
  memset(block, 0x5A, 2 << 20);
  unsigned char *moved = gate_resize(block, (1 << 20) + 100);
  ASSERT_NE(moved, NULL);
  unsigned char *end = moved + (1 << 20) + 100;
  for (unsigned char *at = end + CANARY_BYTES; ((uintptr_t)at & 4095) != 0; at++) {
    ASSERT_EQ(*at, 0);
  }
  ASSERT_EQ(moved[1 << 20], 0x5A);
  gate_settle(moved, 50000);
  ASSERT_EQ(gate_usable_size(moved, "test"), 50000);
  ASSERT_EQ(moved[49999], 0x5A);
  gate_free_sized(moved, 50000, false);
}

TEST(AskedTest, WhatReallocMovesLeavesNothingBehind) {
  for (size_t size = 50; size <= 30000; size *= 2) {
    unsigned char *block = hak_malloc(size);
    memset(block, 0x5A, size);
    unsigned char *moved = hak_realloc(block, size * 2);
    ASSERT_NE(moved, block);
    for (size_t i = 0; i < size; i++) {
      ASSERT_EQ(moved[i], 0x5A);
      ASSERT_EQ(block[i], 0);
    }
    hak_free(moved);
  }
}
