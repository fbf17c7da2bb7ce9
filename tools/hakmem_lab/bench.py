"""`./hakmem bench`: hakmem against the other allocators of this machine."""

from __future__ import annotations

import math
import shlex
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from hakmem_lab import acceptance, board, peers, report, rest, tables, workloads
from hakmem_lab.console import console, print_table, say
from hakmem_lab.errors import MISSED, STOPPED, UNSOUND, LabError
from hakmem_lab.paper import REPORT, ROOT, Paper
from hakmem_lab.pause import Pause, pause_text, words
from hakmem_lab.peers import Allocator
from hakmem_lab.plan import Plan
from hakmem_lab.running.process import refuse_other_sizes
from hakmem_lab.running.programs import present
from hakmem_lab.progress import duration_text, meter, progress
from hakmem_lab.running.runner import Runner

LIBRARY = ROOT / "build" / "lib" / "libhakmem.so"
PROGRAMS = ROOT / "build" / "release" / "bench"

ACCEPT, BOARD = "accept", "board"
_FEWEST = 3
_PAIRS, _QUICK_PAIRS = 15, 5  # of accept, and what the board's workloads get at first
_MOST, _QUICK_MOST = 60, 25  # and those that are too wide, at most
_MINUTES, _QUICK_MINUTES = 120.0, 18.0
_OVERTIME = 1.1  # so much may the last round go beyond the time without a word
_TARGET, _QUICK_TARGET = 0.03, 0.05  # of the board: half the interval of a workload's time
_NOISE = 0.05  # of accept: what A against A may differ


@dataclass(frozen=True)
class Session:
    """What both kinds of measurement need: how to run, on what, and how to tell."""

    runner: Runner
    subject: Allocator
    noise: float  # of accept what A against A may differ, of the board the half width of an interval of time
    paper: Paper

    def print(self, table: tables.Table) -> None:
        print_table(table, self.paper.markdown)


def _accept(session: Session, pairs: int) -> int:
    beside = {name: peers.require(name, say) for name in acceptance.PEERS}
    with progress(console(stderr=True), acceptance.steps(pairs)) as tick:
        result = acceptance.accept(session.runner, session.subject, beside, pairs, session.noise, tick)
    for one in result.comparisons:
        session.print(tables.comparison_table(one))
    session.print(tables.acceptance_table(result.checks))
    session.paper.save(report.acceptance(result, session.runner.pause, ROOT))
    if session.runner.quick:
        say("a quick run is a glance: the promised figures are those of the full one")
    if session.runner.pause:
        say(f"{pause_text(session.runner.pause)}: the promised figures are those without a pause")
    for one in result.comparisons:
        say(f"{one.workload.name}: {tables.noise_text(one)}")
    if not all(one.sound() for one in result.comparisons):
        return UNSOUND
    return 0 if all(check.met() for check in result.checks) else MISSED


def _measure(session: Session, chosen: list[workloads.Workload], beside: list[Allocator], plan: Plan) -> board.Board:
    with meter(console(stderr=True)) as show:
        measured = board.measure(session.runner, session.subject, beside, chosen, plan, session.noise, show)
    overtime = plan.elapsed() > _OVERTIME * plan.seconds
    longer = f", longer than asked for: {plan.fewest} rounds are the fewest" if overtime else ""
    say(f"measured in {duration_text(plan.elapsed())}{longer}")
    return measured


def _print_board(document: dict, markdown: bool) -> None:
    print_table(tables.matrix_table(document), markdown)
    if rest.workloads(document):
        print_table(rest.table(document), markdown)
    print_table(tables.rows_table(document), markdown)


def _print_readme(document: dict) -> None:
    print(tables.readme_block(document))
    if block := rest.readme_block(document):
        print(block)


