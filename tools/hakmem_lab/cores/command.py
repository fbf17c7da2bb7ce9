"""`./hakmem cores`: what a workload would do on more cores than this machine has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hakmem_lab import peers, report
from hakmem_lab.bench import LIBRARY, PROGRAMS
from hakmem_lab.console import console, print_table, say
from hakmem_lab.cores import counts, model, subjects, tables
from hakmem_lab.cores.counts import Counts, Time
from hakmem_lab.errors import LabError
from hakmem_lab.peers import Allocator
from hakmem_lab.progress import Tick, progress
from hakmem_lab.running.process import refuse_other_sizes
from hakmem_lab.running.runner import run_reporting
from hakmem_lab.stats import Ratio, paired_ratio

OBSERVE = LIBRARY.with_name("libhakmem-observe.so")
CORES = "1,2,4,8,16,32,64"
MOST = 256  # threads of a bench program
ASSUMED_NS = 100.0  # a transfer, where one processor cannot tell


def _numbers(text: str) -> list[int]:
    words = text.split(",")
    if not all(word.strip().isdecimal() and 1 <= int(word) <= MOST for word in words):
        raise LabError(f"--cores {text} is no list of numbers from 1 to {MOST}: give one like {CORES}")
    return sorted({int(word) for word in words})


def _transfer_ns(programs: Path, allocator: Allocator) -> float:
    """How long a line takes from one processor to another here."""
    if len(counts.processors()) < 2:
        say(f"one processor cannot tell how long a line takes to another: {ASSUMED_NS:g} ns, unless --transfer says")
        return ASSUMED_NS
    return run_reporting([_program(programs, "transfer")], allocator)["nanoseconds"]


def _program(programs: Path, name: str) -> str:
    path = programs / name
    if not path.is_file():
        raise LabError(f"{path} is missing: build it first with ./hakmem build")
    return str(path)


class _Rounds:
    """The runs of one workload: each round has one of each kind, with each number of threads."""

    def __init__(self, subject: subjects.Subject, programs: Path, quick: bool, libraries: tuple[Allocator, Allocator]):
        self._subject, self._quick = subject, quick
        self._program = _program(programs, subject.workload.program)
        self._plain, self._observe = libraries
        self._counted: dict[int, list[Counts]] = {}
        self._alone: list[Time] = []  # one thread
        self._together: dict[int, list[float]] = {}  # each thread on a processor of its own, ns an operation
        self._beside: dict[int, list[float]] = {}  # each in a process of its own besides

    def round(self, threads: list[int], tick: Tick) -> None:
        here = counts.processors()
        for number in threads:
            command = [self._program, *self._subject.arguments(number, self._quick)]
            self._counted.setdefault(number, []).append(counts.count(command, self._observe))
            if number == 1:
                self._alone.append(counts.measure(command, self._plain, here[:1]))
            elif number <= len(here):
                self._compare(number, command, here[:number])
            tick(f"{self._subject.workload.name}, {number} threads")

    def _compare(self, number: int, command: list[str], on: list[int]) -> None:
        alone = [self._program, *self._subject.arguments(1, self._quick)]
        self._together.setdefault(number, []).append(counts.measure(command, self._plain, on).elapsed_ns)
        self._beside.setdefault(number, []).append(counts.measure_beside(alone, self._plain, on))

    def loads(self) -> dict[int, model.Load]:
        return {number: model.load(number, counted) for number, counted in self._counted.items()}

    def alone_ns(self) -> float:
        """An operation of one thread: the least, which nobody else on the machine has made longer."""
        return min(time.processor_ns for time in self._alone)

    def measured(self) -> dict[int, Ratio]:
        """The speed-up of threads against processes that share nothing, for as many cores as the machine has: what else
        the machine does meets both alike.
        """
        return {
            number: paired_ratio([number * time for time in self._beside[number]], self._together[number])
            for number in self._together
        }


def cores(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"A workload: {', '.join(subjects.SUBJECTS)}.")],
    numbers: Annotated[str, typer.Option("--cores", help="How many cores, with commas between them.")] = CORES,
    transfer: Annotated[
        float | None,
        typer.Option(
            help="Nanoseconds that a line of memory takes from one core to another.",
            min=0.0,
            show_default="measured between two processors of this machine",
        ),
    ] = None,
    runs: Annotated[int, typer.Option(help="Runs of each kind with each number of threads.", min=1)] = 5,
    quick: Annotated[bool, typer.Option("--quick", help="Runs of a tenth of the length.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the tables as Markdown.")] = False,
    json: Annotated[Path | None, typer.Option(help="Write everything to this file.")] = None,
    library: Annotated[
        Path, typer.Option(help="The library under test.", show_default="build/lib/libhakmem.so")
    ] = LIBRARY,
    observe: Annotated[
        Path, typer.Option(help="The same, counting.", show_default="build/lib/libhakmem-observe.so")
    ] = OBSERVE,
    programs: Annotated[
        Path, typer.Option(help="Where the bench programs are.", show_default="build/release/bench")
    ] = PROGRAMS,
) -> None:
    """Predict what a workload does on more cores than this machine has.

    The observe library counts, with as many threads as there are cores: how often each lock is taken, how long it is
    held, and the writes of shared lines of memory. The prediction is that of a closed network of queues, one a lock, by
    exact Mean Value Analysis. docs/observe.md says what it assumes, what it leaves out, and how far off it was.

    Exit status: 0 the prediction was made, 2 wrong use, 3 a run failed or another allocator served it.
    """
    refuse_other_sizes()
    subject = subjects.find(name)
    wanted = _numbers(numbers)
    if json:
        report.must_be_writable(json)
    libraries = peers.subject(library), peers.subject(observe)
    transfer_ns = _transfer_ns(programs, libraries[0]) if transfer is None else transfer
    rounds = _Rounds(subject, programs, quick, libraries)
    threads = sorted({1, 2, *wanted})
    with progress(console(stderr=True), runs * len(threads)) as tick:
        for _ in range(runs):
            rounds.round(threads, tick)
    outlook = model.outlook(wanted, rounds.loads(), rounds.alone_ns(), transfer_ns)
    measured = rounds.measured()
    print_table(tables.outlook_table(name, outlook, measured), markdown)
    print_table(tables.counts_table(name, outlook), markdown)
    say(f"an operation of one thread takes {outlook.alone_ns:.1f} ns, a line {transfer_ns:.0f} ns to another core")
    if json:
        tables.save(json, tables.document(name, outlook, transfer_ns, measured))
