/* fault: faults in a range are told, and every fault ends the program as it would have. */
#include "os/fault.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "os/os.h"
#include "unit/unit.h"

#if !UNIT_SANITIZED /* they have a handler of their own */

enum { SEGMENT = 11, PAGES = 2 };

/* The page without access is ours, the next one too but in name. */
static char *pages;

static bool is_ours(const void *address) { return (size_t)((const char *)address - pages) < os_page_size(); }

static void tell(const void *address, const struct stack *here) {
  notice("a fault at byte %zu, %u calls or more", (size_t)((const char *)address - pages), here->count > 0 ? 1U : 0U);
}

static bool watch(void) {
  pages = mmap(NULL, PAGES * os_page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages != MAP_FAILED && fault_watch(is_ours, tell);
}

static void touch(size_t byte) { ((volatile char *)pages)[byte] = 1; }

static void touch_ours(void *unused) {
  (void)unused;
  EXPECT_TRUE(watch());
  touch(7);
}

static void touch_other(void *unused) {
  (void)unused;
  EXPECT_TRUE(watch());
  touch(os_page_size());
}

static void send(void *unused) {
  (void)unused;
  EXPECT_TRUE(watch());
  raise(SIGSEGV);
}

#define EXPECT_FAULT(body, text) unit_expect_process(__FILE__, __LINE__, body, NULL, SEGMENT, text)

TEST(FaultTest, OneInTheRangeIsToldAndKills) { EXPECT_FAULT(touch_ours, "a fault at byte 7, 1 calls or more\n"); }
TEST(FaultTest, AnotherKillsWithoutAWord) { EXPECT_FAULT(touch_other, ""); }
TEST(FaultTest, ASignalThatIsSentKillsToo) { EXPECT_FAULT(send, ""); }

/* ---- the programs' own handlers ---- */

static void own_handler(int number) {
  (void)number;
  notice("the program's own");
  _exit(3);
}

static void one_before(void *unused) {
  (void)unused;
  signal(SIGSEGV, own_handler);
  EXPECT_FALSE(watch());
  touch(0);
}

static void one_after(void *unused) {
  (void)unused;
  EXPECT_TRUE(watch());
  signal(SIGSEGV, own_handler);
  touch(0);
}

static void ignored(void *unused) {
  (void)unused;
  signal(SIGSEGV, SIG_IGN);
  EXPECT_FALSE(watch());
  struct sigaction now;
  ASSERT_EQ(sigaction(SIGSEGV, NULL, &now), 0);
  EXPECT_TRUE(now.sa_handler == SIG_IGN);
}

TEST(FaultTest, AHandlerOfTheProgramIsNotReplaced) {
  pid_t child = fork();
  if (child == 0) {
    one_before(NULL);
    _exit(0);
  }
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

TEST(FaultTest, OneThatIsInstalledLaterWins) {
  pid_t child = fork();
  if (child == 0) {
    one_after(NULL);
    _exit(0);
  }
  int status;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

TEST(FaultTest, ASignalThatIsIgnoredStaysSo) { EXPECT_FORKS(ignored, NULL); }

/* ---- what kills is the fault itself ---- */

/* The signal and the address that a child dies of: the second time that the fault occurs, the first being told. */
static void expect_address(size_t byte) {
  pid_t child = fork();
  if (child == 0) {
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    watch();
    raise(SIGSTOP);
    touch(byte);
    _exit(0);
  }
  int status;
  uintptr_t address = 0;
  unsigned faults = 0;
  waitpid(child, &status, 0);
  uintptr_t start = (uintptr_t)ptrace(PTRACE_PEEKDATA, child, &pages, NULL);
  while (WIFSTOPPED(status)) {
    int number = WSTOPSIG(status);
    siginfo_t info = {0};
    if (number == SIGSEGV && ptrace(PTRACE_GETSIGINFO, child, NULL, &info) == 0) {
      address = (uintptr_t)info.si_addr;
      faults++;
      EXPECT_EQ(info.si_code, SEGV_ACCERR);
    }
    ptrace(PTRACE_CONT, child, NULL, number == SIGSTOP ? 0 : number);
    waitpid(child, &status, 0);
  }
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
  EXPECT_EQ(faults, 2);
  EXPECT_EQ(address, start + byte);
}

TEST(FaultTest, TheProgramDiesOfTheFaultItself) {
  expect_address(16);
  expect_address(os_page_size() + 16);
}

#endif
