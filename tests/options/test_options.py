"""Options: the line at exit, profiles, and one warning for each mistake in the environment."""

import os
import re
import subprocess

import pytest

from hakmem_program import FIELDS, clean_environment, numbers, verbose_lines

OPTIONS = {
    "HAKMEM_PROFILE": ["balanced", "speed", "lean"],
    "HAKMEM_VERBOSE": ["0", "1"],
    "HAKMEM_SS_PREFAULT": ["0", "1", "2"],
    "HAKMEM_RETAIN_KIB": ["0", "1024", "1000000"],
    "HAKMEM_DEPOT_KIB": ["0", "64", "4096"],
    "HAKMEM_BACKGROUND": ["0", "1"],
    "HAKMEM_GUARD_EVERY": ["0", "1", "4096"],
    "HAKMEM_LIMIT": ["0", "512M", "2g", "1T", "300000K", "536870912", "80%", "100%"],
    "HAKMEM_LIMIT_SOFT": ["0", "16M", "50%", "1%"],
}

WORK = r"""
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *work(void *unused) {
  static __thread char *blocks[4000];
  for (int round = 0; round < 20; round++) {
    for (int i = 0; i < 4000; i++) {
      size_t size = (size_t)(i * 7 + round) % 2000 + 1;
      blocks[i] = malloc(size);
      if (!blocks[i]) abort();
      memset(blocks[i], i, size);
    }
    for (int i = 0; i < 4000; i++) free(blocks[i]);
  }
  free(malloc(100000));
  free(malloc(50000000));
  return unused;
}

int main(void) {
  pthread_t thread;
  work(NULL);
  if (pthread_create(&thread, NULL, work, NULL)) return 1;
  pthread_join(thread, NULL);
  puts("done");
  return 0;
}
"""


@pytest.fixture(scope="module")
def work(compile_c):
    """A program that allocates all kinds of sizes from two threads."""
    return compile_c(WORK, "work")


@pytest.fixture
def start(preload, work):
    """Runs that program with given variables; HAKMEM_VERBOSE only where given."""

    def call(**variables):
        done = preload(work, **{"HAKMEM_VERBOSE": None, **variables})
        assert done.code == 0, done
        assert done.out == "done\n"
        return done

    return call


# ---- HAKMEM_VERBOSE ----


def test_silent_by_default(start):
    assert start().err == ""
    assert start(HAKMEM_VERBOSE="0").err == ""


def test_verbose_prints_one_line_with_all_fields(start):
    done = start(HAKMEM_VERBOSE="1")
    assert done.err.count("\n") == 1 and done.err.endswith("\n")
    assert done.err.startswith("[HAKMEM] ")
    line = verbose_lines(done.err)[0]
    assert list(line) == FIELDS
    assert re.fullmatch(r"\d+\.\d+\.\d+", line["version"])
    figures = numbers(line)
    assert set(figures) == set(FIELDS) - {"version"}, "every field but the version is a number"
    assert figures["arenas"] >= 1
    assert figures["superslabs"] >= 1
    assert figures["slabs_bound"] > figures["slabs_recycled"] >= 0
    assert figures["large"] >= 1 and figures["huge"] >= 2 and figures["large"] + figures["huge"] >= 4
    assert figures["mmap"] >= 1
    assert figures["peak_committed_kib"] >= 48828


def test_verbose_line_names_the_process(preload, tool):
    done = preload(tool("python3"), "-c", "import os; print(os.getpid())")
    assert numbers(done.hakmem[0])["pid"] == int(done.out)


def test_version_is_that_of_the_header(start, request):
    header = (request.config.rootpath / "include/hakmem.h").read_text()
    version = re.search(r'#define HAKMEM_VERSION "([^"]+)"', header)[1]
    assert start(HAKMEM_VERBOSE="1").hakmem[0]["version"] == version


