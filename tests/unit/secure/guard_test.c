/* guard: a run out of a slab ends at its guard, in either direction. */
#include "secure/guard.h"

#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "secure/checked_gate.h"
#include "secure/state.h"
#include "unit/unit.h"
#include "warm/process.h"

/* The system's call, as an older one has it. */
static bool is_old;

int madvise(void *start, size_t bytes, int advice) {
  enum { GUARD_INSTALL = 102 };
  if (is_old && advice == GUARD_INSTALL) {
    errno = EINVAL;
    return -1;
  }
  return (int)syscall(SYS_madvise, start, bytes, advice);
}

static void run_up(void *size) {
  volatile char *block = gate_malloc(*(size_t *)size);
  for (size_t i = 0; i < 64 * KIB; i++) {
    block[i] = 1;
  }
}

static void run_down(void *size) {
  volatile char *block = gate_malloc(*(size_t *)size);
  for (size_t i = 1; i <= 64 * KIB; i++) {
    block[-(ptrdiff_t)i] = 1;
  }
}

static void read_up(void *size) {
  volatile char *block = gate_malloc(*(size_t *)size);
  for (size_t i = 0; i < 64 * KIB; i++) {
    (void)block[i];
  }
}

static void run_up_on_an_old_system(void *size) {
  is_old = true;
  run_up(size);
}

static void run_down_on_an_old_system(void *size) {
  is_old = true;
  run_down(size);
}

TEST(GuardTest, ARunOfAUnitIsAFault) {
  size_t sizes[] = {1, 8, 100, 1000, 4096, 8000, 16000, 32000};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    EXPECT_KILLED(run_up, &sizes[i], SIGSEGV);
    EXPECT_KILLED(run_down, &sizes[i], SIGSEGV);
    EXPECT_KILLED(read_up, &sizes[i], SIGSEGV);
    EXPECT_KILLED(run_up_on_an_old_system, &sizes[i], SIGSEGV);
    EXPECT_KILLED(run_down_on_an_old_system, &sizes[i], SIGSEGV);
  }
}

static volatile char *before_the_fork;

static void run_up_in_a_child(void *unused) {
  (void)unused;
  before_the_fork = gate_malloc(100);
  pid_t child = fork();
  if (child == 0) {
    for (size_t i = 0; i < 64 * KIB; i++) {
      before_the_fork[i] = 1;
    }
    _exit(0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  ASSERT_EQ(WTERMSIG(status), SIGSEGV);
}

TEST(GuardTest, AChildOfForkHasThem) { EXPECT_RUNS(run_up_in_a_child, NULL, ""); }

/* Slabs come and go, with all kinds of blocks: nobody meets a guard that does no harm. */
TEST(GuardTest, UnitsThatServeAgainAreUsable) {
  enum { BLOCKS = 2000 };
  static char *blocks[BLOCKS];
  for (size_t size = 20; size < 32000; size = size * 3 / 2) {
    for (size_t i = 0; i < BLOCKS; i++) {
      blocks[i] = gate_malloc(size);
      memset(blocks[i], 0x5A, size);
    }
    for (size_t i = 0; i < BLOCKS; i++) {
      gate_free(blocks[i]);
    }
    release_free_memory(RELEASE_ALL);
  }
}
