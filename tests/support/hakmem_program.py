"""Programs run with and without hakmem, and the line of HAKMEM_VERBOSE=1 that proves who served them."""

import os
import re
import subprocess
from dataclasses import dataclass

FIELDS = (
    "version pid arenas superslabs slabs_bound slabs_recycled remote_batches orphans_adopted large huge mmap munmap purge_kib "
    "retained_kib peak_committed_kib"
).split()


def verbose_lines(text):
    """The lines of HAKMEM_VERBOSE=1 in a program's standard error, each as a dictionary."""
    lines = []
    for line in text.splitlines():
        if line.startswith("[HAKMEM] "):
            lines.append(dict(field.split("=", 1) for field in line.split()[1:]))
    return lines


@dataclass
class Run:
    """A program that has ended."""

    code: int
    out: str
    err: str

    @property
    def hakmem(self):
        """The lines of HAKMEM_VERBOSE=1, of the program and of those it started."""
        return verbose_lines(self.err)

    @property
    def rest(self):
        """Standard error without those lines."""
        return "".join(line for line in self.err.splitlines(True) if not line.startswith("[HAKMEM] "))

    def served(self):
        """Asserts that hakmem served the program, by the line that it printed."""
        assert self.hakmem, f"no [HAKMEM] line: the program did not run on hakmem\n{self}"
        assert max(int(line["slabs_bound"]) for line in self.hakmem) > 0, self
        return self


def clean_environment(extra=()):
    """The environment without any variable of hakmem, and with `extra`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("HAKMEM_", "LD_PRELOAD"))}
    environment["LC_ALL"] = "C"
    environment.update(dict(extra))
    return environment


def run(command, env=(), **keywords):
    """Runs a command to its end, without hakmem."""
    keywords = {"stdin": subprocess.DEVNULL, "timeout": 120, **keywords}
    if "input" in keywords:
        del keywords["stdin"]
    done = subprocess.run(
        [str(part) for part in command],
        env=clean_environment(env),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        **keywords,
    )
    return Run(done.returncode, done.stdout, done.stderr)


def numbers(line):
    """The figures of a [HAKMEM] line as integers."""
    return {name: int(value) for name, value in line.items() if name not in ("version",) and re.fullmatch(r"\d+", value)}