def test_verbose_line_comes_after_exit_handlers_and_with_any_exit_code(preload, compile_c):
    program = compile_c(
        """
        #include <stdio.h>
        #include <stdlib.h>
        static void last(void) { free(malloc(100)); fputs("handler\\n", stderr); }
        int main(void) { atexit(last); free(malloc(10)); exit(7); }
        """,
        "exits",
    )
    done = preload(program)
    assert done.code == 7
    assert done.err.startswith("handler\n[HAKMEM] ")
    assert done.err.count("[HAKMEM]") == 1


def test_verbose_line_of_a_program_that_allocates_nothing(preload, compile_c):
    program = compile_c("int main(void) { return 0; }", "idle")
    done = preload(program)
    assert done.code == 0
    assert done.err.count("\n") == 1
    assert list(done.hakmem[0]) == FIELDS


def test_verbose_survives_a_closed_standard_error(preload, work, tool):
    done = preload(tool("sh"), "-c", f"exec {work} 2>&-")
    assert done.code == 0 and done.out == "done\n"


def test_children_print_their_own_line(preload, tool):
    code = "import os\npid = os.fork()\nif pid: os.waitpid(pid, 0)"
    done = preload(tool("python3"), "-c", code)
    assert done.code == 0
    assert len({line["pid"] for line in done.hakmem}) == 2


# ---- values that are right ----


@pytest.mark.parametrize(("name", "value"), [(name, value) for name in OPTIONS for value in OPTIONS[name]])
def test_good_values_are_silent(start, name, value):
    assert start(**{name: value}).rest == ""


@pytest.mark.parametrize("name", ["MIXED_TINYV3_C7_SAFE", "C6_HEAVY_LEGACY_POOLV1"])
def test_old_profile_names_are_accepted(start, name):
    assert start(HAKMEM_PROFILE=name).err == ""


@pytest.mark.parametrize("name", ["HAKMEM_BENCH_MIN_SIZE", "HAKMEM_BENCH_MAX_SIZE", "HAKMEM_BENCH_C6_ONLY"])
def test_variables_of_the_benchmarks_are_not_ours_to_judge(start, name):
    assert start(**{name: "16"}).err == ""


def test_names_of_others_are_not_ours_to_judge(start):
    assert start(HAKMEMX="1", HAKME_VERBOSE="1", XHAKMEM_VERBOSE="1", hakmem_verbose="1").err == ""


@pytest.mark.parametrize("value", ["1", "2"])
def test_prefault_works(start, value):
    done = start(HAKMEM_SS_PREFAULT=value, HAKMEM_VERBOSE="1").served()
    assert done.rest == ""


def test_prefault_makes_memory_resident_early(preload, compile_c):
    program = compile_c(
        """
        #include <stdio.h>
        #include <stdlib.h>
        #include <sys/resource.h>
        int main(void) {
          struct rusage before, after;
          free(malloc(64));
          getrusage(RUSAGE_SELF, &before);
          for (int i = 0; i < 1000; i++) { char *p = malloc(1000); *p = 1; }
          getrusage(RUSAGE_SELF, &after);
          printf("%ld\\n", after.ru_minflt - before.ru_minflt);
        }
        """,
        "faults",
    )
    faults = {value: int(preload(program, HAKMEM_SS_PREFAULT=value).out) for value in ("0", "1", "2")}
    assert faults["0"] > 200, "a megabyte is touched page by page"
    # Populated (1) in large pieces, touched (2) by the allocator itself, which faults all the same.
    assert faults["1"] < faults["0"] / 2, faults


def test_retain_kib_decides_what_is_kept(start):
    little, much = (numbers(start(HAKMEM_RETAIN_KIB=kib, HAKMEM_VERBOSE="1").hakmem[0]) for kib in ("0", "1000000"))
    assert little["retained_kib"] < much["retained_kib"]
    assert little["purge_kib"] > much["purge_kib"]


# ---- values that are wrong ----


def one_warning(done):
    """The only line on standard error beside that of HAKMEM_VERBOSE=1, which says that hakmem speaks."""
    assert done.rest.count("\n") == 1, done.err
    assert done.rest.lower().startswith(("hakmem: ", "[hakmem] ")), done.err
    return done.rest


