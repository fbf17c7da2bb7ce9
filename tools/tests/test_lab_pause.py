"""The pause before each run: it is waited for before every process that is timed, and planned with."""

from pathlib import Path

import pytest

from hakmem_lab.ab import command
from hakmem_lab.ab.pairs import Run, measure
from hakmem_lab.ab.schedule import ERROR
from hakmem_lab.ab.stage import COPIES, Contestant
from hakmem_lab.peers import Allocator
from hakmem_lab.running import runner
from hakmem_lab.running.runner import START_UPS_PER_SAMPLE, Runner
from hakmem_lab.workloads import REGISTRY

BUMP = Allocator("bump", Path("/lib/libbump.so"))
REPORT = {"seconds": 0.5, "operations": 1000, "peak_kib": 2048, "resident_kib": 1024}


class Machine:
    """Pauses and runs, in their order, on a clock of their own; a run takes a second."""

    def __init__(self):
        self.time = 0.0
        self.events = []

    def sleep(self, seconds):
        self.time += seconds
        self.events.append(seconds)

    def run(self, *_):
        self.time += 1.0
        self.events.append("run")
        return REPORT


@pytest.fixture
def machine(monkeypatch, tmp_path):
    made_up = Machine()
    monkeypatch.setattr(runner.time, "sleep", made_up.sleep)
    monkeypatch.setattr(runner, "run_reporting", made_up.run)
    monkeypatch.setattr(runner.os, "posix_spawn", lambda *_, **__: made_up.run() and 1)
    monkeypatch.setattr(runner.os, "waitpid", lambda *_: (1, 0))
    for name in ("waves", "hello"):
        (tmp_path / name).touch()
    made_up.programs = tmp_path
    return made_up


@pytest.mark.parametrize("quick", [True, False])
def test_each_process_of_a_sample_waits(machine, quick):
    paused = Runner(machine.programs, quick, 5.0)
    paused.sample(REGISTRY["waves"], BUMP)
    assert machine.events == [5.0, "run"]
    paused.sample(REGISTRY["hello"], BUMP)  # one run that reports, and one start that is timed
    assert machine.events == [5.0, "run"] * 3


def test_without_a_pause_nothing_waits(machine):
    plain = Runner(machine.programs)
    plain.sample(REGISTRY["waves"], BUMP)
    plain.sample(REGISTRY["hello"], BUMP)
    assert machine.events == ["run"] * (2 + START_UPS_PER_SAMPLE)


@pytest.mark.parametrize(("pause", "pairs"), [(0.0, 48), (2.0, 16)])
def test_pairs_are_as_many_as_fit_with_their_pauses(machine, pause, pairs):
    """A block of four runs takes 4 s without a pause and 12 with one of 2 s."""
    contestants = dict.fromkeys(COPIES, Contestant(BUMP, {}))
    sample = command._take(Runner(machine.programs, pause=pause), REGISTRY["waves"], contestants)
    memory = iter(range(1, 10**6))

    def take(copy):
        sample(copy)
        return Run(next(memory) % 7 + 1, 1.0, 2000)

    answer = measure(take, 96, ERROR, lambda *_: None, lambda: machine.time)
    assert answer.pairs == pairs
    assert machine.time == pytest.approx(96 + 4 * (1 + pause))  # the warm-up comes before
