/* canary: eight bytes that nobody writes by accident. */
#include "secure/canary.h"

#include "unit/unit.h"

static _Alignas(16) unsigned char block[128];

TEST(CanaryTest, AnyByteOfItThatChangesShows) {
  for (size_t bytes = 16; bytes <= sizeof block; bytes += 16) {
    canary_set(block, bytes);
    EXPECT_TRUE(canary_holds(block, bytes));
    for (size_t i = 1; i <= CANARY_BYTES; i++) {
      block[bytes - i] ^= 0x10;
      EXPECT_FALSE(canary_holds(block, bytes));
      block[bytes - i] ^= 0x10;
    }
  }
}

TEST(CanaryTest, ItsFirstByteIsNeverZeroAndItDiffersPerBlock) {
  struct canary_key in_use = canary_key; /* by the blocks of this process */
  for (int start = 0; start < 100; start++) {
    canary_start();
    canary last = 0;
    for (size_t address = 0x1000; address < 0x3000; address += 16) {
      canary now = canary_of((const void *)address); // NOLINT(performance-no-int-to-ptr)
      ASSERT_NE(now & 0xFF, 0);
      ASSERT_NE(now, last);
      last = now;
    }
  }
  canary_key = in_use;
}
