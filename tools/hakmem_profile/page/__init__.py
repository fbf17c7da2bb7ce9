"""A profile as one page that needs nothing else: a flame graph that zooms and searches, and a table of functions."""

from collections import Counter
from pathlib import Path

from hakmem_inspect import words
from hakmem_pages import flame, page as framed

from ..model import ALLOC_BLOCKS, ALLOC_BYTES, LIVE_BLOCKS, LIVE_BYTES
from ..stacks import file_of, values

_FUNCTIONS = 40
_PALETTE = [flame.PALETTE[(4 + 3 * i) % 10] for i in range(10)]  # a pale one first: most of a graph is of one file


def page(profile, title):
    """The text of the page."""
    chosen = values(profile)
    return framed(
        Path(__file__).parent,
        "profile.html.j2",
        title=title,
        profile=profile,
        totals={
            "allocated": _total(profile, ALLOC_BYTES, ALLOC_BLOCKS),
            "lives": _total(profile, LIVE_BYTES, LIVE_BLOCKS),
        },
        graph=flame.graph(chosen, _colours(chosen), "file of code"),
        functions=_functions(profile),
        size=lambda value: words.size(round(value)),
    )


def _total(profile, size, blocks):
    return f"{words.size(round(profile.total(size)))} in about {words.count(round(profile.total(blocks)), 'block')}"


def _colours(chosen):
    """For the files of code whose own calls of the allocator have the largest shares."""
    shares = Counter()
    for value in chosen:
        whole = sum(value.stacks.values())
        for stack, weight in value.stacks.items():
            shares.update({frame.group: 0 for frame in stack})
            shares[stack[-1].group] += weight / whole
    del shares[""]
    return {file: colour for (file, _), colour in zip(shares.most_common(), _PALETTE, strict=False)}


def _functions(profile):
    """Functions by what they and what they call allocate and hold; `own` is by their own calls of the allocator."""
    rows = {}
    for sample in profile.samples:
        calls = ((line, file_of(location)) for location in sample.locations for line in location.lines)
        for depth, (line, file) in enumerate(calls):
            place = f"{line.file}:{line.line}" if line.file else file
            fresh = {"name": line.function, "file": file, "place": place, "own": [0, 0], "all": [0, 0], "seen": None}
            row = rows.setdefault((line.function, file), fresh)
            for i, value in enumerate((LIVE_BYTES, ALLOC_BYTES)):
                row["own"][i] += sample.values[value] if depth == 0 else 0
                row["all"][i] += sample.values[value] if row["seen"] is not sample else 0
            row["seen"] = sample
    found = sorted(rows.values(), key=lambda row: (-row["own"][0], -row["own"][1], -row["all"][0], -row["all"][1]))
    return found[:_FUNCTIONS]
