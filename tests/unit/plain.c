/* Runs the tests of unit.h where there is no GoogleTest.
 *
 *   unit_BOX_test                    every test
 *   unit_BOX_test --test SUITE.NAME  one test
 *   unit_BOX_test --without NAMES    every test but these, which stand between commas
 *
 * HAKMEM_TEST_EMULATOR holds the words that start a program of this kind, such as "qemu-aarch64 -L /usr/...": without
 * them a process that EXPECT_STOPS and its like start would not run there.
 */
#include <regex.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit/unit.h"

enum { NAME_BYTES = 200, TEXT_BYTES = 1 << 16, WORDS = 16, GROUPS = 20, SECONDS_AT_MOST = 120 };

static struct unit_test *first_test, **next_test = &first_test;
static const char *program;
static _Thread_local char note[160];

static _Atomic bool failed; /* the test that runs */
static bool skipped;
static unsigned process;        /* how many processes this test has asked for so far */
static unsigned wanted_process; /* 0, or which of them this process is */

void unit_register(struct unit_test *test) {
  *next_test = test;
  next_test = &test->next;
}

/* ---- checks ---- */

void unit_fail(const char *file, int line, const char *what) {
  failed = true;
  fprintf(stderr, "%s:%d: %s%s%s\n", file, line, what, note[0] == '\0' ? "" : "\n  ", note);
}

void unit_fail_compare(const char *file, int line, const char *what, uintmax_t left, uintmax_t right) {
  char text[900];
  snprintf(text, sizeof text, "%s\n  left:  %ju (%#jx)\n  right: %ju (%#jx)", what, left, left, right, right);
  unit_fail(file, line, text);
}

void unit_skip(const char *why) {
  skipped = true;
  printf("skipped: %s\n", why);
}

void unit_note(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(note, sizeof note, format, arguments);
  va_end(arguments);
}

/* ---- processes ---- */

static char current_test[NAME_BYTES];

/* This program started afresh, to run the current test up to its n-th process. */
static _Noreturn void start_afresh(unsigned number) {
  static char emulator[500], wanted[20];
  char *line[WORDS];
  size_t words = 0;
  snprintf(emulator, sizeof emulator, "%s",
           getenv("HAKMEM_TEST_EMULATOR") != NULL ? getenv("HAKMEM_TEST_EMULATOR") : "");
  for (char *word = strtok(emulator, " "); word != NULL && words < WORDS - 6; word = strtok(NULL, " ")) {
    line[words++] = word;
  }
  snprintf(wanted, sizeof wanted, "%u", number);
  line[words++] = (char *)(uintptr_t)program;
  line[words++] = "--test";
  line[words++] = current_test;
  line[words++] = "--process";
  line[words++] = wanted;
  line[words] = NULL;
  execvp(line[0], line);
  perror(line[0]);
  _exit(125);
}

/* What the emulator says when a program is stopped is not the program's. */
static void drop_last_line_of_emulator(char *text) {
  char *said = strstr(text, "qemu: uncaught target signal");
  if (said != NULL && getenv("HAKMEM_TEST_EMULATOR") != NULL) {
    *said = '\0';
  }
}

/* Reads standard error of a process to its end. */
static void read_all(int from, char *text) {
  size_t length = 0;
  ssize_t part;
  while (length < TEXT_BYTES - 1 && (part = read(from, text + length, TEXT_BYTES - 1 - length)) > 0) {
    length += (size_t)part;
  }
  text[length] = '\0';
  drop_last_line_of_emulator(text);
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
    alarm(SECONDS_AT_MOST);
    start_afresh(number);
  }
  close(ends[1]);
  read_all(ends[0], text);
  close(ends[0]);
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

/* POSIX, and so musl, knows no \1 for what an earlier group has matched: it becomes a group with the same expression,
 * and the two are compared. */
struct pattern {
  char text[8192];
  size_t length;
  unsigned groups;
  unsigned group_of[GROUPS]; /* group n of the original */
  const char *inside[GROUPS];
  unsigned same[GROUPS]; /* group that group n must equal; 0: none */
};

static void pattern_add(struct pattern *pattern, const char *part, size_t length) {
  memcpy(pattern->text + pattern->length, part, length);
  pattern->length += length;
}

/* A group, from its parenthesis to the one that closes it; groups do not lie within each other. */
static size_t group_length(const char *group) {
  const char *at = group;
  while (*at != ')') {
    at += *at == '\\' ? 2 : 1;
  }
  return (size_t)(at - group) + 1;
}

