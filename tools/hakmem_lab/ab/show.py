"""The verdict as a table and as JSON."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from statistics import median

from hakmem_cli.layout import PLAIN
from hakmem_lab.ab.counted import Instructions
from hakmem_lab.ab.gain import Gain
from hakmem_lab.ab.pairs import FIGURES, NOISE, PAIRS, Answer
from hakmem_lab.ab.sides import Side
from hakmem_lab.ab.verdict import Ruling, rule_all, rule_figure, rule_workload
from hakmem_lab.pause import pause_text
from hakmem_lab.report import machine
from hakmem_lab.tables import Table, memory_text, time_text

_UNITS = {"time": time_text, "elapsed": time_text, "memory": memory_text}
_NAMES = {"time": "processor time", "elapsed": "elapsed time", "memory": "peak memory"}


@dataclass(frozen=True)
class Outcome:
    """Everything that one call of `ab` found, by workload."""

    first: Side
    second: Side
    answers: dict[str, Answer]
    counts: dict[str, Instructions]
    variant: str = PLAIN
    pause: float = 0.0

    def ruling_of(self, workload: str) -> Ruling:
        answer = self.answers[workload]
        rulings = answer.rulings()
        of_figures = (rulings[figure] for figure in FIGURES)
        return rule_workload(*of_figures, self.counts[workload].ruling(), rule_figure(answer.noise))

    def ruling(self) -> Ruling:
        return rule_all({workload: self.ruling_of(workload) for workload in self.answers})


def percent_text(share: float) -> str:
    rounded = round(share * 100, 1)
    return f"{'−' if rounded < 0 else '+'}{abs(rounded):.1f}"


def gain_text(gain: Gain) -> str:
    estimate = f"{percent_text(gain.estimate)} %"
    if gain.low == gain.high == gain.estimate:
        return estimate
    if math.isinf(gain.half_width()):
        return f"{estimate} (too few pairs)"
    return f"{estimate} [{percent_text(gain.low)}, {percent_text(gain.high)}]"


def _median_text(answer: Answer, figure: str, copies: str) -> str:
    return _UNITS[figure](median(getattr(run, figure) for copy in copies for run in answer.runs[copy]))


def _rows(outcome: Outcome, workload: str) -> list[tuple[str, ...]]:
    answer, counts = outcome.answers[workload], outcome.counts[workload]
    firsts, seconds = ("".join(copies) for copies in zip(*PAIRS, strict=True))
    rulings = answer.rulings()
    rows = [
        (
            _NAMES[figure],
            _median_text(answer, figure, firsts),
            _median_text(answer, figure, seconds),
            gain_text(answer.gains[figure]),
            rulings[figure].text(),
        )
        for figure in FIGURES
    ]
    if counts.missing:
        rows.append(("instructions", "", "", "", counts.ruling().text()))
    else:
        texts = (f"{counts.first:.1f}", f"{counts.second:.1f}", gain_text(counts.gain()))
        rows.append(("instructions", *texts, counts.ruling().text()))
    one, other = (_median_text(answer, "time", copy) for copy in NOISE)
    rows.append(("A against A", one, other, gain_text(answer.noise), rule_figure(answer.noise).verdict.value))
    rows.append((f"{answer.pairs} pairs", "", "", "", f"→ {outcome.ruling_of(workload).text()}"))
    return [(workload if i == 0 else "", *row) for i, row in enumerate(rows)]


def table(outcome: Outcome) -> Table:
    rows = [row for workload in outcome.answers for row in _rows(outcome, workload)]
    waited = f"; {pause_text(outcome.pause)}" if outcome.pause else ""
    title = f"A: {outcome.first.label()}   B: {outcome.second.label()}   (a gain: B needs less{waited})"
    return Table(title, ("workload", "figure", "A", "B", "gain of B", "verdict"), rows, text_columns=2)


def _finite(value: object) -> object:
    """JSON knows no infinity."""
    if isinstance(value, float) and math.isinf(value):
        return None
    if isinstance(value, dict):
        return {key: _finite(inner) for key, inner in value.items()}
    return value


def _ruling(ruling: Ruling) -> dict:
    return {"verdict": ruling.verdict.value, "decided": ruling.decided, "note": ruling.note}


def _figure(gain: Gain | None, ruling: Ruling) -> dict:
    return {**(_finite(asdict(gain)) if gain else {}), **_ruling(ruling)}


def _workload(outcome: Outcome, workload: str) -> dict:
    answer, counts = outcome.answers[workload], outcome.counts[workload]
    rulings = answer.rulings()
    return {
        **_ruling(outcome.ruling_of(workload)),
        **{figure: _figure(answer.gains[figure], rulings[figure]) for figure in FIGURES},
        "instructions": {**asdict(counts), **_figure(counts.gain(), counts.ruling())},
        "noise": _figure(answer.noise, rule_figure(answer.noise)),
        "pairs": answer.pairs,
        "runs": {copy: [asdict(run) for run in runs] for copy, runs in answer.runs.items()},
    }


def _side(side: Side) -> dict:
    return {
        "given": side.given,
        "kind": side.kind.value,
        "library": str(side.library),
        "commit": side.commit,
        "settings": side.settings,
    }


def document(outcome: Outcome) -> dict:
    return {
        "when": datetime.now(UTC).isoformat(timespec="seconds"),
        "machine": machine(),
        "a": _side(outcome.first),
        "b": _side(outcome.second),
        "variant": outcome.variant or "release",
        "pause": outcome.pause,
        **_ruling(outcome.ruling()),
        "workloads": {workload: _workload(outcome, workload) for workload in outcome.answers},
    }
