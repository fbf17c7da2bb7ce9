#include "support/misuse.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <pthread.h>
#include <regex.h>

namespace support {

// ---- in a scenario ----

void announce_address(const void *pointer) { dprintf(1, "pointer 0x%zx\n", reinterpret_cast<size_t>(pointer)); }

void in_another_thread(void (*body)(void *), void *argument) {
  struct Call {
    void (*body)(void *);
    void *argument;
  } call = {body, argument};
  pthread_t thread;
  auto start = [](void *pointer) -> void * {
    auto *to_make = static_cast<Call *>(pointer);
    to_make->body(to_make->argument);
    return nullptr;
  };
  REQUIRE(pthread_create(&thread, nullptr, start, &call) == 0);
  pthread_join(thread, nullptr);
}

void free_it(void *block) { default_family().free(block); }

size_t number_in(const char *variable) {
  const char *text = std::getenv(variable);
  return text == nullptr ? 0 : std::strtoull(text, nullptr, 0);
}

size_t size_under_test() { return std::getenv("HAKMEM_TEST_SIZE") == nullptr ? 64 : number_in("HAKMEM_TEST_SIZE"); }
size_t offset_under_test() {
  return std::getenv("HAKMEM_TEST_OFFSET") == nullptr ? 8 : number_in("HAKMEM_TEST_OFFSET");
}

Victim::Victim() {
  for (int i = 0; i < 100; i++) {
    neighbours.push_back(default_family().malloc(size_under_test()));
    REQUIRE(neighbours.back() != nullptr);
  }
  block = static_cast<char *>(neighbours[50]);
}

void free_until_caches_spill(void (*misuse)(char *block)) {
  std::vector<char *> blocks(64 * MiB / (size_under_test() + 16));
  for (char *&block : blocks) {
    block = static_cast<char *>(default_family().malloc(size_under_test()));
    REQUIRE(block != nullptr);
  }
  for (size_t i = 0; i < blocks.size(); i++) {
    if (i % 100 == 50) {
      misuse(blocks[i]);
    } else if (i % 8 != 1) {
      default_family().free(blocks[i]);
    }
  }
}

// ---- how it ends ----

const char *const kDouble = "double free";
const char *const kInterior = "(of an interior pointer|misaligned (free|realloc))";
const char *const kForeign = "(of an invalid pointer|misaligned free)";
const char *const kDoubleOrForeign = "(double free|of a freed block|invalid pointer)";
const char *const kNotABlock = "(of an interior pointer|of an invalid pointer|misaligned free)";

// Not std::regex: each file that includes it takes ten seconds to compile.
std::vector<std::string> groups(const std::string &expression, const std::string &text) {
  regex_t compiled;
  regmatch_t found[8];
  REQUIRE(regcomp(&compiled, expression.c_str(), REG_EXTENDED | REG_NEWLINE) == 0);
  bool matches = regexec(&compiled, text.c_str(), 8, found, 0) == 0;
  size_t count = compiled.re_nsub + 1;
  regfree(&compiled);
  std::vector<std::string> all;
  if (!matches || found[0].rm_so != 0 || static_cast<size_t>(found[0].rm_eo) != text.size()) {
    return all;
  }
  REQUIRE(count <= 8);
  for (size_t i = 0; i < count; i++) {
    auto begin = static_cast<size_t>(std::max(found[i].rm_so, 0)),
         end = static_cast<size_t>(std::max(found[i].rm_eo, 0));
    all.push_back(text.substr(begin, end - begin));
  }
  return all;
}

// The pointer that a message names first, with the word before it.
static std::string pointer_in(const std::string &message) {
  size_t at = message.find("pointer 0x");
  if (at == std::string::npos) {
    return "no pointer";
  }
  size_t digits = at + std::strlen("pointer 0x");
  return message.substr(at, message.find_first_not_of("0123456789abcdef", digits) - at);
}

void expect_stopped(const std::string &scenario, const std::string &what, const std::vector<std::string> &environment) {
  Outcome outcome = run_scenario(scenario, environment);
  if (outcome.exit_code == 77) {
    GTEST_SKIP() << "this C library has nothing to try it with";
  }
  std::string trace = scenario;
  for (const std::string &entry : environment) {
    trace += " " + entry;
  }
  SCOPED_TRACE(trace);
  ASSERT_EQ(outcome.signal, SIGABRT) << outcome.describe();
  // One line, and nothing else.
  EXPECT_EQ(std::count(outcome.err.begin(), outcome.err.end(), '\n'), 1) << outcome.describe();
  ASSERT_FALSE(groups("hakmem: .*" + what + ".*0x[0-9a-f]+.*\n", outcome.err).empty()) << "expected: " << what << "\n"
                                                                                       << outcome.describe();
  EXPECT_NE(outcome.out.find(pointer_in(outcome.err) + "\n"), std::string::npos)
      << "another pointer than the one misused\n"
      << outcome.describe();
}

std::string size_is(size_t size) { return "HAKMEM_TEST_SIZE=" + std::to_string(size); }
std::string offset_is(size_t offset) { return "HAKMEM_TEST_OFFSET=" + std::to_string(offset); }

} // namespace support
