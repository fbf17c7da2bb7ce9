/* runner: main() of every unit test binary, in C alone, so that it is the same on each C library, machine and sanitizer.
 *
 * It owns the list of tests and the state of the one that runs. It promises GoogleTest's command line and words as far as
 * ctest and the tools of this project use them:
 *
 *   unit_BOX_test                                   every test
 *   unit_BOX_test --gtest_list_tests                their names
 *   unit_BOX_test --gtest_filter=WANTED[-UNWANTED]  patterns with * and ?, between colons: SlabTest.*:HeapTest.Random*
 *   unit_BOX_test --gtest_repeat=N                  so many times
 *
 * and status 0 where at least one test ran and none failed.
 *
 * HAKMEM_TEST_EMULATOR holds the words that start a program of this kind, such as "qemu-aarch64 -L /usr/...": without
 * them a process that EXPECT_STOPS and its like start would not run there.
 */
#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/pattern.h"
#include "unit/unit.h"

_Static_assert(UNIT_ABORTED == SIGABRT, "unit.h speaks of abort()");

/* A process that hangs is a failure; the first limit is below that of a test in ctest, so that the failure has a line. */
enum { NAME_BYTES = 200, TEXT_BYTES = 1 << 16, WORDS = 16, SECONDS = 50, SECONDS_EMULATED = 120 };

static struct unit_test *first_test, **next_test = &first_test;

/* The command line. */
static const char *program;
static char emulator[500];
static bool listing;
static const char *wanted = "*", *unwanted = "";
static unsigned long rounds = 1;
static unsigned wanted_process; /* 0, or which process of the test this one is */

/* The test that runs. */
static char current_test[NAME_BYTES];
static _Thread_local char note[160];
static _Atomic bool failed;
static bool skipped;
static unsigned process; /* how many processes it has asked for so far */

void unit_register(struct unit_test *test) {
  *next_test = test;
  next_test = &test->next;
}

/* ---- checks ---- */

/* The test may read its own standard error; that of a process is read for it. */
void unit_fail(const char *file, int line, const char *what) {
  FILE *out = wanted_process == 0 ? stdout : stderr;
  failed = true;
  fprintf(out, "%s:%d: %s%s%s\n", file, line, what, note[0] == '\0' ? "" : "\n  ", note);
  fflush(out);
}

void unit_fail_compare(const char *file, int line, const char *what, uintmax_t left, uintmax_t right) {
  char text[900];
  snprintf(text, sizeof text, "%s\n  left:  %ju (%#jx)\n  right: %ju (%#jx)", what, left, left, right, right);
  unit_fail(file, line, text);
}

void unit_skip(const char *why) {
  skipped = true;
  puts(why);
}

void unit_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(note, sizeof note, format, arguments);
  va_end(arguments);
}

/* ---- processes ---- */

static void limit_time(void) { alarm(emulator[0] == '\0' ? SECONDS : SECONDS_EMULATED); }

/* This program started afresh, to run the current test up to its n-th process. */
static _Noreturn void start_afresh(unsigned number) {
  char *line[WORDS], filter[NAME_BYTES + 20], wanted_number[40];
  size_t words = 0;
  for (char *word = strtok(emulator, " "); word != NULL && words < WORDS - 4; word = strtok(NULL, " ")) {
    line[words++] = word;
  }
  snprintf(filter, sizeof filter, "--gtest_filter=%s", current_test);
  snprintf(wanted_number, sizeof wanted_number, "--process=%u", number);
  line[words++] = (char *)(uintptr_t)program;
  line[words++] = filter;
  line[words++] = wanted_number;
  line[words] = NULL;
  execvp(line[0], line);
  perror(line[0]);
  _exit(125);
}

/* Reads standard error of a process to its end. What the emulator says when a program is stopped is not the program's. */
static void read_all(int from, char *text) {
  size_t length = 0;
  ssize_t part;
  while (length < TEXT_BYTES - 1 && (part = read(from, text + length, TEXT_BYTES - 1 - length)) > 0) {
    length += (size_t)part;
  }
  text[length] = '\0';
  char *said = strstr(text, "qemu: uncaught target signal");
  if (said != NULL && emulator[0] != '\0') {
    *said = '\0';
  }
}

static int run_afresh(unsigned number, char *text) {
  int ends[2];
  if (pipe(ends) != 0) {
    abort();
  }
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    limit_time();
    start_afresh(number);
  }
  close(ends[1]);
  read_all(ends[0], text);
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

static bool ended_well(int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 0; }

