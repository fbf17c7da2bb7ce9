"""Shows what is done and how long the rest will take: a bar on a terminal, a line now and then elsewhere."""

import threading
import time
from contextlib import contextmanager

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

_LINE_EVERY = 30.0  # seconds, where there is no terminal


class Plan:
    """The steps of all suites, with what each is expected to take; told of each step as it ends."""

    def __init__(self, durations):
        self._durations = durations
        self._expected = {}
        self._done_cost = 0.0
        self._began = self._last_end = time.monotonic()
        self._lock = threading.Lock()
        self.done = 0

    def add(self, suite, steps):
        """Adds a suite's steps."""
        for step in steps:
            self._expected[suite, step] = self._durations.expected(suite, step)

    def start(self):
        """The first step begins now."""
        self._began = self._last_end = time.monotonic()

    @property
    def total(self):
        """How many steps there are."""
        return self.done + len(self._expected)

    def end(self, suite, step):
        """A step ended. What passed since the step before is what it took: steps that overlap share the time."""
        with self._lock:
            cost = self._expected.pop((suite, step), None)
            now = time.monotonic()
            self._durations.note(suite, step, now - self._last_end)
            self._last_end = now
            if cost is not None:
                self._done_cost += cost
                self.done += 1

    def close(self, suite):
        """The suite ended; what it did not tell of will not come."""
        with self._lock:
            self._expected = {step: cost for step, cost in self._expected.items() if step[0] != suite}

    def left(self):
        """Seconds that the rest will take, if it runs as much slower or faster than last time as the beginning did."""
        with self._lock:
            ahead = sum(self._expected.values())
            pace = (time.monotonic() - self._began) / self._done_cost if self._done_cost > 0 else 1.0
            return ahead * pace


@contextmanager
def shown(plan, console):
    """Shows the plan while the block runs; yields a function to call with (suite, step) as each step ends."""
    with _bar(plan, console) if console.is_terminal else _lines(plan, console) as ended:
        yield ended


@contextmanager
def _bar(plan, console):
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[left]}"))
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("testing", total=plan.total, left=f"{_time(plan.left())} left")

        def ended(suite, step):
            plan.end(suite, step)
            bar.update(
                task, completed=plan.done, total=plan.total, description=suite, left=f"{_time(plan.left())} left"
            )

        yield ended


@contextmanager
def _lines(plan, console):
    last = time.monotonic()

    def ended(suite, step):
        nonlocal last
        plan.end(suite, step)
        if time.monotonic() - last >= _LINE_EVERY:
            last = time.monotonic()
            line = f"{suite}: {plan.done} of {plan.total} done, about {_time(plan.left())} left"
            console.print(line, highlight=False)

    yield ended


def _time(seconds):
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest:02} s" if minutes else f"{rest} s"
