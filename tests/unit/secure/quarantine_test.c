/* quarantine: a freed block waits, and nobody knows how long. */
#include "secure/quarantine.h"

#include <string.h>

#include "secure/checked_gate.h"
#include "unit/secure/addresses.h"
#include "unit/unit.h"
#include "warm/release.h"
#include "warm/thread.h"

enum { BLOCKS = 64, TRIES = 200 };

TEST(QuarantineTest, ABlockIsNotHandedOutByTheNextCall) {
  for (size_t size = 1; size <= 32000; size = size * 3 / 2 + 1) {
    for (int i = 0; i < TRIES; i++) {
      void *block = gate_malloc(size);
      gate_free(block);
      void *next = gate_malloc(size);
      ASSERT_NE((uintptr_t)next, (uintptr_t)block);
      gate_free(next);
    }
  }
}

TEST(QuarantineTest, GivesBackWhatIsExchanged) {
  static struct quarantine quarantine;
  static char blocks[BLOCKS];
  quarantine_start(&quarantine);
  size_t given = 0;
  for (size_t i = 0; i < BLOCKS; i++) {
    void *left = quarantine_exchange(&quarantine, 5, QUARANTINE_LOG2, &blocks[i]);
    if (left != NULL) {
      size_t which = (size_t)((char *)left - blocks);
      ASSERT_LE(which, i);
      ASSERT_EQ(blocks[which], 0);
      blocks[which] = 1;
      given++;
    }
  }
  EXPECT_GE(given, BLOCKS - QUARANTINE_SLOTS);
}

static bool same_order(void *const *a, void *const *b) { return memcmp(a, b, BLOCKS * sizeof *a) == 0; }

TEST(QuarantineTest, ShufflesToAnotherOrderOfTheSame) {
  struct thread_heap *heap = thread_heap();
  void *sorted[BLOCKS];
  void *first[BLOCKS];
  void *second[BLOCKS];
  static char base[BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    sorted[i] = first[i] = second[i] = &base[i];
  }
  quarantine_shuffle(heap, first, BLOCKS);
  quarantine_shuffle(heap, second, BLOCKS);
  EXPECT_FALSE(same_order(first, sorted));
  EXPECT_FALSE(same_order(first, second));
  for (size_t i = 0; i < BLOCKS; i++) {
    base[(char *)first[i] - base]++;
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    EXPECT_EQ(base[i], 1);
  }
}

TEST(QuarantineTest, FreshBlocksAreNotHandedOutInTheOrderOfTheirAddresses) {
  EXPECT_LT(rising_addresses(700, TRIES), TRIES * 9 / 10);
}

TEST(QuarantineTest, IsEmptyAfterACollect) {
  gate_free(gate_malloc(100));
  release_free_memory(RELEASE_ALL);
  struct quarantine *quarantine = quarantine_of(thread_heap());
  for (size_t size_class = 0; size_class < SIZE_CLASS_COUNT; size_class++) {
    for (size_t i = 0; i < QUARANTINE_SLOTS; i++) {
      ASSERT_EQ((uintptr_t)quarantine->slot[size_class][i], 0);
    }
  }
}
