"""The heap as a picture: one page that needs nothing else, of one heap or of two, with their difference."""

import json
import zlib
from base64 import b64encode
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, select_autoescape
from markupsafe import Markup

from .. import document, words
from . import pins
from .cells import cells

_HERE = Path(__file__).parent


def page(views):
    """The page of one or two views: (heap, sums)."""
    environment = Environment(
        loader=FileSystemLoader(_HERE), autoescape=select_autoescape(["j2"]), trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(size=words.size, percent=words.percent, change=_change, count=words.count)
    told = [document.of(heap, sums) for heap, sums in views]
    return environment.get_template("page.html.j2").render(
        told=told,
        headlines=[document.headline(one).split("\n") for one in told],
        classes=[sorted(one["classes"], key=lambda row: row["held"] - row["live"], reverse=True) for one in told],
        pins=[pins.sparse(heap, sums) for heap, sums in views],
        sparse=[pins.count_of(heap, sums) for heap, sums in views],
        differences=_differences(*told) if len(told) == 2 else [],
        data=_packed([cells(heap, sums) for heap, sums in views]),
        style=Markup((_HERE / "page.css").read_text(encoding="utf-8")),
        script=Markup((_HERE / "page.js").read_text(encoding="utf-8")),
    )


def _packed(data):
    text = json.dumps(data, separators=(",", ":")).encode()
    return b64encode(zlib.compress(text, 9)).decode()


def _change(count):
    """A difference in bytes, with its sign."""
    return f"{'+' if count > 0 else '−' if count < 0 else ''}{words.size(abs(count))}"


def _differences(first, second):
    """Each size class in both, the largest change of what it holds first."""
    before = {one["size"]: one for one in first["classes"]}
    after = {one["size"]: one for one in second["classes"]}
    nothing = {"live": 0, "held": 0, "blocks": 0, "waste": 0}
    rows = []
    for size in sorted(set(before) | set(after)):
        a, b = before.get(size, nothing), after.get(size, nothing)
        rows.append({"size": size, "a": a, "b": b, "live": b["live"] - a["live"], "held": b["held"] - a["held"]})
    return sorted(rows, key=lambda row: abs(row["held"]), reverse=True)
