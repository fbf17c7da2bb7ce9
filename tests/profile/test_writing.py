"""When a recording is written, and that a failure of the system while it is does no harm."""

import re
import signal
import subprocess
import time

import pytest
from hakmem_program import clean_environment
from hakmem_profile import recording

LOOP = """
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int count, char **arguments) {
  puts("ready"); fflush(stdout);
  for (int i = 0; i < atoi(arguments[1]); i++) { for (int k = 0; k < 100; k++) free(malloc(1000)); usleep(1000); }
  return 0;
}
"""

QUIET = """
#include <stdlib.h>
int main(void) { for (int i = 0; i < 2000; i++) free(malloc(1000)); return 5; }
"""


@pytest.fixture
def loop(compile_c):
    return compile_c(LOOP, "loop")


def test_the_default_name(profile_library, compile_c, tmp_path, plain):
    program = compile_c(QUIET, "quiet")
    done = plain([program], {"LD_PRELOAD": str(profile_library), "HAKMEM_PROFILE_EVERY": "4K"}, cwd=tmp_path)
    (file,) = tmp_path.iterdir()
    assert done.code == 5 and file.name == f"hakmem.{recording.read(file).pid}.profile"
    file.unlink()
    none = {"LD_PRELOAD": str(profile_library), "HAKMEM_PROFILE_EVERY": "4K", "HAKMEM_PROFILE_FILE": ""}
    assert plain([program], none, cwd=tmp_path).code == 5
    assert list(tmp_path.iterdir()) == []


def test_so_many_seconds(profiled, loop):
    done = profiled(loop, 2600, HAKMEM_PROFILE_INTERVAL="1")
    names = sorted(name.partition(".")[2] for name in done.recordings)
    assert names[:3] == ["", "1", "2"]
    counted = {name.partition(".")[2]: sum(stack.bytes for stack in one.stacks.values()) for name, one in done.recordings.items()}
    assert counted["1"] < counted["2"] < counted[""]


def test_a_new_peak(profiled, compile_c):
    program = compile_c(
        """
        #include <stdlib.h>
        static void *blocks[3000];
        int main(void) {
          for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 3000; i++) blocks[i] = malloc(2000);
            for (int i = 0; i < 3000; i++) free(blocks[i]);
          }
        }
        """,
        "peaks",
    )
    done = profiled(program, HAKMEM_PROFILE_PEAK="1")
    found = {name.partition(".")[2]: one for name, one in done.recordings.items()}
    assert set(found) == {"", "peak"}
    live = {name: sum(sample[1][3] for sample in one.samples()) for name, one in found.items()}
    assert live[""] < 100_000 and 0.8 * 6_000_000 < live["peak"] < 1.2 * 6_000_000


def start(program, library, folder, **variables):
    environment = {
        "LD_PRELOAD": str(library),
        "HAKMEM_PROFILE_EVERY": "4K",
        "HAKMEM_PROFILE_FILE": str(folder / "it"),
        **variables,
    }
    child = subprocess.Popen([program, "3000"], env=clean_environment(environment), stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    return child


def wait_for(path):
    for _ in range(200):
        if path.exists():
            return recording.read(path)
        time.sleep(0.05)
    raise AssertionError(f"{path} did not come")


def test_a_signal(profile_library, loop, tmp_path):
    child = start(loop, profile_library, tmp_path, HAKMEM_PROFILE_SIGNAL=str(int(signal.SIGUSR2)))
    try:
        time.sleep(0.2)
        for number in (1, 2):
            child.send_signal(signal.SIGUSR2)
            assert wait_for(tmp_path / f"it.{number}").pid == child.pid
    finally:
        child.kill()
        child.wait()


def test_without_the_option_a_signal_is_the_programs(profile_library, loop, tmp_path):
    child = start(loop, profile_library, tmp_path)
    child.send_signal(signal.SIGUSR2)
    assert child.wait() == -signal.SIGUSR2
    assert list(tmp_path.iterdir()) == []


def test_a_signal_that_is_handled_is_left_alone(profile_library, loop, tmp_path, plain):
    """Ignored when the program starts: exec keeps that."""
    line = f"trap '' USR2; exec {loop} 1"
    variables = {"HAKMEM_PROFILE_SIGNAL": "12", "HAKMEM_PROFILE_FILE": str(tmp_path / "it")}
    done = plain(["/bin/sh", "-c", line], {"LD_PRELOAD": str(profile_library), **variables})
    assert done.code == 0 and "HAKMEM_PROFILE_SIGNAL=12 has no effect" in done.err


def test_a_place_that_is_not_there(profiled, compile_c, tmp_path):
    done = profiled(compile_c(QUIET, "quiet"), HAKMEM_PROFILE_FILE=str(tmp_path / "nowhere" / "it"))
    assert done.code == 5 and done.recordings == {}
    assert done.err.count("\n") == 1 and "no profile could be written to" in done.err


CALLS = ["openat", "write", "close", "rename", "read", "mmap", "munmap", "mincore"]


@pytest.mark.parametrize("call", CALLS)
def test_each_call_of_the_system_that_fails(profile_library, compile_c, tmp_path, tool, plain, call):
    """From one on, all calls of a name fail; the first ones load the program."""
    program = compile_c(QUIET, "quiet")
    variables = [f"LD_PRELOAD={profile_library}", "HAKMEM_PROFILE_EVERY=64", f"HAKMEM_PROFILE_FILE={tmp_path}/it"]
    strace = [tool("strace"), "-f", "-o", tmp_path / "trace"]
    words = [word for variable in variables for word in ("-E", variable)]
    assert plain([*strace, *words, program]).code == 5
    (tmp_path / "it").unlink()
    text = (tmp_path / "trace").read_text()
    calls = re.findall(r"^\d+ +(\w+)\(", text, re.MULTILINE)
    begin = next(i for i, line in enumerate(text.splitlines()) if re.search(r"/it\.\d+\.tmp", line))
    before = calls[:begin].count(call)
    total = calls.count(call)
    for nth in range(before + 1, total + 2):
        error = "ENOMEM" if call in ("mmap", "mincore") else "EIO"
        done = plain([*strace, "-e", f"inject={call}:error={error}:when={nth}+", *words, program])
        assert done.code == 5, (nth, done.err)
        assert not (tmp_path / "it.part").exists()
        if (tmp_path / "it").exists():
            assert recording.read(tmp_path / "it").pid > 0
            (tmp_path / "it").unlink()


def test_a_damaged_recording_is_told(profiled, sites, tmp_path):
    from hakmem_profile.errors import ProfileError

    file = tmp_path / "it"
    profiled(sites, HAKMEM_PROFILE_FILE=str(file), every="64K")
    data = file.read_bytes()
    for damaged in (b"", b"nothing", data[:-20], data[: len(data) // 2], b"XXXX" + data[4:]):
        file.write_bytes(damaged)
        with pytest.raises(ProfileError, match="damaged"):
            recording.read(file)
    file.write_bytes(data[:16] + b"\x09" + data[17:])
    with pytest.raises(ProfileError, match="version 9"):
        recording.read(file)
    with pytest.raises(ProfileError, match="could not be read"):
        recording.read(tmp_path / "none")
