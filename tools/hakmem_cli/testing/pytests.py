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


class PytestSuite:
    """All tests below tools/tests and tests, but for those marked slow unless they are wanted."""

    name = "pytest"

    def __init__(self, slow, pattern):
        folders = [os.path.join(layout.ROOT, folder) for folder in ("tools/tests", "tests")]
        self._folders = [folder for folder in folders if os.path.isdir(folder)]
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
        results = os.path.join(layout.BUILD, "pytest-results.xml")
        if os.path.exists(results):
            os.remove(results)
        process = self._start(["-v", "--tb=short", f"--junitxml={results}", "-o", "junit_family=xunit1"])
        said = []
        for line in process.stdout:
            said.append(line)
            ended = _ENDED.match(line)
            if ended:
                done(ended[1])
        status = process.wait()
        outcomes = junit.read(results, lambda group, name: f"{group}.{name}" if group else name)
        if status == _NO_TESTS:
            return []
        if outcomes is None or (status != 0 and all(outcome.status != "failed" for outcome in outcomes)):
            return [*(outcomes or []), broken("pytest", "".join(said[-40:]))]
        return outcomes

    def _start(self, options):
        settings = ["-c", os.path.join(layout.TOOLS, "pytest.ini"), "--rootdir", layout.ROOT, "--color=no"]
        environment = {**os.environ, "PATH": needs.search_path(), "COLUMNS": "200"}
        return subprocess.Popen(
            [sys.executable, "-m", "pytest", *settings, *self._choice, *options, *self._folders],
            cwd=layout.ROOT,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
        )
