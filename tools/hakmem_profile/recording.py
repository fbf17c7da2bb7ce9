"""The file that libhakmem-profile writes (src/profile/recording.h)."""

import math
import os
import struct
from dataclasses import dataclass, field

from .errors import ProfileError

VERSION = 1
_PART = struct.Struct("=4s4xQ")
_HEAD = ("version", "pid", "time", "every", "missed", "lost", "one")


@dataclass
class Stack:
    """A call stack, innermost call first, and what it has allocated."""

    calls: tuple[int, ...]
    samples: int = 0
    blocks: float = 0.0
    bytes: int = 0


@dataclass
class Recording:
    """One process at one moment."""

    pid: int
    time: int
    every: int
    missed: int
    lost: int
    stacks: dict[int, Stack]
    live: list[tuple[int, int, int]]  # number of the stack, size, address
    maps: str = ""
    arguments: list[str] = field(default_factory=list)

    @property
    def command(self):
        return os.path.basename(self.arguments[0]) if self.arguments else ""

    def samples(self):
        """Of each stack: its calls, and blocks and bytes, allocated and live."""
        live = {}
        for number, size, _ in self.live:
            blocks, weight = weigh(size, self.every)
            before = live.get(number, (0.0, 0.0))
            live[number] = (before[0] + blocks, before[1] + weight)
        for number, stack in self.stacks.items():
            yield stack.calls, (stack.blocks, stack.bytes, *live.get(number, (0.0, 0.0)))


def weigh(size, every):
    """How many blocks and bytes a sampled block of this size stands for (src/profile/poisson.h)."""
    chance = -math.expm1(-size / every)
    return 1 / chance, size / chance


def read(path):
    """The recording in a file."""
    try:
        data = open(path, "rb").read()
    except OSError as error:
        raise ProfileError(f"{path} could not be read: {error.strerror}") from error
    try:
        return _parsed(path, data)
    except (struct.error, KeyError, ValueError) as error:
        raise ProfileError(f"{path} is no recording of libhakmem-profile, or a damaged one") from error


def _parsed(path, data):
    parts = list(_parts(data))
    if not parts or parts[0][0] != b"HEAD" or parts[-1][0] != b"DONE":
        raise ValueError
    head = dict(zip(_HEAD, _numbers(parts[0][1]), strict=True))
    if head["version"] != VERSION:
        raise ProfileError(
            f"{path} is a recording of version {head['version']}, this tool reads {VERSION}",
            "Use the tool of the library's own version",
        )
    stacks, live, texts = {}, [], {b"MAPS": b"", b"ARGS": b""}
    for name, body in parts[1:-1]:
        if name == b"STCK":
            number, samples, blocks, size, *calls = _numbers(body)
            stacks[number] = Stack(tuple(calls), samples, blocks / head["one"], size)
        elif name == b"LIVE":
            numbers = _numbers(body)
            live += zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=True)
        else:
            texts[name] += body
    for number, *_ in live:
        stacks.setdefault(number, Stack(()))
    arguments = [os.fsdecode(word) for word in texts[b"ARGS"].split(b"\0")[:-1]]
    keep = {name: head[name] for name in ("pid", "time", "every", "missed", "lost")}
    return Recording(**keep, stacks=stacks, live=live, maps=os.fsdecode(texts[b"MAPS"]), arguments=arguments)


def _parts(data):
    at = 0
    while at < len(data):
        name, size = _PART.unpack_from(data, at)
        at += _PART.size
        if at + size > len(data):
            raise ValueError
        yield name, data[at : at + size]
        at += size


def _numbers(body):
    return struct.unpack(f"={len(body) // 8}Q", body)
