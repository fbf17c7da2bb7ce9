/* density: how often blocks are looked at, and what they tell. */
#include "cold/density.h"

#include <string.h>

#include "base/base.h"
#include "os/os.h"
#include "unit/unit.h"

enum { EVERY = 32, EVERY_WHOLE = 512, BLOCK = 2 * MIB };

/* So many blocks of EVERY units are asked for, each freed before the next; how many of them were probes. */
static size_t count_probes(struct density *density, const char *block, size_t blocks) {
  size_t probes = 0;
  for (size_t i = 0; i < blocks; i++) {
    if (density_ask(density, EVERY, true) == DENSITY_PROBE) {
      density_probe(density, block, 0, BLOCK);
      probes++;
    }
    density_left(density, block);
  }
  return probes;
}

TEST(DensityTest, WhatIsNotUsedWholeIsLookedAtEverMoreRarely) {
  static struct density density = {.every = EVERY, .every_whole = EVERY_WHOLE};
  char *block = os_map(NULL, BLOCK);
  ASSERT_NE(block, NULL);
  EXPECT_LE(count_probes(&density, block, 64), 4 + 64 / 16 + 1);
  EXPECT_EQ(count_probes(&density, block, 1600), 100);
  EXPECT_FALSE(density_is_whole(&density));
  /* Once it is, a probe tells within as many blocks; and it is looked at often again when it has ceased to be. */
  memset(block, 1, BLOCK);
  EXPECT_EQ(count_probes(&density, block, 16), 1);
  EXPECT_TRUE(density_is_whole(&density));
  EXPECT_EQ(count_probes(&density, block, 160), 10);
  EXPECT_TRUE(os_purge(block, BLOCK));
  EXPECT_EQ(count_probes(&density, block, 16), 1);
  EXPECT_FALSE(density_is_whole(&density));
  EXPECT_GE(count_probes(&density, block, 16), 3);
  EXPECT_TRUE(os_unmap(block, BLOCK));
}
