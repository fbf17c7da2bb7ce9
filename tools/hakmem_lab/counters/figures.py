"""The rows of `stat`: medians of the runs of each allocator, and the ratio of the first to each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from statistics import median

from hakmem_lab.counters import events
from hakmem_lab.counters.record import ELAPSED, PEAK, Contestant
from hakmem_lab.tables import Table, memory_text, time_text

MISSING = "–"


def _count(value: float) -> str:
    return f"{value:,.0f}"


def _percent(value: float) -> str:
    return f"{100 * value:.2f} %"


@dataclass(frozen=True)
class Figure:
    name: str
    of: Callable[[dict[str, float]], float | None]
    text: Callable[[float], str] = _count
    ratio: bool = True


def _event(name: str, scale: float = 1) -> Callable[[dict[str, float]], float | None]:
    return lambda counts: scale * counts[name] if name in counts else None


def _part(part: str, whole: str) -> Callable[[dict[str, float]], float | None]:
    return lambda counts: counts[part] / counts[whole] if counts.get(whole) and part in counts else None


FIGURES = (
    Figure("processor time", _event(events.TIME, 0.001), time_text),
    Figure("elapsed time", _event(ELAPSED), time_text),
    Figure("cycles", _event("cycles")),
    Figure("instructions", _event("instructions")),
    Figure("instructions a cycle", _part("instructions", "cycles"), lambda value: f"{value:.2f}"),
    Figure("branch misses", _event("branch-misses")),
    Figure("… of branches", _part("branch-misses", "branches"), _percent, ratio=False),
    Figure("cache misses", _event("cache-misses")),
    Figure("… of references", _part("cache-misses", "cache-references"), _percent, ratio=False),
    Figure("page faults", _event("page-faults")),
    Figure("context switches", _event("context-switches")),
    Figure("peak memory", _event(PEAK), memory_text),
)


def value(contestant: Contestant, figure: Figure) -> float | None:
    values = [figure.of(run.counts) for run in contestant.runs]
    return None if not values or None in values else median(values)


def has_hardware(contestants: list[Contestant]) -> bool:
    return all("cycles" in run.counts for contestant in contestants for run in contestant.runs)


def table(command: str, contestants: list[Contestant]) -> Table:
    """A row for each figure that some run has."""
    names = [contestant.allocator.label() for contestant in contestants]
    header = ("figure", *names, *(f"÷ {name}" for name in names[1:]))
    found = [(figure, [value(contestant, figure) for contestant in contestants]) for figure in FIGURES]
    rows = [_row(figure, values) for figure, values in found if any(one is not None for one in values)]
    counted = [contestant.instructions for contestant in contestants]
    if None not in counted:
        rows.append(_row(Figure("instructions (callgrind)", _event("")), counted))
    runs = len(contestants[0].runs)
    how = f"medians of {runs} runs of each, in turn" if runs > 1 else "one run of each"
    return Table(f"{command}: {how}", header, rows)


def _row(figure: Figure, values: list[float | None]) -> tuple[str, ...]:
    first, *others = values
    ratios = [
        f"{first / other:.2f}" if figure.ratio and first is not None and other else MISSING if figure.ratio else ""
        for other in others
    ]
    return (figure.name, *(MISSING if one is None else figure.text(one) for one in values), *ratios)
