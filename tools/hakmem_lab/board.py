"""The board: all contestants on all workloads, within a time. What fails is marked, and the rest goes on.

Every workload gets some rounds; then those whose interval is too wide get more, the widest first, until it is narrow
enough or the rounds or the time end. None is left out: one that stayed wide is marked so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hakmem_lab.comparison import SUBJECT, Comparison, balanced, contestants, judge
from hakmem_lab.errors import UnsoundError
from hakmem_lab.peers import Allocator
from hakmem_lab.plan import Plan
from hakmem_lab.progress import Meter, seconds_left
from hakmem_lab.running.runner import Runner, Sample
from hakmem_lab.workloads import Workload


@dataclass(frozen=True)
class Failure:
    """A run that gave no figures. Where it is the subject's, the workload has no comparison."""

    workload: Workload
    allocator: Allocator
    sentence: str


@dataclass(frozen=True)
class Board:
    subject: Allocator
    peers: list[Allocator]
    comparisons: list[Comparison]
    failures: list[Failure]
    target: float  # the half width that an interval of time may have
    stopped: bool = False  # by the user: the workloads that had their first rounds are there

    def wide(self) -> list[Comparison]:
        return [one for one in self.comparisons if one.time_width() > self.target]

    def complete(self) -> bool:
        """It went to its end, and no run failed: however wide, there is a figure in each cell."""
        return not self.stopped and not self.failures


@dataclass
class _Heat:
    """One workload under way: who still runs, what was measured, and how long the last run of each took."""

    workload: Workload
    running: dict[str, Allocator]
    samples: dict[str, list[Sample]] = field(default_factory=dict)
    durations: dict[str, float] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    def round(self, runner: Runner, plan: Plan, tell: Callable[[float], None]) -> dict[str, Sample]:
        """Runs everybody once, in balanced order; `tell` hears how much of the round is to come.

        A contestant that fails is out, and without the subject so are all.
        """
        taken: dict[str, Sample] = {}
        to_come = balanced(list(self.running), self.rounds())
        while to_come:
            tell(sum(self.durations.get(key, 0.0) for key in to_come))
            key = to_come.pop(0)
            sample = self._run(key, runner, plan)
            if sample:
                taken[key] = sample
            to_come = [one for one in to_come if one in self.running]
        return {key: sample for key, sample in taken.items() if key in self.running}

    def keep(self, taken: dict[str, Sample]) -> None:
        """A whole round, so that all have as many samples whenever the user stops."""
        for key, sample in taken.items():
            self.samples.setdefault(key, []).append(sample)

    def _run(self, key: str, runner: Runner, plan: Plan) -> Sample | None:
        began = plan.now()
        try:
            sample = _figures(runner.sample(self.workload, self.running[key]))
        except UnsoundError as error:
            self.failures.append(Failure(self.workload, self.running[key], str(error)))
            self._put_out(key)
            return None
        self.durations[key] = plan.now() - began
        return sample

    def _put_out(self, key: str) -> None:
        gone = list(self.running) if key == SUBJECT else [key]
        for one in gone:
            del self.running[one]
            self.samples.pop(one, None)
            self.durations.pop(one, None)

    def comparable(self) -> bool:
        """Whether there is still something to compare the subject with."""
        return any(key != SUBJECT for key in self.running)

    def rounds(self) -> int:
        return len(self.samples.get(SUBJECT, []))

    def round_seconds(self) -> float:
        return sum(self.durations.values())

    def comparison(self) -> Comparison:
        return judge(self.workload, self.running, self.samples)

    def width(self) -> float:
        return self.comparison().time_width()


def _figures(sample: Sample) -> Sample:
    """A sample that ratios can be formed of."""
    if sample.seconds <= 0 or sample.peak_kib <= 0:
        raise UnsoundError(f"a run reported {sample.seconds:g} s and {sample.peak_kib} KiB: both must be above 0")
    return sample


