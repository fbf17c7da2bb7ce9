"""Programs on hakmem that are looked into from outside: running, and as a core file."""

import os
import re
import resource
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hakmem_program import clean_environment

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from hakmem_inspect import process  # noqa: E402
from hakmem_inspect.heap import Heap  # noqa: E402

HERE = Path(__file__).resolve().parent
FIGURE = re.compile(r"<(\w+) ([^>]*)/>")


@dataclass
class Program:
    """A program, its blocks by name, and what it said of its heap."""

    pid: int
    out: str
    process: subprocess.Popen | None = None
    core: Path | None = None
    blocks: dict = field(default_factory=dict)

    def __post_init__(self):
        self.blocks = {name: int(at, 16) for name, at in re.findall(r"^(\w+) (0x[0-9a-f]+)$", self.out, re.MULTILINE)}

    def told(self, line, name):
        """A figure of malloc_info."""
        attributes = dict(FIGURE.findall(self.out))[line]
        return int(dict(re.findall(r'(\w+)="([^"]*)"', attributes))[name])

    def heap(self):
        return Heap(process.Process(self.pid))


def lines_until(stream, last):
    lines = []
    for line in stream:
        lines.append(line)
        if line.strip() == last:
            break
    return "".join(lines)


@pytest.fixture(scope="session")
def compiled(compile_c):
    """Compiles one of the programs of this folder."""
    done = {}

    def find(name):
        if name not in done:
            done[name] = compile_c((HERE / f"{name}.c").read_text(), name)
        return done[name]

    return find


@pytest.fixture(scope="session")
def variant(library):
    """The library of a name, beside the one under test."""

    def find(name):
        path = library if name == "release" else library.parent / f"libhakmem-{name}.so"
        if not path.exists():
            pytest.fail(f"{path} is missing; build everything first: cmake --build build/release")
        return path

    return find


@pytest.fixture(scope="session")
def start(compiled, variant):
    """Starts a program on a library; it stands when this returns."""
    running = []

    def call(name, library="release", **variables):
        child = subprocess.Popen(
            [compiled(name)],
            env=clean_environment({"LD_PRELOAD": str(variant(library)), "HAKMEM_RETAIN_KIB": "16384", **variables}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            preexec_fn=lambda: os.nice(10),  # the reader is to get its turns on a machine of few cores
        )
        running.append(child)
        return Program(child.pid, lines_until(child.stdout, "ready"), child)

    yield call
    for child in running:
        child.kill()
        child.wait()


@pytest.fixture
def busy(start):
    """A program that allocates in four threads for as long as the test runs, and no longer: it takes the machine."""
    program = start("churn")
    yield program
    program.process.kill()
    program.process.wait()


@pytest.fixture(scope="session", params=["release", "observe", "secure", "profile"])
def standing(request, start):
    """A program with known blocks that stands still, on each library."""
    program = start("known_blocks", request.param)
    program.library = request.param
    return program


@pytest.fixture(scope="session")
def plain_standing(start):
    return start("known_blocks")


@pytest.fixture(scope="session")
def coalesced(start):
    """A program with blocks that are made of smaller ones; it stands still."""
    return start("coalesced_blocks")


@pytest.fixture(scope="session")
def crashed(compiled, variant, tmp_path_factory, tool):
    """The same program, killed by SIGSEGV, and its core file."""
    folder = tmp_path_factory.mktemp("crashed")
    environment = clean_environment({"LD_PRELOAD": str(variant("release"))})
    command = [str(compiled("known_blocks")), "crash"]
    pattern = Path("/proc/sys/kernel/core_pattern").read_text().strip()
    if "|" in pattern or "/" in pattern:
        out = gdb_core(command, environment, folder, tool)
    else:
        done = subprocess.run(
            command, env=environment, cwd=folder, preexec_fn=allow_cores, stdout=subprocess.PIPE, text=True
        )
        assert done.returncode < 0, done
        out = done.stdout
    core = next(folder.glob("*core*"), None)
    if core is None:
        pytest.skip("this system writes no core files")
    return Program(0, out, core=core)


def gdb_core(command, environment, folder, tool):
    """The core as gdb writes it, where the system hands cores to another program."""
    steps = ["set debuginfod enabled off", "set startup-with-shell off"]
    steps += [f"set environment LD_PRELOAD {environment.pop('LD_PRELOAD')}", f"run crash > {folder}/out"]
    steps += [f"generate-core-file {folder}/core"]
    line = [tool("gdb"), "-nx", "-batch", *[word for step in steps for word in ("-ex", step)], command[0]]
    subprocess.run(line, env=environment, capture_output=True, timeout=120, check=False)
    return (folder / "out").read_text()


def allow_cores():
    hard = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))


@pytest.fixture(scope="session")
def gdb(library, tool, compiled):
    """Runs gdb's commands on one of the programs, with a core or a process."""

    def call(*steps, arguments=(), name="known_blocks"):
        line = [tool("gdb"), "-nx", "-batch", "-iex", "set debuginfod enabled off"]
        line += ["-iex", f"add-auto-load-safe-path {library.parent}", compiled(name), *map(str, arguments)]
        line += [word for step in steps for word in ("-ex", step)]
        done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
        if "Python scripting is not supported" in done.stderr:
            pytest.skip("this gdb has no Python")
        return done.stdout + done.stderr

    return call


@pytest.fixture(scope="session")
def command():
    """Runs ./hakmem; what it said and its status."""

    def call(*words, timeout=120, **keywords):
        line = [sys.executable, str(ROOT / "hakmem"), *map(str, words)]
        environment = {**os.environ, "COLUMNS": "200"}
        return subprocess.run(line, capture_output=True, text=True, env=environment, timeout=timeout, **keywords)

    return call
