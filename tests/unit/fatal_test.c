/* fatal: one line, and the end. */
#include "os/fatal.h"

#include <errno.h>
#include <string.h>

#include "hot/cache.h"
#include "os/lock.h"
#include "unit/unit.h"

static void stop(void *unused) {
  (void)unused;
  fatal("%s of %p, %u and %zu and %x, %d and %ld", "nothing", (void *)0x1234, 5U, (size_t)6, 0xABCU, -7, -8L);
}

TEST(FatalTest, SaysOneLineAndAborts) {
  EXPECT_STOPS(stop, NULL, "hakmem: nothing of 0x1234, 5 and 6 and abc, -7 and -8\n");
}

static void stop_at_length(void *length) {
  char words[2000];
  memset(words, 'x', sizeof words);
  words[(uintptr_t)length] = '\0';
  fatal("%s", words);
}

TEST(FatalTest, ALineThatIsTooLongIsCutAndStillEnds) {
  EXPECT_STOPS(stop_at_length, (void *)20, "hakmem: x{20}\n");
  EXPECT_STOPS(stop_at_length, (void *)600, "hakmem: (x{200}){3}\n");
  EXPECT_STOPS(stop_at_length, (void *)1999, "hakmem: (x{200}){3}x*\n");
}

static void say(void *words) { notice("%s %d", (const char *)words, 42); }

TEST(FatalTest, ANoticeIsTheLineWithoutThePrefixAndTheEnd) {
  char text[2000];
  errno = 4711;
  EXPECT_EQ(unit_capture(say, "all is well", text, sizeof text), 1); /* one write */
  EXPECT_EQ(strcmp(text, "all is well 42\n"), 0);
  EXPECT_EQ(errno, 4711);
}

TEST(FatalTest, EveryLengthIsOneWriteThatEndsInANewline) {
  static char words[800];
  char text[2000];
  for (size_t length = 1; length < sizeof words - 1; length += 3) {
    memset(words, 'y', length);
    words[length] = '\0';
    EXPECT_EQ(unit_capture(say, words, text, sizeof text), 1);
    size_t written = strlen(text);
    ASSERT_TRUE(written <= length + 4 && (written == length + 4 || written > 600));
    ASSERT_EQ(text[written - 1], '\n');
    ASSERT_EQ(memchr(text, '\n', written), text + written - 1);
  }
}

static void say_on_a_new_thread(void *unused) {
  (void)unused;
  notice("pointer %p, %zu bytes", (void *)&thread_cache, (size_t)100);
  EXPECT_EQ(thread_cache.state, THREAD_NEW);
}

static void in_a_thread(void *unused) {
  (void)unused;
  unit_in_thread(say_on_a_new_thread, NULL);
}

TEST(FatalTest, AllocatesNothing) {
  char text[200];
  EXPECT_EQ(unit_capture(in_a_thread, NULL, text, sizeof text), 1);
}

static void stop_with_every_lock_held(void *unused) {
  (void)unused;
  for (enum lock_rank rank = LOCK_START; rank < LOCK_RANKS; rank++) {
    lock_take(rank);
  }
  fatal("stopped");
}

TEST(FatalTest, TakesNoLock) { EXPECT_STOPS(stop_with_every_lock_held, NULL, "hakmem: stopped\n"); }

static int evaluated;

static bool evaluate(bool value) {
  evaluated++;
  return value;
}

#if HAKMEM_VALIDATE
static void break_an_invariant(void *unused) {
  (void)unused;
  INVARIANT(1 + 1 == 2);
  INVARIANT(evaluate(true) && 1 + 1 == 3);
}

TEST(FatalTest, DebugBuildsStopAtABrokenInvariant) {
  EXPECT_STOPS(break_an_invariant, NULL,
               "hakmem: invariant broken: evaluate\\(true\\) && 1 \\+ 1 == 3 at .*fatal_test\\.c:[0-9]+\n");
  evaluated = 0;
  INVARIANT(evaluate(true));
  EXPECT_EQ(evaluated, 1);
}
#else
TEST(FatalTest, ReleaseBuildsDoNotEvenLookAtAnInvariant) {
  evaluated = 0;
  INVARIANT(evaluate(false));
  EXPECT_EQ(evaluated, 0);
  EXPECT_FALSE(evaluate(false));
}
#endif
