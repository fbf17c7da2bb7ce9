"""A process that lets itself make few system calls only (seccomp), as sandboxes do, lives on with those that are documented."""

import re
import signal
from pathlib import Path

import pytest

GUARANTEES = Path(__file__).resolve().parents[2] / "docs/guarantees.md"

# What the C library makes for threads, the clock, output and the end of the program, beyond what is documented.
OF_THE_PROGRAM = """clone clone3 clock_nanosleep exit exit_group nanosleep rseq rt_sigaction rt_sigprocmask
set_robust_list write""".split()

FILTERED = r"""
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static const unsigned allowed[] = {ALLOWED};
static const unsigned refused[] = {REFUSED};

static struct sock_filter filter[300];
static unsigned short used;

static void add(unsigned short code, unsigned value, unsigned char if_not) {
  filter[used++] = (struct sock_filter){code, 0, if_not, value};
}

static void answer(const unsigned *calls, size_t count, unsigned with) {
  for (size_t i = 0; i < count; i++) {
    add(BPF_JMP | BPF_JEQ | BPF_K, calls[i], 1);
    add(BPF_RET | BPF_K, with, 0);
  }
}

static int close_the_door(void) {
  add(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr), 0);
  answer(allowed, sizeof allowed / sizeof *allowed, SECCOMP_RET_ALLOW);
  answer(refused, sizeof refused / sizeof *refused, SECCOMP_RET_ERRNO | EPERM);
  add(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0);
  struct sock_fprog program = {used, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

enum { SLOTS = 1000, ROUNDS = 12000, THREADS = 16 };

static char *filled(char *block, size_t size) {
  if (block == NULL) {
    static const char text[] = "no memory\n";
    (void)!write(1, text, sizeof text - 1);
    _exit(1);
  }
  for (size_t i = 0; i < size; i += 4096) block[i] = 1;
  return block;
}

static void small_and_large(unsigned seed) {
  char **blocks = calloc(SLOTS, sizeof *blocks);
  filled((char *)blocks, SLOTS * sizeof *blocks);
  memset(blocks, 0, SLOTS * sizeof *blocks);
  for (unsigned i = 0; i < ROUNDS; i++) {
    seed = seed * 1103515245 + 12345;
    unsigned slot = (seed >> 8) % SLOTS;
    size_t size = i % 100 == 0 ? seed >> 12 : i % 10 == 0 ? seed >> 16 : seed >> 22;
    free(blocks[slot]);
    blocks[slot] = filled(malloc(size + 1), size + 1);
  }
  for (unsigned i = 0; i < SLOTS; i++) free(blocks[i]);
  free(blocks);
}

static void huge(void) {
  char *blocks[16] = {0};
  for (unsigned i = 0; i < 150; i++) {
    size_t size = (size_t)(1 + i * 7919 % 23) << 20;
    free(blocks[i % 16]);
    blocks[i % 16] = filled(malloc(size), size);
    if (i % 5 == 0) blocks[i % 16] = filled(realloc(blocks[i % 16], 2 * size), 2 * size);
  }
  for (unsigned i = 0; i < 16; i++) free(blocks[i]);
}

static pthread_barrier_t gate; /* all threads have allocated, and none has ended */

static void *work(void *seed) {
  free(filled(malloc(100), 100));
  pthread_barrier_wait(&gate);
  small_and_large((unsigned)(size_t)seed);
  return NULL;
}

int main(void) {
  free(malloc(1000)); /* the allocator has started, and stdio not yet */
  if (close_the_door()) {
    puts("no filter");
    return 0;
  }
  huge();
  if (pthread_barrier_init(&gate, NULL, THREADS)) return 2;
  for (int turn = 0; turn < 2; turn++) {
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
      if (pthread_create(&threads[i], NULL, work, (void *)(i + 1))) return 2;
    }
    for (size_t i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
  }
  huge();
  (void)!write(1, "done\n", 5);
  _exit(0);
}
"""


def documented(label):
    """The calls that docs/guarantees.md names behind `label`."""
    section = GUARANTEES.read_text().partition("## Under a filter of system calls\n")[2].partition("\n## ")[0]
    item = re.search(rf"^- {label}((?:.|\n)*?)\.\s", section, re.MULTILINE)
    return re.findall(r"`(\w+)`", item[1])


@pytest.fixture
def filtered(compile_c, plain):
    """Runs the program on a library, where these system calls are allowed and those refused; all others kill it."""

    def call(on, allowed, refused):
        names = {"ALLOWED": sorted({*OF_THE_PROGRAM, *allowed} - set(refused)), "REFUSED": refused}
        source = FILTERED
        for place, calls in names.items():
            source = source.replace(f"{{{place}}}", "{" + ", ".join(f"SYS_{one}" for one in calls) + "}")
        done = plain([compile_c(source, "filtered")], {"LD_PRELOAD": str(on)}, timeout=120)
        if done.out == "no filter\n":
            pytest.skip("this container does not allow filters")
        return done

    return call


def test_what_is_documented_is_enough(filtered, variant):
    done = filtered(variant, [*documented("Always"), *documented("Where it pays")], [])
    assert (done.code, done.out) == (0, "done\n"), done


def test_what_is_documented_may_be_refused(filtered, variant):
    done = filtered(variant, documented("Always"), documented("Where it pays"))
    assert (done.code, done.out) == (0, "done\n"), done


@pytest.mark.parametrize("call", documented("Where it pays"))
def test_each_is_documented_for_a_reason(filtered, library, call):
    """A filter that kills must allow it: without it the process dies."""
    others = [one for one in documented("Where it pays") if one != call]
    done = filtered(library, [*documented("Always"), *others], [])
    assert done.code == -signal.SIGSYS, done
