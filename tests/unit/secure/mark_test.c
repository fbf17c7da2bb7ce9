/* mark: a live block says something else of itself. */
#include "secure/mark.h"

#include "secure/checked_gate.h"
#include "secure/damage.h"
#include "unit/unit.h"

TEST(MarkTest, OfEverySizeAndFamilyOfAClass) {
  char *block = gate_malloc(500);
  size_t size_class = gate_class(500);
  struct block_state *state = mark_state(block, size_class, "test");
  for (size_t size = 0; size <= size_classes[size_class].stride - CANARY_BYTES; size++) {
    for (enum family family = FAMILY_MALLOC; family <= FAMILY_NEW_ARRAY; family++) {
      enum family found;
      mark_anew(block, size_class, size, family);
      ASSERT_EQ(state_size(state), size);
      ASSERT_TRUE(mark_family(block, size_class, &found));
      ASSERT_EQ(found, family);
      ASSERT_FALSE(damage_is_there(block, size_class));
    }
  }
  mark_anew(block, size_class, 500, FAMILY_MALLOC);
  gate_free(block);
}

static void mark_freed(void *unused) {
  (void)unused;
  char *block = gate_malloc(500);
  gate_free(block);
  mark_anew(block, gate_class(500), 400, FAMILY_MALLOC);
}

TEST(MarkTest, WhatIsNotLiveStopsTheProgram) {
  EXPECT_STOPS(mark_freed, NULL, "hakmem: realloc of a freed block: pointer .*\n");
}
