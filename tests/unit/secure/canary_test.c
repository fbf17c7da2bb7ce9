/* canary: eight bytes that nobody writes by accident. */
#include "secure/canary.h"

#include <string.h>

#include "unit/unit.h"

static _Alignas(16) unsigned char block[128];

TEST(CanaryTest, TheLastBytesAreThoseOfItThatLieThere) {
  for (size_t slack = 0; slack <= 40; slack++) {
    memset(block, 0, sizeof block);
    uint64_t value = canary_of(block, FAMILY_MALLOC);
    *canary_at(block, sizeof block - CANARY_BYTES - slack) = value;
    EXPECT_EQ(*canary_at(block, sizeof block - CANARY_BYTES), canary_end(value, slack));
  }
}

TEST(CanaryTest, DiffersPerFamily) {
  EXPECT_NE(canary_of(block, FAMILY_MALLOC), canary_of(block, FAMILY_NEW));
  EXPECT_NE(canary_of(block, FAMILY_NEW), canary_of(block, FAMILY_NEW_ARRAY));
}

TEST(CanaryTest, ItsFirstByteIsNeverZeroAndItDiffersPerBlock) {
  struct canary_key in_use = canary_key; /* by the blocks of this process */
  for (int start = 0; start < 100; start++) {
    canary_start();
    uint64_t last = 0;
    for (size_t address = 0x1000; address < 0x3000; address += 16) {
      uint64_t now = canary_of((const void *)address, FAMILY_MALLOC); // NOLINT(performance-no-int-to-ptr)
      ASSERT_NE(now & 0xFF, 0);
      ASSERT_NE(now, last);
      last = now;
    }
  }
  canary_key = in_use;
}
