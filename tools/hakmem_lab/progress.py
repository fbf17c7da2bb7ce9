"""How far a long command is: a bar with the time left on a terminal, a line a piece of work elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

Tick = Callable[[str], None]
Meter = Callable[[str, float | None], None]  # the work under way, and the seconds left where they are known


@contextmanager
def meter(console: Console) -> Iterator[Meter]:
    """Gives a function that shows what is under way and the seconds left."""
    if console.is_terminal:
        yield from _bar(console)
    else:
        yield from _lines(console)


@contextmanager
def progress(console: Console, total: int) -> Iterator[Tick]:
    """Gives a function to call with the name of the work after each of `total` steps of one length."""
    start = time.monotonic()
    done = 0
    with meter(console) as show:

        def tick(name: str) -> None:
            nonlocal done
            done += 1
            show(name, seconds_left(time.monotonic() - start, done, total))

        yield tick


def seconds_left(elapsed: float, done: int, total: int) -> float:
    return elapsed / done * (total - done)


def duration_text(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole} s" if whole < 100 else f"{whole // 60} min {whole % 60:02} s"


def _left_text(left: float | None) -> str:
    return "" if left is None else f"about {duration_text(left)} left"


def _bar(console: Console) -> Iterator[Meter]:
    columns = (TextColumn("{task.description:<30}"), BarColumn(), TextColumn("{task.fields[left]}"))
    start = time.monotonic()
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=1.0, left="")

        def show(what: str, left: float | None) -> None:
            elapsed = time.monotonic() - start
            done = 0.0 if left is None else elapsed / (elapsed + left)
            bar.update(task, completed=done, description=what, left=_left_text(left))

        yield show


def _lines(console: Console) -> Iterator[Meter]:
    last = ""

    def show(what: str, left: float | None) -> None:
        nonlocal last
        if what != last:
            told = f" ({_left_text(left)})" if left is not None else ""
            console.print(f"{what}{told}", highlight=False, markup=False)
            last = what

    yield show
