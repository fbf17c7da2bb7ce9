/* damage: a block is whole, damaged, or on its way. */
#include "secure/damage.h"

#include "secure/asked.h"
#include "secure/state.h"
#include "unit/unit.h"

static const size_t sizes[] = {1, 16, 60, 100, 700, 1100, 3000, 20000};

enum { SIZES = sizeof sizes / sizeof *sizes };

static size_t class_of(const void *block) { return unit_tag_class(unit_tag_of(block)); }

TEST(DamageTest, AnyByteOfALiveBlocksCanaryShows) {
  for (size_t i = 0; i < SIZES; i++) {
    char *block = gate_malloc(sizes[i]);
    ASSERT_FALSE(damage_is_there(block, class_of(block)));
    for (size_t at = sizes[i]; at < sizes[i] + CANARY_BYTES; at++) {
      block[at] ^= 0x10;
      ASSERT_TRUE(damage_is_there(block, class_of(block)));
      ASSERT_TRUE(damage_stays(block, class_of(block)));
      block[at] ^= 0x10;
    }
    ASSERT_FALSE(damage_stays(block, class_of(block)));
    gate_free(block);
    ASSERT_FALSE(damage_is_there(block, class_of(block)));
  }
}

TEST(DamageTest, WhatTheProgramMayWriteIsNone) {
  for (size_t i = 0; i < SIZES; i++) {
    char *block = gate_malloc(sizes[i]);
    memset(block, 0xFF, sizes[i]);
    ASSERT_FALSE(damage_is_there(block, class_of(block)));
    gate_free(block);
  }
}

TEST(DamageTest, AFreeBlockIsZero) {
  for (size_t i = 0; i < SIZES; i++) {
    char *block = gate_malloc(sizes[i]);
    gate_free(block);
    block[0] = 1;
    ASSERT_TRUE(damage_is_there(block, class_of(block)));
    block[0] = 0;
    ASSERT_FALSE(damage_is_there(block, class_of(block)));
  }
}

TEST(DamageTest, WhatIsOnItsWayIsLeftAlone) {
  char *block = gate_malloc(100);
  struct block_state *state = state_of(block, class_of(block));
  ASSERT_TRUE(state_claim(state)); /* another thread frees it, or writes its canary */
  block[100] ^= 1;
  EXPECT_FALSE(damage_is_there(block, class_of(block)));
  block[100] ^= 1;
  state_kept(state);
  gate_free(block);
}