def _say_outcome(measured: board.Board, document: dict) -> None:
    for one in measured.comparisons:
        say(f"{one.workload.name}: {tables.interval_text(one, measured.target)}")
    for failure in measured.failures:
        say(f"{failure.workload.name}: FAILED: {failure.sentence}")
    say(f"{len(measured.comparisons)} workloads compared; {len(measured.failures)} runs failed")
    if measured.comparisons:
        say(tables.wide_text(document))


def _board(session: Session, measured: board.Board, setting: report.Setting, whole: bool) -> int:
    """Saves first, then shows: nothing measured is lost to a fault in showing it."""
    document = report.board(measured, setting, ROOT)
    paper = session.paper
    paper.save_board(document)
    if whole and paper.markdown:
        _print_readme(document)
    else:
        for one in measured.comparisons:
            session.print(tables.comparison_table(one))
        _print_board(document, paper.markdown)
    paper.draw(document)
    _say_outcome(measured, document)
    if measured.stopped:
        say("stopped: what was measured until then is kept")
        return STOPPED
    return 0 if measured.complete() else UNSOUND


def _show_again(path: Path, paper: Paper) -> None:
    document = report.read(path)
    paper.check()
    if paper.markdown:
        _print_readme(document)
    else:
        _print_board(document, markdown=False)
    paper.draw(document)


class _Notes:
    """Says each sentence, and keeps those that a reader of the figures must know."""

    def __init__(self) -> None:
        self.kept: list[str] = []

    def __call__(self, sentence: str) -> None:
        say(sentence)
        if "left out" in sentence or "takes its place" in sentence:
            self.kept.append(sentence)


def _peers(names: list[str], subject: Allocator, tell: peers.Say) -> list[Allocator]:
    """The peers to run beside."""
    if names:
        beside = [peers.require(name, tell) for name in names]
        twice = [name for name, count in Counter(one.name for one in (subject, *beside)).items() if count > 1]
        if twice:
            raise LabError(f"two allocators are called {twice[0]}: give each once, and files of different names")
        return beside
    return peers.discover(tell)


def _plan(quick: bool, pairs: int | None, minutes: float | None) -> Plan:
    if pairs and minutes:
        raise LabError("--pairs and --minutes both say how long to measure: give one")
    if pairs:
        return Plan(pairs, pairs, pairs, math.inf)
    seconds = 60 * (minutes or (_QUICK_MINUTES if quick else _MINUTES))
    if quick:
        return Plan(_FEWEST, _QUICK_PAIRS, _QUICK_MOST, seconds)
    return Plan(_FEWEST, _PAIRS, _MOST, seconds)