static void pattern_make(struct pattern *pattern, const char *expression) {
  unsigned originals = 0;
  pattern_add(pattern, "^", 1);
  for (const char *at = expression; *at != '\0'; at++) {
    if (*at == '\\' && at[1] >= '1' && at[1] <= '9') {
      unsigned original = (unsigned)(*++at - '0');
      const char *inside = pattern->inside[original];
      pattern->same[++pattern->groups] = pattern->group_of[original];
      pattern_add(pattern, inside, group_length(inside));
    } else if (*at == '\\') {
      pattern_add(pattern, at++, 2);
    } else {
      if (*at == '(') {
        pattern->group_of[++originals] = ++pattern->groups;
        pattern->inside[originals] = at;
      }
      pattern_add(pattern, at, 1);
    }
  }
  pattern_add(pattern, "$", 2);
}

static bool is_wholly(const char *text, const char *expression) {
  struct pattern pattern = {.groups = 0};
  regmatch_t match[GROUPS];
  regex_t compiled;
  pattern_make(&pattern, expression);
  if (regcomp(&compiled, pattern.text, REG_EXTENDED) != 0) {
    fprintf(stderr, "not a regular expression: %s\n", pattern.text);
    abort();
  }
  bool matches = regexec(&compiled, text, GROUPS, match, 0) == 0;
  regfree(&compiled);
  for (unsigned group = 1; matches && group <= pattern.groups; group++) {
    const regmatch_t *one = &match[group], *other = &match[pattern.same[group]];
    if (pattern.same[group] != 0) {
      matches = one->rm_eo - one->rm_so == other->rm_eo - other->rm_so &&
                memcmp(text + one->rm_so, text + other->rm_so, (size_t)(one->rm_eo - one->rm_so)) == 0;
    }
  }
  return matches;
}

void unit_expect_process(const char *file, int line, void (*body)(void *), void *argument, int signal,
                         const char *text) {
  static char said[TEXT_BYTES], what[TEXT_BYTES + 500];
  process++;
  if (wanted_process != 0) {
    if (process == wanted_process) {
      body(argument);
      fflush(stdout);
      exit(failed ? 1 : 0);
    }
    return;
  }
  int status = run_afresh(process, said);
  bool ended_so =
      signal == 0 ? WIFEXITED(status) && WEXITSTATUS(status) == 0 : WIFSIGNALED(status) && WTERMSIG(status) == signal;
  if (!ended_so || (text != NULL && !is_wholly(said, text))) {
    snprintf(what, sizeof what, "a process ended with status %#x and said:\n%s\n  expected: %s", (unsigned)status, said,
             text != NULL ? text : "any words");
    unit_fail(file, line, what);
  }
}

void unit_expect_fork(const char *file, int line, void (*body)(void *), void *argument) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    alarm(SECONDS_AT_MOST); /* a lock that nobody can drop is a failure, not a hang */
    body(argument);
    _exit(failed ? 1 : 0);
  }
  int status = -1;
  if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    char text[80];
    snprintf(text, sizeof text, "the child of fork() ended with status %#x", (unsigned)status);
    unit_fail(file, line, text);
  }
}

/* ---- a run ---- */

static bool run_test(const struct unit_test *test) {
  snprintf(current_test, sizeof current_test, "%s.%s", test->suite, test->name);
  note[0] = '\0';
  process = 0;
  failed = skipped = false;
  test->body();
  if (wanted_process == 0) {
    printf("%s %s\n", failed ? "FAILED " : skipped ? "skipped" : "ok     ", current_test);
    fflush(stdout);
  }
  return !failed;
}

static bool is_listed(const char *name, const char *list) {
  size_t length = strlen(name);
  for (const char *at = list; (at = strstr(at, name)) != NULL; at += length) {
    if ((at == list || at[-1] == ',') && (at[length] == '\0' || at[length] == ',')) {
      return true;
    }
  }
  return false;
}

int main(int argc, char **argv) {
  static char name[NAME_BYTES];
  const char *only = NULL, *without = "";
  program = argv[0];
  for (int i = 1; i + 1 < argc; i += 2) {
    if (strcmp(argv[i], "--test") == 0) {
      only = argv[i + 1];
    } else if (strcmp(argv[i], "--without") == 0) {
      without = argv[i + 1];
    } else if (strcmp(argv[i], "--process") == 0) {
      wanted_process = (unsigned)strtoul(argv[i + 1], NULL, 10);
    }
  }
  if (!unit_begin()) {
    return 1;
  }
  unsigned passed = 0, bad = 0;
  for (const struct unit_test *test = first_test; test != NULL; test = test->next) {
    snprintf(name, sizeof name, "%s.%s", test->suite, test->name);
    if (only == NULL ? !is_listed(name, without) : strcmp(only, name) == 0) {
      *(run_test(test) ? &passed : &bad) += 1;
    }
  }
  if (wanted_process == 0) {
    printf("%u passed, %u failed\n", passed, bad);
  }
  return bad == 0 && passed > 0 && wanted_process == 0 ? 0 : 1;
}
