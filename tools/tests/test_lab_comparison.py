"""Interleaving, noise, and the verdicts of the acceptance on made-up samples."""

from collections import Counter
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest

from hakmem_lab import acceptance, tables
from hakmem_lab.acceptance import Check
from hakmem_lab.comparison import balanced, check, compare, interleave, runs_of
from hakmem_lab.peers import Allocator
from hakmem_lab.progress import seconds_left
from hakmem_lab.running.runner import Sample
from hakmem_lab.stats import Ratio
from hakmem_lab.workloads import REGISTRY

HAKMEM = Allocator("hakmem", Path("/lib/libhakmem.so"))
GLIBC = Allocator("glibc", None)
JEMALLOC = Allocator("jemalloc", Path("/lib/libjemalloc.so.2"))
MIMALLOC = Allocator("mimalloc", Path("/lib/libmimalloc.so.2"))
PEERS = [GLIBC, JEMALLOC, MIMALLOC]


def sample(seconds, peak_kib=1000, resident_kib=900):
    return Sample(seconds, 1000, peak_kib, resident_kib, {"allocator_path": "made up"})


class MadeUpRunner:
    """Gives each allocator its fixed sample, and remembers who ran."""

    quick = False

    def __init__(self, samples, subject_drift=0.0):
        self.samples = samples
        self.ran = []
        self.drift = subject_drift

    def sample(self, workload, allocator):
        self.ran.append(allocator.name)
        made_up = self.samples[allocator.name]
        if allocator is HAKMEM:
            return sample(made_up.seconds * (1 + self.drift * len(self.ran)), made_up.peak_kib, made_up.resident_kib)
        return made_up


def compared(samples, workload="waves", peers=PEERS, rounds=5, drift=0.0):
    runner = MadeUpRunner(samples, drift)
    return compare(runner, REGISTRY[workload], HAKMEM, peers, rounds, 0.05, lambda name: None), runner


SAMPLES = {"hakmem": sample(1.0), "glibc": sample(2.0), "jemalloc": sample(1.25, 2000), "mimalloc": sample(0.8, 1000)}


@pytest.mark.parametrize("count", [1, 2, 3, 7, 9, 10, 11])
def test_each_comes_at_each_place_and_after_each_other_as_often(count):
    items = list(range(count))
    repeats = 1 + count % 2
    orders = [balanced(items, number) for number in range(repeats * count)]
    assert all(sorted(order) == items for order in orders)
    assert set(Counter((place, one) for order in orders for place, one in enumerate(order)).values()) == {repeats}
    after = Counter(pair for order in orders for pair in pairwise(order))
    assert set(after.values()) <= {repeats} and len(after) == count * (count - 1)
    assert balanced(items, len(orders)) == orders[0]


def test_rounds_are_interleaved_after_a_warm_up_that_is_not_kept():
    order = []

    def take(allocator):
        order.append(allocator.name)
        return sample(float(len(order)))

    samples = interleave(take, {"a": HAKMEM, "b": GLIBC}, 2)
    assert order == ["hakmem", "glibc", "hakmem", "glibc", "glibc", "hakmem"]
    assert [s.seconds for s in samples["a"]] == [3.0, 6.0]
    assert [s.seconds for s in samples["b"]] == [4.0, 5.0]


def test_comparison_gives_ratios_of_the_subject_to_each_peer():
    comparison, runner = compared(SAMPLES)
    assert comparison.peers["glibc"].time_ratio.median == 0.5
    assert comparison.peers["jemalloc"].peak_ratio.median == 0.5
    assert comparison.noise.median == 1.0
    assert comparison.sound()
    assert len(runner.ran) == runs_of(3, 5)


def test_a_subject_that_differs_from_itself_is_unsound():
    comparison, _ = compared(SAMPLES, drift=0.2)
    assert not comparison.sound()
    assert "UNSOUND" in tables.noise_text(comparison)


def noisy(ratios, limit=0.05):
    """A comparison of which only A against A matters."""
    own = [sample(ratio) for ratio in ratios]
    running = {"subject": HAKMEM, "glibc": GLIBC, "again": HAKMEM}
    samples = {"subject": own, "glibc": own, "again": [sample(1.0) for _ in ratios]}
    return check(REGISTRY["waves"], running, samples, limit)


def test_few_rounds_may_spread_but_not_be_off_in_the_median():
    assert noisy([0.96, 1.0, 1.08]).sound()
    assert not noisy([0.99, 1.06, 1.07]).sound()
    assert not noisy([0.85, 1.0, 1.01]).sound()
    assert not noisy([0.92, 1.0, 1.08] * 5 + [0.92, 1.08] * 4).sound()


