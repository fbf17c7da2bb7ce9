"""HAKMEM_STATS_FILE: when the file is written, that it is whole, and that its figures are right."""

import json
import os
import re
import resource
import signal
import subprocess
import time

import pytest
from hakmem_inspect import document, process
from hakmem_inspect.heap import Heap
from hakmem_program import clean_environment, run
from prometheus_client.openmetrics.parser import text_string_to_metric_families

LIBRARIES = ["release", "observe", "secure", "profile"]
QUIET = {"HAKMEM_STATS": "os", "HAKMEM_PROFILE_FILE": "/dev/null"}  # what the variants write besides

# Holds 10,000 blocks of 500 bytes, one of 300,000 and one of 5,000,000, and does as its first argument says.
HOLDS = r"""
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *blocks[10000];

static void hold(void) {
  for (int i = 0; i < 10000; i++) {
    void *passing = malloc(500);
    blocks[i] = malloc(500);
    if (!passing || !blocks[i]) abort();
    memset(blocks[i], 1, 500);
    free(passing);
  }
  if (!malloc(100000) || !malloc(5000000)) abort();
}

static void handler(int number) {
  (void)number;
  write(1, "handled\n", 8);
  raise(SIGKILL); /* nobody is asked */
}

static void *churn(void *unused) {
  for (;;) {
    void *some[300];
    for (int i = 0; i < 300; i++) some[i] = malloc((size_t)(i * 37) % 3000 + 1);
    for (int i = 0; i < 300; i++) free(some[i]);
  }
  return unused;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  if (strcmp(what, "churn") == 0) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
      if (pthread_create(&threads[i], NULL, churn, NULL)) return 1;
  } else {
    hold();
  }
  if (strcmp(what, "handler") == 0) signal(SIGTERM, handler);
  if (strcmp(what, "fork") == 0 && fork() == 0) exit(0);
  if (strcmp(what, "_exit") == 0) _exit(0);
  if (strcmp(what, "fork and wait") == 0) fork();
  if (argc > 1 && strcmp(what, "fork") != 0) {
    char turn;
    puts("ready");
    fflush(stdout);
    while (read(0, &turn, 1) > 0) {
    }
  }
  return 0;
}
"""


@pytest.fixture(scope="module")
def holds(compile_c):
    return compile_c(HOLDS, "holds")


@pytest.fixture
def ready(holds, variant):
    """Starts that program with a file; it stands when this returns."""
    running = []

    def call(path, what="wait", library="release", **variables):
        environment = {"LD_PRELOAD": str(variant(library)), "HAKMEM_STATS_FILE": str(path), **variables}
        child = subprocess.Popen(
            [holds, what], env=clean_environment(environment), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        running.append(child)
        assert child.stdout.readline() == "ready\n"
        return child

    yield call
    for child in running:
        child.kill()
        child.wait()


def read(path):
    """The document in a file; it is one line, and nothing else lies in the folder."""
    text = path.read_text()
    assert text.endswith("}\n") and text.count("\n") == 1
    told = json.loads(text)
    for one in told["classes"]:
        parts = [one[name] for name in ("live", "cached", "free", "holes", "fresh", "rest")]
        assert all(part >= 0 for part in parts)
        assert one["held"] == one["live"] + one["cached"] + one["free"] + one["rest"]
    return told


def soon(condition, seconds=20):
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.01)
    return condition()


def holds_what_it_should(told, library):
    blocks = {one["size"]: one["blocks"] for one in told["classes"]}
    held = sum(count for size, count in blocks.items() if 500 <= size < 1000)  # some were lent by a larger class
    if library != "observe":
        assert 10000 <= held <= 10003, blocks
    assert held >= 10000
    assert told["total"]["huge"] >= 5000000
    assert told["total"]["huge_blocks"] == (2 if library == "secure" else 1)
    assert told["total"]["large"] == (0 if library == "secure" else 2 * 65536)
    assert told["hakmem"]["variant"] == library
    assert 0 < told["total"]["live"] <= told["total"]["held"]
    assert told["total"]["process_resident"] > 5000000


# ---- when


@pytest.mark.parametrize("name", LIBRARIES)
def test_at_exit(holds, variant, tmp_path, name):
    done = run([holds], {"LD_PRELOAD": variant(name), "HAKMEM_STATS_FILE": f"{tmp_path}/x.json", **QUIET})
    assert done.code == 0, done
    holds_what_it_should(read(tmp_path / "x.json"), name)
    assert os.listdir(tmp_path) == ["x.json"]


