/* machine: what the machine and the process have. */
#include "os/machine.h"

#include <errno.h>
#include <sys/resource.h>
#include <unistd.h>

#include "os/system.h"
#include "unit/unit.h"

TEST(MachineTest, KnowsTheMemoryOfTheMachine) {
  EXPECT_GE(os_physical_memory(), 64 * MIB);
  EXPECT_GE(os_physical_memory() / MIB, (size_t)sysconf(_SC_PHYS_PAGES) / 2 * os_page_size() / MIB);
}

static void limit_address_space(void *unused) {
  (void)unused;
  EXPECT_EQ(os_address_limit(), OS_ADDRESSABLE);
  struct rlimit limit = {1 << 30, RLIM_INFINITY};
  setrlimit(RLIMIT_AS, &limit);
  EXPECT_EQ(os_address_limit(), 1 << 30);
  EXPECT_EQ(os_writable_limit(), 1 << 30);
}

static void limit_data(void *unused) {
  (void)unused;
  struct rlimit limit = {1 << 30, RLIM_INFINITY};
  setrlimit(RLIMIT_DATA, &limit);
  EXPECT_EQ(os_address_limit(), OS_ADDRESSABLE);
  EXPECT_EQ(os_writable_limit(), 1 << 30);
}

TEST(MachineTest, KnowsTheLimitOfTheAddressSpace) {
  struct rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  if (UNIT_SANITIZED || limit.rlim_cur != RLIM_INFINITY) {
    SKIP("the address space is or cannot be limited");
  }
  EXPECT_RUNS(limit_address_space, NULL, "");
  EXPECT_RUNS(limit_data, NULL, "");
}

TEST(MachineTest, RandomNumbersDiffer) {
  uint64_t first = os_random();
  usleep(1);
  EXPECT_NE(os_random(), first);
}

TEST(MachineTest, TheClockNeverGoesBack) {
  uint64_t begin = os_milliseconds();
  uint64_t last = begin;
  for (int i = 0; i < 10000; i++) {
    uint64_t now = os_milliseconds();
    ASSERT_GE(now, last);
    last = now;
  }
  usleep(50 * 1000);
  EXPECT_GE(os_milliseconds() - begin, 40);
  EXPECT_LE(os_milliseconds() - begin, 10000);
}

TEST(MachineTest, KeepsErrno) {
  enum { UNTOUCHED_ERRNO = 4711 };
  errno = UNTOUCHED_ERRNO;
  os_random();
  os_milliseconds();
  os_address_limit();
  os_writable_limit();
  os_physical_memory();
  EXPECT_EQ(errno, UNTOUCHED_ERRNO);
}
