"""A board of made-up allocators, whose runs take as long as they say."""

import json
from pathlib import Path

from hakmem_lab import board, report
from hakmem_lab.errors import UnsoundError
from hakmem_lab.peers import Allocator
from hakmem_lab.plan import Plan
from hakmem_lab.running.runner import Sample
from hakmem_lab.workloads import REGISTRY

HAKMEM = Allocator("hakmem", Path("/lib/libhakmem.so"))
FAST = Allocator("fast", Path("/lib/libfast.so"), "1.0")
SMALL = Allocator("small", Path("/lib/libsmall.so"), "2.1")
PEERS = [FAST, SMALL]
CHOSEN = [REGISTRY["waves"], REGISTRY["hello"], REGISTRY["churn"]]

# seconds and peak KiB of each allocator on each workload
FIGURES = {
    "waves": {"hakmem": (0.5, 100), "fast": (1.0, 400), "small": (2.0, 200)},
    "hello": {"hakmem": (2.0, 100), "fast": (1.0, 100), "small": (4.0, 50)},
    "churn": {"hakmem": (1.0, 300), "fast": (1.0, 600), "small": (3.0, 100)},
}


class MadeUpMachine:
    """Runs take as long as they say, on a clock of their own; some fail, some differ from run to run."""

    quick = True

    def __init__(self, failing=(), jitter=None):
        self.time = 0.0
        self.ran = []
        self.failing = dict(failing)  # (workload, allocator): the run of it that fails, from 1
        self.jitter = jitter or {}  # workload: factors of the subject's runs, in turn

    def now(self):
        return self.time

    def sample(self, workload, allocator):
        key = (workload.name, allocator.name)
        self.ran.append(key)
        if self.ran.count(key) == self.failing.get(key):
            raise UnsoundError(f"{workload.program} on {allocator.name} failed with signal 11")
        seconds, peak = FIGURES[workload.name][allocator.name]
        if allocator is HAKMEM and workload.name in self.jitter:
            factors = self.jitter[workload.name]
            seconds *= factors[self.ran.count(key) % len(factors)]
        self.time += seconds
        return Sample(seconds, 1000, peak, peak, {"allocator_path": str(allocator.library), "peak_kib": peak})


# factors of a workload's runs
LOUD = [1, 1.4, 0.8]
CALMING = [1, 1.2, 0.9, 1.1, 1, *[1] * 500]  # noisy at first

TARGET = 0.05


def measured(machine=None, fewest=3, first=5, most=5, seconds=1000.0, shown=None):
    machine = machine or MadeUpMachine()
    plan = Plan(fewest, first, most, seconds, machine.now)
    plan.begin()
    told = [] if shown is None else shown

    def show(what, left):
        told.append((what, left, machine.time))

    return board.measure(machine, HAKMEM, PEERS, CHOSEN, plan, TARGET, show)


def document(machine=None, **arguments):
    notes = ["left out: jemalloc is not on this machine"]
    setting = report.Setting("./hakmem bench board --quick", True, TARGET, notes)
    written = report.board(measured(machine, **arguments), setting, Path("/"))
    return json.loads(json.dumps(written))
