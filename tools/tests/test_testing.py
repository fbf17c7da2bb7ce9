"""The test command's own parts: results, time left, and the closing line."""

import io

import pytest
from rich.console import Console

from hakmem_cli.testing import durations, junit, progress, report
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
