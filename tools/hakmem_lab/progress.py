"""How far a long command is: a bar with the time left on a terminal, a line a workload elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

Tick = Callable[[str], None]


@contextmanager
def progress(console: Console, total: int) -> Iterator[Tick]:
    """Gives a function to call with the name of the work after each of `total` steps."""
    if console.is_terminal:
        yield from _bar(console, total)
    else:
        yield from _lines(console, total)


def _bar(console: Console, total: int) -> Iterator[Tick]:
    columns = (TextColumn("{task.description:<18}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda name: bar.update(task, advance=1, description=name)


def _lines(console: Console, total: int) -> Iterator[Tick]:
    start = time.monotonic()
    done = 0
    last = ""

    def tick(name: str) -> None:
        nonlocal done, last
        if name != last:
            left = f", about {seconds_left(time.monotonic() - start, done, total):.0f} s left" if done else ""
            console.print(f"{name} ({done} of {total} runs done{left})", highlight=False)
            last = name
        done += 1

    yield tick


def seconds_left(elapsed: float, done: int, total: int) -> float:
    return elapsed / done * (total - done)
