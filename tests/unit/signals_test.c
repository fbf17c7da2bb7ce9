/* signals: those that the program leaves alone. */
#include "os/signals.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <unistd.h>

#include "unit/unit.h"

static volatile int came;

static void on_signal(int number) { came = number; }
static void programs_own(int number) { came = -number; }

static void listen_to(void *unused) {
  (void)unused;
  errno = 4711;
  EXPECT_TRUE(os_on_signal(SIGUSR1, on_signal));
  raise(SIGUSR1);
  EXPECT_EQ(came, SIGUSR1);
  EXPECT_FALSE(os_on_signal(SIGUSR1, on_signal)); /* it is handled by now */
  signal(SIGUSR1, programs_own);
  raise(SIGUSR1);
  EXPECT_EQ(came, -SIGUSR1);
  signal(SIGUSR2, SIG_IGN);
  EXPECT_FALSE(os_on_signal(SIGUSR2, on_signal));
  raise(SIGUSR2);
  EXPECT_FALSE(os_on_signal(SIGKILL, on_signal));
  EXPECT_EQ(errno, 4711);
}

TEST(SignalsTest, NoHandlerIsTakenOver) { EXPECT_RUNS(listen_to, NULL, ""); }

static void end_by_term(void *unused) {
  (void)unused;
  EXPECT_TRUE(os_on_signal(SIGTERM, on_signal));
  os_end_by_signal(SIGTERM, on_signal);
}

TEST(SignalsTest, TheProcessEndsAsItWouldHave) {
  if (UNIT_SANITIZED) {
    SKIP("signals become exits");
  }
  EXPECT_KILLED(end_by_term, NULL, SIGTERM);
}

static void end_without(void *unused) {
  (void)unused;
  EXPECT_TRUE(os_on_signal(SIGTERM, on_signal));
  signal(SIGTERM, programs_own);
  os_end_by_signal(SIGTERM, on_signal);
  raise(SIGTERM);
  EXPECT_EQ(came, -SIGTERM);
}

TEST(SignalsTest, AHandlerSetLaterWins) { EXPECT_RUNS(end_without, NULL, ""); }
