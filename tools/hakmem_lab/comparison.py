"""The subject against its peers on one workload: interleaved runs, and what they say."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from pathlib import Path
from statistics import median

from hakmem_lab.peers import Allocator
from hakmem_lab.running.runner import Runner, Sample
from hakmem_lab.stats import Ratio, paired_ratio
from hakmem_lab.workloads import Workload

SUBJECT = "subject"
AGAIN = "again"  # the subject a second time in each round: the noise, A against A

FULL_ROUNDS = 15  # as many as make the interval of A against A as narrow as its limit

Figure = Callable[[Sample], float]


def seconds_of(sample: Sample) -> float:
    return sample.seconds


def peak_of(sample: Sample) -> float:
    return sample.peak_kib


def _served(report: dict) -> str:
    idle = report.get("allocators_idle", "")
    name = Path(report["allocator_path"]).name
    return f"{name}, not its own {idle.replace(',', ' or ')}" if idle else name


@dataclass(frozen=True)
class Standing:
    """One allocator on one workload. The ratios are the subject's figure ÷ this one's."""

    allocator: Allocator
    samples: list[Sample]
    time_ratio: Ratio
    peak_ratio: Ratio

    def figures(self, figure: Figure) -> list[float]:
        return [figure(sample) for sample in self.samples]

    def seconds(self) -> float:
        return median(self.figures(seconds_of))

    def operations_per_second(self) -> float:
        return median(sample.operations / sample.seconds for sample in self.samples)

    def served(self) -> list[str]:
        """The libraries that served it, as each run reported them: the allocator's own, and no other. What a program
        is linked with and did not use is named as such."""
        return sorted({_served(sample.report) for sample in self.samples})

    def peak_kib(self) -> float:
        return median(self.figures(peak_of))

    def resident_kib(self) -> float:
        return median(sample.resident_kib for sample in self.samples)


@dataclass(frozen=True)
class Comparison:
    workload: Workload
    subject: Standing
    peers: dict[str, Standing]

    def rounds(self) -> int:
        return len(self.subject.samples)

    def standings(self) -> list[Standing]:
        return [self.subject, *self.peers.values()]

    def best_peer(self, figure: Figure) -> Standing:
        return min(self.peers.values(), key=lambda standing: median(standing.figures(figure)))

    def to_best(self, standing: Standing, figure: Figure) -> Ratio:
        """What `standing` needed ÷ what the best peer did."""
        return paired_ratio(standing.figures(figure), self.best_peer(figure).figures(figure))

    def time_width(self) -> float:
        """Half the interval of the subject's time ÷ the best peer's, as a part of it."""
        return self.to_best(self.subject, seconds_of).half_width()


@dataclass(frozen=True)
class Checked(Comparison):
    """A comparison in whose rounds the subject ran a second time: what that differs from 1 is noise."""

    noise: Ratio
    noise_limit: float

    def sound(self) -> bool:
        """Whether A against A came out at 1: its median within the limit, its interval within the room."""
        return abs(self.noise.median - 1) <= self.noise_limit and self.noise.spread() <= self.noise_room()

    def noise_room(self) -> float:
        """How far the interval may reach from 1: the limit, or by chance more where the rounds are few."""
        return self.noise_limit * sqrt(max(1, FULL_ROUNDS / self.rounds()))


def contestants(subject: Allocator, peers: list[Allocator]) -> dict[str, Allocator]:
    """Who runs in each round, and in which order."""
    return {SUBJECT: subject, **{peer.name: peer for peer in peers}}


def balanced(items: list, number: int) -> list:
    """The order of a round: over as many rounds as there are items (twice as many, of an odd number of them), each comes
    at each place as often as at any other, and right after each other one as often.

    What a process leaves behind counts: the next one is given the memory that it freed, which is faster where that was
    huge pages. The orders are the rows of a Latin square that is balanced for what is carried over (Williams, 1949).
    """
    count = len(items)
    steps = [(i + 1) // 2 if i % 2 else count - i // 2 for i in range(count)]  # 0, 1, count - 1, 2, count - 2, …
    order = [items[(step + number) % count] for step in steps]
    return order[::-1] if count % 2 and number // count % 2 else order


def interleave(
    take: Callable[[Allocator], Sample], contestants: dict[str, Allocator], rounds: int
) -> dict[str, list[Sample]]:
    """One run each to warm up, then rounds of all in balanced order; the samples of each contestant, by round."""
    for allocator in contestants.values():
        take(allocator)
    samples: dict[str, list[Sample]] = {key: [] for key in contestants}
    for number in range(rounds):
        for key in balanced(list(contestants), number):
            samples[key].append(take(contestants[key]))
    return samples


def runs_of(peers: int, rounds: int) -> int:
    """How many runs compare() makes."""
    return (peers + 2) * (rounds + 1)


def compare(
    runner: Runner,
    workload: Workload,
    subject: Allocator,
    peers: list[Allocator],
    rounds: int,
    noise_limit: float,
    tick: Callable[[str], None],
) -> Checked:
    """Runs everything, the subject twice a round; `tick` is told the workload's name after each run."""

    def take(allocator: Allocator) -> Sample:
        sample = runner.sample(workload, allocator)
        tick(workload.name)
        return sample

    running = {**contestants(subject, peers), AGAIN: subject}
    return check(workload, running, interleave(take, running, rounds), noise_limit)


def judge(workload: Workload, running: dict[str, Allocator], samples: dict[str, list[Sample]]) -> Comparison:
    """What the samples of these contestants, as many of each, say."""
    beside = {key: _standing(key, running, samples) for key in running if key not in (SUBJECT, AGAIN)}
    return Comparison(workload, _standing(SUBJECT, running, samples), beside)


def check(
    workload: Workload, running: dict[str, Allocator], samples: dict[str, list[Sample]], noise_limit: float
) -> Checked:
    """The same, where the subject ran a second time in each round."""
    judged = judge(workload, running, samples)
    noise = _standing(AGAIN, running, samples).time_ratio
    return Checked(judged.workload, judged.subject, judged.peers, noise, noise_limit)


def _standing(key: str, running: dict[str, Allocator], samples: dict[str, list[Sample]]) -> Standing:
    def ratio(figure: Figure) -> Ratio:
        return paired_ratio([figure(s) for s in samples[SUBJECT]], [figure(s) for s in samples[key]])

    return Standing(running[key], samples[key], ratio(seconds_of), ratio(peak_of))
