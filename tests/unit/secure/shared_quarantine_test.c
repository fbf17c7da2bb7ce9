/* shared_quarantine: what threads without a heap free waits as well. */
#include "secure/shared_quarantine.h"

#include "secure/checked_gate.h"
#include "unit/light_threads.h"
#include "unit/secure/addresses.h"
#include "warm/release.h"
#include "warm/thread.h"

enum { TRIES = 200, BLOCKS = 64, SOME_CLASS = 5 };

static void count_one(void *block, void *count) {
  (void)block;
  ++*(size_t *)count;
}

static size_t waiting(void) {
  size_t count = 0;
  shared_quarantine_each(count_one, &count);
  return count;
}

static void free_and_ask_again(void *unused) {
  (void)unused;
  for (size_t size = 1; size <= 32000; size = size * 3 / 2 + 1) {
    for (int i = 0; i < TRIES; i++) {
      char *block = gate_malloc(size);
      ASSERT_NE(block, NULL);
      block[0] = 1;
      gate_free(block);
      char *next = gate_malloc(size);
      ASSERT_NE((uintptr_t)next, (uintptr_t)block);
      ASSERT_EQ(next[0], 0);
      gate_free(next);
    }
  }
  EXPECT_GT(waiting(), 0);
}

static void run_light(void *unused) {
  in_a_light_thread(free_and_ask_again, unused);
  release_free_memory(RELEASE_ALL);
  EXPECT_EQ(waiting(), 0);
}

TEST(SharedQuarantineTest, ABlockIsNotHandedOutByTheNextCall) { EXPECT_RUNS(run_light, NULL, ""); }

static void take_in_order(void *unused) {
  (void)unused;
  EXPECT_LT(rising_addresses(700, TRIES), TRIES * 9 / 10);
}

static void run_in_order(void *unused) { in_a_light_thread(take_in_order, unused); }

TEST(SharedQuarantineTest, BlocksOfALightThreadAreNotInTheOrderOfTheirAddresses) {
  EXPECT_RUNS(run_in_order, NULL, "");
}

static size_t index_of(void *const *blocks, const void *block) {
  size_t i = 0;
  while (i < BLOCKS && blocks[i] != block) {
    i++;
  }
  return i;
}

/* They are free as the gate knows it, which has not handed them out. */
static void give_back_all(void *unused) {
  (void)unused;
  void *blocks[BLOCKS];
  size_t given = 0;
  gate_free(gate_malloc(1));
  for (size_t i = 0; i < BLOCKS; i++) {
    blocks[i] = refill_exact(size_classes[SOME_CLASS].stride, SOME_CLASS);
    ASSERT_NE(blocks[i], NULL);
  }
  for (size_t i = 0; i < BLOCKS; i++) {
    void *left = shared_quarantine_exchange(SOME_CLASS, blocks[i]);
    if (left != NULL) {
      size_t which = index_of(blocks, left);
      ASSERT_LT(which, i);
      blocks[which] = NULL; /* it is not given back twice */
      given++;
    }
  }
  EXPECT_EQ(given + waiting(), BLOCKS);
  EXPECT_LE(waiting(), QUARANTINE_SLOTS);
  EXPECT_GT(waiting(), QUARANTINE_SLOTS / 2);
}

TEST(SharedQuarantineTest, GivesBackWhatIsExchanged) { EXPECT_RUNS(give_back_all, NULL, ""); }
