"""Where the line of HAKMEM_VERBOSE=1 goes: also of programs that close standard error, or leave without exit handlers."""

import os
import re
import subprocess
import time

import pytest

from hakmem_program import FIELDS, clean_environment, numbers, verbose_lines


def lines_of(file):
    return verbose_lines(file.read_text())


@pytest.mark.parametrize(
    "command",
    [["ls", "/"], ["sort", "/dev/null"], ["cat", "/dev/null"], ["sh", "-c", ":"], ["bash", "-c", ":"]],
    ids=lambda command: command[0],
)
def test_common_programs_print_it(preload, tool, command, tmp_path):
    done = preload(tool(command[0]), *command[1:])
    assert done.code == 0
    assert done.err.count("\n") == 1 and list(done.hakmem[0]) == FIELDS
    file = tmp_path / "lines"
    done = preload(tool(command[0]), *command[1:], HAKMEM_EXIT_FILE=str(file))
    assert done.err == ""
    assert len(lines_of(file)) == 1


LEAVES = r"""
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <fcntl.h>
static void close_all(int least) {
  for (int i = least; i < 1100; i++) close(i);
}
static void at_quick(void) { fputs("quick\n", stderr); }
static void leave(int signal) { _exit(signal == SIGUSR1 ? 9 : 8); }
static void *thread(void *unused) { (void)unused; free(malloc(10)); _exit(6); }
int main(int argc, char **argv) {
  const char *how = argv[1];
  (void)argc;
  free(malloc(100));
  if (!strcmp(how, "_exit")) _exit(3);
  if (!strcmp(how, "_Exit")) _Exit(4);
  if (!strcmp(how, "quick_exit")) { at_quick_exit(at_quick); quick_exit(5); }
  if (!strcmp(how, "thread")) {
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    for (;;) pause();
  }
  if (!strcmp(how, "signal")) { signal(SIGUSR1, leave); raise(SIGUSR1); }
  if (!strcmp(how, "vfork")) {
    pid_t child = vfork();
    if (child == 0) _exit(7);
    waitpid(child, NULL, 0);
  }
  if (!strcmp(how, "fork")) {
    if (fork() == 0) { free(malloc(10)); _exit(7); }
    wait(NULL);
  }
  if (!strcmp(how, "closed")) close_all(0);
  if (!strcmp(how, "closed_others")) close_all(3);
  if (!strcmp(how, "taken")) { /* files of the program's own at every number */
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    close_all(0);
    for (int i = 0; i < 1010; i++) open(argv[2], O_WRONLY | O_CREAT, 0600);
  }
  if (!strcmp(how, "listed")) {
    execl("/bin/ls", "ls", "/proc/self/fd", (char *)NULL);
  }
  if (!strcmp(how, "many")) {
    for (int i = 0; i < 40; i++) if (fork() == 0) { usleep(20000); free(malloc(10)); return 0; }
    while (wait(NULL) > 0) {}
  }
  return 0;
}
"""


@pytest.fixture(scope="module")
def leaves(compile_c):
    """Ends as its argument says."""
    return compile_c(LEAVES, "leaves")


@pytest.mark.parametrize(
    ("how", "code"), [("_exit", 3), ("_Exit", 4), ("quick_exit", 5), ("thread", 6), ("signal", 9), ("exit", 0)]
)
def test_every_way_to_end_prints_it_once(preload, leaves, how, code):
    done = preload(leaves, how)
    assert done.code == code
    assert len(done.hakmem) == 1 and done.rest == ("quick\n" if how == "quick_exit" else "")


@pytest.mark.parametrize("how", ["_exit", "_Exit", "quick_exit", "vfork", "fork"])
def test_nothing_is_printed_unasked(preload, leaves, how):
    done = preload(leaves, how, HAKMEM_VERBOSE=None)
    assert done.err == ("quick\n" if how == "quick_exit" else "")


def test_a_child_of_vfork_prints_nothing_and_one_of_fork_its_own(preload, leaves):
    assert len(preload(leaves, "vfork").hakmem) == 1
    assert len({line["pid"] for line in preload(leaves, "fork").hakmem}) == 2


def test_a_program_that_closes_all_has_it_in_a_file(preload, leaves, tmp_path):
    file = tmp_path / "lines"
    assert preload(leaves, "closed").err == ""
    assert preload(leaves, "closed", HAKMEM_EXIT_FILE=str(file)).err == ""
    assert len(lines_of(file)) == 1
    assert len(preload(leaves, "closed_others").hakmem) == 1


def test_files_of_the_program_are_not_written_to(preload, leaves, tmp_path):
    own, file = tmp_path / "own", tmp_path / "lines"
    assert preload(leaves, "taken", str(own)).code == 0
    assert preload(leaves, "taken", str(own), HAKMEM_EXIT_FILE=str(file)).code == 0
    assert own.read_text() == ""
    assert len(lines_of(file)) == 1


def test_a_program_that_is_started_inherits_nothing(preload, leaves):
    """ls has the three, the folder that it lists, and what it keeps itself."""
    numbers_of = lambda done: sorted(int(number) for number in done.out.split())  # noqa: E731
    asked, unasked = preload(leaves, "listed"), preload(leaves, "listed", HAKMEM_VERBOSE=None)
    assert [number for number in numbers_of(unasked) if number > 2] == [3], "without a wish there is no descriptor"
    assert [number for number in numbers_of(asked) if 3 < number < 100] == []
    assert len([number for number in numbers_of(asked) if number >= 100]) == 1


def test_the_file_is_appended_to_and_each_line_is_whole(preload, leaves, tmp_path):
    file = tmp_path / "lines"
    file.write_text("before\n")
    assert preload(leaves, "many", HAKMEM_EXIT_FILE=str(file)).err == ""
    text = file.read_text().splitlines()
    assert text[0] == "before" and len(text) == 42
    assert all(list(line) == FIELDS for line in lines_of(file))
    assert len({line["pid"] for line in lines_of(file)}) == 41


def test_a_file_that_cannot_be_written_gets_one_warning(preload, leaves):
    done = preload(leaves, "exit", HAKMEM_EXIT_FILE="/nowhere/lines")
    assert len(done.hakmem) == 1
    assert re.fullmatch(
        r"hakmem: warning: HAKMEM_EXIT_FILE=/nowhere/lines cannot be written: [^\n]+; standard error is used\n", done.rest
    )


def test_a_file_without_a_wish_for_lines_stays_away(preload, leaves, tmp_path):
    assert preload(leaves, "exit", HAKMEM_VERBOSE=None, HAKMEM_EXIT_FILE=str(tmp_path / "lines")).err == ""
    assert not (tmp_path / "lines").exists()


def test_nobody_waits_for_the_kept_descriptor(library, tool):
    """A background child that closes its own standard error holds the pipe only as long as it runs."""
    began = time.monotonic()
    code = "import os, time\nif os.fork() == 0:\n    os.close(1); os.close(2); time.sleep(1); os._exit(0)"
    environment = clean_environment({"LD_PRELOAD": str(library), "HAKMEM_VERBOSE": "1"})
    done = subprocess.run([tool("python3"), "-c", code], env=environment, capture_output=True, text=True, timeout=60)
    assert time.monotonic() - began < 30
    pids = {numbers(line)["pid"] for line in verbose_lines(done.stderr)}
    assert len(pids) == 2 and os.getpid() not in pids
