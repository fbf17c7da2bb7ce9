"""Programs under `ulimit -v` and `ulimit -d`: they run, and where the memory ends they get NULL with ENOMEM and can go on."""

import pytest

GREEDY = r"""
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct link { struct link *next; };

/* Allocates blocks of one size until there are no more; says how many KiB it got; frees them all. */
static size_t exhaust(size_t size) {
  struct link *first = NULL;
  size_t count = 0;
  for (;;) {
    errno = 0;
    struct link *block = malloc(size);
    if (!block) {
      if (errno != ENOMEM) {
        printf("errno is %d, not ENOMEM\n", errno);
        exit(1);
      }
      break;
    }
    memset(block, 0x5a, size < 4096 ? size : 4096);
    block->next = first;
    first = block;
    count++;
  }
  /* In this state everything answers, and what lives stays whole. */
  errno = 0;
  if (calloc(1000, 1000000) || errno != ENOMEM) exit(2);
  errno = 0;
  if (aligned_alloc(1 << 20, 1 << 30) || errno != ENOMEM) exit(3);
  void *out = &out;
  errno = 0;
  if (posix_memalign(&out, 4096, (size_t)1 << 31) != ENOMEM || out != &out || errno != ENOMEM) exit(4);
  if (first) {
    errno = 0;
    if (realloc(first, (size_t)1 << 31) || errno != ENOMEM) exit(5);
  }
  for (struct link *block = first, *next; block; block = next) {
    next = block->next;
    free(block);
  }
  return count * size / 1024;
}

static void *in_a_thread(void *argument) {
  *(size_t *)argument = exhaust(100);
  return argument;
}

/* Exhausts the memory with blocks of each size named, one after the other; 0 stands for blocks of 100 bytes in a thread. */
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    size_t size = strtoul(argv[i], NULL, 10), kib = 0;
    if (size) {
      kib = exhaust(size);
    } else {
      pthread_t thread;
      if (pthread_create(&thread, NULL, in_a_thread, &kib)) return 6;
      pthread_join(thread, NULL);
    }
    printf("%zu %zu\n", size, kib);
    fflush(stdout);
  }
  return 0;
}
"""

