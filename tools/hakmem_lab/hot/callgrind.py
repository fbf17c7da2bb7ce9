"""Reads a file of callgrind: one process, one event, uncompressed positions by instruction and line."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from hakmem_lab.errors import UnsoundError

_NAME = re.compile(r"(c?ob|fl|fi|fe|cfi|cfl|c?fn)=(?:\((\d+)\))?\s?(.*)")
_SPACES = {"ob": "ob", "cob": "ob", "fn": "fn", "cfn": "fn"}  # what numbers are shared by; the files need none


@dataclass
class Calls:
    count: int = 0
    cost: int = 0  # of the called function and all that it called


@dataclass
class CallgrindFile:
    pid: int = 0
    command: str = ""
    total: int = 0
    own: Counter[tuple[str, str, int]] = field(default_factory=Counter)  # by object, function and address
    calls: dict[tuple[str, int], Calls] = field(default_factory=dict)  # by object and address of the called


class _Reader:
    def __init__(self) -> None:
        self.file = CallgrindFile()
        self._names: dict[tuple[str, str], str] = {}
        self._object = self._function = ""
        self._called_object: str | None = None
        self._pending: Calls | None = None

    def line(self, line: str) -> None:
        if line[:1].isdigit():
            self._cost(line)
        elif line.startswith("calls="):
            self._call(line)
        elif found := _NAME.fullmatch(line):
            self._name(*found.groups())
        elif line.startswith("pid:"):
            self.file.pid = int(line[4:])
        elif line.startswith("cmd:"):
            self.file.command = line[4:].strip()
        elif line.startswith(("summary:", "totals:")):
            self.file.total = int(line.split()[1])

    def _name(self, key: str, number: str | None, name: str) -> None:
        space = _SPACES.get(key)
        if space is None:
            return
        if number is not None:
            if name:
                self._names[space, number] = name
            name = self._names[space, number]
        if key == "ob":
            self._object = name
        elif key == "fn":
            self._function = name
        elif key == "cob":
            self._called_object = name

    def _call(self, line: str) -> None:
        count, address = line.removeprefix("calls=").split()[:2]
        key = (self._object if self._called_object is None else self._called_object, int(address, 0))
        self._pending = self.file.calls.setdefault(key, Calls())
        self._pending.count += int(count)
        self._called_object = None

    def _cost(self, line: str) -> None:
        address, _, cost = line.split()
        if self._pending is not None:  # the line after calls= is what the call cost, all in
            self._pending.cost += int(cost)
            self._pending = None
        else:
            self.file.own[self._object, self._function, int(address, 0)] += int(cost)


def parse(lines: Iterable[str]) -> CallgrindFile:
    reader = _Reader()
    for line in lines:
        reader.line(line.rstrip("\n"))
    file = reader.file
    if file.own.total() != file.total:
        raise UnsoundError(f"callgrind's file for process {file.pid} does not add up; was it cut off?")
    return file


def context(function: str) -> list[str]:
    """The function and its callers, of a name like refill'malloc'main, the function first."""
    name, *callers = function.split("'")
    return [name, *callers] if name else [function]
