"""The resident memory of a process that runs beside us: now, and over time."""

from __future__ import annotations

import os
import re
import threading
import time
from pathlib import Path

from hakmem_lab.errors import UnsoundError

MOST_POINTS = 200
_STEP_SECONDS = 0.01
_PAGE_KIB = os.sysconf("SC_PAGESIZE") // 1024


def resident_kib(pid: int) -> int:
    """Exact: the kernel walks the pages."""
    found = re.search(r"^Rss:\s+(\d+)", _read(pid, "smaps_rollup"), re.MULTILINE)
    if found is None:
        raise UnsoundError(f"the resident memory of process {pid} could not be read: it has ended")
    return int(found.group(1))


def _read(pid: int, name: str) -> str:
    try:
        return Path(f"/proc/{pid}/{name}").read_text(encoding="ascii")
    except OSError:
        return ""


class Curve:
    """Samples a process while the block runs, by the kernel's counters: they lag by some pages and cost nothing."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._points: list[list[int]] = []
        self._distance = _STEP_SECONDS
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)

    def __enter__(self) -> Curve:
        self._begun = time.perf_counter()
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._end.set()
        self._thread.join()

    def points(self) -> list[list[int]]:
        """Pairs of milliseconds and KiB, at most MOST_POINTS, from the beginning to the end."""
        return list(self._points)

    def _run(self) -> None:
        while True:
            self._sample()
            if self._end.wait(self._distance):
                return

    def _sample(self) -> None:
        figures = _read(self._pid, "statm").split()
        if not figures:
            return
        if len(self._points) == MOST_POINTS:
            self._points = self._points[::2]
            self._distance *= 2
        ms = int(1000 * (time.perf_counter() - self._begun))
        self._points.append([ms, int(figures[1]) * _PAGE_KIB])