MODEST = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
  char *blocks[1000] = {0};
  for (int i = 0; i < 200000; i++) {
    int slot = i * 7 % 1000;
    free(blocks[slot]);
    size_t size = (size_t)(i % 2000) + 1;
    if (!(blocks[slot] = malloc(size))) return 1;
    memset(blocks[slot], 1, size);
  }
  puts("done");
  return 0;
}
"""


@pytest.fixture(scope="module")
def greedy(compile_c):
    return compile_c(GREEDY, "greedy")


@pytest.fixture(scope="module")
def modest(compile_c):
    return compile_c(MODEST, "modest")


@pytest.fixture(params=["v", "d"])
def limit(request):
    """The option of ulimit: a limit on addresses (-v), or on what may be written of them (-d)."""
    return request.param


@pytest.fixture
def limited(preload, tool, limit):
    """Runs a program under a limit."""

    def call(mib, *program):
        command = " ".join(map(str, program))
        return preload(tool("sh"), "-c", f"ulimit -{limit} {mib * 1024}; ulimit -s 1024; exec {command}")

    return call


def kib_per_size(done):
    """What the greedy program got of each size, in order."""
    assert done.code == 0, done
    assert done.rest == ""
    return [tuple(map(int, line.split())) for line in done.out.splitlines()]


@pytest.mark.parametrize("mib", [16, 32, 64, 256, 1024])
def test_a_small_program_runs(limited, modest, mib):
    done = limited(mib, modest).served()
    assert (done.code, done.out, done.rest) == (0, "done\n", ""), done


@pytest.mark.parametrize("mib", [6, 8, 12])
def test_a_small_program_may_write_little(preload, tool, modest, mib):
    """Of the tables and of the first arena counts what is used."""
    done = preload(tool("prlimit"), f"--data={mib << 20}", modest).served()
    assert (done.code, done.out, done.rest) == (0, "done\n", ""), done


def test_a_shell_that_limits_what_it_may_write_goes_on(preload, tool):
    """Its heap has begun by then; the words that it makes here are of 59,049 bytes."""
    code = "ulimit -d 8192; x=1; for i in 1 2 3 4 5 6 7 8 9 10; do x=$x$x$x; done; echo ${#x}"
    done = preload(tool("dash"), "-c", code)
    assert (done.code, done.out) == (0, f"{3**10}\n"), done


LOCKED = r"""
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Says how many KiB are resident when all of its memory is locked, and once it has used more. */
int main(void) {
  free(malloc(100));
  if (mlockall(MCL_CURRENT | MCL_FUTURE)) return 77;
  for (int i = 0; i < 2; i++) {
    long all, resident;
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &all, &resident) != 2) return 1;
    fclose(file);
    printf("%ld\n", resident * (sysconf(_SC_PAGESIZE) / 1024));
    for (int block = 0; block < 100000; block++) {
      if (!malloc(100)) return 2;
    }
  }
  return 0;
}
"""


def test_a_program_that_locks_its_memory_pays_for_what_it_uses(preload, plain, compile_c):
    program = compile_c(LOCKED, "locked")
    on_libc = plain([program])
    if on_libc.code == 77:
        pytest.skip("the system lets nobody lock so much")
    done = preload(program).served()
    assert done.code == 0, done
    for ours, theirs in zip(map(int, done.out.split()), map(int, on_libc.out.split()), strict=True):
        assert ours < theirs + 6 * 1024, (done.out, on_libc.out)


@pytest.mark.parametrize("mib", [64, 256])
@pytest.mark.parametrize("size", [16, 100, 1000, 5000, 20000, 40000, 300000, 3000000, 0])
def test_the_end_of_memory_is_null_with_enomem(limited, greedy, mib, size):
    done = limited(mib, greedy, size, size)
    first, again = kib_per_size(done)
    # Most of what the limit leaves is to be had (a block above 32 KiB fills whole units of 64 KiB), and the same once more.
    share = {40000: 0.5, 3000000: 0.5}.get(size, 0.6)
    assert first[1] >= mib * 1024 * share, done
    assert again[1] >= mib * 1024 * share, done


@pytest.mark.parametrize("mib", [64, 256])
@pytest.mark.parametrize("first", [16, 1000, 20000, 300000])
def test_memory_freed_at_the_end_serves_other_sizes(limited, greedy, mib, first):
    others = [16, 100, 1000, 5000, 20000, 40000, 300000, 100]
    done = limited(mib, greedy, first, *others)
    for size, kib in kib_per_size(done):
        assert kib >= mib * 1024 * 0.4, f"blocks of {size} bytes: {kib} KiB\n{done}"


@pytest.mark.parametrize("mib", [64, 128, 512])
@pytest.mark.parametrize("first", [100, 20000, 300000, 3000000])
def test_freed_memory_makes_room_for_huge_blocks_and_back(limited, greedy, mib, first):
    done = limited(mib, greedy, first, 3000000, 100, 3000000)
    for size, kib in kib_per_size(done):
        assert kib >= mib * 1024 * 0.6, f"blocks of {size} bytes: {kib} KiB\n{done}"


# What a program needs of its own, besides malloc, decides whether it runs at all under the smallest limits.
PROGRAMS = {
    "sh": ["-c", "i=0; while [ $i -lt 1000 ]; do i=$((i+1)); done; echo $i"],
    "python3": ["-c", "print(sum(len(str(i)) for i in range(100000)))"],
    "sqlite3": [":memory:", "create table t(a); insert into t values(1),(2); select sum(a) from t;"],
    "gcc": ["-O1", "-x", "c", "-c", "-o", "/dev/null", "/dev/stdin"],
}


@pytest.mark.parametrize("mib", [64, 80, 96, 128, 192, 256, 512])
@pytest.mark.parametrize("program", PROGRAMS)
def test_programs_run_or_are_refused_cleanly(preload, plain, tool, program, mib, limit):
    def under_a_limit(start):
        line = f'ulimit -{limit} {mib * 1024}; ulimit -s 1024; exec "$0" "$@"'
        source = "int main(void) { return 0; }" if program == "gcc" else None
        keywords = {"input": source} if source else {}
        return start(tool("sh"), "-c", line, tool(program), *PROGRAMS[program], **keywords)

    on_libc = under_a_limit(lambda *command, **keywords: plain(command, **keywords))
    done = under_a_limit(preload)
    if on_libc.code == 0 and mib >= 96:
        assert (done.code, done.out) == (0, on_libc.out), done
        if program != "sh":  # it leaves by _exit, without the line that tells
            done.served()
    elif done.code == 0:
        assert done.out == (on_libc.out or done.out)
    else:
        # Not by a signal: the shell would say 128 and more.
        assert 0 < done.code < 128, done


@pytest.mark.parametrize("mib", [16, 24, 32])
def test_python_may_write_little(preload, tool, mib):
    """What is only reserved counts as what may be written."""
    code = "import json; print(len(json.dumps([1] * 1000)))"
    done = preload(tool("prlimit"), f"--data={mib << 20}", tool("python3"), "-c", code)
    assert (done.code, done.out) == (0, "3000\n"), done
    done.served()


def test_python_under_a_limit(preload, tool, limit):
    code = """
blocks = []
try:
    while True:
        blocks.append(bytearray(1000000))
except MemoryError:
    count = len(blocks)
    del blocks
    print("MemoryError", count > 20)
    print(len([str(i) for i in range(100000)]))
"""
    done = preload(tool("sh"), "-c", f"ulimit -{limit} 262144; exec {tool('python3')} -c '{code}'")
    assert done.code == 0, done
    assert done.out == "MemoryError True\n100000\n"
    done.served()
