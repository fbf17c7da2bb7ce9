"""Where real programs run on one allocator: commands and daemons, and what the witness saw of their processes."""

import os
import shutil
import signal
import socket
import subprocess
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from hakmem_program import Run, clean_environment

_STOP_SECONDS = 60


def find(name, folders=()):
    """The path of a program, which may stand in folders beside the search path; skips the test where there is none."""
    searched = [*folders, os.environ.get("PATH", os.defpath), "/usr/sbin"]
    path = shutil.which(name, path=os.pathsep.join(searched))
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def free_port():
    """A port of the loopback interface that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(condition, what, seconds=60):
    """Waits until the condition holds; fails after some time."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"waited for {seconds} s: {what}"
        time.sleep(0.05)


def name_of(library):
    """A library's name without its version."""
    return Path(library).name.partition(".so")[0] + ".so"


@dataclass(frozen=True)
class Process:
    """A process that ended: its program, the library that served its malloc, the slabs that hakmem gave it."""

    program: str
    pid: int
    library: str
    slabs_bound: int


class Stage:
    """A folder and an allocator; without a library it is that of the system. What was started ends with the stage.

    The folder's name and the allocator are all in which two stages differ: `told` takes the name out of a text.
    """

    def __init__(self, folder, library=None, witness=None):
        self.folder = Path(folder)
        self.folder.mkdir()
        self.library = library
        self._started = []
        self._witnessed = self.folder.with_name(self.folder.name + ".witness")
        self._witnessed.touch()
        self._witnessed.chmod(0o666)  # for programs that do not run as root
        self._variables = {"HOME": str(self.folder)}
        if library:
            self._variables |= {"LD_PRELOAD": f"{witness}:{library}", "WITNESS": str(self._witnessed)}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for process in self._started:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()

    def run(self, *command, env=(), timeout=120, input="", **keywords):
        """Runs a command to its end, or ends it and what it started when the time is over. Other keywords are those of
        subprocess.Popen."""
        pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
        process = self._popen(command, env, **pipes, text=True, errors="replace", **keywords)
        try:
            out, err = process.communicate(input, timeout)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            pytest.fail(f"{command[0]} did not end within {timeout} s:\n{out[-2000:]}\n{err[-2000:]}")
        return Run(process.returncode, self.told(out), self.told(err))

    def good(self, *command, **keywords):
        """Runs a command that must succeed; returns both its outputs."""
        done = self.run(*command, **keywords)
        assert done.code == 0, done
        return done.out, done.err

    def start(self, *command, env=(), **keywords):
        """Starts a daemon; what it says goes into a file."""
        with open(self.folder / f"{Path(command[0]).name}.log", "a", encoding="utf-8") as log:
            return self._popen(command, env, stdin=subprocess.DEVNULL, stdout=log, stderr=log, **keywords)

    def _popen(self, command, env, **keywords):
        """Starts a process as the leader of a group, which is ended as a whole."""
        line = [str(part) for part in command]
        environment = clean_environment({**self._variables, **dict(env)})
        process = subprocess.Popen(line, env=environment, cwd=self.folder, start_new_session=True, **keywords)
        self._started.append(process)
        return process

    def log(self, program):
        """What a daemon said."""
        return (self.folder / f"{program}.log").read_text(errors="replace")

    def ready(self, process, condition):
        """Waits until a daemon is ready, or fails with what it said."""

        def alive_and_ready():
            assert process.poll() is None, self.log(Path(process.args[0]).name)
            return condition()

        until(alive_and_ready, f"{process.args[0]} is not ready")

    def ended(self, process, program):
        """Waits until a daemon that was told to stop has ended, in order."""
        assert process.wait(_STOP_SECONDS) == 0, self.log(program)

    def told(self, text):
        """A text without what differs between stages."""
        return text.replace(str(self.folder), "FOLDER")

    def processes(self):
        """What the witness saw: all processes that have ended."""
        lines = [line.split("\t") for line in self._witnessed.read_text().splitlines()]
        return [Process(program, int(pid), library, int(slabs)) for program, pid, library, slabs in lines]

    def served(self, by, own=()):
        """Asserts that hakmem served every process, and says so; `by` are programs that must be among them, `own` those
        that may bring a malloc of their own."""
        seen = self.processes()
        foreign = [process for process in seen if process.library != str(self.library) and process.program not in own]
        assert not foreign, f"not on {self.library}: {foreign}"
        on_hakmem = [process for process in seen if process.library == str(self.library)]
        for program in by:
            assert any(process.program == program and process.slabs_bound > 0 for process in on_hakmem), (
                f"no {program} on {self.library}: {seen}"
            )
        counts = Counter(process.program for process in on_hakmem)
        names = ", ".join(f"{count} {name}" if count > 1 else name for name, count in counts.most_common())
        slabs = sum(process.slabs_bound for process in on_hakmem)
        said = f"on {name_of(self.library)}: slabs_bound={slabs} in {len(on_hakmem)} processes ({names})"
        others = sorted({process.program for process in seen if process not in on_hakmem})
        return said + (f"; {', '.join(others)} brings its own malloc" if others else "")
