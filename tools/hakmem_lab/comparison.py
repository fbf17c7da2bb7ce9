"""The subject against its peers on one workload: interleaved runs, and what they say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from hakmem_lab.peers import Allocator
from hakmem_lab.runner import Runner, Sample
from hakmem_lab.stats import Ratio, paired_ratio
from hakmem_lab.workloads import Workload

_SUBJECT = "subject"
_AGAIN = "again"  # the subject a second time in each round: the noise, A against A


@dataclass(frozen=True)
class Standing:
    """One allocator on one workload. The ratios are the subject's figure ÷ this one's."""

    allocator: Allocator
    samples: list[Sample]
    time_ratio: Ratio
    peak_ratio: Ratio

    def seconds(self) -> float:
        return median(sample.seconds for sample in self.samples)

    def operations_per_second(self) -> float:
        return median(sample.operations / sample.seconds for sample in self.samples)

    def peak_kib(self) -> float:
        return median(sample.peak_kib for sample in self.samples)

    def resident_kib(self) -> float:
        return median(sample.resident_kib for sample in self.samples)


@dataclass(frozen=True)
class Comparison:
    workload: Workload
    subject: Standing
    peers: dict[str, Standing]
    noise: Ratio
    noise_limit: float

    def sound(self) -> bool:
        return self.noise.spread() <= self.noise_limit

    def standings(self) -> list[Standing]:
        return [self.subject, *self.peers.values()]


def rotated(items: list, by: int) -> Iterator:
    """The items in order, beginning at another one each round, so that none is always first."""
    for i in range(len(items)):
        yield items[(i + by) % len(items)]


def interleave(
    take: Callable[[Allocator], Sample], contestants: dict[str, Allocator], rounds: int
) -> dict[str, list[Sample]]:
    """One run each to warm up, then rounds A B C …; the samples of each contestant, by round."""
    for allocator in contestants.values():
        take(allocator)
    samples: dict[str, list[Sample]] = {key: [] for key in contestants}
    for number in range(rounds):
        for key in rotated(list(contestants), number):
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
) -> Comparison:
    """Runs everything; `tick` is told the workload's name after each run."""

    def take(allocator: Allocator) -> Sample:
        sample = runner.sample(workload, allocator)
        tick(workload.name)
        return sample

    contestants = {_SUBJECT: subject, **{peer.name: peer for peer in peers}, _AGAIN: subject}
    samples = interleave(take, contestants, rounds)

    def ratio_to(key: str, figure: Callable[[Sample], float]) -> Ratio:
        return paired_ratio([figure(s) for s in samples[_SUBJECT]], [figure(s) for s in samples[key]])

    def standing(key: str) -> Standing:
        time_ratio = ratio_to(key, lambda sample: sample.seconds)
        return Standing(contestants[key], samples[key], time_ratio, ratio_to(key, lambda sample: sample.peak_kib))

    standings = {peer.name: standing(peer.name) for peer in peers}
    return Comparison(workload, standing(_SUBJECT), standings, standing(_AGAIN).time_ratio, noise_limit)
