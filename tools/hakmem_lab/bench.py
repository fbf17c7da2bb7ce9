"""`./hakmem bench`: hakmem against the other allocators of this machine."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from hakmem_lab import acceptance, comparison, peers, report, tables, workloads
from hakmem_lab.comparison import Comparison
from hakmem_lab.console import console, print_table, say
from hakmem_lab.errors import MISSED, UNSOUND, LabError
from hakmem_lab.programs import present
from hakmem_lab.progress import progress
from hakmem_lab.runner import Runner

ROOT = Path(__file__).resolve().parents[2]
LIBRARY = ROOT / "build" / "lib" / "libhakmem.so"
PROGRAMS = ROOT / "build" / "release" / "bench"

ACCEPT = "accept"
_PAIRS, _QUICK_PAIRS = 15, 5


@dataclass(frozen=True)
class Session:
    """What both kinds of measurement need: how to run, on what, how often, and how to tell."""

    runner: Runner
    subject: peers.Allocator
    pairs: int
    noise: float
    json: Path | None
    markdown: bool

    def print(self, table: tables.Table) -> None:
        print_table(table, self.markdown)

    def save(self, document: dict) -> None:
        if self.json:
            report.write(document, self.json)


def _all_sound(comparisons: list[Comparison]) -> bool:
    """Says how far each comparison is to be trusted; whether all are."""
    for one in comparisons:
        say(f"{one.workload.name}: {tables.noise_text(one)}")
    return all(one.sound() for one in comparisons)


def _accept(session: Session) -> int:
    beside = {name: peers.require(name, say) for name in acceptance.PEERS}
    with progress(console(stderr=True), acceptance.steps(session.pairs)) as tick:
        result = acceptance.accept(session.runner, session.subject, beside, session.pairs, session.noise, tick)
    for one in result.comparisons:
        session.print(tables.comparison_table(one))
    session.print(tables.acceptance_table(result.checks))
    session.save(report.acceptance(result, ROOT))
    if session.runner.quick:
        say("a quick run is a glance: the promised figures are those of the full one")
    if not _all_sound(result.comparisons):
        return UNSOUND
    return 0 if all(check.met() for check in result.checks) else MISSED


def _board(session: Session, chosen: list[workloads.Workload], beside: list[peers.Allocator]) -> int:
    comparisons = []
    with progress(console(stderr=True), len(chosen) * comparison.runs_of(len(beside), session.pairs)) as tick:
        for workload in chosen:
            comparisons.append(
                comparison.compare(
                    session.runner, workload, session.subject, beside, session.pairs, session.noise, tick
                )
            )
    for one in comparisons:
        session.print(tables.comparison_table(one))
    if len(comparisons) > 1:
        session.print(tables.summary_table(comparisons))
    session.save(report.board(comparisons, ROOT))
    return 0 if _all_sound(comparisons) else UNSOUND


def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME...", show_default=False)] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Smaller runs and fewer pairs.")] = False,
    pairs: Annotated[int | None, typer.Option(help="Runs of each allocator (15; 5 if quick).", min=3)] = None,
    peer: Annotated[list[str] | None, typer.Option(help="A peer by name or .so path; may be repeated.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write everything measured to this file.")] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the tables as Markdown.")] = False,
    noise: Annotated[float, typer.Option(help="The most that A against A may differ.", min=0.001)] = 0.05,
    library: Annotated[
        Path, typer.Option(help="The library under test.", show_default="build/lib/libhakmem.so")
    ] = LIBRARY,
    programs: Annotated[
        Path, typer.Option(help="Where the bench programs are.", show_default="build/release/bench")
    ] = PROGRAMS,
    show: Annotated[bool, typer.Option("--list", help="List the workloads.")] = False,
) -> None:
    """Measures hakmem against the other allocators of this machine.

    NAME is a workload or a group of them (--list); without one, all are run. The name "accept" stands for the figures
    that the project promises: it measures each and compares it with its target.

    Exit status: 0 sound, 1 a promised figure was missed, 2 wrong use, 3 the measurement cannot be trusted.
    """
    if show:
        print_table(tables.workloads_table(list(workloads.REGISTRY.values())), markdown)
        return
    names = names or []
    rounds = pairs or (_QUICK_PAIRS if quick else _PAIRS)
    if ACCEPT in names:
        if len(names) > 1 or peer:
            raise LabError("accept has its own workloads and peers: give it no others")
        session = Session(Runner(programs, quick), peers.subject(library), rounds, noise, json, markdown)
        raise typer.Exit(_accept(session))
    chosen = present(workloads.select(names), say)
    session = Session(Runner(programs, quick), peers.subject(library), rounds, noise, json, markdown)
    beside = [peers.require(name, say) for name in peer] if peer else peers.discover(say)
    raise typer.Exit(_board(session, chosen, beside))
