"""The matrix: what each allocator does about each kind of misuse, and in counts."""

from __future__ import annotations

from hakmem_lab.misuse.runs import Case, Ending, Outcome
from hakmem_lab.tables import Table

Outcomes = dict[str, dict[str, Outcome]]  # by allocator and case

_SIZES = ("small", "medium", "large")
_SUITES = {"public": "of the public suite", "ours": "of ours"}


def _count(cases: list[Case], outcomes: dict[str, Outcome], *endings: Ending) -> int:
    return sum(outcomes[case.name].ending in endings for case in cases)


def _tried(cases: list[Case], outcomes: dict[str, Outcome]) -> int:
    return len(cases) - _count(cases, outcomes, Ending.NOT_TRIED)


def counts_table(cases: list[Case], outcomes: Outcomes) -> Table:
    """How many cases each allocator catches, by suite and ending."""
    rows = []
    for suite, words in _SUITES.items():
        chosen = [case for case in cases if case.suite == suite]
        for name, found in outcomes.items():
            if chosen:
                caught = sum(found[case.name].ending.caught() for case in chosen)
                counts = (
                    _count(chosen, found, Ending.STOPPED),
                    _count(chosen, found, Ending.FAULT),
                    _count(chosen, found, Ending.AT_EXIT),
                    _count(chosen, found, Ending.NO_EFFECT),
                    _count(chosen, found, Ending.UNNOTICED),
                )
                of = f"{caught} of {_tried(chosen, found)}"
                rows.append((name, words, of, *map(str, counts)))
    header = ("allocator", "cases", "caught", "stop", "fault", "exit", "none", "unnoticed")
    return Table("Misuse caught", header, rows, text_columns=2)


def matrix_table(cases: list[Case], outcomes: Outcomes) -> Table:
    """A row for each kind: how its sizes end, small / medium / large, or one word where all end alike."""
    kinds = {case.kind: [one for one in cases if one.kind == case.kind] for case in cases}
    rows = [
        (f"`{kind}`", *(_cell(sizes, found) for found in outcomes.values())) for kind, sizes in kinds.items()
    ]
    title = "What is done about each kind of misuse, of small / medium / large blocks"
    return Table(title, ("kind", *outcomes), rows, text_columns=1 + len(outcomes))


def _cell(cases: list[Case], found: dict[str, Outcome]) -> str:
    endings = [found[case.name].ending.value for case in cases]
    return endings[0] if len(set(endings)) == 1 else " / ".join(endings)
