"""Every row of docs/ledger.md can be repeated: it has a command, both commits (one with the change) and a verdict."""

import re
import subprocess
from datetime import date
from pathlib import Path

import pytest

from hakmem_cli import layout
from hakmem_lab.ab import ledger, show
from hakmem_lab.ab.counted import Instructions
from hakmem_lab.ab.gain import Gain
from hakmem_lab.ab.pairs import Answer
from hakmem_lab.ab.sides import Kind, Side

ROOT = Path(layout.ROOT)

_COMMAND = re.compile(r"`((?:\./hakmem |build/\S*?bench/)[^`]*)`")
_COMMIT = re.compile(r"\b(?=[0-9a-f]*[a-f]|[0-9]{12})[0-9a-f]{7,40}\b")  # a shorter one of digits alone counts blocks
_SETTING = re.compile(r" (?:default|HAKMEM_\w+=\S*)")
_VERDICT = re.compile(r"(?:GO|NO-GO|NEUTRAL)\b(?!-)")


def rows(text):
    """The table's rows below its header."""
    lines = text.splitlines()
    start = lines.index(ledger.HEADER) + 2
    end = next((i for i in range(start, len(lines)) if not lines[i].startswith("|")), len(lines))
    return lines[start:end]


def cells(row):
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def is_day(text):
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def commits(figures):
    """The commits that stand in the commands, and behind a comparison of settings, which are of one build."""
    commands = _COMMAND.findall(figures)
    named = {commit for command in commands for commit in _COMMIT.findall(command)}
    return named | set(re.findall(r"` at ([0-9a-f]{7,40})\b", figures))


def faults(row):
    """What keeps a row from being repeated."""
    if len(cells(row)) != 4:
        return ["it has not four cells"]
    day, question, figures, decision = cells(row)
    commands = _COMMAND.findall(figures)
    settings = bool(commands) and all(_SETTING.search(command) for command in commands)
    found = {
        "its date is none": not is_day(day),
        "it asks nothing": not question,
        "it has no command": not commands,
        "it does not name the commits without and with the change": len(commits(figures)) < (1 if settings else 2),
        "it decides nothing": not _VERDICT.match(decision),
    }
    return [sentence for sentence, is_so in found.items() if is_so]


ROWS = rows((ROOT / "docs" / "ledger.md").read_text(encoding="utf-8"))


def git(*arguments):
    return subprocess.run(["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def history():
    """Skips where the commits cannot be looked up."""
    try:
        told = git("rev-parse", "--is-shallow-repository", "--show-toplevel").stdout.splitlines()
    except FileNotFoundError:
        pytest.skip("git is not installed: which commits exist cannot be told")
    if len(told) != 2 or Path(told[1]).resolve() != ROOT.resolve():
        pytest.skip("this is no git checkout: which commits exist cannot be told")
    if told[0] != "false":
        pytest.skip("this is a shallow clone: it lacks commits that exist")


def test_there_are_rows():
    assert len(ROWS) > 20


@pytest.mark.parametrize("row", ROWS, ids=lambda row: cells(row)[1][:60])
def test_a_row_can_be_repeated(row):
    assert faults(row) == []


@pytest.mark.parametrize("row", ROWS, ids=lambda row: cells(row)[1][:60])
def test_its_commits_are_kept(history, row):
    """In the history of this commit, so that every clone has them."""
    for commit in commits(cells(row)[2]):
        assert git("cat-file", "-e", f"{commit}^{{commit}}").returncode == 0, f"{commit} does not exist"
        assert git("merge-base", "--is-ancestor", commit, "HEAD").returncode == 0, f"nothing keeps {commit}"


# ---- what ab writes, and what would be found


def written(kind, missing=""):
    settings = kind is Kind.SETTINGS
    first = Side("default" if settings else "HEAD~1", kind, Path("x"), "a1" * 20)
    second = Side("HAKMEM_DEPOT_KIB=0" if settings else "HEAD", kind, Path("x"), "a1" * 20 if settings else "b2" * 20)
    slower, same = Gain(-0.031, -0.034, -0.028), Gain(0.0, -0.004, 0.004)
    answer = Answer({"time": slower, "elapsed": slower, "memory": same}, same, 40, {copy: [] for copy in "AaBb"})
    counts = Instructions(missing=missing) if missing else Instructions(38.6, 38.6, 39.1)
    outcome = show.Outcome(first, second, {"waves": answer}, {"waves": counts})
    return ledger.row(outcome, "Shall it be slower?", date(2026, 11, 22))


@pytest.mark.parametrize("kind", [Kind.REVISION, Kind.WORKTREE, Kind.SETTINGS])
@pytest.mark.parametrize("missing", ["", "no valgrind"])
def test_a_row_that_ab_writes_can_be_repeated(kind, missing):
    assert faults(written(kind, missing)) == []


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("2026-11-22", "22.11.2026", "its date is none"),
        ("2026-11-22", "2026-11-32", "its date is none"),
        ("Shall it be slower?", " ", "it asks nothing"),
        ("`./hakmem ab", "`waves", "it has no command"),
        ("b2" * 6, "HEAD", "it does not name the commits without and with the change"),
        ("b2" * 6, "a1" * 6, "it does not name the commits without and with the change"),
        ("NO-GO, on waves", "four", "it decides nothing"),
        ("NO-GO, on waves", "GO-NO", "it decides nothing"),
        ("NO-GO", "NO | GO", "it has not four cells"),
    ],
)
def test_what_a_row_lacks_is_told(old, new, sentence):
    row = written(Kind.REVISION)
    assert old in row
    assert sentence in faults(row.replace(old, new))


def test_settings_need_the_commit_that_they_are_of():
    row = written(Kind.SETTINGS).replace(" at " + "a1" * 6, "")
    assert faults(row) == ["it does not name the commits without and with the change"]


def test_the_rows_are_those_of_the_table():
    text = f"# A\n\n| not | this |\n\n{ledger.HEADER}\n|---|---|---|---|\n| 1 |\n| 2 |\n\n| nor | that |\n"
    assert rows(text) == ["| 1 |", "| 2 |"]