def test_silent_and_without_a_file_unless_asked(holds, variant, tmp_path):
    done = run([holds], {"LD_PRELOAD": variant("release")}, cwd=tmp_path)
    assert (done.code, done.out, done.err, os.listdir(tmp_path)) == (0, "", "", [])
    done = run([holds], {"LD_PRELOAD": variant("release"), "HAKMEM_STATS_FILE": "x"}, cwd=tmp_path)
    assert (done.code, done.out, done.err, os.listdir(tmp_path)) == (0, "", "", ["x"])


def test_standard_error_is_closed(holds, variant, tmp_path, tool):
    environment = {"LD_PRELOAD": variant("release"), "HAKMEM_STATS_FILE": f"{tmp_path}/x.json"}
    done = run([tool("sh"), "-c", f"exec {holds} 0<&- 1>&- 2>&-"], environment)
    assert done.code == 0, done
    holds_what_it_should(read(tmp_path / "x.json"), "release")


@pytest.mark.parametrize("name", LIBRARIES)
def test_it_dies_of_sigterm(ready, tmp_path, name):
    child = ready(tmp_path / "x.json", library=name, **QUIET)
    assert not (tmp_path / "x.json").exists()
    child.send_signal(signal.SIGTERM)
    assert child.wait(20) == -signal.SIGTERM
    holds_what_it_should(read(tmp_path / "x.json"), name)


def test_a_handler_of_the_program_wins(ready, tmp_path):
    child = ready(tmp_path / "x.json", "handler")
    child.send_signal(signal.SIGTERM)
    assert child.stdout.read() == "handled\n" and child.wait(20) == -signal.SIGKILL
    assert not (tmp_path / "x.json").exists()


@pytest.mark.parametrize("name, number", [("usr1", signal.SIGUSR1), ("usr2", signal.SIGUSR2)])
def test_at_a_signal_it_goes_on(ready, tmp_path, name, number):
    child = ready(tmp_path / "x.json", HAKMEM_STATS_SIGNAL=name)
    for _ in range(3):
        child.send_signal(number)
        assert soon((tmp_path / "x.json").exists)
        holds_what_it_should(read(tmp_path / "x.json"), "release")
        (tmp_path / "x.json").unlink()
    child.send_signal(signal.SIGTERM)
    assert child.wait(20) == -signal.SIGTERM and (tmp_path / "x.json").exists()


def test_a_signal_that_is_not_named_is_left_alone(ready, tmp_path):
    child = ready(tmp_path / "x.json", HAKMEM_STATS_SIGNAL="none")
    child.send_signal(signal.SIGTERM)
    assert child.wait(20) == -signal.SIGTERM and os.listdir(tmp_path) == []
    child = ready(tmp_path / "x.json")
    child.send_signal(signal.SIGUSR1)
    assert child.wait(20) == -signal.SIGUSR1 and os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", LIBRARIES)
def test_signals_while_four_threads_allocate(ready, tmp_path, name):
    """Most of them come in the middle of a malloc."""
    child = ready(tmp_path / "x.json", "churn", name, HAKMEM_STATS_SIGNAL="usr1", **QUIET)
    for _ in range(100):
        child.send_signal(signal.SIGUSR1)
        time.sleep(0.003)
    assert soon((tmp_path / "x.json").exists)
    assert read(tmp_path / "x.json")["total"]["threads"] >= 4
    child.send_signal(signal.SIGTERM)
    assert child.wait(20) == -signal.SIGTERM
    read(tmp_path / "x.json")


def test_each_so_many_seconds(ready, tmp_path):
    child = ready(tmp_path / "x.json", HAKMEM_STATS_SECONDS="1")
    assert soon((tmp_path / "x.json").exists)
    first = read(tmp_path / "x.json")["hakmem"]["time_ms"]
    assert soon(lambda: read(tmp_path / "x.json")["hakmem"]["time_ms"] > first)
    told = read(tmp_path / "x.json")
    assert 900 <= told["hakmem"]["time_ms"] - first
    holds_what_it_should(told, "release")
    child.kill()  # nobody is asked then: the last one stands
    child.wait()
    assert read(tmp_path / "x.json")["hakmem"]["pid"] == child.pid


