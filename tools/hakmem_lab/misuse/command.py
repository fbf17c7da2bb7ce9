"""`./hakmem misuse`: what each allocator does about misuse of the heap."""

from __future__ import annotations

import fnmatch
import json as json_module
import platform
from pathlib import Path
from typing import Annotated

import typer

from hakmem_lab import peers, report
from hakmem_lab.console import console, print_table, say
from hakmem_lab.errors import LabError
from hakmem_lab.misuse import promises, tables
from hakmem_lab.misuse.runs import Case, Outcome, Program
from hakmem_lab.paper import ROOT
from hakmem_lab.peers import Allocator, debian
from hakmem_lab.progress import progress

PROGRAM = ROOT / "build" / "release" / "bench" / "misuse"
LIBRARIES = ROOT / "build" / "lib"

_SCUDO = debian.Package("libclang-rt-14-dev", (f"libclang_rt.scudo_standalone-{platform.machine()}.so",))
_SCUDO_FOLDERS = ("/usr/lib/llvm-*/lib/clang/*/lib/linux",)
DEFAULT = (*promises.LIBRARIES, "glibc", "scudo")


def _scudo() -> Allocator | None:
    """Scudo alone, which Debian has among the run-time libraries of its clang."""
    library = debian.find_library(_SCUDO.patterns, _SCUDO_FOLDERS)
    if library is None and debian.can_install():
        debian.install(_SCUDO.name, "Scudo, to compare with", say)
        library = debian.find_library(_SCUDO.patterns, _SCUDO_FOLDERS)
    if library is None:
        say(f"left out: scudo is not on this machine (apt-get install {_SCUDO.name})")
        return None
    return Allocator("scudo", library, debian.version(_SCUDO))


def _allocators(names: list[str], libraries: Path) -> list[Allocator]:
    """hakmem's libraries by what they are, Scudo, or a peer."""
    found = []
    for name in names:
        if name in promises.LIBRARIES:
            found.append(promises.library(name, libraries.absolute()))
            peers.subject(found[-1].library)
        elif name == "scudo":
            found += [one for one in [_scudo()] if one]
        else:
            found.append(peers.require(name, say))
    if not found:
        raise LabError("none of the allocators can run on this machine")
    return found


def _chosen(cases: list[Case], patterns: list[str]) -> list[Case]:
    if not patterns:
        return cases
    chosen = [case for case in cases if any(fnmatch.fnmatch(case.name, pattern + "*") for pattern in patterns)]
    if not chosen:
        raise LabError(f"no case is named {' or '.join(patterns)}: {PROGRAM.name} --list lists them")
    return chosen


def _run(program: Program, cases: list[Case], allocators: list[Allocator]) -> tables.Outcomes:
    outcomes = {}
    with progress(console(stderr=True), len(allocators)) as tick:
        for one in allocators:
            outcomes[one.label()] = program.run_all(cases, one)
            tick(one.label())
    return outcomes


def _check(outcomes: dict[str, Outcome], library: str) -> int:
    """How many promises of a library were broken; says which."""
    promised = promises.read().get(library, {})
    broken = [name for name, text in promised.items() if name in outcomes and not promises.is_kept(text, outcomes[name])]
    for name in broken:
        say(f"{library}: {name} ended with {outcomes[name].text()!r}, promised is {promised[name]!r}")
    return len(broken)


def misuse(
    cases: Annotated[
        list[str] | None, typer.Argument(metavar="CASE...", show_default=False, help="All, where none is named.")
    ] = None,
    allocator: Annotated[
        list[str] | None,
        typer.Option(
            help="release, secure, guarded (release, every block a guarded sample), scudo, a peer of bench or a .so "
            "path; may be repeated.",
            show_default=", ".join(DEFAULT),
        ),
    ] = None,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print the tables as Markdown.")] = False,
    json: Annotated[Path | None, typer.Option(help="Write how each case ended to this file.")] = None,
    program: Annotated[
        Path, typer.Option(help="The program of cases.", show_default="build/release/bench/misuse")
    ] = PROGRAM,
    libraries: Annotated[
        Path, typer.Option(help="Where hakmem's libraries are.", show_default="build/lib")
    ] = LIBRARIES,
) -> None:
    """See what each allocator does about misuse of the heap.

    Each kind runs on small, medium and large blocks. CASE is the beginning of a case's name, as double_free; without one all cases run. Each runs in a process of its
    own, which says what served it. It ends in one of these ways: stop (the allocator ends the program, with a message),
    fault (the system does), exit (only the end of the process shows it), none (the misuse has no effect: memory is
    zero, an address is not handed out again, a request is refused), or – (nobody notices).

    Exit status: 0 all ran, and hakmem kept its promises (tests/misuse/promises.json); 1 it broke one; 2 wrong use; 3 another
    allocator served a case, or a case hung.
    """
    if json:
        report.must_be_writable(json)
    whole = Program(program.absolute())
    chosen = _chosen(whole.cases(), cases or [])
    allocators = _allocators(allocator or list(DEFAULT), libraries)
    outcomes = _run(whole, chosen, allocators)
    print_table(tables.matrix_table(chosen, outcomes), markdown)
    print_table(tables.counts_table(chosen, outcomes), markdown)
    if json:
        texts = {name: {case: one.text() for case, one in found.items()} for name, found in outcomes.items()}
        json.write_text(json_module.dumps(texts, indent=1) + "\n", encoding="utf-8")
    broken = sum(_check(outcomes[name], name) for name in promises.LIBRARIES if name in outcomes)
    raise typer.Exit(1 if broken else 0)
