"""Every bug of docs/bugs.md has a test, and that test fails when the bug is put back."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from planting import Copy, text_that_holds
from plants import PLANTS

ROOT = Path(__file__).resolve().parents[2]
_FORKS = re.compile(r"stress\.(\w+)\.(\d+)_threads")
_SWEEP = re.compile(r"hakmem_add_sweep_with\((\S+) (\w+) (\w+) (\d+) \d+ (\d+)\)")
_RUNS = 4  # which blocks are guarded samples is left to chance, and some bugs show by them
_EARLY = {"wrapper_through_dlsym": ("libstress_wrapper.so", "wrapper")}


@dataclass(frozen=True)
class Named:
    """A test as docs/bugs.md names it, and the file that it stands in."""

    name: str
    file: Path

    @property
    def binary(self):
        """The program of a C or C++ test, in a build folder, and the target that builds it."""
        group, topic = self.file.parent.name, self.file.stem
        return (f"tests/unit/unit_{topic}", f"unit_{topic}") if group == "unit" else (f"tests/{group}_{topic}",) * 2


def listed():
    """What the tables say: bug -> name of its test."""
    rows = re.findall(r"^\| (.+?) \| .+? \| `(.+?)` \|$", (ROOT / "docs/bugs.md").read_text(), re.MULTILINE)
    return dict(rows)


def _run_of(name):
    """The name of a sweep with an option, and its threads: sweep.guarded.1_threads."""
    return re.fullmatch(r"sweep\.(\w+)\.(\d+)_threads", name).groups()


def find(name):
    """The file that holds a test; None where no file does."""
    if name.startswith("test_"):
        patterns, text = ("tools/tests/*.py", "tests/*/*.py"), rf"^def {name}\("
    elif name.startswith("stress."):
        patterns, text = ("tests/CMakeLists.txt",), rf"add_test\(NAME {re.escape(name)} "
        if forks := _FORKS.match(name):
            text = r"hakmem_add_fork_program\({} {}\)".format(*forks.groups())
    elif name.startswith("sweep."):
        patterns, text = ("tests/sweep/CMakeLists.txt",), r"hakmem_add_sweep_with\(\S+ {} \w+ {} ".format(*_run_of(name))
    else:
        patterns, text = ("tests/*/*_test.c", "tests/*/*_test.cc"), r"^TEST(_P)?\({}, {}\)".format(*name.split("."))
    for pattern in patterns:
        for file in sorted(ROOT.glob(pattern)):
            if re.search(text, file.read_text(), re.MULTILINE):
                return Named(name, file)
    return None


@pytest.mark.parametrize("bug", listed())
def test_the_test_that_is_named_exists(bug):
    assert find(listed()[bug]) is not None


def test_each_bug_can_be_planted():
    assert list(PLANTS) == list(listed())
    for file, right, wrong in PLANTS.values():
        text_that_holds(file, right)
        assert right != wrong


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    copy = Copy(tmp_path_factory.mktemp("planted"), also=("tools",))
    copy.configure("debug", "-DHAKMEM_TESTS=ON", "-DHAKMEM_VARIANTS=secure")
    return copy


def pytest_command(copy, test):
    """The command of a Python test; those in tests/ run on the copy's library, without the secure one."""
    words = ["-c", "tools/pytest.ini", "--rootdir", copy.root, "-q", test.file.relative_to(ROOT), "-k", test.name]
    if test.file.is_relative_to(ROOT / "tests"):
        copy.build("debug", "hakmem")
        words = [*words[:-1], f"{test.name} and release", "--library", "build/debug/lib/libhakmem.so"]
    return [sys.executable, "-m", "pytest", *words]


def stress_command(copy, name):
    """The command of a program under tests/stress that is no GoogleTest binary, and what its environment has besides."""
    build = copy.root / "build/debug"
    library, case = build / "lib/libhakmem.so", name.rpartition(".")[2]
    if forks := _FORKS.match(name):
        targets, command, more = (f"stress_{forks[1]}",), ["3", forks[2]], {"LD_PRELOAD": str(library)}
    elif case in _EARLY:
        preloaded, expected = _EARLY[case]
        targets, command = ("stress_early_program", "stress_wrapper"), []
        more = {"LD_PRELOAD": f"{build}/tests/{preloaded} {library}", "HAKMEM_TEST_EXPECT": expected}
    elif case == "with_deepbind":
        targets, command, more = ("stress_deepbind_program",), [], {"LD_PRELOAD": str(library)}
    else:
        assert case == "by_a_thread_that_is_cancelled", name
        targets, command, more = ("stress_dlopen",), [library, "cancel"], {"HAKMEM_NONSENSE": "1"}
    for target in (*targets, "hakmem"):
        copy.build("debug", target)
    return [build / "tests" / targets[0], *command], more


def sweep_command(copy, test):
    """The command of a sweep with an option, as fine as in a run of all, and what its environment has besides."""
    copy.build("debug", "sweep")
    rows = {(row[1], row[3]): row for row in _SWEEP.findall(test.file.read_text())}
    setting, _, mode, threads, stride = rows[_run_of(test.name)]
    return [copy.root / "build/debug/tests/sweep/sweep", mode, threads, stride], dict([setting.split("=")])


def run_test(copy, test, secure):
    """Builds and runs one test in the copy, on the secure library if told so; its exit status."""
    build = copy.root / "build/debug"
    more, folder = {}, build
    if test.name.startswith("test_"):
        command, folder = pytest_command(copy, test), copy.root
    elif test.name.startswith("stress."):
        command, more = stress_command(copy, test.name)
    elif test.name.startswith("sweep."):
        command, more = sweep_command(copy, test)
    else:
        program, target = test.binary
        copy.build("debug", target)
        command = [build / program, f"--gtest_filter={test.name}:*/{test.name}/*"]
    if secure:
        copy.build("debug", "hakmem_secure")
        more = {"LD_PRELOAD": str(build / "lib/libhakmem-secure.so")}
    with subprocess.Popen(
        [str(word) for word in command],
        cwd=folder,
        env={**os.environ, **more},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        try:
            output, _ = process.communicate(timeout=120)
        except subprocess.TimeoutExpired:
            process.kill()
            output, _ = process.communicate()
    return process.returncode, output.decode(errors="replace")[-3000:]


@pytest.mark.slow
@pytest.mark.parametrize("bug", PLANTS)
def test_a_planted_bug_is_caught(copy, bug):
    test = find(listed()[bug])
    secure = bug.startswith("secure: ")
    status, output = run_test(copy, test, secure)
    assert status == 0, f"{test.name} fails without the bug:\n{output}"
    with copy.planted(*PLANTS[bug]):
        for _ in range(_RUNS):
            status, output = run_test(copy, test, secure)
            if status != 0:
                break
        assert status != 0, f"{test.name} does not see the bug:\n{output}"
