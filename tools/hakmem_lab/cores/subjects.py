"""The workloads that can have any number of threads, each of which does the same work."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from hakmem_lab.errors import LabError
from hakmem_lab.workloads import REGISTRY, Workload


@dataclass(frozen=True)
class Subject:
    """A program whose options say how many threads there are, and how much each of them does."""

    workload: Workload
    options: str
    full: int
    quick: int

    def arguments(self, threads: int, quick: bool) -> list[str]:
        return self.options.format(threads=threads, work=self.quick if quick else self.full).split()


def _subject(name: str, options: str, full: int, quick: int) -> Subject:
    return Subject(REGISTRY[name], options, full, quick)


# Churn is none of them: its one main thread starts and joins all others, and frees for them.
_ALL = (
    _subject("larson", "--threads {threads} --rounds 4 --operations {work}", 400000, 40000),
    _subject("mid-large", "--threads {threads} --operations {work}", 50000, 5000),
    _subject("crowd", "--threads {threads} --rounds {work}", 2000, 200),
)

SUBJECTS = {subject.workload.name: subject for subject in _ALL}


def find(name: str) -> Subject:
    if name in SUBJECTS:
        return SUBJECTS[name]
    known = ", ".join(SUBJECTS)
    if name in REGISTRY:
        raise LabError(f"{name} has its own number of threads: give one of {known}")
    near = difflib.get_close_matches(name, SUBJECTS, 1, 0.4)
    hint = f"; did you mean {near[0]}?" if near else ""
    raise LabError(f"there is no workload '{name}'{hint} (any number of threads can have {known})")