def test_a_reader_never_finds_half_a_file(ready, tmp_path):
    child = ready(tmp_path / "x.json", "churn", HAKMEM_STATS_SIGNAL="usr1")
    child.send_signal(signal.SIGUSR1)
    assert soon((tmp_path / "x.json").exists)
    for i in range(2000):
        if i % 10 == 0:
            child.send_signal(signal.SIGUSR1)
        read(tmp_path / "x.json")


# ---- where


def test_each_process_has_its_own(ready, holds, variant, tmp_path):
    child = ready(tmp_path / "x.%p.json")
    child.stdin.close()
    assert child.wait(20) == 0
    assert os.listdir(tmp_path) == [f"x.{child.pid}.json"]
    assert read(tmp_path / f"x.{child.pid}.json")["hakmem"]["pid"] == child.pid


def test_the_child_of_fork_has_its_own(holds, variant, tmp_path):
    done = run([holds, "fork"], {"LD_PRELOAD": variant("release"), "HAKMEM_STATS_FILE": f"{tmp_path}/%p"})
    assert done.code == 0
    assert soon(lambda: len(os.listdir(tmp_path)) == 2)
    for name in os.listdir(tmp_path):
        told = read(tmp_path / name)
        assert told["hakmem"]["pid"] == int(name)
        holds_what_it_should(told, "release")


def test_a_relative_path_is_of_where_it_started(variant, tmp_path, tool):
    command = [tool("python3"), "-c", "import os; os.chdir('/')"]
    environment = {"LD_PRELOAD": variant("release"), "HAKMEM_STATS_FILE": "x.json"}
    assert run(command, environment, cwd=tmp_path).code == 0
    assert read(tmp_path / "x.json")["total"]["blocks"] > 0


# ---- what cannot be


def failure(done):
    """It told of it in one line, and went on."""
    assert done.code == 0, done
    lines = done.err.splitlines()
    assert len(lines) == 1 and lines[0].startswith("hakmem: warning: HAKMEM_STATS_FILE="), done
    return lines[0].rpartition(": ")[2]


@pytest.mark.parametrize(
    "path, why",
    [
        ("/dev/full", "no space is left"),
        ("/nowhere/x.json", "there is no such folder"),
        ("/", "it is a folder"),
        ("/proc/x", "there is no such folder"),
    ],
)
def test_it_cannot_be_written(holds, variant, path, why):
    done = run([holds], {"LD_PRELOAD": variant("release"), "HAKMEM_STATS_FILE": path})
    assert failure(done) == why


def test_the_disk_is_full(holds, variant, tmp_path):
    """What was there stays, and no draft does."""
    (tmp_path / "x.json").write_text("before")
    done = subprocess.run(
        [holds],
        env=clean_environment({"LD_PRELOAD": str(variant("release")), "HAKMEM_STATS_FILE": f"{tmp_path}/x.json"}),
        capture_output=True,
        text=True,
        preexec_fn=no_room_for_files,
    )
    assert done.returncode == 0 and len(done.stderr.splitlines()) == 1, done
    assert (tmp_path / "x.json").read_text() == "before" and os.listdir(tmp_path) == ["x.json"]


def no_room_for_files():
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


def test_too_many_files_are_open(holds, variant, tmp_path, tool):
    environment = {"LD_PRELOAD": variant("release"), "HAKMEM_STATS_FILE": f"{tmp_path}/x.json"}
    program = "import os\ntry:\n    while True: os.open('/', 0)\nexcept OSError: os.write(1, b'full')"
    done = run([tool("python3"), "-c", program], environment)
    assert done.out == "full" and "too many files are open" in done.err and done.code == 0


@pytest.mark.parametrize(
    "name, value",
    [("HAKMEM_STATS_SIGNAL", "kill"), ("HAKMEM_STATS_SECONDS", "often"), ("HAKMEM_STATS_FIEL", "x")],
)
def test_a_mistake_in_the_options_is_told(holds, variant, tmp_path, name, value):
    done = run([holds], {"LD_PRELOAD": variant("release"), name: value}, cwd=tmp_path)
    assert done.code == 0 and len(done.err.splitlines()) == 1 and name in done.err


def test_a_signal_that_the_program_ignores(ready, holds, variant, tmp_path, tool):
    environment = {"LD_PRELOAD": variant("release"), "HAKMEM_STATS_SIGNAL": "usr1", "HAKMEM_STATS_FILE": f"{tmp_path}/x"}
    done = run([tool("sh"), "-c", f"trap '' USR1; exec {holds}"], environment)
    assert done.code == 0 and done.err.count("HAKMEM_STATS_SIGNAL=usr1 is ignored") == 1, done


# ---- what it says


