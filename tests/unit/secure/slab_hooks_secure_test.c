/* slab_hooks_secure: nothing reaches past a superslab. */
#include "cold/slab_hooks.h"

#include <signal.h>

#include "cold/shared_pool.h"
#include "unit/unit.h"
#include "warm/process.h"

static char *guard_unit(void) {
  process_start();
  const struct slab *slab = pool_take(1);
  return superslab_of_slab(slab)->start + (size_t)(SUPERSLAB_UNITS - HOOK_GUARD_UNITS) * UNIT_BYTES;
}

TEST(SecureGuardTest, TheLastUnitIsNeverHandedOut) {
  process_start();
  for (int i = 0; i < 200; i++) {
    const struct slab *slab = pool_take(1);
    ASSERT_NE((uintptr_t)slab, 0);
    ASSERT_LT(slab->unit, SUPERSLAB_UNITS - HOOK_GUARD_UNITS);
  }
}

static void write_to_it(void *offset) { *(volatile char *)(guard_unit() + *(size_t *)offset) = 1; }

TEST(SecureGuardTest, AndIsOutOfBounds) {
  size_t offsets[] = {0, 4096, UNIT_BYTES - 1};
  for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
    EXPECT_KILLED(write_to_it, &offsets[i], SIGSEGV);
  }
}
