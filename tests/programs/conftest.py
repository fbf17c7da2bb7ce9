"""What the tests with real programs share: each runs without hakmem, on the release and on the secure library."""

import os
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from hakmem_program import run
from stage import Stage, find

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(params=["release", "secure"])
def variant(request, library):
    """The library that a program is run on: the one under test, and the secure one beside it."""
    if request.param == "release":
        return library
    path = library.parent / "libhakmem-secure.so"
    if not path.exists():
        pytest.fail(f"{path} is missing; build it first: ./hakmem build")
    return path


@pytest.fixture(scope="session")
def open_folder():
    """A folder that every user may enter, unlike pytest's own: servers that refuse to be root run here."""
    folder = Path(tempfile.mkdtemp(prefix="hakmem-programs-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def witness(open_folder):
    """The library that tells from within a program which allocator serves it."""
    path = open_folder / "witness.so"
    source = ROOT / "tests/support/witness.c"
    flags = ["-std=gnu17", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC"]
    done = run([find("cc"), *flags, f"-I{ROOT}/include", source, "-o", path, "-ldl"])
    assert done.code == 0, done.err
    return path


@pytest.fixture(scope="session")
def _plain_outputs():
    return {}


@pytest.fixture
def same_output(request, variant, witness, tmp_path, record_property, _plain_outputs):
    """Does a piece of work without hakmem, once for all libraries, then on the library, and compares what it returns.

    `work(stage)` runs programs and returns what they said. `by` and `own` are those of Stage.served; `version` stands
    first in the note on who served the programs.
    """

    def compare(work, version, by, own=(), folder=tmp_path, library=variant):
        parameters = {name: value for name, value in request.node.callspec.params.items() if name != "variant"}
        key = request.node.module.__name__, request.node.originalname, str(parameters)
        if key not in _plain_outputs:
            with Stage(folder / "without") as stage:
                _plain_outputs[key] = work(stage)
        with Stage(folder / "with", library, witness) as stage:
            output = work(stage)
        assert output == _plain_outputs[key]
        assert output, "a program that says nothing proves nothing"
        record_property("note", f"{version} {stage.served(by, own)}")

    return compare


@pytest.fixture
def version():
    """The first line that a program prints of its version."""

    def first_line(program, *arguments):
        done = run([program, *(arguments or ["--version"])])
        lines = (done.out + done.err).strip().splitlines()
        return lines[0] if lines else os.path.basename(program)

    return first_line


@pytest.fixture(scope="session")
def python():
    """The Python in use; through a link of a version manager one would test the manager's shell."""
    return os.path.realpath(sys.executable)
