"""A profile as one page that needs nothing else: a flame graph that zooms and searches, and a table of functions."""

import json
import os
import zlib
from base64 import b64encode
from pathlib import Path

from hakmem_inspect import words
from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup

from ..model import ALLOC_BYTES, LIVE_BYTES, VALUES

_HERE = Path(__file__).parent
_STYLE = Path(words.__file__).parent / "page" / "page.css"  # the pages of ./hakmem have one style
_FUNCTIONS = 40


def page(profile, title):
    """The text of the page."""
    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=select_autoescape(["j2"]), trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(size=lambda value: words.size(round(value)))
    return environment.get_template("flame.html.j2").render(
        title=title,
        profile=profile,
        totals=[profile.total(i) for i in range(len(VALUES))],
        functions=_functions(profile),
        data=_packed(_tree(profile)),
        style=Markup(_STYLE.read_text(encoding="utf-8") + (_HERE / "flame.css").read_text(encoding="utf-8")),
        script=Markup((_HERE / "flame.js").read_text(encoding="utf-8")),
    )


def _packed(data):
    text = json.dumps(data, separators=(",", ":")).encode()
    return b64encode(zlib.compress(text, 9)).decode()


def _frames(sample):
    """(function, file of code, place in the source), the outermost call first."""
    for location in reversed(sample.locations):
        file = os.path.basename(location.mapping.file) if location.mapping else ""
        for line in reversed(location.lines):
            yield line.function, file, f"{line.file}:{line.line}" if line.file else ""


def _tree(profile):
    """The calls as a tree, in an order in which each comes after its caller: name, file, caller, and its values.

    A function that is called from two lines of its caller is one node.
    """
    names, files = _Numbers(), _Numbers()
    nodes = [[names("all"), files(""), -1, [0] * len(VALUES)]]
    numbers = {}
    for sample in profile.samples:
        at = 0
        values = [round(value) for value in sample.values]
        _add(nodes[0], values)
        for function, file, _ in _frames(sample) if sample.locations else [("(no stack)", "", "")]:
            key = (at, function, file)
            if key not in numbers:
                numbers[key] = len(nodes)
                nodes.append([names(function), files(file), at, [0] * len(VALUES)])
            at = numbers[key]
            _add(nodes[at], values)
    return {"names": list(names), "files": list(files), "nodes": nodes}


def _add(node, values):
    for i, value in enumerate(values):
        node[3][i] += value


class _Numbers(dict):
    def __call__(self, thing):
        return self.setdefault(thing, len(self))


def _functions(profile):
    """Functions by what they and what they call allocate and hold; `own` is by their own calls of the allocator."""
    rows = {}
    for sample in profile.samples:
        frames = list(_frames(sample))
        for depth, (function, file, place) in enumerate(reversed(frames)):
            fresh = {"name": function, "file": file, "place": place, "own": [0, 0], "all": [0, 0], "seen": None}
            row = rows.setdefault((function, file), fresh)
            for i, value in enumerate((LIVE_BYTES, ALLOC_BYTES)):
                row["own"][i] += sample.values[value] if depth == 0 else 0
                row["all"][i] += sample.values[value] if row["seen"] is not sample else 0
            row["seen"] = sample
    found = sorted(rows.values(), key=lambda row: (-row["own"][0], -row["own"][1], -row["all"][0], -row["all"][1]))
    return found[:_FUNCTIONS]
