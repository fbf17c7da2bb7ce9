"""fork() waits for nothing of the allocator: it makes no call that could wait (futex), which is counted by strace."""

import re

import pytest

from hakmem_program import run
from stage import find

FORKS = r"""
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_bool stop;
static atomic_int started;

static void allocate(char **blocks, unsigned turns) {
  static const size_t sizes[] = {16, 100, 1000, 5000, 30000, 100000, 3000000};
  for (unsigned i = 0; i < turns; i++) {
    free(blocks[i % 50]);
    size_t size = sizes[i % 7];
    if (!(blocks[i % 50] = malloc(size))) abort();
    blocks[i % 50][size - 1] = 1;
  }
}

static void *be_busy(void *unused) {
  char *blocks[50] = {0};
  started++;
  while (!stop) allocate(blocks, 100);
  return unused;
}

/* program FORKS THREADS: forks FORKS times, beside THREADS threads that allocate */
int main(int argc, char **argv) {
  int forks = argc == 3 ? atoi(argv[1]) : 0, threads = argc == 3 ? atoi(argv[2]) : 0;
  char *blocks[50] = {0};
  pthread_t thread;
  for (int i = 0; i < threads; i++) {
    if (pthread_create(&thread, NULL, be_busy, NULL)) return 1;
  }
  while (started < threads) usleep(1000);
  for (int i = 0; i < forks; i++) {
    if (threads == 0) allocate(blocks, 20);
    pid_t child = fork();
    if (child == 0) _exit(0);
    int status = 0;
    if (child < 0 || waitpid(child, &status, 0) != child || status) return 2;
  }
  /* Not by exit(), where the busy threads would be waited for by nobody. */
  (void)!write(1, "done\n", 5);
  _exit(0);
}
"""


@pytest.fixture(scope="module")
def forks(compile_c):
    return compile_c(FORKS, "forks")


@pytest.fixture
def calls_of_the_forking_thread(forks, tmp_path):
    """Runs the program under strace; what its first thread called of fork's kind and of futex, from the first fork on."""

    def trace(library, *arguments):
        log = tmp_path / "strace.txt"
        options = ["-f", "-o", log, "-e", "trace=futex,clone,clone3,fork,vfork"]
        preloaded = ["-E", f"LD_PRELOAD={library}"] if library else []
        done = run([find("strace"), *options, *preloaded, forks, *arguments], timeout=300)
        if "ptrace" in done.err and done.code != 0:
            pytest.skip("this container does not allow ptrace")
        assert (done.code, done.out) == (0, "done\n"), done
        lines = [line.split(maxsplit=1) for line in log.read_text().splitlines()]
        calls = [call for thread, call in lines if thread == lines[0][0]]
        first_fork = next(i for i, call in enumerate(calls) if re.match(r"v?fork\(|clone.*SIGCHLD", call))
        return calls[first_fork:]

    return trace


def kinds(calls):
    """How many calls were forks and how many were futex; what is no call (a signal, an end, a call resumed) does not count."""
    names = [call.partition("(")[0] for call in calls if call[0].isalpha()]
    return len(names) - names.count("futex"), names.count("futex")


def test_a_fork_of_one_thread_waits_for_nothing(variant, calls_of_the_forking_thread):
    assert kinds(calls_of_the_forking_thread(None, 100, 0)) == (100, 0)
    assert kinds(calls_of_the_forking_thread(variant, 100, 0)) == (100, 0)


def test_a_fork_beside_busy_threads_waits_for_nothing(variant, calls_of_the_forking_thread):
    calls = calls_of_the_forking_thread(variant, 1000, 3)
    assert kinds(calls) == (1000, 0), [call for call in calls if "futex" in call][:10]