@pytest.mark.parametrize("rounds", [3, 4, 5, 15])
def test_a_quiet_machine_is_found_sound_and_a_busy_one_is_not(rounds):
    """Runs that differ by 1.5 % pass 95 of 100 times, runs that differ by 12 % at most 25."""
    random = Random(1)

    def passed(deviation):
        ratios = ([random.gauss(1, deviation) / random.gauss(1, deviation) for _ in range(rounds)] for _ in range(100))
        return sum(noisy(one).sound() for one in ratios)

    assert passed(0.015) >= 95
    assert passed(0.12) <= 25


def checks_of(samples, judge, **arguments):
    comparison, _ = compared(samples, **arguments)
    return {check.what: check for check in judge(comparison)}


def test_mixed_must_be_faster_than_each_peer_and_small():
    checks = checks_of(SAMPLES, acceptance._check_mixed, workload="random-mixed-400")
    assert checks["random-mixed-400: time ÷ glibc's"].met()
    assert checks["random-mixed-400: time ÷ jemalloc's"].met()
    assert not checks["random-mixed-400: time ÷ mimalloc's"].met()
    assert checks["random-mixed-400: peak memory ÷ glibc's"].met()
    assert len(checks) == 4


def test_peak_memory_above_a_tenth_more_is_missed():
    checks = checks_of({**SAMPLES, "hakmem": sample(1.0, 1101)}, acceptance._check_mixed, workload="random-mixed-400")
    assert not checks["random-mixed-400: peak memory ÷ glibc's"].met()


@pytest.mark.parametrize(("seconds", "met"), [(0.6, True), (0.66, True), (0.68, False), (0.8, False)])
def test_handover_needs_a_fifth_more_throughput(seconds, met):
    checks = checks_of({**SAMPLES, "hakmem": sample(seconds)}, acceptance._check_handover, workload="handover")
    assert checks["handover: throughput ÷ mimalloc's"].met() is met
    assert checks["handover: peak memory ÷ mimalloc's"].met()


def test_hello_counts_memory_beyond_glibc():
    samples = {**SAMPLES, "hakmem": sample(1.0, resident_kib=1301)}
    checks = checks_of(samples, acceptance._check_hello, workload="hello")
    memory = checks["hello: resident memory beyond glibc's"]
    assert memory.figure == 401
    assert not memory.met()
    assert checks["hello: start-up time ÷ jemalloc's"].met()


def test_waves_may_be_as_fast_as_mimalloc():
    checks = checks_of({**SAMPLES, "hakmem": sample(0.8)}, acceptance._check_waves)
    assert checks["waves: time ÷ mimalloc's"].met()


def test_a_figure_whose_interval_crosses_the_limit_is_marked():
    clear = Check("x", 0.9, "<", 1, "×", Ratio(0.9, 0.88, 0.92))
    near = Check("x", 0.99, "<", 1, "×", Ratio(0.99, 0.97, 1.01))
    missed = Check("x", 45.0, "≤", 44)
    assert tables.verdict_text(clear) == "met"
    assert tables.verdict_text(near) == "met, within the noise"
    assert tables.verdict_text(missed) == "MISSED"


def test_acceptance_ticks_as_often_as_announced(monkeypatch):
    calls = {"mmap": 1, "munmap": 0, "madvise": 0, "mprotect": 1}
    monkeypatch.setattr(acceptance, "random_mixed", lambda *_: [])
    monkeypatch.setattr(acceptance, "instructions_per_operation", lambda *_: 40.0)
    monkeypatch.setattr(acceptance, "system_calls_beyond", lambda *_: calls)
    ticks = []
    peers = {peer.name: peer for peer in PEERS}
    result = acceptance.accept(MadeUpRunner(SAMPLES), HAKMEM, peers, 3, 0.05, ticks.append)
    assert len(ticks) == acceptance.steps(3)
    assert [check.what for check in result.checks if not check.met()] == [
        "random-mixed-400: time ÷ mimalloc's",
        "random-mixed-8192: time ÷ mimalloc's",
        "waves: time ÷ mimalloc's",
        "handover: throughput ÷ mimalloc's",
    ]


def test_tables_are_the_same_in_markdown():
    comparison, _ = compared(SAMPLES)
    text = tables.markdown(tables.comparison_table(comparison))
    assert "| allocator | served by | time |" in text
    assert "| glibc | made up | 2.00 s | 500 /s | 0.50 [0.50, 0.50] |" in text


@pytest.mark.parametrize(
    ("rate", "text"), [(12.3, "12 /s"), (1600, "1.60 k/s"), (99.56e6, "99.56 M/s"), (2.5e9, "2.50 G/s")]
)
def test_rates_are_short(rate, text):
    assert tables.rate_text(rate) == text


def test_time_left_is_told_from_the_pace_so_far():
    assert seconds_left(10.0, 5, 20) == 30.0
