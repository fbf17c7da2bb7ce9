"""Every bug of docs/bugs.md has a test, and that test fails when the bug is put back."""

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from planting import Copy
from plants import PLANTS

ROOT = Path(__file__).resolve().parents[2]
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
    """What the table says: bug -> name of its test."""
    rows = re.findall(r"^\| (.+?) \| .+? \| `(.+?)` \|$", (ROOT / "docs/bugs.md").read_text(), re.MULTILINE)
    return dict(rows)


def find(name):
    """The file that holds a test; None where no file does."""
    if name.startswith("test_"):
        patterns, text = ("tools/tests/*.py", "tests/*/*.py"), rf"^def {name}\("
    elif name.startswith("stress."):
        patterns, text = ("tests/CMakeLists.txt",), rf"add_test\(NAME {re.escape(name)} "
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
        assert (ROOT / file).read_text().count(right) == 1, f"{file} holds no more: {right}"
        assert right != wrong


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    copy = Copy(tmp_path_factory.mktemp("planted"), also=("tools",))
    copy.configure("debug", "-DHAKMEM_TESTS=ON")
    return copy


def run_test(copy, test):
    """Builds and runs one test in the copy; its exit status."""
    build = copy.root / "build/debug"
    environment, folder = dict(os.environ), build
    if test.name.startswith("test_"):
        settings = ["-c", "tools/pytest.ini", "--rootdir", copy.root, "-q", "-k", test.name]
        command, folder = [sys.executable, "-m", "pytest", *settings, test.file.relative_to(ROOT)], copy.root
    elif test.name.startswith("stress."):
        library, expected = _EARLY[test.name.rpartition(".")[2]]
        for target in ("stress_early_program", "stress_wrapper"):
            copy.build("debug", target)
        environment["LD_PRELOAD"] = f"{build}/tests/{library} {build}/lib/libhakmem.so"
        environment["HAKMEM_TEST_EXPECT"] = expected
        copy.build("debug", "hakmem")
        command = [build / "tests/stress_early_program"]
    else:
        program, target = test.binary
        copy.build("debug", target)
        command = [build / program, f"--gtest_filter={test.name}:*/{test.name}/*"]
    with subprocess.Popen(
        [str(word) for word in command], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
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
    status, output = run_test(copy, test)
    assert status == 0, f"{test.name} fails without the bug:\n{output}"
    with copy.planted(*PLANTS[bug]):
        status, output = run_test(copy, test)
        assert status != 0, f"{test.name} does not see the bug:\n{output}"
