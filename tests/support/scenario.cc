#include "support/scenario.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <sstream>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace support {

namespace {

Scenario *first_scenario = nullptr;

// Reads what is there; false at the end of the stream.
bool drain(int fd, std::string &into) {
  char buffer[4096];
  ssize_t n = read(fd, buffer, sizeof buffer);
  if (n > 0) {
    into.append(buffer, static_cast<size_t>(n));
    return true;
  }
  return n < 0 && (errno == EINTR || errno == EAGAIN);
}

// The words that start a program of this kind where the system does not: HAKMEM_TEST_EMULATOR, as for the unit tests.
std::vector<std::string> emulator() {
  const char *given = std::getenv("HAKMEM_TEST_EMULATOR");
  std::istringstream text(given != nullptr ? given : "");
  return {std::istream_iterator<std::string>(text), {}};
}

} // namespace

Scenario::Scenario(const char *scenario_name, void (*scenario_body)())
    : name(scenario_name), body(scenario_body), next(first_scenario) {
  first_scenario = this;
}

int dispatch_scenario(int argc, char **argv) {
  if (argc != 3 || std::strcmp(argv[1], "--scenario") != 0) {
    return -1;
  }
  for (Scenario *scenario = first_scenario; scenario != nullptr; scenario = scenario->next) {
    if (std::strcmp(scenario->name, argv[2]) == 0) {
      scenario->body();
      return 0;
    }
  }
  std::fprintf(stderr, "no scenario named %s\n", argv[2]);
  return 2;
}

void scenario_failed(const char *file, int line, const char *what) {
  int saved = errno;
  std::fprintf(stderr, "%s:%d: not so: %s (errno %d)\n", file, line, what, saved);
  std::fflush(stdout);
  _exit(1);
}

std::string Outcome::describe() const {
  std::string text = timed_out     ? "did not end in time"
                     : signal != 0 ? std::string("ended by ") + strsignal(signal)
                                   : "exited with " + std::to_string(exit_code);
  return text + "\nstdout: " + out + "\nstderr: " + err;
}

Outcome run_scenario(const std::string &name, const std::vector<std::string> &environment, int seconds) {
  Outcome outcome;
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) {
    std::perror("pipe2");
    std::abort();
  }
  std::vector<char *> env;
  for (const std::string &entry : environment) {
    env.push_back(const_cast<char *>(entry.c_str()));
  }
  for (char **entry = environ; *entry != nullptr; entry++) {
    bool replaced = false;
    for (const std::string &given : environment) {
      replaced = replaced || std::strncmp(*entry, given.c_str(), given.find('=') + 1) == 0;
    }
    if (!replaced) {
      env.push_back(*entry);
    }
  }
  env.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, out[1], 1);
  posix_spawn_file_actions_adddup2(&actions, err[1], 2);
  std::vector<std::string> words = emulator();
  bool emulated = !words.empty();
  seconds *= emulated ? 4 : 1;
  words.insert(words.end(), {emulated ? program_invocation_name : "/proc/self/exe", "--scenario", name});
  std::vector<char *> arguments;
  for (std::string &word : words) {
    arguments.push_back(word.data());
  }
  arguments.push_back(nullptr);
  pid_t child = -1;
  int failed = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), env.data());
  posix_spawn_file_actions_destroy(&actions);
  close(out[1]);
  close(err[1]);
  if (failed != 0) {
    close(out[0]);
    close(err[0]);
    outcome.err = std::string("cannot start: ") + std::strerror(failed);
    return outcome;
  }

  auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  pollfd ends[2] = {{out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  while (ends[0].fd >= 0 || ends[1].fd >= 0) {
    auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now()).count();
    if (left <= 0 || poll(ends, 2, static_cast<int>(left)) == 0) {
      outcome.timed_out = true;
      kill(child, SIGKILL);
      break;
    }
    for (int i = 0; i < 2; i++) {
      if (ends[i].fd >= 0 && ends[i].revents != 0 && !drain(ends[i].fd, i == 0 ? outcome.out : outcome.err)) {
        ends[i].fd = -1;
      }
    }
  }
  close(out[0]);
  close(err[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    outcome.signal = WTERMSIG(status);
  } else {
    outcome.exit_code = WEXITSTATUS(status);
  }
  return outcome;
}

} // namespace support
