"""The C and C++ tests of one preset, run by ctest."""

import json
import os
import platform
import re
import subprocess
from pathlib import Path

from .. import layout, needs
from . import junit
from .suite import broken

_ENDED = re.compile(r"^\s*\d+/\d+ Test\s+#\d+: (\S+) \.*")
_SOURCES = {".c", ".cc", ".h", ".txt"}
_SECONDS_AT_MOST = 300  # for a test that sets no limit of its own
_OUTPUT_KEPT = 1 << 16  # bytes of a passed test: its notes are in there


def may_name(pattern):
    """Whether the sources of the tests have every word of a pattern: names are put together from words there."""
    sources = [path for path in Path(layout.ROOT, "tests").rglob("*") if path.suffix in _SOURCES]
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in sources)
    return all(word in text for word in re.findall(r"[A-Za-z]+", pattern))


class CTestSuite:
    """All tests that the preset's build folder knows, but for those labelled slow unless they are wanted."""

    def __init__(self, preset, slow, pattern):
        self.name = f"ctest {preset}"
        self._preset = preset
        self._folder = layout.build_dir(preset)
        self._choice = [] if slow else ["-LE", "^slow$"]
        if pattern:
            self._choice += ["-R", re.escape(pattern)]

    def steps(self):
        """The tests, by name; the discovery runs every test binary once."""
        listed = self._start(["--show-only=json-v1"])
        output, _ = listed.communicate()
        if listed.returncode != 0:
            return []
        return [_plain(test["name"]) for test in json.loads(output[output.index("{") :])["tests"]]

    def run(self, done):
        """Runs them on all cores."""
        results = os.path.join(self._folder, "ctest-results.xml")
        if os.path.exists(results):
            os.remove(results)
        options = ["-j", str(len(os.sched_getaffinity(0))), "--timeout", str(_SECONDS_AT_MOST)]
        options += ["--test-output-size-passed", str(_OUTPUT_KEPT)]
        process = self._start([*options, "--output-on-failure", "--output-junit", results])
        said = []
        for line in process.stdout:
            said.append(line)
            ended = _ENDED.match(line)
            if ended:
                done(ended[1])
        failed = process.wait() != 0
        outcomes = junit.read(results, lambda _, name: _plain(name))
        if outcomes is None or (failed and all(outcome.status != "failed" for outcome in outcomes)):
            return [*(outcomes or []), broken("ctest", "".join(said[-40:]))]
        return outcomes

    def _start(self, options):
        line = ["ctest", "--test-dir", self._folder, *self._choice, *options]
        if self._preset == "tsan":  # its shadow memory has no room for a widely randomised address space
            line = ["setarch", platform.machine(), "-R", *line]
        environment = {**os.environ, "PATH": needs.search_path()}
        return subprocess.Popen(
            line,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )


def _plain(name):
    """A test's name without the value of its parameter, which ctest adds and which may be an address."""
    return name.split("  # GetParam()")[0]