def bench(
    names: Annotated[list[str] | None, typer.Argument(metavar="NAME...", show_default=False, help="Workloads, board or accept.")] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Smaller runs and fewer rounds.")] = False,
    pairs: Annotated[int | None, typer.Option(help="Exactly so many rounds.", min=_FEWEST, show_default=False)] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            help="Rounds for about so long: of each workload 15 at first (5 if quick) or what fits, but 3 at least.",
            min=0.001,
            show_default="120; 18 if quick",
        ),
    ] = None,
    pause: Pause = 0,
    peer: Annotated[list[str] | None, typer.Option(help="A peer by name or .so path; may be repeated.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write everything measured to this file.")] = None,
    page: Annotated[
        Path | None,
        typer.Option(
            "--report",
            help="Draw the page here; its figures as JSON and the history lie beside it.",
            show_default="build/report/board.html for the board, else none",
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(help="Draw the board's means here, as one SVG: time against peak memory.", show_default=False),
    ] = None,
    again: Annotated[
        Path | None, typer.Option("--from", help="Measure nothing: show the board that --json wrote.")
    ] = None,
    markdown: Annotated[
        bool, typer.Option("--markdown", help="Print the tables as Markdown; of the board, the README's block.")
    ] = False,
    noise: Annotated[
        float | None,
        typer.Option(
            help="Half the interval that a workload's time may have; of accept, the most that A against A may differ.",
            min=1e-6,
            show_default="0.03; 0.05 if quick, and of accept",
        ),
    ] = None,
    library: Annotated[
        Path, typer.Option(help="The library under test.", show_default="build/lib/libhakmem.so")
    ] = LIBRARY,
    programs: Annotated[
        Path, typer.Option(help="Where the bench programs are.", show_default="build/release/bench")
    ] = PROGRAMS,
    show: Annotated[bool, typer.Option("--list", help="List the workloads.")] = False,
) -> None:
    """Measure hakmem against the other allocators of this machine.

    NAME is a workload or a group of them (--list). The name "board", alone or before others, measures them (all, if it
    stands alone), draws the page and adds to the history; without any name it is the board of all. The name "accept"
    stands for the figures that the project promises: it measures each and compares it with its target.

    Each round runs every allocator once. Workloads whose interval of hakmem's time ÷ the best peer's is wider than
    ± --noise get more rounds, the widest first, until it is narrow enough, they have 60 (25 if quick), or the time
    ends. Then all workloads count, each with its interval; one that stayed wide is marked, never left out. With
    --pairs all get so many rounds, and no more. accept runs hakmem twice in each round: it is sound where hakmem
    against itself comes out within --noise of 1 in the median, and its interval within noise × √(15 ÷ rounds).

    Exit status: 0 everything was measured, even where it stayed wide; 1 a promised figure was missed; 2 wrong use; 3
    the measurement cannot be trusted: a run failed or another allocator served it (it is named, the rest is measured
    and saved), or a comparison of accept is not sound; 130 stopped by the user (what was measured is saved).
    """
    if show:
        print_table(tables.workloads_table(list(workloads.REGISTRY.values())), markdown)
        return
    refuse_other_sizes()
    names = names or [BOARD]
    if again:
        if names != [BOARD] or peer or pairs or minutes or pause:
            raise LabError("--from shows a board measured before: give it no workloads, peers or rounds")
        _show_again(again, Paper(None, page, markdown, picture))
        return
    if ACCEPT in names:
        if len(names) > 1 or peer or page or picture or minutes:
            raise LabError(
                "accept has its own workloads and peers: give it no others, no minutes, no report and no picture"
            )
        session = _session(Runner(programs, quick, pause), library, noise or _NOISE, Paper(json, None, markdown))
        raise typer.Exit(_accept(session, pairs or (_QUICK_PAIRS if quick else _PAIRS)))
    whole = BOARD in names
    notes = _Notes()
    chosen = workloads.select([name for name in names if name != BOARD])
    plan = _plan(quick, pairs, minutes)
    target = noise or (_QUICK_TARGET if quick else _TARGET)
    paper = Paper(json, page or (REPORT if whole else None), markdown, picture)
    session = _session(Runner(programs, quick, pause), library, target, paper)
    chosen = present(chosen, notes)
    beside = _peers(peer or [], session.subject, notes)
    command = _command(names, quick, pairs, minutes, pause, peer or [], noise, library)
    plan.begin()
    measured = _measure(session, chosen, beside, plan)
    raise typer.Exit(_board(session, measured, report.Setting(command, quick, target, notes.kept, pause), whole))


def _session(runner: Runner, library: Path, noise: float, paper: Paper) -> Session:
    session = Session(runner, peers.subject(library), noise, paper)
    paper.check()
    return session


def _command(
    names: list[str],
    quick: bool,
    pairs: int | None,
    minutes: float | None,
    pause: float,
    peer: list[str],
    noise: float | None,
    library: Path,
) -> str:
    """The command line that repeats the measurement."""
    options = [f"--pairs {pairs}"] if pairs else [f"--minutes {minutes:g}"] if minutes else []
    options += words(pause)
    options += [f"--peer {shlex.quote(name)}" for name in peer]
    options += [f"--noise {noise:g}"] if noise else []
    options += [f"--library {shlex.quote(str(library))}"] if library != LIBRARY else []
    return " ".join(["./hakmem bench", *names, *(["--quick"] if quick else []), *options])
