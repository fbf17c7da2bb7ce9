/* state: a block is freed once, whoever frees it. */
#include "secure/state.h"

#include "hot/cache.h"
#include "secure/checked_gate.h"
#include "unit/unit.h"

TEST(StateTest, OfTheOwner) {
  struct block_state state = {0, 0};
  EXPECT_TRUE(state_is_free(&state));
  state_set_live(&state);
  EXPECT_TRUE(state_is_live(&state));
  EXPECT_FALSE(state_is_free(&state));
  state_free(&state);
  EXPECT_FALSE(state_is_live(&state));
  EXPECT_TRUE(state_is_free(&state));
}

TEST(StateTest, OfAnotherThread) {
  struct block_state state = {0, 0};
  EXPECT_FALSE(state_claim(&state));
  state_set_live(&state);
  EXPECT_TRUE(state_claim(&state));
  EXPECT_FALSE(state_is_live(&state)); /* the owner sees it */
  EXPECT_FALSE(state_claim(&state));
  EXPECT_FALSE(state_is_free(&state)); /* it is being zeroed */
  state_freed(&state);
  EXPECT_FALSE(state_is_live(&state));
  EXPECT_TRUE(state_is_free(&state));
}

TEST(StateTest, WhatIsOnItsWayIsNeitherLiveNorFree) {
  struct block_state state = {0, 0};
  state_leave(&state);
  EXPECT_FALSE(state_is_live(&state));
  EXPECT_FALSE(state_is_free(&state));
  EXPECT_FALSE(state_claim(&state));
  state_set_live(&state);
  state_return(&state);
  EXPECT_FALSE(state_is_live(&state));
  EXPECT_FALSE(state_is_free(&state));
  state_free(&state);
  EXPECT_TRUE(state_is_free(&state));
}

TEST(StateTest, WhatIsTakenAndKeptIsLive) {
  struct block_state state = {0, 0};
  state_set_live(&state);
  EXPECT_TRUE(state_claim(&state));
  state_kept(&state);
  EXPECT_TRUE(state_is_live(&state));
}

TEST(StateTest, BothAtTheSameMomentContradictEachOther) {
  struct block_state state = {0, 0};
  state_set_live(&state);
  EXPECT_TRUE(state_claim(&state)); /* after the owner has looked, before it writes */
  state_return(&state);
  state_freed(&state);
  state_free(&state);
  EXPECT_FALSE(state_is_free(&state));
  EXPECT_FALSE(state_is_live(&state));
}

enum { THREADS = 4, CLAIMS = 20000 };

static struct block_state contended[CLAIMS];
static _Atomic size_t claimed;

static void claim_all(void *unused) {
  (void)unused;
  for (size_t i = 0; i < CLAIMS; i++) {
    claimed += state_claim(&contended[i]);
  }
}

TEST(StateTest, OfThreadsThatClaimAtOnceOneSucceeds) {
  struct unit_thread threads[THREADS];
  claimed = 0;
  for (size_t i = 0; i < CLAIMS; i++) {
    state_set_live(&contended[i]);
  }
  for (size_t i = 0; i < THREADS; i++) {
    unit_start(&threads[i], claim_all, NULL);
  }
  for (size_t i = 0; i < THREADS; i++) {
    unit_join(&threads[i]);
  }
  EXPECT_EQ(claimed, CLAIMS);
}

TEST(StateTest, EveryBlockHasItsOwn) {
  for (size_t size_class = 1; size_class < SIZE_CLASS_COUNT; size_class++) {
    NOTE("class %zu", size_class);
    char *first = gate_malloc_class(size_class);
    char *second = gate_malloc_class(size_class);
    ASSERT_TRUE(state_is_live(state_of(first, size_class)));
    ASSERT_TRUE(state_is_live(state_of(second, size_class)));
    ASSERT_NE((uintptr_t)state_of(first, size_class), (uintptr_t)state_of(second, size_class));
    gate_free(first);
    ASSERT_FALSE(state_is_live(state_of(first, size_class)));
    ASSERT_TRUE(state_is_live(state_of(second, size_class)));
    gate_free(second);
  }
}
