#include "unit/unit.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ostream>
#include <random>
#include <string>

#include <pthread.h>
#include <regex.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

extern "C" bool process_start(void); // warm/process.h

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

void *run_thread(void *thread) {
  static_cast<unit_thread *>(thread)->body(static_cast<unit_thread *>(thread)->argument);
  return nullptr;
}

size_t page_size() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

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

size_t unit_capture(void (*body)(void *), void *argument, char *text, size_t size) {
  // A socket that keeps the borders between what is written, and holds more than any test writes.
  int ends[2];
  int standard_error = dup(STDERR_FILENO);
  if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0 || dup2(ends[1], STDERR_FILENO) < 0) {
    std::abort();
  }
  body(argument);
  dup2(standard_error, STDERR_FILENO);
  close(standard_error);
  close(ends[1]);
  size_t writes = 0;
  size_t length = 0;
  ssize_t part;
  while ((part = recv(ends[0], text + length, size - 1 - length, 0)) > 0) {
    length += static_cast<size_t>(part);
    writes++;
  }
  close(ends[0]);
  text[length] = '\0';
  return writes;
}

// ---- threads, seeds ----

void unit_start(unit_thread *thread, void (*body)(void *), void *argument) {
  static_assert(sizeof(pthread_t) <= sizeof thread->handle, "");
  thread->body = body;
  thread->argument = argument;
  pthread_t handle;
  if (pthread_create(&handle, nullptr, run_thread, thread) != 0) {
    std::perror("pthread_create");
    std::abort();
  }
  thread->handle = handle;
}

void unit_join(unit_thread *thread) { pthread_join(thread->handle, nullptr); }

void unit_in_thread(void (*body)(void *), void *argument) {
  unit_thread thread;
  unit_start(&thread, body, argument);
  unit_join(&thread);
}

uint64_t unit_seed() {
  const char *given = std::getenv("HAKMEM_TEST_SEED");
  uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device{}();
  unit_note("seed %llu (again: HAKMEM_TEST_SEED=%llu)", static_cast<unsigned long long>(seed),
            static_cast<unsigned long long>(seed));
  return seed;
}

// ---- memory ----

size_t unit_resident(const void *start, size_t bytes) {
  static unsigned char pages[1 << 16];
  const size_t page = page_size();
  size_t resident = 0;
  for (size_t at = 0; at < bytes; at += page * sizeof pages) {
    size_t part = std::min(bytes - at, page * sizeof pages);
    if (mincore(const_cast<char *>(static_cast<const char *>(start)) + at, part, pages) != 0) {
      fail(__FILE__, __LINE__, "a range whose resident pages are asked for is not mapped");
      return 0;
    }
    for (size_t i = 0; i * page < part; i++) {
      resident += (pages[i] & 1) != 0 ? page : 0;
    }
  }
  return resident;
}

size_t unit_mapped() {
  size_t pages = 0;
  FILE *file = std::fopen("/proc/self/statm", "r");
  if (file == nullptr || std::fscanf(file, "%zu", &pages) != 1) {
    std::abort();
  }
  std::fclose(file);
  return pages * page_size();
}

void unit_limit_memory(size_t more) {
  rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = more == SIZE_MAX ? limit.rlim_max : std::min<rlim_t>(unit_mapped() + more, limit.rlim_max);
  setrlimit(RLIMIT_AS, &limit);
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
  // Residency is counted in pages, and programs that are stopped leave no core.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (!process_start()) {
    std::fprintf(stderr, "hakmem does not start\n");
    return 1;
  }
  return RUN_ALL_TESTS();
}
