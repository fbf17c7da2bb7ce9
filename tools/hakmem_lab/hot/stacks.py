"""Callgrind's and perf's files as stacks of frames, of the same shape.

A stack begins with the function outside the library that called into it, then the library's own down to the one that
ran, and what is inlined there. What runs outside the library stands alone, or under it what the kernel did for it: how
the program got to its call is not this report's question.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from hakmem_lab.hot import groups
from hakmem_lab.hot.callgrind import CallgrindFile, context
from hakmem_lab.hot.perf import PerfOutput, RawFrame
from hakmem_lab.hot.profile import Entry, Frame, Process, Profile, Stack
from hakmem_lab.hot.symbols import Place, Symbols

_UNKNOWN = "[unknown]"


class Frames:
    """Makes frames of what is in the library and of what is not."""

    def __init__(self, symbols: Symbols) -> None:
        self._symbols = symbols
        self._is_library: dict[str, bool] = {}
        self._home: dict[str, Frame] = {}

    def in_library(self, path: str) -> bool:
        if path not in self._is_library:
            self._is_library[path] = path.startswith("/") and Path(path).resolve() == self._symbols.library
        return self._is_library[path]

    def outside(self, function: str, path: str) -> Frame:
        name = Path(path).name
        shown = f"(no symbol) in {name}" if function == _UNKNOWN or function.startswith("0x") else function
        return Frame(shown, groups.of_object(path), name)

    def caller(self, function: str, address: int) -> Frame:
        """A function of the library that called the next one."""
        if function not in self._home:
            places = self._symbols.places(address)
            group = _group(places[-1]) if places else None
            self._home[function] = Frame(function, group or groups.OS, places[-1].file if places else "")
        return self._home[function]

    def running(self, address: int, callers: list[Frame]) -> list[Frame]:
        """The function of the library at this address, then what is inlined there."""
        function = self._symbols.function(address)
        if function is None:
            return [Frame("(stub into the C library)", groups.LIBC, self._symbols.library.name)]
        chain = [(place, _group(place)) for place in reversed(self._symbols.places(address))]
        known = [(place, group) for place, group in chain if group is not None]
        if not known:  # the compiler's own, without source: it works for its caller
            group = callers[-1].group if callers and callers[-1].group in groups.HAKMEM else groups.OS
            return [Frame(function, group, self._symbols.library.name)]
        (outer, home), *inner = known
        own = Frame(function, home, outer.file)
        return [own, *(Frame(place.function, group, place.file, inlined=True) for place, group in inner)]


def _group(place: Place) -> str | None:
    return groups.of_source(place.file)


# ---- callgrind ----


def add_callgrind(profile: Profile, file: CallgrindFile, symbols: Symbols) -> None:
    """Adds one process."""
    frames = Frames(symbols)
    symbols.look_up(address for path, _, address in file.own if frames.in_library(path))
    home = {context(function)[0]: path for path, function, _ in file.own}
    for (path, function, address), cost in file.own.items():
        if cost:
            profile.stacks[_callgrind_stack(frames, symbols, home, path, function, address)] += cost
    entries = _entries(file, symbols, frames)
    _merge(profile.entries, entries)
    served = any(entry.calls for entry in entries)
    profile.processes.append(Process(file.pid, file.command, file.total, served))


def _callgrind_stack(
    frames: Frames, symbols: Symbols, home: dict[str, str], path: str, function: str, address: int
) -> Stack:
    name, *names = context(function)
    if not frames.in_library(path):
        return (frames.outside(name, path),)
    callers: list[Frame] = []
    for caller in names:
        start = symbols.start(caller)
        if start is None or not frames.in_library(home.get(caller, "")):
            callers.append(frames.outside(caller, home.get(caller, "")))
            break
        callers.append(frames.caller(caller, start))
    callers.reverse()
    return (*callers, *frames.running(address, callers))


def _entries(file: CallgrindFile, symbols: Symbols, frames: Frames) -> list[Entry]:
    found: dict[str, Entry] = {}
    own: dict[str, int] = {}
    for (path, _, address), cost in file.own.items():
        function = symbols.function(address) if frames.in_library(path) else None
        if function is not None:
            own[function] = own.get(function, 0) + cost
    for (path, address), calls in file.calls.items():
        name = symbols.entry(address) if frames.in_library(path) else None
        if name is not None:
            entry = found.setdefault(name, Entry(name, own=own.get(symbols.function(address) or "", 0)))
            entry.calls += calls.count
            entry.whole += calls.cost
    return list(found.values())


def _merge(into: list[Entry], more: list[Entry]) -> None:
    by_name = {entry.name: entry for entry in into}
    for entry in more:
        if entry.name not in by_name:
            into.append(entry)
            continue
        sum_ = by_name[entry.name]
        sum_.calls += entry.calls
        sum_.own += entry.own
        sum_.whole += entry.whole


# ---- perf ----


def add_perf(profile: Profile, output: PerfOutput, symbols: Symbols) -> None:
    """Adds one run with all its processes."""
    frames = Frames(symbols)
    symbols.look_up(raw[0][0] for raw in output.stacks if raw and frames.in_library(raw[0][2]))
    for raw, samples in output.stacks.items():
        profile.stacks[_perf_stack(frames, symbols, raw)] += samples
    for pid, samples in output.samples.items():
        served = any(frames.in_library(path) for path in output.mapped.get(pid, ()))
        profile.processes.append(Process(pid, output.commands[pid], samples, served))


def _perf_stack(frames: Frames, symbols: Symbols, raw: Iterable[RawFrame]) -> Stack:
    """Perf names the function that ran first."""
    stack: list[Frame] = []
    outermost_first = list(raw)[::-1]
    for depth, (address, function, path) in enumerate(outermost_first):
        if not frames.in_library(path):
            stack.append(frames.outside(function, path))
        elif depth == len(outermost_first) - 1:
            stack += frames.running(address, stack)
        else:
            stack.append(frames.caller(symbols.function(address) or _UNKNOWN, address))
    return tuple(stack[_begin(stack) :]) or (Frame(_UNKNOWN, groups.PROGRAM, ""),)


def _begin(stack: list[Frame]) -> int:
    """Where the part of a stack begins that the report shows."""
    for depth, frame in enumerate(stack):
        if frame.group in groups.HAKMEM:
            return max(depth - 1, 0)
    outside_kernel = [depth for depth, frame in enumerate(stack) if frame.group != groups.KERNEL]
    return outside_kernel[-1] if outside_kernel else 0
