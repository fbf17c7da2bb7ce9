/* checked_gate: what the secure library does to a block on its way out and back. */
#include "secure/checked_gate.h"

#include <string.h>

#include "secure/asked.h"
#include "secure/fill.h"
#include "unit/unit.h"

enum { BLOCKS = 3000 };

TEST(SecureGateTest, TheSizeThatWasAskedForIsUsable) {
  for (size_t size = 0; size <= 40000; size += size < 1100 ? 1 : 61) {
    char *block = gate_malloc(size);
    ASSERT_NE((uintptr_t)block, 0);
    ASSERT_EQ((uintptr_t)block % 16, 0);
    size_t usable = gate_usable_size(block, "test");
    ASSERT_EQ(usable, size);
    memset(block, 0x5A, usable);
    gate_free(block);
  }
}

TEST(SecureGateTest, WhatIsFilledIsZeroOnceFreed) {
  for (size_t size = 1; size <= 32000; size = size * 3 / 2 + 1) {
    unsigned char *block = gate_malloc(size);
    size_t usable = gate_usable_size(block, "test");
    memset(block, 0x5A, usable);
    gate_free(block);
    size_t bytes = size_classes[unit_tag_class(unit_tag_of(block))].stride;
    size_t first = fill_is_whole(bytes) ? bytes : FILL_FIRST;
    ASSERT_EQ(*canary_at(block, usable), 0);
    for (size_t i = 0; i < first; i++) {
      ASSERT_EQ(block[i], 0);
    }
    for (size_t i = bytes - FILL_LAST; i < bytes; i++) {
      ASSERT_EQ(block[i], 0);
    }
  }
}

static unsigned char *blocks[BLOCKS];

/* Slabs of one class go on to the next, whose blocks begin elsewhere. */
TEST(SecureGateTest, MemoryThatChangesItsClassIsClean) {
  for (size_t size = 2000; size >= 20; size = size * 4 / 5) {
    for (size_t i = 0; i < BLOCKS; i++) {
      blocks[i] = gate_malloc(size);
      for (size_t at = 0; at < FILL_FIRST && at < size; at++) {
        ASSERT_EQ(blocks[i][at], 0);
      }
      memset(blocks[i], 0x5A, gate_usable_size(blocks[i], "test"));
    }
    for (size_t i = 0; i < BLOCKS; i++) {
      gate_free(blocks[i]);
    }
    release_free_memory(RELEASE_ALL);
  }
}

static void free_all(void *unused) {
  (void)unused;
  for (size_t i = 0; i < BLOCKS; i++) {
    gate_free(blocks[i]);
  }
}

TEST(SecureGateTest, AnotherThreadsFreesAreCleanToo) {
  for (int round = 0; round < 5; round++) {
    for (size_t i = 0; i < BLOCKS; i++) {
      size_t size = 16 + i % 1000;
      blocks[i] = gate_malloc(size);
      memset(blocks[i], 0x5A, size);
    }
    unit_in_thread(free_all, NULL);
  }
}
