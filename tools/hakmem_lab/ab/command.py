"""`./hakmem ab`: is B better than A?"""

from __future__ import annotations

import os
import sys
import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from hakmem_cli.layout import PLAIN, VARIANTS, library
from hakmem_lab import report, workloads
from hakmem_lab.ab import counted, ledger, pairs, show, swaps, verdict
from hakmem_lab.ab.revisions import Repository
from hakmem_lab.ab.schedule import ERROR, FIRST_LOOK_BLOCKS
from hakmem_lab.ab.sides import HARNESS, Sources, resolve
from hakmem_lab.ab.stage import COPIES, Contestant, refuse_unknown_settings, staged
from hakmem_lab.ab.watch import Tell, watching
from hakmem_lab.console import console, print_table, say
from hakmem_lab.errors import MISSED, UNSOUND, LabError
from hakmem_lab.pause import Pause
from hakmem_lab.progress import meter, seconds_left
from hakmem_lab.running.runner import Runner
from hakmem_lab.workloads import Workload

ROOT = Path(__file__).resolve().parents[3]
_PROGRAMS = ROOT / "build" / "release" / "bench"
_CACHE = ROOT / "build" / "ab"
_LEDGER = ROOT / "docs" / "ledger.md"

# Small blocks that stay in a thread's caches, more than they hold, waves through the depot, and two threads.
STEERING = ("random-mixed-400", "random-mixed-8192", "waves", "handover")

EPILOG = f"Swaps:\n\n\b\n{swaps.told()}"  # of the command's help

_LONG_ENOUGH = 0.2  # seconds of a run: beside it, what a process costs to start is small


def _set_aside_own_settings() -> None:
    """An option that happens to be set in the user's environment would be set for both sides, unseen."""
    for name in [name for name in os.environ if name.startswith("HAKMEM_")]:
        way = "choose a workload" if name.startswith(HARNESS) else f"give it as a side: ./hakmem ab default {name}=…"
        say(f"{name} of the environment is set aside ({way})")
        del os.environ[name]


def _take(runner: Runner, workload: Workload, contestants: dict[str, Contestant]) -> pairs.Take:
    def take(copy: str) -> pairs.Run:
        contestant = contestants[copy]
        with_settings = replace(workload, environment={**workload.environment, **contestant.settings})

        def sample() -> tuple[float, float]:
            got = runner.sample(with_settings, contestant.allocator)
            return got.seconds, got.peak_kib

        return pairs.run_of(sample)

    return take


def _sized(runner: Runner, workload: Workload, contestants: dict[str, Contestant], budget: float) -> Runner:
    """The quick run where that is long enough, or waits so long that even with it the budget ends before a look."""
    start = time.monotonic()
    once = _take(replace(runner, quick=True, pause=0.0), workload, contestants)("A")
    first_look = FIRST_LOOK_BLOCKS * len(COPIES) * (time.monotonic() - start)
    return replace(runner, quick=once.time >= _LONG_ENOUGH or first_look > budget)


def _measure(
    runner: Runner, workload: Workload, contestants: dict[str, Contestant], budget: float, error: float, tell: Tell
) -> pairs.Answer:
    runner = _sized(runner, workload, contestants, budget)
    return pairs.measure(_take(runner, workload, contestants), budget, error, tell)


def _count(
    runner: Runner, chosen: list[Workload], contestants: dict[str, Contestant]
) -> dict[str, counted.Instructions]:
    """After the pairs, which do not wait for it: under callgrind a run may take a minute."""
    counts: dict[str, counted.Instructions] = {}
    start = time.monotonic()
    with meter(console(stderr=True)) as show_progress:
        for done, workload in enumerate(chosen):
            left = seconds_left(time.monotonic() - start, done, len(chosen)) if done else None
            show_progress(f"{workload.name}: counting instructions", left)
            counts[workload.name] = counted.count(runner, workload, contestants)
    return counts


