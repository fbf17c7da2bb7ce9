"""Does it leak, or does it fragment? What a curve of memory says, by a rule that the page states.

grows      the least that was live rises from each third of the time to the next, each time by a twentieth of the most
           that was live, and by 1 MiB
is sparse  in the last third, in the middle of the samples, a quarter or more of what is held is not live, and 4 MiB
is foreign of the process, more than twice as much is resident beside the heap as in it, and 16 MiB
"""

from dataclasses import dataclass
from statistics import median

from ..words import percent, size

_LEAST_SAMPLES = 12
_GROWTH, _LEAST_GROWTH = 0.05, 1 << 20
_SPARSE, _LEAST_SPARSE = 0.25, 4 << 20
_FOREIGN, _LEAST_FOREIGN = 2, 16 << 20

RULE = (
    "It grows if the least that was live rises from each third of the time to the next, each time by a twentieth of the "
    "most that was live, and by 1 MiB. It fragments if in the middle of the samples of the last third a quarter of what is held "
    "is not live, and 4 MiB. It lies elsewhere if more than twice what is held is resident beside the heap, "
    "and 16 MiB."
)


@dataclass(frozen=True)
class Verdict:
    """In one word, and in one sentence."""

    word: str  # leaks, fragments, both, neither, elsewhere, short
    sentence: str


def judge(samples):
    """The verdict on the samples of a curve."""
    thirds = _thirds(samples)
    if len(samples) < _LEAST_SAMPLES or not all(thirds):
        return Verdict("short", f"Too short to tell: {len(samples)} samples, and {_LEAST_SAMPLES} over its time are needed.")
    least = [min(one.live for one in third) for third in thirds]
    most = max(one.live for one in samples)
    needed = max(_GROWTH * most, _LEAST_GROWTH)
    grows = least[1] - least[0] >= needed and least[2] - least[1] >= needed
    last = thirds[2]
    held, live = median(one.held for one in last), median(one.live for one in last)
    beside = median(max(one.resident - one.held, 0) for one in last)
    sparse = held - live >= max(_SPARSE * held, _LEAST_SPARSE)
    if beside >= max(_FOREIGN * held, _LEAST_FOREIGN) and not grows and not sparse:
        return Verdict(
            "elsewhere",
            f"Neither: most of it is not in the heap. {size(int(held))} are held in it, and {size(int(beside))} are "
            "resident beside it: files, stacks, and what the program maps itself.",
        )
    rises = f"the least that is live rises, from {size(least[0])} to {size(least[1])} and {size(least[2])}"
    part = f"of the {size(int(held))} held at last {percent(1 - live / held if held else 0)} is not live, {_why(last)}"
    if grows and sparse:
        return Verdict("both", f"It grows, and it fragments: {rises}; {part}.")
    if grows:
        return Verdict("leaks", f"It grows, as a leak does: {rises}, and what is held is live but for {size(int(held - live))}.")
    if sparse:
        return Verdict("fragments", f"It fragments, and does not leak: {part}, and the least that is live does not rise.")
    return Verdict(
        "neither", f"Neither: the least that is live does not rise, and {percent(live / held if held else 1)} of what is held is live."
    )


def _thirds(samples):
    if not samples:
        return [], [], []
    start, end = samples[0].seconds, samples[-1].seconds
    borders = [start + (end - start) * i / 3 for i in range(1, 3)]
    return (
        [one for one in samples if one.seconds < borders[0]],
        [one for one in samples if borders[0] <= one.seconds < borders[1]],
        [one for one in samples if borders[1] <= one.seconds],
    )


def _why(samples):
    """The largest part of what is not live."""
    parts = {
        "most of it free blocks among live ones": median(one.free for one in samples),
        "most of it retained for reuse": median(one.retained for one in samples),
        "most of it in the caches of threads": median(one.cached for one in samples),
    }
    return max(parts, key=parts.get)
