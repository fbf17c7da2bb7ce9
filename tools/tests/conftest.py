"""What the tests of the command line share: the checkout, its library, and small programs."""

import os
import subprocess
from pathlib import Path

import pytest

from hakmem_cli import build, layout

ROOT = Path(layout.ROOT)


@pytest.fixture(scope="session")
def root():
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def library():
    """The release library, built."""
    build.library_for_run("release")
    return Path(layout.library("release"))


@pytest.fixture
def hakmem(library):
    """Calls ./hakmem with arguments; keywords go to subprocess.run."""

    def call(*arguments, script=ROOT / "hakmem", **keywords):
        keywords = {"capture_output": True, "text": True, "stdin": subprocess.DEVNULL, "timeout": 120, **keywords}
        return subprocess.run([str(script), *map(str, arguments)], **keywords)

    return call


@pytest.fixture
def compile_c(tmp_path):
    """Compiles C source to a program with extra compiler arguments; skips where the toolchain cannot."""

    def compile_(source, *arguments, name="program"):
        file = tmp_path / f"{name}.c"
        file.write_text(source)
        done = subprocess.run(["cc", str(file), "-o", str(tmp_path / name), *arguments], capture_output=True, text=True)
        if done.returncode != 0:
            pytest.skip(f"cc {' '.join(arguments)} does not work here: {done.stderr.strip()[:200]}")
        return tmp_path / name

    return compile_


@pytest.fixture
def as_root():
    """Skips a test that must change owners."""
    if os.geteuid() != 0:
        pytest.skip("only root can give files to other users")
