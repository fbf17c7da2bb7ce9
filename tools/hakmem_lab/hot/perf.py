"""Reads what `perf script` prints of samples with their stacks, and of which process mapped what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

FIELDS = "comm,pid,tid,event,ip,sym,dso"

_HEAD = re.compile(r"(?P<comm>\S.*?)\s+(?P<pid>\d+)/\d+\s+(?P<rest>.*)")
_FRAME = re.compile(r"\s+(?P<ip>[0-9a-f]+) (?P<symbol>.*) \((?P<object>.*)\)$")
_MAPPED = re.compile(r"PERF_RECORD_MMAP2? (?P<pid>-?\d+)/\d+: \[.*\]: [r-][w-]xp? (?P<file>.*)")
_EXEC = re.compile(r"PERF_RECORD_COMM exec: .*:(?P<pid>\d+)/\d+")
_FORK = re.compile(r"PERF_RECORD_FORK\((?P<pid>\d+):\d+\):\((?P<parent>\d+):\d+\)")

RawFrame = tuple[int, str, str]  # address (in the file), symbol, object


@dataclass
class PerfOutput:
    stacks: Counter[tuple[RawFrame, ...]] = field(default_factory=Counter)  # the function sampled first
    samples: Counter[int] = field(default_factory=Counter)  # by process
    commands: dict[int, str] = field(default_factory=dict)
    mapped: dict[int, set[str]] = field(default_factory=dict)  # the code that each process had mapped


class _Reader:
    def __init__(self) -> None:
        self.output = PerfOutput()
        self._pid: int | None = None
        self._frames: list[RawFrame] = []

    def line(self, line: str) -> None:
        if frame := _FRAME.fullmatch(line):
            self._frames.append((int(frame["ip"], 16), frame["symbol"], frame["object"]))
            return
        self.end_sample()
        head = _HEAD.fullmatch(line)
        if head is None:
            return
        if head["rest"].startswith("PERF_RECORD_"):
            self._event(head["rest"])
        else:
            self._pid = int(head["pid"])
            self.output.commands[self._pid] = head["comm"]

    def end_sample(self) -> None:
        if self._pid is not None:
            self.output.samples[self._pid] += 1
            self.output.stacks[tuple(self._frames)] += 1
        self._pid = None
        self._frames = []

    def _event(self, text: str) -> None:
        mapped = self.output.mapped
        if found := _MAPPED.match(text):
            mapped.setdefault(int(found["pid"]), set()).add(found["file"])
        elif found := _EXEC.match(text):
            mapped[int(found["pid"])] = set()
        elif (found := _FORK.match(text)) and found["pid"] != found["parent"]:
            mapped[int(found["pid"])] = set(mapped.get(int(found["parent"]), ()))


def parse(lines: Iterable[str]) -> PerfOutput:
    reader = _Reader()
    for line in lines:
        reader.line(line.rstrip("\n"))
    reader.end_sample()
    return reader.output
