"""`hakmem run` becomes the program: nothing of it changes but what serves its memory."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile

import pytest

from hakmem_cli import layout, run
from hakmem_cli.message import Refusal

PYTHON = sys.executable


def python(code, *arguments):
    return ["run", "--", PYTHON, "-c", code, *arguments]


def test_runs_the_program_on_the_library(hakmem, library):
    done = hakmem(*python("print(6*7); print(open('/proc/self/maps').read())"))
    assert done.returncode == 0
    assert done.stdout.startswith("42\n")
    assert str(library.resolve()) in done.stdout


def test_passes_arguments_unchanged(hakmem):
    arguments = ["", " a  b ", "--preset", "--", "-x", "*", "$HOME", "'", '"', "ü", "line\nline"]
    done = hakmem(*python("import json, sys; print(json.dumps(sys.argv[1:]))", *arguments))
    assert json.loads(done.stdout) == arguments


def test_passes_bytes_that_are_no_text(hakmem):
    done = hakmem("run", "--", "printf", "%s", os.fsdecode(b"\xff\xfe"), text=False)
    assert done.stdout == b"\xff\xfe"


@pytest.mark.parametrize("status", [0, 1, 2, 42, 127, 255])
def test_exit_status_is_the_programs(hakmem, status):
    assert hakmem(*python(f"raise SystemExit({status})")).returncode == status


def test_input_and_output_pass_through(hakmem):
    done = hakmem("run", "--", "cat", stdin=None, input="first\nsecond\n")
    assert (done.stdout, done.stderr, done.returncode) == ("first\nsecond\n", "", 0)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1])
def test_signals_reach_the_program_itself(library, root, number):
    process = subprocess.Popen(
        [root / "hakmem", "run", "--", "sh", "-c", "echo $$; exec sleep 60"],
        stdout=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),  # nohup ignores one, for all that it starts
    )
    assert int(process.stdout.readline()) == process.pid
    process.send_signal(number)
    assert process.wait(timeout=30) == -number


def test_a_signal_that_python_ignores_kills_the_program(hakmem):
    assert hakmem("run", "--", "sh", "-c", "kill -PIPE $$; echo survived").returncode == -signal.SIGPIPE


def test_changes_nothing_in_the_environment_but_ld_preload(hakmem, library):
    interpreters = os.path.dirname(os.path.realpath(sys.executable))  # not a wrapper that sets variables of its own
    environment = {"PATH": f"{interpreters}:/usr/bin:/bin", "LC_ALL": "C", "EMPTY": "", "LD_PRELOAD": ""}
    done = hakmem("run", "--", "env", env=environment)
    assert dict(line.split("=", 1) for line in done.stdout.splitlines()) == {**environment, "LD_PRELOAD": str(library)}


def test_comes_before_what_is_preloaded_already():
    assert run.preload("/x/libhakmem.so", b"liba.so libb.so:libc.so") == b"/x/libhakmem.so:liba.so:libb.so:libc.so"
    assert run.preload("/x/libhakmem.so", b"liba.so:/x/libhakmem.so") == b"/x/libhakmem.so:liba.so"


def test_a_path_that_ld_preload_cannot_hold_gets_a_link(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = tmp_path / "my: files"
    folder.mkdir()
    (folder / "libhakmem.so").write_text("a library")
    for _ in range(2):
        (path,) = run.preload(str(folder / "libhakmem.so"), b"").split(b":")
        assert b" " not in path and open(path).read() == "a library"
    assert len(list((tmp_path / f"hakmem-{os.getuid()}").iterdir())) == 1


def test_refuses_a_path_that_no_link_helps(tmp_path, monkeypatch):
    place = tmp_path / "my files"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    with pytest.raises(Refusal, match="space or a colon"):
        run.preload(str(place / "libhakmem.so"), b"")


def test_refuses_a_folder_of_links_that_others_may_write_to(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / f"hakmem-{os.getuid()}").mkdir()
    (tmp_path / f"hakmem-{os.getuid()}").chmod(0o777)
    with pytest.raises(Refusal, match="is not a folder of yours alone"):
        run.preload("/my files/libhakmem.so", b"")


def test_runs_from_a_checkout_with_a_space_in_its_path(library, root, tmp_path):
    """The sources and the library that is built, in another place."""
    checkout = tmp_path / "my check out"
    checkout.mkdir()
    for name in ("src", "include", "cmake", "CMakeLists.txt", "CMakePresets.json"):
        (checkout / name).symlink_to(root / name)
    shutil.copy2(root / "hakmem", checkout)
    shutil.copytree(root / "tools/hakmem_cli", checkout / "tools/hakmem_cli")
    shutil.copytree(library.parent, checkout / "build/lib", symlinks=True)
    stamp = checkout / "build/release/library-built"
    stamp.parent.mkdir()
    shutil.copy2(layout.stamp("release"), stamp)
    line = [checkout / "hakmem", "run", "--", "cat", "/proc/self/maps"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done
    assert f"{checkout}/build/lib/libhakmem.so" in done.stdout


def test_works_from_any_folder_and_through_a_symlink(hakmem, root, tmp_path):
    link = tmp_path / "hm"
    link.symlink_to(root / "hakmem")
    done = hakmem("run", "--", "pwd", script=link, cwd=tmp_path)
    assert (done.stdout.strip(), done.returncode) == (str(tmp_path), 0)


def test_runs_on_the_preset_asked_for(hakmem):
    done = hakmem("run", "--preset=debug", "--", "cat", "/proc/self/maps")
    assert str(os.path.realpath(layout.library("debug"))) in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "no command to run"),
        (["--"], "no command to run"),
        (["--fast", "true"], "no option --fast"),
        (["--preset", "swift", "true"], "no preset 'swift'"),
        (["--preset"], "no preset ''"),
        (["--preset", "tsan", "true"], "no malloc to preload"),
    ],
)
def test_wrong_use_is_refused(hakmem, arguments, says):
    done = hakmem("run", *arguments)
    assert done.returncode == 2
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def processor_time(call):
    """The least that ten calls take, with what they start: other tests run beside this one."""
    taken = []
    for _ in range(10):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        call()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken)


def test_the_way_to_exec_is_short(hakmem):
    hakmem("run", "--", "true")
    way = processor_time(lambda: hakmem("run", "--", "true"))
    bare = processor_time(lambda: subprocess.run(["/usr/bin/env", "python3", "-c", "pass"], check=True))
    assert way - bare < 0.060


@pytest.mark.parametrize("variant", layout.VARIANTS)
def test_runs_the_program_on_a_variant(hakmem, variant, monkeypatch):
    if variant == "profile":
        monkeypatch.setenv("HAKMEM_PROFILE_FILE", "")  # else it writes one into the checkout
    done = hakmem("run", f"--{variant}", *python("print(open('/proc/self/maps').read())")[1:])
    assert done.returncode == 0, done.stderr
    assert os.path.realpath(layout.library("release", variant)) in done.stdout


def test_refuses_two_variants_at_once(hakmem):
    done = hakmem("run", "--observe", "--secure", "--", "true")
    assert done.returncode == 2
    assert "a program runs on one" in done.stderr
