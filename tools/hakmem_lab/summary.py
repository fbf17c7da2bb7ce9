"""The board in a few figures: each allocator's time and peak memory, as ratios to the best peer of each workload.

The best peer is chosen anew for each workload and for time and memory apart: the peer with the lowest median, never the
subject. All allocators are divided by that one figure, so that their means can be held against each other: the mean of
A ÷ the mean of B is the mean of A ÷ B. A peer comes out below 1 on a workload only by noise, for else it would be the
best itself; the subject can.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from hakmem_lab.board import Board
from hakmem_lab.comparison import Comparison, Figure, Standing, peak_of, seconds_of
from hakmem_lab.stats import Ratio, geometric_mean, ratios

DEFINITION = "each ÷ the best peer's on that workload"


@dataclass(frozen=True)
class Score:
    """One allocator over all workloads on which it ran, in time or in memory."""

    mean: Ratio  # geometric
    worst: float
    worst_on: str
    won: int  # workloads on which nobody needed less
    workloads: int


@dataclass(frozen=True)
class Row:
    allocator: str
    version: str
    time: Score | None  # None: it ran on none
    peak: Score | None
    failed: int


def rows(board: Board) -> list[Row]:
    """The subject, then the peers: each over all workloads, however wide an interval is."""
    return [
        Row(
            allocator.name,
            allocator.version,
            _score(board.comparisons, allocator.name, seconds_of),
            _score(board.comparisons, allocator.name, peak_of),
            len({failure.workload.name for failure in board.failures if failure.allocator.name == allocator.name}),
        )
        for allocator in [board.subject, *board.peers]
    ]


def _score(comparisons: list[Comparison], name: str, figure: Figure) -> Score | None:
    ran = [(one, standing) for one in comparisons for standing in one.standings() if standing.allocator.name == name]
    if not ran:
        return None
    paired = [ratios(standing.figures(figure), one.best_peer(figure).figures(figure)) for one, standing in ran]
    worst, worst_on = max((median(group), one.workload.name) for group, (one, _) in zip(paired, ran, strict=True))
    won = sum(_lowest(one, standing, figure) for one, standing in ran)
    return Score(geometric_mean(paired), worst, worst_on, won, len(ran))


def _lowest(comparison: Comparison, standing: Standing, figure: Figure) -> bool:
    own = median(standing.figures(figure))
    return all(own <= median(other.figures(figure)) for other in comparison.standings())
