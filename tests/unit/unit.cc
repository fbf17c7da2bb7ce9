#include "unit/unit.h"

#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

extern "C" bool process_start(void); // warm/process.h

static_assert(UNIT_ABORTED == SIGABRT, "");

namespace {

unit_test *first_test;
unit_test **next_test = &first_test;

thread_local char note[160];

class TestInC : public testing::Test {
public:
  explicit TestInC(const unit_test *test) : test_(test) {}

private:
  void TestBody() override { test_->body(); }
  const unit_test *test_;
};

std::string with_note() { return note[0] == '\0' ? "" : std::string("\n  ") + note; }

std::string number(uintmax_t value) {
  char text[64];
  std::snprintf(text, sizeof text, value < 10 ? "%ju" : "%ju (%#jx)", value, value);
  return text;
}

int exit_code() {
  std::fflush(stdout);
  return testing::Test::HasFailure() ? 1 : 0;
}

void *run_thread(void *thread) {
  static_cast<unit_thread *>(thread)->body(static_cast<unit_thread *>(thread)->argument);
  return nullptr;
}

} // namespace

void unit_register(unit_test *test) {
  *next_test = test;
  next_test = &test->next;
}

void unit_fail(const char *file, int line, const char *what) { ADD_FAILURE_AT(file, line) << what << with_note(); }

void unit_fail_compare(const char *file, int line, const char *what, uintmax_t left, uintmax_t right) {
  ADD_FAILURE_AT(file, line) << what << "\n  left:  " << number(left) << "\n  right: " << number(right) << with_note();
}

void unit_skip(const char *why) {
  []() { GTEST_SKIP(); }();
  std::printf("skipped: %s\n", why);
}

void unit_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(note, sizeof note, format, arguments);
  va_end(arguments);
}

void unit_expect_process(const char *file, int line, void (*body)(void *), void *argument, int signal,
                         const char *text) {
  testing::ScopedTrace here(file, line, "this process");
  auto ended_so = [signal](int status) {
    return signal == 0 ? WIFEXITED(status) && WEXITSTATUS(status) == 0
                       : WIFSIGNALED(status) && WTERMSIG(status) == signal;
  };
  EXPECT_EXIT(
      {
        body(argument);
        std::exit(exit_code());
      },
      ended_so, text == nullptr ? "" : "^" + std::string(text) + "$");
}

void unit_expect_fork(const char *file, int line, void (*body)(void *), void *argument) {
  std::fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    body(argument);
    _exit(exit_code());
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    ADD_FAILURE_AT(file, line) << "the child of fork() ended with status " << status << with_note();
  }
}

uint64_t unit_seed() {
  const char *given = std::getenv("HAKMEM_TEST_SEED");
  uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : std::random_device{}();
  unit_note("seed %llu (again: HAKMEM_TEST_SEED=%llu)", static_cast<unsigned long long>(seed),
            static_cast<unsigned long long>(seed));
  return seed;
}

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

size_t unit_resident(const void *start, size_t bytes) {
  static unsigned char pages[1 << 16];
  const size_t page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  size_t resident = 0;
  for (size_t at = 0; at < bytes; at += page * sizeof pages) {
    size_t part = std::min(bytes - at, page * sizeof pages);
    if (mincore(const_cast<char *>(static_cast<const char *>(start)) + at, part, pages) != 0) {
      ADD_FAILURE() << start << " is not mapped";
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
  return pages * static_cast<size_t>(sysconf(_SC_PAGESIZE));
}

void unit_limit_memory(size_t more) {
  rlimit limit;
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = more == SIZE_MAX ? limit.rlim_max : std::min<rlim_t>(unit_mapped() + more, limit.rlim_max);
  setrlimit(RLIMIT_AS, &limit);
}

int main(int argc, char **argv) {
  // A process of its own for each test that must end: forks of a process with threads are another matter, and tested as such.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  testing::InitGoogleTest(&argc, argv);
  for (unit_test *test = first_test; test != nullptr; test = test->next) {
    testing::RegisterTest(test->suite, test->name, nullptr, nullptr, test->file, test->line, [test] {
      note[0] = '\0';
      return new TestInC(test);
    });
  }
  // Residency is counted in pages, and programs that stop leave no core.
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  if (!process_start()) {
    std::fprintf(stderr, "hakmem does not start\n");
    return 1;
  }
  return RUN_ALL_TESTS();
}
