"""The test command's own parts: results, time left, and the closing line."""

import io
import threading
from pathlib import Path

import pytest
from rich.console import Console

from hakmem_cli import layout
from hakmem_cli.testing import durations, junit, progress, pytests, report, session
from hakmem_cli.testing.suite import Outcome

RESULTS = """<testsuite>
<testcase name="unit.a" time="0.5" status="run"/>
<testcase name="unit.b" time="1" status="fail"><failure message="Failed"/><system-out>b.cc:3: wrong</system-out></testcase>
<testcase name="unit.c" time="0" status="notrun">
<skipped message="SKIP_REGULAR_EXPRESSION_MATCHED: a regular expression matched"/>
<system-out>[ RUN ] unit.c
needs a huge page
[ SKIPPED ] unit.c</system-out></testcase>
<testcase classname="tests.d" name="e" time="0"><error message="m">setup broke</error></testcase>
</testsuite>"""


@pytest.fixture
def remembered(tmp_path, monkeypatch):
    monkeypatch.setattr(durations, "_FILE", str(tmp_path / "durations.json"))


def outcomes(**counts):
    return [Outcome(f"{status} {i}", status) for status, count in counts.items() for i in range(count)]


def test_reads_outcomes(tmp_path):
    file = tmp_path / "results.xml"
    file.write_text(RESULTS)
    assert junit.read(file, lambda group, name: f"{group}:{name}") == [
        Outcome(":unit.a", "passed", 0.5),
        Outcome(":unit.b", "failed", 1.0, "b.cc:3: wrong"),
        Outcome(":unit.c", "skipped", 0.0, "needs a huge page"),
        Outcome("tests.d:e", "failed", 0.0, "setup broke"),
    ]


def test_a_half_written_result_is_no_result(tmp_path):
    file = tmp_path / "results.xml"
    file.write_text(RESULTS[:100])
    assert junit.read(file, lambda _, name: name) is None
    assert junit.read(tmp_path / "none.xml", lambda _, name: name) is None


@pytest.mark.parametrize(
    ("counts", "line"),
    [
        ({"passed": 3}, "3 passed, 0 failed"),
        ({"passed": 1, "failed": 2}, "1 passed, 2 failed"),
        ({"passed": 1, "skipped": 1}, "1 passed, 0 failed, 1 skipped"),
        ({}, "0 passed, 0 failed"),
    ],
)
def test_the_closing_line(counts, line):
    assert report.summary({"one": (outcomes(**counts), 1.0), "none": ([], 0.0)}) == line


def test_a_failure_is_shown_with_its_message():
    text = io.StringIO()
    report.show_suite(Console(file=text), "ctest", [Outcome("unit.b", "failed", 1, "b.cc:3: [wrong]")], 1.0)
    assert "ctest: unit.b" in text.getvalue()
    assert "b.cc:3: [wrong]" in text.getvalue()


def test_time_left_follows_the_last_run(remembered):
    known = durations.Durations()
    known.note("s", "long", 100.0)
    known.note("s", "short", 2.0)
    known.save()
    plan = progress.Plan(durations.Durations())
    plan.add("s", ["long", "short"])
    assert plan.left() == pytest.approx(102.0)
    plan.add("s", ["new"])
    assert plan.left() == pytest.approx(153.0)
    plan.start()
    plan.end("s", "long")
    assert (plan.done, plan.total) == (1, 3)
    assert plan.left() < 1.0  # a hundred seconds of work took none


def test_an_unplanned_step_does_no_harm(remembered):
    plan = progress.Plan(durations.Durations())
    plan.end("s", "surprise")
    assert (plan.done, plan.total) == (0, 0)


def test_a_suite_that_ends_early_is_not_waited_for(remembered):
    plan = progress.Plan(durations.Durations())
    plan.add("s", ["one", "two"])
    plan.add("t", ["one"])
    plan.end("s", "one")
    plan.close("s")
    assert (plan.done, plan.total) == (1, 2)


# ---- the queue