@dataclass
class _Course:
    """All heats of a board, and what they are run with."""

    heats: list[_Heat]
    runner: Runner
    plan: Plan
    target: float
    show: Meter
    ended: list[_Heat] = field(default_factory=list)  # the first rounds

    def warm_up(self) -> None:
        """A run of each contestant on each workload, not kept: it tells how long they take."""
        runs = sum(len(heat.running) for heat in self.heats)
        done = 0
        for heat in self.heats:

            def tell(_: float, heat: _Heat = heat) -> None:
                nonlocal done
                done += 1
                self.show(f"warm-up: {heat.workload.name}", self._left_in_warm_up(done, runs))

            heat.round(self.runner, self.plan, tell)

    def _left_in_warm_up(self, done: int, runs: int) -> float:
        if self.plan.limited():
            return self.plan.left()
        return seconds_left(self.plan.elapsed(), done, runs * (1 + self.plan.first))

    def first_rounds(self) -> None:
        """Of each workload in turn, as many as the time allows for all."""
        to_come = [heat for heat in self.heats if heat.comparable()]
        while to_come:
            rounds = self.plan.first_rounds(sum(heat.round_seconds() for heat in to_come))
            heat, *to_come = to_come
            self._rounds(heat, rounds, sum(rounds * later.round_seconds() for later in to_come))
            self.ended.append(heat)

    def more_rounds(self) -> None:
        """Passes over the workloads whose interval is too wide, the widest first, until nothing fits any more."""
        while chosen := self._too_wide():
            for heat in chosen:
                self._rounds(heat, self._rounds_that_fit(heat), 0.0)

    def _too_wide(self) -> list[_Heat]:
        widths = [(heat.width(), heat) for heat in self.ended if self._rounds_that_fit(heat)]
        widest = sorted(widths, key=lambda one: one[0], reverse=True)
        return [heat for width, heat in widest if width > self.target]

    def _rounds_that_fit(self, heat: _Heat) -> int:
        if not heat.comparable():
            return 0
        rounds = self.plan.more_rounds(heat.rounds())
        while rounds > 0 and not self.plan.fits(rounds * heat.round_seconds()):
            rounds -= 1
        return rounds

    def _rounds(self, heat: _Heat, rounds: int, later: float) -> None:
        """Rounds of one workload; `later` is how many seconds of first rounds come after them."""
        for number in range(rounds):
            if not heat.comparable() or (heat.rounds() >= self.plan.fewest and not self._in_time(heat, later)):
                return
            after = later + (rounds - number - 1) * heat.round_seconds()
            heat.keep(heat.round(self.runner, self.plan, lambda left: self._tell(heat, after + left)))

    def _in_time(self, heat: _Heat, later: float) -> bool:
        """Whether a round can be added without taking from the workloads that come after."""
        return not self.plan.limited() or self.plan.fits(heat.round_seconds() + later)

    def _tell(self, heat: _Heat, planned: float) -> None:
        """The time left: what is planned, or all the time that there is where more rounds may follow."""
        more = self.plan.limited() and self.plan.most > self.plan.first
        self.show(heat.workload.name, max(planned, self.plan.left()) if more else planned)


def measure(
    runner: Runner,
    subject: Allocator,
    peers: list[Allocator],
    chosen: list[Workload],
    plan: Plan,
    target: float,
    show: Meter,
) -> Board:
    """Warms everything up; then the first rounds, workload after workload; then more where the interval is wide."""
    course = _Course([_Heat(workload, contestants(subject, peers)) for workload in chosen], runner, plan, target, show)
    stopped = False
    try:
        course.warm_up()
        course.first_rounds()
        course.more_rounds()
    except KeyboardInterrupt:
        if not course.ended:
            raise
        stopped = True
    comparisons = [heat.comparison() for heat in course.ended if heat.comparable()]
    failures = [failure for heat in course.heats for failure in heat.failures]
    return Board(subject, peers, comparisons, failures, target, stopped)
