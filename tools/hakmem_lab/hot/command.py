"""`./hakmem hot`: which functions of hakmem a program spends its instructions or its time in."""

from __future__ import annotations

import os
import shlex
import signal
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape

from hakmem_cli import program, run
from hakmem_cli.message import Refusal
from hakmem_lab import peers
from hakmem_lab.bench import LIBRARY, ROOT
from hakmem_lab.console import print_table, say
from hakmem_lab.errors import UNSOUND, LabError
from hakmem_lab.hot import groups, page, proof, record, shares
from hakmem_lab.hot.profile import Profile
from hakmem_lab.tables import Table

_REPORT = ROOT / "build" / "report" / "hot.html"
_MOST_FUNCTIONS = 30


def _job(command: list[str], library: Path, runs: int) -> record.Job:
    """As `./hakmem run` would start it; refused where nothing can be preloaded into the program."""
    search_path = os.environ.get("PATH", "")
    try:
        path = program.find(command[0], search_path)
        program.check(path, str(library), search_path)
        preload = os.fsdecode(run.preload(str(library), os.environb.get(b"LD_PRELOAD", b"")))
    except Refusal as refusal:
        raise LabError(str(refusal).rstrip(".")) from None
    return record.Job([path, *command[1:]], library, {**os.environ, "LD_PRELOAD": preload}, runs)


# ---- the tables ----


def groups_table(profile: Profile) -> Table:
    found = shares.by_group(profile)
    told = shares.percentages([share.weight for share in found])
    rows = [(share.name, percent, f"{share.weight:,}") for share, percent in zip(found, told, strict=True)]
    rows.append(("all", "100.0 %", f"{profile.total:,}"))
    return Table("Self share by group", ("group", "share", profile.unit), rows)


def functions_table(profile: Profile) -> Table:
    found = shares.top(shares.by_function(profile), _MOST_FUNCTIONS)
    rows = [(one.name, one.group, f"{100 * one.weight / profile.total:.1f} %", f"{one.weight:,}") for one in found]
    return Table("Self share by function", ("function", "group", "share", profile.unit), rows, text_columns=2)


def entries_table(profile: Profile) -> Table:
    rows = [
        (entry.name, f"{entry.calls:,}", f"{entry.own / entry.calls:.1f}", f"{entry.whole / entry.calls:.1f}")
        for entry in sorted(profile.entries, key=lambda entry: -entry.calls)
        if entry.calls
    ]
    header = ("entry", "calls", "its own", "with all that it calls")
    return Table("Instructions per call", header, rows)


def summary(profile: Profile) -> str:
    own = sum(share.weight for share in shares.by_group(profile) if share.group in groups.HAKMEM)
    tool = "callgrind counted" if profile.unit == "instructions" else "perf took"
    places = [f"{len(profile.processes)} process{'es' if len(profile.processes) > 1 else ''}"]
    if profile.runs > 1:
        places.append(f"{profile.runs} runs")
    return f"{tool} {profile.total:,} {profile.unit} in {' of '.join(places)}; {own / profile.total:.1%} are hakmem's"


def _failure(status: int) -> str:
    if status == 0:
        return ""
    how = f"signal {signal.Signals(-status).name}" if status < 0 else f"status {status}"
    return f"the program ended with {how}: these are the figures of a run that failed"


def hot(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="-- COMMAND [ARGUMENT]...", show_default=False, help="The program.")
    ] = None,
    by_callgrind: Annotated[bool, typer.Option("--callgrind", help="Count instructions (the default).")] = False,
    by_perf: Annotated[bool, typer.Option("--perf", help="Sample the time.")] = False,
    runs: Annotated[int, typer.Option(help="Run it so many times and merge.", min=1)] = 1,
    report: Annotated[Path, typer.Option(help="The HTML file.", show_default="build/report/hot.html")] = _REPORT,
    library: Annotated[
        Path, typer.Option(help="The library to run it on.", show_default="build/lib/libhakmem.so")
    ] = LIBRARY,
) -> None:
    """Show where a program on hakmem spends its instructions or its time.

    Self share by function and by group, the instructions of each call of malloc and free, and a flame graph in one
    HTML file; beside it lies the same for speedscope.

    By default callgrind counts every instruction: exact, the same on every machine, and it knows each call; but it
    takes some fifty times as long, and sees neither the kernel nor what memory costs. --perf samples the processor's
    clock, kernel included where that is allowed, at the program's own speed; below 1,000 samples it refuses to rank,
    and --runs merges several runs of a short program. Processes that the program starts are counted with it.

    Exit status: 0 the report stands, 2 wrong use, 3 the program failed, hakmem did not serve it, or too few samples.
    """
    if not command:
        raise LabError("there is no command to profile: ./hakmem hot [--callgrind|--perf] -- COMMAND [ARGUMENT]...")
    if by_callgrind and by_perf:
        raise LabError("--callgrind and --perf are two ways to measure: choose one")
    job = _job(command, peers.subject(library).library, runs)
    recording = record.by_perf(job) if by_perf else record.by_callgrind(job)
    failure = _failure(recording.status)
    if failure:
        say(f"hakmem: {failure}")
    raise typer.Exit(_tell(shlex.join(command), recording.profile, failure, report))


def _as_plain_text(table: Table) -> Table:
    """Names of functions may hold what the terminal's tables would take for markup, as to_string[abi:cxx11]."""
    return replace(table, rows=[tuple(escape(cell) for cell in row) for row in table.rows])


def _tell(command: str, profile: Profile, failure: str, report: Path) -> int:
    proof.of_service(profile, say)
    proof.of_samples(profile)
    told = [groups_table(profile), functions_table(profile)]
    if profile.entries:
        told.append(entries_table(profile))
    for table in told:
        print_table(_as_plain_text(table))
    page.write(page.html(command, summary(profile), failure, profile, told), report)
    page.write(page.speedscope(command, profile), page.beside(report))
    say(f"{summary(profile)}; flame graph: {report}; for speedscope: {page.beside(report).name} beside it")
    return UNSOUND if failure else 0