@pytest.mark.parametrize(
    ("wrong", "nearest"),
    [
        ("HAKMEM_VERBOS", "HAKMEM_VERBOSE"),
        ("HAKMEM_VERBOSEE", "HAKMEM_VERBOSE"),
        ("HAKMEM_PROFIL", "HAKMEM_PROFILE"),
        ("HAKMEM_POFILE", "HAKMEM_PROFILE"),
        ("HAKMEM_SS_PREFALT", "HAKMEM_SS_PREFAULT"),
        ("HAKMEM_RETAIN_KB", "HAKMEM_RETAIN_KIB"),
        ("HAKMEM_DEPOT_KBI", "HAKMEM_DEPOT_KIB"),
        ("HAKMEM_retain_kib", "HAKMEM_RETAIN_KIB"),
    ],
)
def test_unknown_names_get_one_warning_with_the_nearest(start, wrong, nearest):
    line = one_warning(start(**{wrong: "1"}))
    assert re.search(rf"\b{wrong}\b", line), line
    assert re.search(rf"\b{nearest}\b", line), line


def test_an_unknown_name_like_nothing_gets_one_warning(start):
    line = one_warning(start(HAKMEM_SOMETHING_ELSE_ENTIRELY="1"))
    assert "HAKMEM_SOMETHING_ELSE_ENTIRELY" in line
    assert "did you mean" not in line


def test_a_bare_prefix_or_an_endless_name_does_no_harm(start):
    start(**{"HAKMEM_": "1"})
    start(**{"HAKMEM_" + "X" * 5000: "1"})
    start(HAKMEM_PROFILE="x" * 5000)
    start(HAKMEM_RETAIN_KIB="9" * 5000)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("HAKMEM_VERBOSE", "7"),
        ("HAKMEM_VERBOSE", "yes"),
        ("HAKMEM_VERBOSE", "-1"),
        ("HAKMEM_VERBOSE", "1x"),
        ("HAKMEM_SS_PREFAULT", "3"),
        ("HAKMEM_SS_PREFAULT", "on"),
        ("HAKMEM_RETAIN_KIB", "-5"),
        ("HAKMEM_RETAIN_KIB", "lots"),
        ("HAKMEM_RETAIN_KIB", "99999999999999999999999"),
        ("HAKMEM_DEPOT_KIB", "1.5"),
        ("HAKMEM_DEPOT_KIB", "0x10q"),
    ],
)
def test_bad_values_get_one_warning(start, name, value):
    line = one_warning(start(**{name: value}))
    assert name in line and value in line, line


@pytest.mark.parametrize("name", ["HAKMEM_LIMIT", "HAKMEM_LIMIT_SOFT"])
@pytest.mark.parametrize(
    ("value", "nearest"),
    [("0%", "1%"), ("101%", "100%"), ("12Q", ""), ("-1", "0"), ("", ""), ("1.5G", ""), ("200T", "128T")],
)
def test_wrong_sizes_get_one_warning_with_the_nearest(start, name, value, nearest):
    line = one_warning(start(**{name: value}))
    suggestion = f"; the nearest valid value is {nearest}" if nearest else ""
    assert line == (
        f"hakmem: warning: {name}={value} is not a size like 512M or a percentage like 80%, 0 is used{suggestion}\n"
    )


LIMITS = """
#include <dlfcn.h>
#include <stdio.h>
int main(void) {
  int (*get)(const char *, long *) = (int (*)(const char *, long *))dlsym(RTLD_DEFAULT, "hak_option_get");
  long hard, soft;
  if (get("limit", &hard) || get("limit_soft", &soft)) return 1;
  printf("%ld %ld\\n", hard, soft);
  return 0;
}
"""


