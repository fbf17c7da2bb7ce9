"""The Python tests: of this command line, and of programs run on the library."""

import glob
import os
import re
import subprocess
import sys

from .. import layout, needs
from . import junit
from .suite import broken

_ENDED = re.compile(r"^(\S+::.+?) (?:PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS)")
_NO_TESTS = 5  # pytest's exit status where its filters leave none
# Two at a time take the next of these, the longest first, so that they end together. Each has all that it names but for
# what another one names below it. A folder that builds is in one of them alone.
PARTS = ("tests/programs", "tools/tests", "tools/tests/test_lab_*", "tests", "tests/formal", "tests/inspect")
AT_ONCE = 2


def suites(slow, pattern):
    """A suite for each part that this checkout has."""
    return [PytestSuite(part, slow, pattern) for part in PARTS if _paths(part)]


def _paths(part):
    return sorted(glob.glob(part, root_dir=layout.ROOT))


class PytestSuite:
    """All tests of a part, but for those marked slow unless they are wanted."""

    def __init__(self, part, slow, pattern):
        self.name = f"pytest {part}"
        self._paths = _paths(part)
        self._results = os.path.join(layout.BUILD, f"pytest-{re.sub(r'[^a-z]+', '-', part)}.xml")
        self._choice = [f"--ignore-glob={other}" for other in PARTS if other.startswith(f"{part}/")]
        self._choice += [] if slow else ["-m", "not slow"]
        if pattern:
            self._choice += ["-k", pattern]

    def steps(self):
        """The tests, by node id."""
        output, _ = self._start(["--collect-only", "-q"]).communicate()
        return [line.strip() for line in output.splitlines() if "::" in line and not line.startswith("ERROR")]

    def has_any(self):
        """Whether there is a test to run; also where that cannot be told."""
        collected = self._start(["--collect-only", "-q"])
        collected.communicate()
        return collected.returncode != _NO_TESTS

    def run(self, done):
        """Runs them one after the other."""
        if os.path.exists(self._results):
            os.remove(self._results)
        process = self._start(["-v", "--tb=short", f"--junitxml={self._results}", "-o", "junit_family=xunit1"])
        said = []
        for line in process.stdout:
            said.append(line)
            ended = _ENDED.match(line)
            if ended:
                done(ended[1])
        status = process.wait()
        outcomes = junit.read(self._results, lambda group, name: f"{group}.{name}" if group else name)
        if status == _NO_TESTS:
            return []
        if outcomes is None or (status != 0 and all(outcome.status != "failed" for outcome in outcomes)):
            return [*(outcomes or []), broken("pytest", "".join(said[-40:]))]
        return outcomes

    def _start(self, options):
        settings = ["-c", os.path.join(layout.TOOLS, "pytest.ini"), "--rootdir", layout.ROOT, "--color=no"]
        environment = {**os.environ, "PATH": needs.search_path(), "COLUMNS": "200"}
        return subprocess.Popen(
            [sys.executable, "-m", "pytest", *settings, *self._choice, *options, *self._paths],
            cwd=layout.ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