void unit_expect_process(const char *file, int line, void (*body)(void *), void *argument, int signal,
                         const char *text) {
  static char said[TEXT_BYTES], what[TEXT_BYTES + 500];
  process++;
  if (wanted_process != 0) {
    if (process == wanted_process) {
      body(argument);
      exit(failed ? 1 : 0);
    }
    return;
  }
  int status = run_afresh(process, said);
  bool ended_so = signal == 0 ? ended_well(status) : WIFSIGNALED(status) && WTERMSIG(status) == signal;
  if (!ended_so || (text != NULL && !pattern_matches(text, said))) {
    snprintf(what, sizeof what, "a process ended with status %#x and said:\n%s\n  expected: %s", (unsigned)status, said,
             text != NULL ? text : "any words");
    unit_fail(file, line, what);
  }
}

void unit_expect_fork(const char *file, int line, void (*body)(void *), void *argument) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    limit_time(); /* a lock that nobody can drop */
    failed = false;
    body(argument);
    fflush(stdout);
    _exit(failed ? 1 : 0);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || !ended_well(status)) {
    char text[80];
    snprintf(text, sizeof text, "the child of fork() ended with status %#x", (unsigned)status);
    unit_fail(file, line, text);
  }
}

/* ---- a run ---- */

static bool is_among(const char *name, const char *patterns) {
  char pattern[NAME_BYTES];
  for (const char *at = patterns; *at != '\0'; at += *at == ':') {
    int length = (int)strcspn(at, ":");
    snprintf(pattern, sizeof pattern, "%.*s", length, at);
    if (fnmatch(pattern, name, 0) == 0) {
      return true;
    }
    at += length;
  }
  return false;
}

/* Makes it the current test. */
static bool is_wanted(const struct unit_test *test) {
  snprintf(current_test, sizeof current_test, "%s.%s", test->suite, test->name);
  return is_among(current_test, wanted) && !is_among(current_test, unwanted);
}

static void list_tests(void) {
  const char *suite = "";
  for (const struct unit_test *test = first_test; test != NULL; test = test->next) {
    if (is_wanted(test)) {
      if (strcmp(suite, test->suite) != 0) {
        printf("%s.\n", test->suite);
      }
      printf("  %s\n", test->name);
      suite = test->suite;
    }
  }
}

static void say(const char *what) {
  if (wanted_process == 0) {
    printf("[ %8s ] %s\n", what, current_test);
    fflush(stdout); /* a test that is stopped has been named */
  }
}

struct outcome {
  unsigned passed, skipped, failed;
};

static void run_test(const struct unit_test *test, struct outcome *outcome) {
  note[0] = '\0';
  process = 0;
  failed = skipped = false;
  say("RUN     ");
  test->body();
  say(failed ? "FAILED " : skipped ? "SKIPPED" : "OK");
  *(failed ? &outcome->failed : skipped ? &outcome->skipped : &outcome->passed) += 1;
}

static bool run_tests(void) {
  struct outcome outcome = {0, 0, 0};
  for (; rounds > 0; rounds--) {
    for (const struct unit_test *test = first_test; test != NULL; test = test->next) {
      if (is_wanted(test)) {
        run_test(test, &outcome);
      }
    }
  }
  if (wanted_process != 0) {
    fprintf(stderr, "process %u of this test is not reached\n", wanted_process);
    return false;
  }
  printf("%u passed, %u skipped, %u failed\n", outcome.passed, outcome.skipped, outcome.failed);
  return outcome.failed == 0 && outcome.passed + outcome.skipped > 0;
}

static void read_filter(char *patterns) {
  char *minus = strchr(patterns, '-');
  if (minus != NULL) {
    *minus = '\0';
    unwanted = minus + 1;
  }
  wanted = patterns[0] == '\0' ? "*" : patterns;
}

/* What comes after `name` in an argument that begins so; else NULL. */
static char *value_of(char *argument, const char *name) {
  size_t length = strlen(name);
  return strncmp(argument, name, length) == 0 ? argument + length : NULL;
}

static bool read_argument(char *argument) {
  char *filter = value_of(argument, "--gtest_filter=");
  char *repeat = value_of(argument, "--gtest_repeat=");
  char *number = value_of(argument, "--process=");
  if (filter != NULL) {
    read_filter(filter);
  } else if (repeat != NULL) {
    rounds = strtoul(repeat, NULL, 10);
  } else if (number != NULL) {
    wanted_process = (unsigned)strtoul(number, NULL, 10);
  } else if (strcmp(argument, "--gtest_list_tests") == 0) {
    listing = true;
  } else {
    return strcmp(argument, "--gtest_also_run_disabled_tests") == 0; /* what ctest says; there are none */
  }
  return true;
}

int main(int argc, char **argv) {
  const char *given = getenv("HAKMEM_TEST_EMULATOR");
  snprintf(emulator, sizeof emulator, "%s", given != NULL ? given : "");
  program = argv[0];
  for (int i = 1; i < argc; i++) {
    if (!read_argument(argv[i])) {
      fprintf(stderr, "%s: unknown argument: %s\n", program, argv[i]);
      return 2;
    }
  }
  if (listing) {
    list_tests();
    return 0;
  }
  return unit_begin() && run_tests() ? 0 : 1;
}
