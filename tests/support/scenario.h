// Scenarios: pieces of a test that run in a process of their own, because they end it, limit it or count its memory.
//
//   HAKMEM_SCENARIO(double_free) { void *p = malloc(8); free(p); free(p); hak_collect(); }
//   ...
//   support::Outcome outcome = support::run_scenario("double_free");
//   EXPECT_EQ(outcome.signal, SIGABRT);
//
// The binary starts itself again with --scenario NAME: a fresh process, no fork of a tested one.
#ifndef HAKMEM_TESTS_SUPPORT_SCENARIO_H
#define HAKMEM_TESTS_SUPPORT_SCENARIO_H

#include <string>
#include <vector>

namespace support {

struct Outcome {
  bool timed_out = false;
  int exit_code = -1; // -1 when a signal ended it
  int signal = 0;     // 0 when it exited
  std::string out;
  std::string err;

  bool succeeded() const { return !timed_out && exit_code == 0; }
  std::string describe() const;
};

// Runs a scenario with `environment` ("NAME=value") added, and ends it after `seconds`.
Outcome run_scenario(const std::string &name, const std::vector<std::string> &environment = {}, int seconds = 30);

struct Scenario {
  Scenario(const char *name, void (*body)());
  const char *name;
  void (*body)();
  Scenario *next;
};

// Runs the scenario that the command line names and returns its exit code, or -1 when it names none.
int dispatch_scenario(int argc, char **argv);

// Ends a scenario with a message and exit code 1.
[[noreturn]] void scenario_failed(const char *file, int line, const char *what);

} // namespace support

#define HAKMEM_SCENARIO(name)                                                                                          \
  static void scenario_##name();                                                                                       \
  static support::Scenario scenario_entry_##name(#name, scenario_##name);                                              \
  static void scenario_##name()

// A condition inside a scenario.
#define REQUIRE(condition)                                                                                             \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      support::scenario_failed(__FILE__, __LINE__, #condition);                                                        \
    }                                                                                                                  \
  } while (0)

#endif
