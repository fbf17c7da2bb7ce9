"""CPython's own tests end on hakmem as they end without it, with each of its blocks asked of malloc."""

import os
import sys
from pathlib import Path

import pytest

from hakmem_program import run

RUNNER = Path(__file__).resolve().parents[1] / "support/run_unittests.py"
AT_LEAST = {
    "test_dict": 90, "test_list": 40, "test_json": 120, "test_fork1": 3, "test_threading": 120, "test_subprocess": 200,
    "test_multiprocessing_fork": 200,
}  # fmt: skip


def python_with(module):
    """A Python that has the tests with it: the one in use, or the system's. Not the link of the environment in use,
    which some of the tests do not expect."""
    for program in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        if os.path.exists(program) and run([program, "-c", f"import test.{module}"]).code == 0:
            return program
    pytest.skip(f"no Python here has test.{module} with it (Debian's package is libpython3-testsuite)")


def compare(same_output, version, module, timeout):
    python = python_with(module)

    def work(stage):
        outcomes = stage.folder / "outcomes"
        env = {"PYTHONMALLOC": "malloc", "PYTHONHASHSEED": "0"}
        done = stage.run(python, RUNNER, outcomes, f"test.{module}", env=env, timeout=timeout)
        assert done.code == 0, done
        print(done.out)  # why tests failed, which may be the machine's fault: then they fail without hakmem too
        lines = outcomes.read_text().splitlines()
        assert sum(line.endswith(": ok") for line in lines) >= AT_LEAST[module], done
        return lines

    same_output(work, f"{version(python)}, {module}", by=[os.path.basename(python)])


@pytest.mark.parametrize("module", ["test_dict", "test_list", "test_json", "test_fork1"])
def test_cpython(same_output, version, module):
    compare(same_output, version, module, 120)


@pytest.mark.slow
@pytest.mark.parametrize("module", ["test_threading", "test_subprocess", "test_multiprocessing_fork"])
def test_cpython_whole(same_output, version, module):
    compare(same_output, version, module, 900)
