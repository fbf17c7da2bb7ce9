"""The checks of the source text: clang-format and clang-tidy, in the version that Debian 12 has."""

import json
import os
import re
import shutil
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from .. import layout
from .suite import Outcome

_REFERENCE = 14  # other versions format and find differently
_FORMATTED = ("src", "include", "tests", "bench", "swaps")
_LINTED = ("src", "bench")
_SUFFIXES = {".c", ".h", ".cc"}
# The static analyzer takes nearly all of clang-tidy's time, in proportion to the states that it may look at in a function: with a
# tenth of its own limit the check takes a tenth as long. A run of all gives it the whole.
_FEWER_STATES = [f"--extra-arg={word}" for word in ("-Xclang", "-analyzer-config", "-Xclang", "max-nodes=22500")]
_COMMANDS = "compile_commands.json"


class FormatCheck:
    """Is every C and C++ file as clang-format would write it?"""

    name = "format"

    def steps(self):
        """The check is one step."""
        return [self.name]

    def run(self, done):
        """One run over all files."""
        began = time.monotonic()
        tool = _reference("clang-format")
        if tool is None:
            return [_skipped(self.name, "clang-format")]
        checked = _call([tool, "--dry-run", "-Werror", *_sources(_FORMATTED, _SUFFIXES)])
        done(self.name)
        files = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error: code should be clang-formatted", checked.stdout, re.M)))
        if checked.returncode == 0:
            return [Outcome(self.name, "passed", time.monotonic() - began)]
        message = f"to mend: {tool} -i {' '.join(files)}" if files else checked.stdout
        return [Outcome(self.name, "failed", time.monotonic() - began, message)]


class LintCheck:
    """Does clang-tidy, with the checks of .clang-tidy, find nothing? A run of all looks at each library that a file is in."""

    name = "lint"

    def __init__(self, slow):
        self._slow = slow
        self._depth = [] if slow else _FEWER_STATES

    def steps(self):
        """A step a file: each takes seconds."""
        return [_lint_step(file) for file in _sources(_LINTED, {".c"})]

    def run(self, done):
        """Runs clang-tidy beside other tests, on the sources as the debug preset compiles them."""
        began = time.monotonic()
        tool = _reference("clang-tidy")
        if tool is None:
            return [_skipped(self.name, "clang-tidy")]

        commands = layout.build_dir("debug") if self._slow else _one_command_a_file()

        def lint(file):
            checked = _call(["nice", tool, "--quiet", *self._depth, "-p", commands, file])
            done(_lint_step(file))
            return "" if checked.returncode == 0 else checked.stdout

        with ThreadPoolExecutor(max(1, len(os.sched_getaffinity(0)) // 2)) as pool:
            found = [text for text in pool.map(lint, _sources(_LINTED, {".c"})) if text]
        return [Outcome(self.name, "failed" if found else "passed", time.monotonic() - began, "\n".join(found))]


def _one_command_a_file():
    """A folder with the first command of each file: that of the release library where the file is in it."""
    entries = json.loads(Path(layout.build_dir("debug"), _COMMANDS).read_text(encoding="utf-8"))
    first = {entry["file"]: entry for entry in reversed(entries)}
    folder = Path(layout.build_dir("debug"), "lint")
    folder.mkdir(exist_ok=True)
    (folder / _COMMANDS).write_text(json.dumps(list(first.values())), encoding="utf-8")
    return str(folder)


def _lint_step(file):
    return f"lint {file}"


def _sources(folders, suffixes):
    """The files, relative to the checkout."""
    paths = (path for folder in folders for path in Path(layout.ROOT, folder).rglob("*") if path.suffix in suffixes)
    return sorted(str(path.relative_to(layout.ROOT)) for path in paths)


def _reference(tool):
    """The tool in the version of reference; None where only others are there."""
    for name in (f"{tool}-{_REFERENCE}", tool):
        if shutil.which(name) and f"version {_REFERENCE}." in _call([name, "--version"]).stdout:
            return name
    return None


def _skipped(check, tool):
    return Outcome(check, "skipped", message=f"{tool} {_REFERENCE} is not installed, and other versions differ from it")


def _call(line):
    return subprocess.run(
        line,
        cwd=layout.ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
    )