@pytest.mark.parametrize("name", LIBRARIES)
def test_it_agrees_with_the_reader_from_outside(ready, tmp_path, name):
    child = ready(tmp_path / "x.json", library=name, HAKMEM_STATS_SIGNAL="usr1", **QUIET)
    child.send_signal(signal.SIGUSR1)
    assert soon((tmp_path / "x.json").exists)
    inside = read(tmp_path / "x.json")
    outside = document.of(Heap(process.Process(child.pid)))
    same = ["live", "blocks", "cached", "free", "holes", "fresh", "kept", "retained", "held", "large", "large_blocks"]
    for key in [*same, "huge", "huge_blocks", "slabs", "superslabs"]:
        assert inside["total"][key] == outside["total"][key], key
    assert inside["total"]["changing"] == 0
    for one, other in zip(inside["classes"], outside["classes"], strict=True):
        assert one == {key: other[key] for key in one}


def test_openmetrics_as_its_parser_reads_it(ready, tmp_path):
    child = ready(tmp_path / "x.prom", HAKMEM_STATS_SIGNAL="usr1")
    child.send_signal(signal.SIGUSR1)
    assert soon((tmp_path / "x.prom").exists)
    text = (tmp_path / "x.prom").read_text()
    families = {one.name: one for one in text_string_to_metric_families(text)}
    outside = document.of(Heap(process.Process(child.pid)))
    live = families["hakmem_live_bytes"]
    assert (live.type, live.unit) == ("gauge", "bytes") and live.samples[0].value == outside["total"]["live"]
    calls = families["hakmem_mmap_calls"]
    assert calls.type == "counter" and calls.samples[0].name == "hakmem_mmap_calls_total"
    by_class = {one.labels["size"]: one.value for one in families["hakmem_class_live_bytes"].samples}
    assert by_class == {str(one["size"]): one["live"] for one in outside["classes"]}
    assert families["hakmem"].samples[0].labels["variant"] == "release"
    assert all(one.documentation for one in families.values())


def test_both_forms_have_the_same_figures(holds, variant, tmp_path):
    found = {}
    for end in ("json", "prom"):
        path = tmp_path / f"x.{end}"
        assert run([holds], {"LD_PRELOAD": variant("release"), "HAKMEM_STATS_FILE": str(path)}).code == 0
        found[end] = path.read_text()
    names = set(json.loads(found["json"])["total"])
    metrics = {one.name for one in text_string_to_metric_families(found["prom"])}
    whole = {re.sub("_bytes$", "", name.removeprefix("hakmem_")) for name in metrics if "_class_" not in name}
    assert whole - {"hakmem"} == names


# ---- the end of a process that never allocates, and of one that is forked in four threads


def test_of_a_program_that_allocates_nothing(variant, tmp_path, compile_c):
    program = compile_c("int main(void) { return 0; }", "idle")
    done = run([program], {"LD_PRELOAD": variant("release"), "HAKMEM_STATS_FILE": f"{tmp_path}/x.json"})
    assert done.code == 0 and done.err == ""
    assert json.loads((tmp_path / "x.json").read_text())["total"]["live"] == 0


def test_fork_while_it_is_written(variant, tool, tmp_path):
    """The child may come to be in the middle of the helper's writing."""
    source = """
import os, threading, time
end = time.time() + 3
def work():
    while time.time() < end: [bytearray(i) for i in range(3000)]
threads = [threading.Thread(target=work) for _ in range(3)]
for one in threads: one.start()
children = []
while time.time() < end:
    child = os.fork()
    if child == 0:
        x = [bytes(100) for _ in range(1000)]
        os.kill(os.getpid(), 10)
        os._exit(0)
    children.append(child)
    if len(children) > 3: assert os.waitpid(children.pop(0), 0)[1] == 0
for child in children: assert os.waitpid(child, 0)[1] == 0
for one in threads: one.join()
"""
    environment = {"LD_PRELOAD": str(variant("release")), "PYTHONMALLOC": "malloc", "HAKMEM_STATS_SECONDS": "1"}
    environment |= {"HAKMEM_STATS_FILE": f"{tmp_path}/%p", "HAKMEM_STATS_SIGNAL": "usr1"}
    done = run([tool("python3"), "-c", source], environment)
    assert done.code == 0, done
    assert len(os.listdir(tmp_path)) > 5
    for name in os.listdir(tmp_path):
        assert read(tmp_path / name)["hakmem"]["pid"] == int(name)
