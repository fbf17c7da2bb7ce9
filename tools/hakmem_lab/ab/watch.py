"""How far a measurement is: a bar on a terminal, and a line at the beginning of a workload and at each look."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn

from hakmem_lab.ab.pairs import Answer
from hakmem_lab.ab.show import gain_text

Tell = Callable[[Answer | None, int], None]
Watch = Callable[[str], Tell]


@contextmanager
def watching(console: Console, workloads: int, budget: float) -> Iterator[Watch]:
    """Gives what, for a workload, hears of its blocks and looks. Time left is what the budgets leave at most."""
    columns = (TextColumn("{task.description:<18}"), BarColumn(), TextColumn("{task.fields[left]}"))
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=workloads * budget, left="")
        begun = 0

        def watch(name: str) -> Tell:
            nonlocal begun
            before, start = begun * budget, time.monotonic()
            begun += 1

            def tell(answer: Answer | None, _blocks: int) -> None:
                done = before + min(time.monotonic() - start, budget)
                left = f"at most {workloads * budget - done:.0f} s left"
                bar.update(task, completed=done, description=name, left=left)
                if answer is not None:
                    line = f"{name}: {answer.pairs} pairs, time {gain_text(answer.gains['time'])}, {left}"
                    console.print(line, highlight=False, markup=False, soft_wrap=True)

            tell(None, 0)
            console.print(f"{name}: warming up", highlight=False, markup=False)
            return tell

        yield watch
