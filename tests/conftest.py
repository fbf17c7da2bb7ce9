"""What the Python tests share: the library, programs run on it, and the line that proves who served them.

The library is the one that the option --library or the variable HAKMEM_LIBRARY names, or build/lib/libhakmem.so.
"""

import os
import shutil
import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).resolve().parent / folder) for folder in ("support", "golden", "bugs", "../tools")]

from hakmem_cli.plain_path import plain as plain_path  # noqa: E402
from hakmem_program import run  # noqa: E402

ROOT = Path(__file__).resolve().parent.parent


def pytest_addoption(parser):
    parser.addoption("--library", help="the libhakmem.so to test")
    parser.addoption("--update", action="store_true", help="write new golden files, and print what changed in them")


@pytest.fixture(scope="session")
def library(request):
    """The shared library under test."""
    path = request.config.getoption("--library") or os.environ.get("HAKMEM_LIBRARY") or ROOT / "build/lib/libhakmem.so"
    path = Path(path).resolve()
    if not path.exists():
        pytest.fail(f"{path} is missing; build it first: ./hakmem build")
    return Path(plain_path(str(path)))


@pytest.fixture(scope="session")
def plain():
    """Runs a command without hakmem."""
    return run


@pytest.fixture(scope="session")
def preload(library):
    """Runs a command on hakmem; keyword arguments in capitals are environment variables."""

    def call(*command, cwd=None, input=None, timeout=120, env=(), **variables):
        environment = {"LD_PRELOAD": str(library), "HAKMEM_VERBOSE": "1", **dict(env), **variables}
        environment = {name: value for name, value in environment.items() if value is not None}
        keywords = {"cwd": cwd, "timeout": timeout}
        if input is not None:
            keywords["input"] = input
        return run(command, environment, **keywords)

    return call


@pytest.fixture(scope="session")
def tool():
    """The path of a program that a test needs; the test is skipped where it is not installed."""

    def find(name):
        path = shutil.which(name)
        if path is None:
            pytest.skip(f"{name} is not installed")
        # Through a link of a version manager one would test the manager's shell.
        return sys.executable if name == "python3" else path

    return find


@pytest.fixture(scope="session")
def compile_c(tmp_path_factory, tool):
    """Compiles C source into a program and returns its path."""

    def compile_it(source, name="program", flags=()):
        folder = tmp_path_factory.mktemp(name)
        file = folder / f"{name}.c"
        file.write_text(source)
        program = folder / name
        command = [tool("cc"), "-std=gnu17", "-O1", "-g", "-fno-builtin", "-pthread", file, "-o", program, *flags]
        done = run(command)
        assert done.code == 0, done.err
        return program

    return compile_it