def _compare(
    first: str, second: str, chosen: list[Workload], budget: float, runner: Runner, current: Path, variant: str
) -> show.Outcome:
    sides = resolve(first, second, Sources(Repository(ROOT), current, _CACHE, say, variant))
    with staged(*sides, _CACHE) as contestants:
        for copy in "AB":
            refuse_unknown_settings(contestants[copy], runner.programs / "hello")
        if sides[0].settings == sides[1].settings and _same(sides[0].library, sides[1].library):
            say("A and B are the same library: what is measured is the noise")
        say(f"at most {budget:.0f} s for each of {len(chosen)} workloads, then their instructions are counted")
        with watching(console(stderr=True), len(chosen), budget) as watch:
            answers = {
                workload.name: _measure(
                    runner, workload, contestants, budget, ERROR / len(chosen), watch(workload.name)
                )
                for workload in chosen
            }
        counts = _count(runner, chosen, contestants)
    return show.Outcome(*sides, answers, counts, variant, runner.pause)


def _refuse_unknown(variant: str) -> None:
    if variant not in (PLAIN, *VARIANTS):
        raise LabError(f"there is no variant '{variant}': {', '.join(VARIANTS)} are built beside the release library")


def _same(one: Path, other: Path) -> bool:
    return one == other or one.read_bytes() == other.read_bytes()


def _status(ruling: verdict.Ruling) -> int:
    if ruling.verdict is verdict.Verdict.NO_GO:
        return MISSED
    return 0 if ruling.decided else UNSOUND


def ab(
    a: Annotated[str, typer.Argument(metavar="A", show_default=False, help="What there is.")],
    b: Annotated[str, typer.Argument(metavar="B", show_default=False, help="What may be better.")],
    workload: Annotated[
        list[str] | None, typer.Option(help=f"What to run; may be repeated.  [default: {', '.join(STEERING)}]")
    ] = None,
    budget: Annotated[float, typer.Option(help="Seconds for a workload, at most.", min=1)] = 60,
    pause: Pause = 0,
    json: Annotated[Path | None, typer.Option(help="Write everything measured to this file.")] = None,
    to_ledger: Annotated[bool, typer.Option("--ledger", help="Append the verdict to docs/ledger.md.")] = False,
    question: Annotated[str, typer.Option(metavar="TEXT", help="What is decided, for the ledger.")] = "",
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the table as Markdown.")] = False,
    variant: Annotated[
        str, typer.Option(help=f"Of each side, another library: {', '.join(VARIANTS)}.", show_default="release")
    ] = PLAIN,
    current: Annotated[
        Path | None, typer.Option(help="The current build's library.  [default: (build/lib/libhakmem.so)]")
    ] = None,
    programs: Annotated[
        Path, typer.Option(help="Where the bench programs are.", show_default="build/release/bench")
    ] = _PROGRAMS,
) -> None:
    """Decide which of two revisions, libraries or settings is better.

    The verdict on B is GO, NO-GO or NEUTRAL, from paired runs in alternating order. A and B are git revisions (HEAD, a branch, a commit; "worktree" or "." is the tree as it lies there), libraries by
    path, settings of options of the current build (HAKMEM_RETAIN_KIB=0, several separated by commas, or "default"), or
    the current build with one box swapped for another, by a name of the list below: ./hakmem ab default no-depot.
    Revisions and swaps are built apart, in build/ab. Both sides run the current build's bench programs.

    GO: B needs at least 1 % less, and the whole interval is a gain. NO-GO: B needs at least 1 % more, and the whole
    interval is a loss. NEUTRAL: anything else. Processor time decides; a gain that costs elapsed time or memory is no
    GO, and where time is no gain, memory and instructions must not be lost. All intervals together hold with 99 %
    confidence.

    Exit status: 0 GO or NEUTRAL, 1 NO-GO, 2 wrong use, 3 undecided: too noisy for the budget.
    """
    if question and not to_ledger:
        raise LabError("--question is the ledger's: it goes with --ledger")
    chosen = workloads.select(workload or list(STEERING))
    _refuse_unknown(variant)
    if to_ledger:
        ledger.check(_LEDGER, Repository(ROOT), question, (a, b))
    _set_aside_own_settings()
    runner = Runner(programs, pause=pause)
    outcome = _compare(a, b, chosen, budget, runner, current or Path(library("release", variant)), variant)
    print_table(show.table(outcome), markdown)
    print(f"verdict: {outcome.ruling().text()}")
    sys.stdout.flush()
    if json:
        report.write(show.document(outcome), json)
    if to_ledger:
        ledger.append(_LEDGER, ledger.row(outcome, question, datetime.now(UTC).date()))
    raise typer.Exit(_status(outcome.ruling()))
