"""The board: all contestants on all workloads, within a time. What fails is marked, and the rest goes on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hakmem_lab.comparison import AGAIN, SUBJECT, Comparison, contestants, judge, rotated
from hakmem_lab.errors import UnsoundError
from hakmem_lab.peers import Allocator
from hakmem_lab.plan import Plan
from hakmem_lab.progress import Meter, seconds_left
from hakmem_lab.running.runner import Runner, Sample
from hakmem_lab.workloads import Workload

UNSOUND_SHARE = 0.1  # of the workloads: so many may come out unsound by chance before the whole board is


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
    stopped: bool = False  # by the user: the workloads that had ended are there

    def quiet(self) -> bool:
        """At most a tenth of the workloads is unsound."""
        return sum(not one.sound() for one in self.comparisons) <= UNSOUND_SHARE * len(self.comparisons)

    def sound(self) -> bool:
        """It went to its end, no run failed, and the machine was quiet."""
        return not self.stopped and not self.failures and self.quiet()


@dataclass
class _Heat:
    """One workload under way: who still runs, what was measured, and how long the last run of each took."""

    workload: Workload
    running: dict[str, Allocator]
    samples: dict[str, list[Sample]] = field(default_factory=dict)
    durations: dict[str, float] = field(default_factory=dict)
    failures: list[Failure] = field(default_factory=list)

    def run(self, key: str, runner: Runner, plan: Plan) -> None:
        """One run; a contestant that fails is out, and without the subject so are all."""
        began = plan.now()
        try:
            sample = _figures(runner.sample(self.workload, self.running[key]))
        except UnsoundError as error:
            self.failures.append(Failure(self.workload, self.running[key], str(error)))
            self._put_out(key)
        else:
            self.samples.setdefault(key, []).append(sample)
            self.durations[key] = plan.now() - began

    def _put_out(self, key: str) -> None:
        gone = list(self.running) if key in (SUBJECT, AGAIN) else [key]
        for one in gone:
            del self.running[one]
            self.samples.pop(one, None)
            self.durations.pop(one, None)

    def comparable(self) -> bool:
        """Whether there is still something to compare the subject with."""
        return any(key not in (SUBJECT, AGAIN) for key in self.running)

    def round_seconds(self) -> float:
        return sum(self.durations.values())


def _figures(sample: Sample) -> Sample:
    """A sample that ratios can be formed of."""
    if sample.seconds <= 0 or sample.peak_kib <= 0:
        raise UnsoundError(f"a run reported {sample.seconds:g} s and {sample.peak_kib} KiB: both must be above 0")
    return sample


def measure(
    runner: Runner,
    subject: Allocator,
    peers: list[Allocator],
    chosen: list[Workload],
    plan: Plan,
    noise_limit: float,
    show: Meter,
) -> Board:
    """Warms everything up, which tells how long it takes; then runs workload after workload, by the plan."""
    heats = [_Heat(workload, contestants(subject, peers)) for workload in chosen]
    ended: list[_Heat] = []
    stopped = False
    try:
        _warm_up(heats, runner, plan, show)
        for heat in _run_all([heat for heat in heats if heat.comparable()], runner, plan, show):
            ended.append(heat)
    except KeyboardInterrupt:
        if not ended:
            raise
        stopped = True
    comparisons = [judge(h.workload, h.running, h.samples, noise_limit) for h in ended if h.comparable()]
    return Board(subject, peers, comparisons, [failure for heat in heats for failure in heat.failures], stopped)


def _run_all(to_come: list[_Heat], runner: Runner, plan: Plan, show: Meter) -> Iterator[_Heat]:
    """Yields each when it has ended."""
    while to_come:
        heat, *others = to_come
        rounds = plan.rounds([one.round_seconds() for one in to_come])
        later = sum(count * one.round_seconds() for count, one in zip(rounds[1:], others, strict=True))
        _run_rounds(heat, rounds[0], later, runner, plan, show)
        yield heat
        to_come = others


def _warm_up(heats: list[_Heat], runner: Runner, plan: Plan, show: Meter) -> None:
    """A run of each contestant on each workload, not kept."""
    runs = sum(len(heat.running) for heat in heats)
    done = 0
    for heat in heats:
        for key in list(heat.running):
            if key in heat.running:
                heat.run(key, runner, plan)
            done += 1
            left = plan.left() if plan.limited() else seconds_left(plan.elapsed(), done, runs * (1 + plan.most))
            show(f"warm-up: {heat.workload.name}", left)
        heat.samples.clear()


def _run_rounds(heat: _Heat, rounds: int, later: float, runner: Runner, plan: Plan, show: Meter) -> None:
    """The rounds of one workload; `later` is how many seconds those after it will take."""
    began = plan.now()
    planned = rounds * heat.round_seconds()
    for number in range(rounds):
        if number >= plan.fewest and plan.over(began, planned):
            return
        left = later + (rounds - number) * heat.round_seconds()
        for key in rotated(list(heat.running), number):
            show(heat.workload.name, max(0.0, left))
            if key in heat.running:
                heat.run(key, runner, plan)
                left -= heat.durations.get(key, 0.0)
        if not heat.comparable():
            return