def test_sizes_are_read_in_bytes(preload, compile_c):
    program = compile_c(LIMITS, "limits")
    limits = {"HAKMEM_LIMIT": "3G", "HAKMEM_LIMIT_SOFT": "700k"}
    assert preload(program, **limits).out == f"{3 << 30} {700 << 10}\n"
    hard, soft = map(int, preload(program, HAKMEM_LIMIT="100%", HAKMEM_LIMIT_SOFT="50%").out.split())
    assert 0 < hard <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    assert abs(soft - hard / 2) < 2


def test_a_percentage_alone_reads_files(preload, compile_c, tool):
    program = compile_c("#include <stdlib.h>\nint main(void) { free(malloc(10)); return 0; }", "opens")
    for value, reads in (("64M", False), ("80%", True)):
        done = preload(tool("strace"), "-f", "-e", "trace=openat", str(program), HAKMEM_LIMIT=value)
        assert ("/proc/self/cgroup" in done.err) == reads, done.err


def test_a_limit_refuses(preload, compile_c):
    program = compile_c(
        """
        #include <errno.h>
        #include <stdio.h>
        #include <stdlib.h>
        #include <string.h>
        int main(void) {
          size_t given = 0;
          for (char *p; given < 200 && (p = malloc(1 << 20)); given++) memset(p, 1, 1 << 20);
          printf("%zu %d\\n", given, errno == ENOMEM);
        }
        """,
        "refused",
    )
    given, enomem = map(int, preload(program, HAKMEM_LIMIT="40M").out.split())
    assert 30 <= given <= 40 and enomem == 1
    assert preload(program).out.startswith("200 ")


def test_a_bad_value_names_the_nearest(start):
    assert re.search(r"\b1\b", one_warning(start(HAKMEM_VERBOSE="7")).replace("=7", ""))
    assert re.search(r"\b2\b", one_warning(start(HAKMEM_SS_PREFAULT="3")).replace("=3", ""))


@pytest.mark.parametrize(
    ("name", "value", "nearest"),
    [
        ("HAKMEM_VERBOSE", "yes", "1"),
        ("HAKMEM_BACKGROUND", "off", "0"),
        ("HAKMEM_RETAIN_KIB", "1M", "1024"),
        ("HAKMEM_DEPOT_KIB", "lots", None),
        ("HAKMEM_SS_PREFAULT", "1M", None),
    ],
)
def test_a_suggestion_is_of_the_same_kind_or_none(start, name, value, nearest):
    line = one_warning(start(**{name: value}))
    if nearest is None:
        assert "nearest" not in line and "did you mean" not in line
    else:
        assert line.endswith(f"; the nearest valid value is {nearest}\n")


def test_a_bad_value_means_the_default(start):
    assert start(HAKMEM_VERBOSE="7").hakmem == []


@pytest.mark.parametrize(("wrong", "nearest"), [("balancd", "balanced"), ("sped", "speed"), ("leaner", "lean"), ("Lean", "lean")])
def test_unknown_profiles_get_one_warning_with_the_nearest(start, wrong, nearest):
    line = one_warning(start(HAKMEM_PROFILE=wrong))
    assert "HAKMEM_PROFILE" in line and wrong in line, line
    assert re.search(rf"\b{nearest}\b", line), line


def test_each_mistake_gets_its_own_warning(start):
    done = start(HAKMEM_VERBOS="1", HAKMEM_PROFILE="sped", HAKMEM_DEPOT_KIB="x")
    assert done.err.count("\n") == 3, done.err


def test_empty_values_do_no_harm(start):
    for name in OPTIONS:
        start(**{name: ""})


def test_an_environment_changed_later_changes_nothing(preload, compile_c):
    program = compile_c(
        """
        #include <stdlib.h>
        int main(void) { setenv("HAKMEM_VERBOSE", "1", 1); free(malloc(10)); return 0; }
        """,
        "later",
    )
    assert preload(program, HAKMEM_VERBOSE=None).err == ""


def test_a_cleared_environment_does_no_harm(library, work, tool):
    done = subprocess.run(
        [tool("env"), "-i", f"LD_PRELOAD={library}", str(work)], env=clean_environment(), capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