class Suite:
    """Ends when it is told to, or at once."""

    def __init__(self, name, ran, until=None):
        self.name = name
        self._ran = ran
        self._until = until

    def steps(self):
        return [self.name]

    def run(self, done):
        self._ran.append(self.name)
        if self._until:
            assert self._until.wait(60)
        done(self.name)
        return [Outcome(self.name, "passed")]


def test_two_of_the_queue_run_at_once_and_the_next_begins_as_one_ends(remembered):
    ran, results = [], {}
    long, lint = threading.Event(), threading.Event()

    class Last(Suite):
        def run(self, done):
            long.set()
            lint.set()
            return super().run(done)

    names = ("short", "next", "third")
    queue = [Suite("long", ran, long), *(Suite(name, ran) for name in names), Last("last", ran)]
    session._run_suites(Console(file=io.StringIO()), [Suite("alone", ran)], queue, [Suite("lint", ran, lint)], results)
    assert ran[0] == "alone"
    assert [name for name in ran if name in (*names, "last")] == [*names, "last"]
    assert set(results) == set(ran) == {"alone", "long", *names, "last", "lint"}
    assert report.summary(results) == "7 passed, 0 failed"


def test_a_run_that_is_stopped_has_kept_how_long_the_suites_before_took(remembered):
    class Stopped(Suite):
        def run(self, done):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        session._run_suites(Console(file=io.StringIO()), [Suite("ended", []), Stopped("stopped", [])], [], [], {})
    kept = durations.Durations()
    assert kept.expected("ended", "ended") < 1  # of a step never seen it would be 1
    assert kept.expected("stopped", "stopped") == 1


def test_no_more_than_two_run_at_once(remembered):
    both = threading.Barrier(2)
    running, most = set(), []

    class Paired(Suite):
        def run(self, done):
            running.add(self.name)
            most.append(len(running))
            both.wait(60)  # the other one runs too
            running.discard(self.name)
            both.wait(60)
            return super().run(done)

    session._run_suites(Console(file=io.StringIO()), [], [Paired(str(i), []) for i in range(6)], [], {})
    assert max(most) == 2


FILES = ("tools/tests/test_a", "tools/tests/test_lab_b", "tests/programs/test_c", "tests/d/test_d")
FILES += ("tests/inspect/test_e",)
PASSES = "def test_it():\n    pass\n"


@pytest.fixture
def checkout(tmp_path, monkeypatch, remembered):
    """A checkout with a test in each part but one."""
    monkeypatch.setattr(layout, "ROOT", str(tmp_path))
    monkeypatch.setattr(layout, "BUILD", str(tmp_path / "build"))
    (tmp_path / "build").mkdir()
    for name in FILES:
        file = tmp_path / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(PASSES)
    return tmp_path


def test_each_test_is_in_one_part(checkout):
    suites = {suite.name: suite.steps() for suite in pytests.suites(False, "")}
    assert suites == {
        "pytest tools/tests": ["tools/tests/test_a.py::test_it"],
        "pytest tools/tests/test_lab_*": ["tools/tests/test_lab_b.py::test_it"],
        "pytest tests/programs": ["tests/programs/test_c.py::test_it"],
        "pytest tests": ["tests/d/test_d.py::test_it"],
        "pytest tests/inspect": ["tests/inspect/test_e.py::test_it"],
    }


def test_a_part_that_dies_fails_the_run(checkout):
    (checkout / "tests/d/test_d.py").write_text("import os\ndef test_it():\n    os._exit(0)\n")
    (checkout / "tests/inspect/test_e.py").write_text("import pytest\ndef test_it():\n    pytest.skip('why')\n")
    results, told = {}, io.StringIO()
    session._run_suites(Console(file=told, width=120), [], pytests.suites(False, ""), [], results)
    assert report.summary(results) == "3 passed, 1 failed, 1 skipped"
    assert [outcome.status for outcome in results["pytest tests"][0]] == ["failed"]
    assert "failed pytest tests: 0 passed, 1 failed" in told.getvalue()


def test_this_checkout_has_every_part(root):
    assert all(list(Path(root).glob(part)) for part in pytests.PARTS)
