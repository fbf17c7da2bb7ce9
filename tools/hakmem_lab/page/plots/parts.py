"""What the charts of the board are made of.

Colours are variables of the style sheet, so that a chart is right in the light and in the dark; a logarithmic axis says
that it is one. Each chart is as wide as its place on the page.
"""

from __future__ import annotations

import json

from hakmem_lab.page.ticks import ticks

_PENTAGON = "M0,-1L0.95,-0.31L0.59,0.81L-0.59,0.81L-0.95,-0.31Z"
_SIGNS = {
    **{"diamond": "◆", "circle": "●", "square": "■", "triangle-up": "▲", "triangle-down": "▼", "cross": "✚"},
    **{"triangle-right": "▶", "triangle-left": "◀", _PENTAGON: "⬟"},
}
_GLYPHS = tuple(_SIGNS)
_COLOURS = 12
ROW = 22  # pixels of a line of a chart with lines
PLAIN = "format(datum.value, '~r')"  # an axis's own format writes 1e+1
_TICKS = 7  # of an axis: what a telephone has room for


def colour(i: int) -> str:
    """Of the i-th allocator; the subject is number 0."""
    return f"var(--series-{i % _COLOURS})"


def glyph(i: int) -> str:
    """The sign that stands for its shape in text."""
    return _SIGNS[_GLYPHS[i % len(_GLYPHS)]]


def spec(values: list[dict], height: int, **more: object) -> dict:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": "container",
        "height": height,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": values},
        **more,
    }


def is_of(name: str) -> str:
    """The expression that tells whether a value is of that allocator."""
    return f"datum.allocator == {json.dumps(name)}"


def by_allocator(names: list[str]) -> dict:
    """Colour and shape; the legend is the page's, above the charts."""
    places = range(len(names))
    return {
        "color": {
            "field": "allocator",
            "type": "nominal",
            "scale": {"domain": names, "range": [colour(i) for i in places]},
            "legend": None,
        },
        "shape": {
            "field": "allocator",
            "type": "nominal",
            "scale": {"domain": names, "range": [_GLYPHS[i % len(_GLYPHS)] for i in places]},
            "legend": None,
        },
        "size": {"condition": {"test": is_of(names[0]), "value": 150}, "value": 75},
    }


def ratio_scale(field: str, title: str, low: float, high: float) -> dict:
    return {
        "field": field,
        "type": "quantitative",
        "title": f"{title}, log scale",
        "scale": {"type": "log", "domain": [low, high], "nice": False, "clamp": True},
        "axis": {"values": ticks(low, high, _TICKS), "labelExpr": PLAIN, "grid": True},
    }


def best_line(channel: str) -> dict:
    """The line at the best peer's."""
    return {
        "data": {"values": [{}]},
        "mark": {"type": "rule", "color": "var(--mute)", "strokeDash": [4, 3]},
        "encoding": {channel: {"datum": 1, "type": "quantitative"}},
    }


def tip(*fields: tuple[str, str, str]) -> list[dict]:
    """(field, title, format); no format: text."""
    return [
        {"field": field, "title": title, **({"format": form, "type": "quantitative"} if form else {"type": "nominal"})}
        for field, title, form in fields
    ]
