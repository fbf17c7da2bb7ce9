#include "unit/unit.h"

#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <string>

#include <regex.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

static_assert(UNIT_ABORTED == SIGABRT, "");

namespace {

unit_test *first_test;
unit_test **next_test = &first_test;

thread_local char note[160];

// In a process that was started for EXPECT_RUNS and its like.
std::atomic<bool> process_failed;

class TestInC : public testing::Test {
public:
  explicit TestInC(const unit_test *test) : test_(test) {}

private:
  void TestBody() override { test_->body(); }
  const unit_test *test_;
};

// GoogleTest prints nothing in a process that it started itself. What is wrong there is said on standard error, without memory, of
// which there may be none.
void fail(const char *file, int line, const char *what) {
  const char *before_note = note[0] == '\0' ? "" : "\n  ";
  if (testing::internal::InDeathTestChild()) {
    process_failed = true;
    char text[1200];
    std::snprintf(text, sizeof text, "%s:%d: %s%s%s\n", file, line, what, before_note, note);
    std::fputs(text, stderr);
  } else {
    ADD_FAILURE_AT(file, line) << what << before_note << note;
  }
}

int exit_code() {
  std::fflush(stdout);
  return process_failed || testing::Test::HasFailure() ? 1 : 0;
}

// All of a text, from its first byte to its last. GoogleTest's own matcher knows no \1 for what an earlier group has matched.
class IsWholly : public testing::MatcherInterface<const std::string &> {
public:
  explicit IsWholly(const char *expression) : expression_(std::string("^") + expression + "$") {}

  bool MatchAndExplain(const std::string &text, testing::MatchResultListener *) const override {
    regex_t compiled;
    if (regcomp(&compiled, expression_.c_str(), REG_EXTENDED | REG_NOSUB) != 0) {
      std::fprintf(stderr, "not a regular expression: %s\n", expression_.c_str());
      std::abort();
    }
    bool matches = regexec(&compiled, text.c_str(), 0, nullptr, 0) == 0;
    regfree(&compiled);
    return matches;
  }

  void DescribeTo(std::ostream *out) const override { *out << "is wholly " << expression_; }

private:
  const std::string expression_;
};

} // namespace

// ---- checks ----

void unit_register(unit_test *test) {
  *next_test = test;
  next_test = &test->next;
}

void unit_fail(const char *file, int line, const char *what) { fail(file, line, what); }

void unit_fail_compare(const char *file, int line, const char *what, uintmax_t left, uintmax_t right) {
  char text[900];
  std::snprintf(text, sizeof text, "%s\n  left:  %ju (%#jx)\n  right: %ju (%#jx)", what, left, left, right, right);
  fail(file, line, text);
}

void unit_skip(const char *why) {
  [why]() { GTEST_SKIP() << why; }();
}

void unit_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(note, sizeof note, format, arguments);
  va_end(arguments);
}

// ---- processes ----

void unit_expect_process(const char *file, int line, void (*body)(void *), void *argument, int signal,
                         const char *text) {
  testing::ScopedTrace here(file, line, note[0] == '\0' ? "this process" : note);
  auto ended_so = [signal](int status) {
    return signal == 0 ? WIFEXITED(status) && WEXITSTATUS(status) == 0
                       : WIFSIGNALED(status) && WTERMSIG(status) == signal;
  };
  EXPECT_EXIT(
      {
        body(argument);
        std::exit(exit_code());
      },
      ended_so, testing::MakeMatcher(new IsWholly(text == nullptr ? ".*" : text)));
}

void unit_expect_fork(const char *file, int line, void (*body)(void *), void *argument) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(20); // a lock that nobody can drop is a failure, not a hang
    body(argument);
    _exit(exit_code());
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    char text[80];
    std::snprintf(text, sizeof text, "the child of fork() ended with status %#x", static_cast<unsigned>(status));
    fail(file, line, text);
  }
}

int main(int argc, char **argv) {
  // Each process is the binary started afresh: forks of a process with threads are another matter, and tested as such.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  testing::InitGoogleTest(&argc, argv);
  for (unit_test *test = first_test; test != nullptr; test = test->next) {
    testing::RegisterTest(test->suite, test->name, nullptr, nullptr, test->file, test->line, [test] {
      note[0] = '\0';
      return new TestInC(test);
    });
  }
  return unit_begin() ? RUN_ALL_TESTS() : 1;
}
