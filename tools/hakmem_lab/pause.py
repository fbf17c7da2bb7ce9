"""`--pause` of `bench` and `ab`: what each run waits for, and how a command line says so again.

Where a virtual machine's host takes free memory back, what one run has freed is at hand for the next one, but no
longer after some seconds. The first touch of a huge page then took 4.8 ms, not 0.27: what a program pays that starts
after a pause.
"""

from __future__ import annotations

import math
from typing import Annotated

import typer


def _finite(seconds: float) -> float:
    if not math.isfinite(seconds):
        raise typer.BadParameter(f"{seconds} is no number of seconds.")
    return seconds


Pause = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        help="Wait so long before each run, as part of the time given: the host may take free memory back meanwhile.",
        min=0,
        callback=_finite,
    ),
]


def pause_text(pause: float) -> str:
    return f"{pause:g} s before each run"


def words(pause: float) -> list[str]:
    """The option as a command line has it; none without a pause."""
    return ["--pause", f"{pause:g}"] if pause else []
