"""What is counted is what was allocated, within the error of sampling: by site, in threads, after fork."""

import os

import pytest
from sampling import assert_counts, at_function, error_of

EVERY = 4096


def planned(out):
    for line in out.splitlines():
        name, *numbers = line.split()
        yield name, *map(int, numbers)


@pytest.mark.parametrize("mode", ["one", "threads"])
def test_twenty_sites(profiled, sites, mode):
    done = profiled(sites, mode, every="4K")
    profile = done.profile()
    assert done.code == 0 and done.only.missed == done.only.lost == 0
    seen = list(planned(done.out))
    assert len(seen) == 20
    for name, size, blocks, kept in seen:
        counted_blocks, counted, live_blocks, live = at_function(profile, name)
        assert_counts(counted, blocks, size, EVERY, f"{name}, allocated")
        assert_counts(live, kept, size, EVERY, f"{name}, live")
        assert counted_blocks == pytest.approx(counted / size, rel=1e-3)
        assert live_blocks == pytest.approx(live / size, rel=1e-3, abs=1e-9)


def test_the_default_rate(profiled, sites):
    done = profiled(sites, every=None)
    assert done.only.every == 512 * 1024
    seen = list(planned(done.out))
    total = sum(size * blocks for _, size, blocks, _ in seen) + 10_000_000
    sigma = sum(error_of(blocks, size, 512 * 1024) ** 2 for _, size, blocks, _ in seen) ** 0.5
    assert abs(done.profile().total(1) - total) < 5 * sigma + 10000  # and a little by the C library


def test_nearly_every_block(profiled, sites):
    done = profiled(sites, every="1")
    profile = done.profile()
    for name, size, blocks, kept in planned(done.out):
        assert at_function(profile, name) == pytest.approx([blocks, blocks * size, kept, kept * size], rel=1e-3), name
    assert at_function(profile, "leak")[2:] == [1, 10_000_000]


def test_a_leak_is_found_by_its_stack(profiled, sites):
    profile = profiled(sites).profile()
    (sample,) = [sample for sample in profile.samples if sample.names()[0] == "leak"]
    assert sample.names()[:2] == ("leak", "main")
    assert sample.values == pytest.approx([1, 10_000_000, 1, 10_000_000])  # so large a block is sampled for certain


def test_a_leak_of_small_blocks(profiled, compile_c):
    program = compile_c(
        """
        #include <stdlib.h>
        __attribute__((noinline)) void *forget(size_t size) { void *volatile p = malloc(size); return p; }
        __attribute__((noinline)) void *keep(size_t size) { void *volatile p = malloc(size); return p; }
        int main(void) {
          for (int i = 0; i < 200000; i++) { free(keep(300)); if (i % 4 == 0) forget(80); }
        }
        """,
        "forgets",
    )
    done = profiled(program)
    profile = done.profile()
    assert_counts(at_function(profile, "forget")[3], 50000, 80, EVERY, "forgotten")
    assert_counts(at_function(profile, "keep")[1], 200000, 300, EVERY, "kept for a moment")
    assert at_function(profile, "keep")[3] == 0


def test_what_another_thread_frees_lives_no_more(profiled, compile_c):
    program = compile_c(
        """
        #include <pthread.h>
        #include <stdlib.h>
        enum { MANY = 20000 };
        static void *blocks[MANY];
        static void *give(void *size) { for (int i = 0; i < MANY; i++) blocks[i] = malloc((size_t)size + i % 3000); return NULL; }
        static void *take(void *unused) { for (int i = 0; i < MANY; i++) free(blocks[i]); return unused; }
        int main(void) {
          pthread_t thread;
          for (size_t size = 1; size < 100000; size *= 30) {
            pthread_create(&thread, NULL, give, (void *)size); pthread_join(thread, NULL);
            pthread_create(&thread, NULL, take, NULL); pthread_join(thread, NULL);
          }
        }
        """,
        "hands_over",
    )
    values = at_function(profiled(program).profile(), "give")
    assert values[1] > 20000 * 27000 and values[2:] == [0, 0]


@pytest.mark.parametrize("size", [100, 5000, 100000, 5000000])
def test_realloc_counts_anew(profiled, compile_c, size):
    program = compile_c(
        """
        #include <stdlib.h>
        __attribute__((noinline)) void *again(void *block, size_t size) { void *volatile p = realloc(block, size); return p; }
        int main(int count, char **arguments) {
          size_t size = strtoul(arguments[1], NULL, 10);
          for (int i = 0; i < 40; i++) { void *p = again(NULL, size); p = again(p, size * 4); if (i < 20) free(p); }
        }
        """,
        "reallocs",
    )
    done = profiled(program, size, every="1")
    assert at_function(done.profile(), "again") == pytest.approx([80, 200 * size, 20, 80 * size], rel=0.01)


def test_a_child_of_fork_has_a_profile_of_its_own(profiled, forks):
    done = profiled(forks, every="1")
    assert done.code == 9 and len(done.recordings) == 2
    for name, one in done.recordings.items():
        assert int(name) == one.pid
        done.recordings = {name: one}
        profile = done.profile()
        is_child = at_function(profile, "in_child")[0] > 0
        assert at_function(profile, "before")[2] == pytest.approx(500 if is_child else 1000, rel=0.01)
        assert at_function(profile, "in_child")[2] == pytest.approx(1000 if is_child else 0, rel=0.01)
        assert at_function(profile, "in_parent")[2] == pytest.approx(0 if is_child else 1000, rel=0.01)


def test_forks_beside_threads_that_sample(profiled, compile_c):
    program = compile_c(
        """
        #include <pthread.h>
        #include <stdatomic.h>
        #include <stdlib.h>
        #include <sys/wait.h>
        #include <unistd.h>
        static atomic_bool stop;
        static void *work(void *unused) {
          while (!stop) for (size_t size = 8; size < 300000; size *= 2) free(malloc(size));
          return unused;
        }
        int main(void) {
          pthread_t threads[3];
          for (int i = 0; i < 3; i++) pthread_create(&threads[i], NULL, work, NULL);
          for (int i = 0; i < 60; i++) {
            pid_t child = fork();
            int status = 0;
            if (child == 0) { for (int k = 0; k < 500; k++) free(malloc((size_t)k * 16)); _exit(7); }
            if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7) return 1;
          }
          stop = 1;
          for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
          return 0;
        }
        """,
        "forks_busy",
    )
    done = profiled(program, every="256")
    assert done.code == 0, done.err
    assert done.only.live == [] or sum(size for _, size, _ in done.only.live) < 100000


def test_a_program_that_is_never_sampled_leaves_nothing(profiled, compile_c):
    done = profiled(compile_c("int main(void) { return 3; }", "little"), every="1G")
    assert done.code == 3 and done.recordings == {} and done.err == ""


def test_the_release_library_knows_none_of_it(preload, compile_c, tmp_path):
    program = compile_c("#include <stdlib.h>\nint main(void) { free(malloc(9)); return 0; }", "plain")
    done = preload(program, HAKMEM_PROFILE_EVERY="1", HAKMEM_VERBOSE=None, cwd=tmp_path)
    assert "unknown option HAKMEM_PROFILE_EVERY is ignored" in done.err
    assert os.listdir(tmp_path) == []
