"""`./hakmem analysis`: writes docs/analysis anew."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer

from hakmem_lab import peers, report, workloads
from hakmem_lab.ab.revisions import Repository
from hakmem_lab.analysis import measure, text
from hakmem_lab.bench import LIBRARY, PROGRAMS, ROOT
from hakmem_lab.console import say
from hakmem_lab.errors import LabError

SUBJECTS = ("random-mixed-400", "c6-heavy", "python")
FOLDER = ROOT / "docs" / "analysis"


def analysis(
    only: Annotated[
        list[str] | None,
        typer.Option(help=f"A workload; may be repeated.  [default: {', '.join(SUBJECTS)}]"),
    ] = None,
    to: Annotated[Path, typer.Option(help="The folder to write to.", show_default="docs/analysis")] = FOLDER,
) -> None:
    """Write where the cycles of some workloads go, by box.

    One document a workload, with what that suggests.

    Instructions are counted by callgrind, the time is sampled by perf where that is allowed, and faults, switches and
    memory are counted beside glibc's. Each document says what the machine could not tell.
    """
    subject = peers.subject(LIBRARY)
    commit = Repository(ROOT).commit("HEAD") or "a tree without git"
    for workload in workloads.select(only or list(SUBJECTS)):
        measured = measure.measure(workload, PROGRAMS.resolve(), subject, say)
        day = datetime.now(UTC).date().isoformat()
        path = to / f"{workload.name}.md"
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text.document(measured, commit[:12], report.machine(), day), encoding="utf-8")
        except OSError as error:
            raise LabError(f"{path} could not be written: {error.strerror}") from None
        say(f"written: {path}")
