"""The verdict as a row of docs/ledger.md. What stands there can be repeated: both sides are commits."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from hakmem_lab import pause
from hakmem_lab.ab.counted import Instructions
from hakmem_lab.ab.pairs import Answer
from hakmem_lab.ab.revisions import Repository
from hakmem_lab.ab.show import Outcome, gain_text
from hakmem_lab.ab.sides import OF_ONE_BUILD, Kind, Side, kind_of
from hakmem_lab.errors import LabError

HEADER = "| date | question | figures | decision |"
_SHORT = 12  # digits of a commit


def check(path: Path, repository: Repository, question: str, names: tuple[str, str]) -> None:
    """Before anything is measured: whether there will be something that can be written down."""
    if not question.strip():
        raise LabError("--ledger needs --question TEXT: what was to be decided, in one line")
    if "|" in question or "\n" in question:
        raise LabError("the question becomes a cell of a table: it may hold no '|' and no line break")
    for name in names:
        if kind_of(name) is Kind.LIBRARY:
            raise LabError(f"the ledger names commits, and {name} belongs to none that is known: give a revision")
    changed = repository.uncommitted(besides=f"{path.parent.name}/{path.name}")
    if changed:
        raise LabError(f"the tree that is measured is not committed ({_some(changed)}): commit it before --ledger")
    _lines(path)


def _some(names: list[str]) -> str:
    return ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _lines(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise LabError(f"the ledger {path} cannot be read: {error.strerror}") from None
    if HEADER not in lines:
        raise LabError(f"the ledger {path} has no table that begins with '{HEADER}'")
    return lines


def append(path: Path, row: str) -> None:
    lines = _lines(path)
    end = lines.index(HEADER)
    while end < len(lines) and lines[end].startswith("|"):
        end += 1
    path.write_text("\n".join([*lines[:end], row, *lines[end:]]) + "\n", encoding="utf-8")


def row(outcome: Outcome, question: str, day: date) -> str:
    figures = "; ".join(
        f"{name}: {_figures(answer, outcome.counts[name])}" for name, answer in outcome.answers.items()
    )
    cells = (day.isoformat(), question.strip(), f"{_command(outcome)}: {figures}", outcome.ruling().text())
    return f"| {' | '.join(cells)} |"


def _command(outcome: Outcome) -> str:
    """What repeats it: with commits for names that will move."""
    sides = (outcome.first, outcome.second)
    words = ["./hakmem", "ab", *(_repeatable(side) for side in sides)]
    words += ["--variant", outcome.variant] if outcome.variant else []
    words += pause.words(outcome.pause)
    words += [word for name in outcome.answers for word in ("--workload", name)]
    at = f" at {outcome.first.commit[:_SHORT]}" if outcome.first.kind in OF_ONE_BUILD else ""
    return f"`{' '.join(words)}`{at}"


def _repeatable(side: Side) -> str:
    return side.given if side.kind in OF_ONE_BUILD else side.commit[:_SHORT]


def _figures(answer: Answer, counts: Instructions) -> str:
    parts = [f"{name} {gain_text(answer.gains[name])}" for name in ("time", "memory")]
    if not counts.missing:
        parts.append(f"instructions {counts.first:.1f} → {counts.second:.1f}")
    return f"{', '.join(parts)} in {answer.pairs} pairs"
