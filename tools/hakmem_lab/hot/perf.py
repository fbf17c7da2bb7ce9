"""Reads what `perf script` prints of samples with their stacks, and of which process mapped what."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

FIELDS = "comm,pid,tid,event,ip,sym,dso"

_HEAD = re.compile(r"(?P<comm>\S.*?)\s+(?P<pid>\d+)/\d+\s+(?P<rest>.*)")
_FRAME = re.compile(r"\s+(?P<ip>[0-9a-f]+) (?P<symbol>.*) \((?P<object>.*)\)$")
_MAPPED = re.compile(
    r"PERF_RECORD_MMAP2? (?P<pid>-?\d+)/\d+: \[(?P<start>\w+)\((?P<bytes>\w+)\) @ (?P<offset>\w+).*\]: "
    r"[r-][w-]xp? (?P<file>.*)"
)
_EXEC = re.compile(r"PERF_RECORD_COMM exec: .*:(?P<pid>\d+)/\d+")
_FORK = re.compile(r"PERF_RECORD_FORK\((?P<pid>\d+):\d+\):\((?P<parent>\d+):\d+\)")

RawFrame = tuple[int, str, str]  # address (in the file), symbol, object


@dataclass
class PerfOutput:
    stacks: Counter[tuple[RawFrame, ...]] = field(default_factory=Counter)  # the function sampled first
    samples: Counter[int] = field(default_factory=Counter)  # by process
    commands: dict[int, str] = field(default_factory=dict)
    mapped: dict[int, set[str]] = field(default_factory=dict)  # the code that each process had mapped


@dataclass(frozen=True)
class _Mapping:
    start: int
    bytes: int
    offset: int  # in the file
    file: str


class _Reader:
    def __init__(self) -> None:
        self.output = PerfOutput()
        self._mappings: dict[int, list[_Mapping]] = {}  # of each process, the newest last
        self._pid: int | None = None
        self._frames: list[RawFrame] = []

    def line(self, line: str) -> None:
        if frame := _FRAME.fullmatch(line):
            self._frames.append((self._in_file(int(frame["ip"], 16)), frame["symbol"], frame["object"]))
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

    def _in_file(self, address: int) -> int:
        """perf tells where in a file an address lies, and from some version on where in the process."""
        for one in reversed(self._mappings.get(self._pid, ())):
            if one.start <= address < one.start + one.bytes:
                return address - one.start + one.offset
        return address

    def _event(self, text: str) -> None:
        mappings = self._mappings
        if found := _MAPPED.match(text):
            place = (int(found[name], 16) for name in ("start", "bytes", "offset"))
            mappings.setdefault(int(found["pid"]), []).append(_Mapping(*place, found["file"]))
        elif found := _EXEC.match(text):
            mappings[int(found["pid"])] = []
        elif (found := _FORK.match(text)) and found["pid"] != found["parent"]:
            mappings[int(found["pid"])] = list(mappings.get(int(found["parent"]), ()))

    def end(self) -> PerfOutput:
        self.end_sample()
        self.output.mapped = {pid: {one.file for one in mappings} for pid, mappings in self._mappings.items()}
        return self.output


def parse(lines: Iterable[str]) -> PerfOutput:
    reader = _Reader()
    for line in lines:
        reader.line(line.rstrip("\n"))
    return reader.end()
