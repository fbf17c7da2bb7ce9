"""The stacks of a profile as flame graphs and speedscope's file have them."""

import os
from collections import Counter

from hakmem_inspect import words
from hakmem_pages.flame import Frame, Value

from .model import ALLOC_BLOCKS, ALLOC_BYTES, LIVE_BLOCKS, LIVE_BYTES

_BYTES = {"told": words.size, "unit": "bytes"}
_VALUES = (
    (LIVE_BYTES, "bytes that live", _BYTES),
    (LIVE_BLOCKS, "blocks that live", {}),
    (ALLOC_BYTES, "bytes allocated", _BYTES),
    (ALLOC_BLOCKS, "blocks allocated", {}),
)


def values(profile):
    """What a reader can choose among, in that order."""
    stacks = [_stack(sample) for sample in profile.samples]
    found = []
    for value, name, how in _VALUES:
        sums = Counter()
        for stack, sample in zip(stacks, profile.samples, strict=True):
            if amount := round(sample.values[value]):
                sums[stack] += amount
        found.append(Value(name, sums, **how))
    return found


def _stack(sample):
    """The outermost call first. A function's group is its file of code."""
    frames = []
    for location in reversed(sample.locations):
        code = file_of(location)
        for line in reversed(location.lines):
            inlined = line is not location.lines[-1]
            frames.append(Frame(line.function, code, line.file, inlined, line.line))
    return tuple(frames) or (Frame("(no stack)", ""),)


def file_of(location):
    """The name of the file of code."""
    return os.path.basename(location.mapping.file) if location.mapping else ""
