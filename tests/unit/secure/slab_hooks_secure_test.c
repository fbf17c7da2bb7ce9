/* slab_hooks_secure: nothing reaches past a superslab. */
#include "cold/slab_hooks.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cold/shared_pool.h"
#include "unit/unit.h"
#include "warm/process.h"

static char *guard_unit(void) {
  process_start();
  const struct slab *slab = pool_take(1, USE_WHOLE);
  return superslab_of_slab(slab)->start + (size_t)(SUPERSLAB_UNITS - HOOK_GUARD_UNITS) * UNIT_BYTES;
}

TEST(SecureGuardTest, TheLastUnitIsNeverHandedOut) {
  process_start();
  for (int i = 0; i < 200; i++) {
    const struct slab *slab = pool_take(1, USE_WHOLE);
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

/* ---- the limit's count ---- */

static bool guards_fail;

int mprotect(void *start, size_t bytes, int access) {
  if (guards_fail && access == PROT_NONE) {
    errno = ENOMEM;
    return -1;
  }
  return (int)syscall(SYS_mprotect, start, bytes, access);
}

/* So many that some are the first on a page of a table. */
static void cut_in_vain(void *unused) {
  (void)unused;
  process_start();
  size_t had = superslab_records_bytes();
  for (int i = 0; i < SUPERSLAB_UNITS; i++) {
    guards_fail = true;
    ASSERT_EQ(superslab_cut(false), NULL);
    size_t counted = superslab_records_bytes();
    ASSERT_EQ(superslab_cut(false), NULL);
    guards_fail = false;
    ASSERT_NE(superslab_cut(false), NULL);
    ASSERT_EQ(superslab_records_bytes(), counted);
  }
  EXPECT_GT(superslab_records_bytes(), had);
}

TEST(SecureGuardTest, RecordsAreCountedOnceHoweverOftenNoneCanBeHad) { EXPECT_RUNS(cut_in_vain, NULL, ""); }
