"""The Python tests: of this command line, and of programs run on the library."""

import os
import re
import subprocess
import sys

from .. import layout, needs
from . import junit
from .suite import broken

_ENDED = re.compile(r"^(\S+::.+?) (?:PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS)")
_NO_TESTS = 5  # pytest's exit status where its filters leave none


FOLDERS = ("tools/tests", "tests")  # they take about as long, and run side by side


def suites(slow, pattern):
    """A suite for each folder of the checkout that has Python tests."""
    return [PytestSuite(folder, slow, pattern) for folder in FOLDERS if os.path.isdir(os.path.join(layout.ROOT, folder))]


class PytestSuite:
    """All tests below a folder, but for those marked slow unless they are wanted."""

    def __init__(self, folder, slow, pattern):
        self.name = f"pytest {folder}"
        self._folder = os.path.join(layout.ROOT, folder)
        self._results = os.path.join(layout.BUILD, f"pytest-{folder.replace('/', '-')}.xml")
        self._choice = [] if slow else ["-m", "not slow"]
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
            [sys.executable, "-m", "pytest", *settings, *self._choice, *options, self._folder],
            cwd=layout.ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
