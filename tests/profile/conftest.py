"""Programs on libhakmem-profile, and what they recorded."""

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hakmem_program import run

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(ROOT / "tools"))

pytest.importorskip("google.protobuf", reason="tools/requirements.txt names it: ./hakmem installs it")

from hakmem_profile import collect, recording  # noqa: E402
from hakmem_profile.symbols import Symbols  # noqa: E402


@dataclass
class Profiled:
    """A program that has ended, and the recordings that its processes left, by the name of the file."""

    code: int
    out: str
    err: str
    recordings: dict

    @property
    def only(self):
        (one,) = self.recordings.values()
        return one

    def profile(self):
        return collect.profile_of([self.only], Symbols())


@pytest.fixture(scope="session")
def profile_library(library):
    """libhakmem-profile.so of the build under test."""
    path = library.parent / "libhakmem-profile.so"
    if not path.exists():
        pytest.fail(f"{path} is missing; build everything first: cmake --build build/release")
    return path


@pytest.fixture
def profiled(profile_library, tmp_path):
    """Runs a command on it."""

    def call(*command, every="4K", **variables):
        folder = tmp_path / "recorded"
        folder.mkdir(exist_ok=True)
        environment = {
            "LD_PRELOAD": str(profile_library),
            "HAKMEM_PROFILE_EVERY": every,
            "HAKMEM_PROFILE_FILE": str(folder / "%p"),
            **variables,
        }
        done = run(command, {name: value for name, value in environment.items() if value is not None}, timeout=300)
        found = {file.name: recording.read(file) for file in sorted(folder.iterdir())}
        for file in folder.iterdir():
            file.unlink()
        return Profiled(done.code, done.out, done.err, found)

    return call


@pytest.fixture(scope="session")
def sites(compile_c):
    """The program of sites.c."""
    return compile_c((HERE / "sites.c").read_text(), "sites")


@pytest.fixture(scope="session")
def forks(compile_c):
    """The program of forks.c."""
    return compile_c((HERE / "forks.c").read_text(), "forks")


@pytest.fixture(scope="session")
def compile_cc(tmp_path_factory, tool):
    """Compiles C++."""

    def compile_it(source, name):
        folder = tmp_path_factory.mktemp(name)
        (folder / f"{name}.cc").write_text(source)
        done = run([tool("c++"), "-std=c++17", "-O1", "-g", folder / f"{name}.cc", "-o", folder / name, "-pthread"])
        assert done.code == 0, done.err
        return folder / name

    return compile_it


@pytest.fixture(scope="session")
def command():
    """Runs ./hakmem; what it said and its status."""

    def call(*words, timeout=300, **keywords):
        line = [sys.executable, str(ROOT / "hakmem"), *map(str, words)]
        environment = {**os.environ, "COLUMNS": "200"}
        return subprocess.run(line, capture_output=True, text=True, env=environment, timeout=timeout, **keywords)

    return call
