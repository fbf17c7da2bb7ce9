"""`./hakmem stat`: what the processor and the kernel count of a program, on hakmem and beside a peer."""

from __future__ import annotations

import os
import shlex
import shutil
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from hakmem_cli import program
from hakmem_cli.message import Refusal
from hakmem_lab import peers
from hakmem_lab.bench import LIBRARY, PROGRAMS
from hakmem_lab.console import print_table, say
from hakmem_lab.counters import events, figures, record
from hakmem_lab.counters.record import Contestant
from hakmem_lab.errors import LabError
from hakmem_lab.running.runner import WITNESS

_CHEAP = 0.25  # seconds of processor time: callgrind then takes some ten


def _resolved(command: list[str], library: Path) -> list[str]:
    search_path = os.environ.get("PATH", "")
    try:
        path = program.find(command[0], search_path)
        program.check(path, str(library), search_path)
    except Refusal as refusal:
        raise LabError(str(refusal).rstrip(".")) from None
    return [path, *command[1:]]


def _count_instructions(command: list[str], contestants: list[Contestant], *, asked: bool) -> str:
    """Where the processor does not; what is left out, and why."""
    seconds = median(run.counts[events.TIME] for run in contestants[0].runs) / 1000
    if not asked and seconds > _CHEAP:
        return "--callgrind counts instructions exactly, some fifty times slower"
    if not asked and shutil.which("valgrind") is None:
        return "valgrind would count instructions (apt-get install valgrind)"
    try:
        for contestant in contestants:
            contestant.instructions = record.instructions(command, contestant.allocator)
    except LabError as error:
        if asked:
            raise
        return f"instructions are not counted: {error}"
    return ""


def stat(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="-- COMMAND [ARGUMENT]...", show_default=False)
    ] = None,
    peer: Annotated[
        list[str] | None, typer.Option(help="An allocator to set beside it; may be repeated.  [default: glibc]")
    ] = None,
    runs: Annotated[int, typer.Option(help="Runs on each allocator, in turn.", min=1)] = 3,
    callgrind: Annotated[bool, typer.Option("--callgrind", help="Count instructions exactly, however long.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table as Markdown.")] = False,
    library: Annotated[
        Path, typer.Option(help="The library to run it on.", show_default="build/lib/libhakmem.so")
    ] = LIBRARY,
) -> None:
    """Count what a program costs on hakmem and beside a peer.

    Cycles, instructions a cycle, branch and cache misses, page faults, context switches, time and peak memory.

    perf counts. Where the machine has no hardware counters, as most virtual machines, that is said, and callgrind
    counts the instructions of a short program (of a long one with --callgrind). What the program prints is shown of
    its first run; it reads nothing.

    Exit status: 0 the figures stand, 2 wrong use, 3 the program failed, or another allocator served it.
    """
    if not command:
        raise LabError("there is no command to count: ./hakmem stat [--peer NAME] -- COMMAND [ARGUMENT]...")
    subject = peers.subject(library)
    line = _resolved(command, subject.library)
    contestants = [Contestant(one) for one in (subject, *(peers.require(name, say) for name in peer or ["glibc"]))]
    perf = record.find_perf()
    for turn in range(runs):
        for at, contestant in enumerate(contestants):
            witness = PROGRAMS / WITNESS
            quiet = turn > 0 or at > 0
            contestant.runs.append(record.run(line, contestant.allocator, perf, witness, quiet=quiet))
    _tell(shlex.join(command), line, contestants, perf, asked=callgrind, markdown=markdown)


def _tell(
    command: str, line: list[str], contestants: list[Contestant], perf: record.Tool, *, asked: bool, markdown: bool
) -> None:
    notes = []
    if perf.path is None:
        notes.append(f"{perf.reason}: faults, switches and time are those that the kernel tells")
    elif not figures.has_hardware(contestants):
        notes.append(
            "this machine gives no hardware counters: neither cycles nor instructions, nor branch and cache misses"
        )
    if asked or not figures.has_hardware(contestants):
        notes.append(_count_instructions(line, contestants, asked=asked))
    if not all(run.proved for contestant in contestants for run in contestant.runs):
        notes.append("no process ended by exit: which allocator served it was not proved, nor its peak measured")
    print_table(figures.table(command, contestants), markdown)
    for note in filter(None, notes):
        say(note)
