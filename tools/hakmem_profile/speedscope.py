"""Profiles as speedscope's JSON, for https://www.speedscope.app or its program."""

import json

from .model import VALUES

_SCHEMA = "https://www.speedscope.app/file-format-schema.json"
_UNITS = {"count": "none", "bytes": "bytes"}
_TITLES = {
    "alloc_objects": "blocks allocated",
    "alloc_space": "bytes allocated",
    "inuse_objects": "blocks that live",
    "inuse_space": "bytes that live",
}


def encode(profile, name):
    """The text of a .speedscope.json file: one profile for each value, the bytes that live first."""
    frames, numbers = [], {}
    stacks = []
    for sample in profile.samples:
        lines = [line for location in reversed(sample.locations) for line in reversed(location.lines)]
        stacks.append([_number(line, frames, numbers) for line in lines])
    profiles = [_one(profile, i, stacks) for i in reversed(range(len(VALUES)))]
    document = {
        "$schema": _SCHEMA,
        "name": name,
        "exporter": "hakmem profile",
        "activeProfileIndex": 0,
        "shared": {"frames": frames},
        "profiles": profiles,
    }
    return json.dumps(document, separators=(",", ":"))


def _number(line, frames, numbers):
    key = (line.function, line.file, line.line)
    if key not in numbers:
        numbers[key] = len(frames)
        frame = {"name": line.function}
        if line.file:
            frame.update(file=line.file, line=line.line)
        frames.append(frame)
    return numbers[key]


def _one(profile, value, stacks):
    name, unit = VALUES[value]
    weights = [round(sample.values[value]) for sample in profile.samples]
    kept = [(stack, weight) for stack, weight in zip(stacks, weights, strict=True) if weight > 0]
    return {
        "type": "sampled",
        "name": _TITLES[name],
        "unit": _UNITS[unit],
        "startValue": 0,
        "endValue": sum(weight for _, weight in kept),
        "samples": [stack for stack, _ in kept],
        "weights": [weight for _, weight in kept],
    }
