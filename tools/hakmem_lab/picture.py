"""The board in one picture, an SVG that needs nothing else: each allocator's mean time against its mean peak memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from math import log
from string import Template

from hakmem_lab.errors import LabError
from hakmem_lab.labels import Box, Label, place

_WIDTH, _HEIGHT = 640, 600  # its units are pixels where it is shown in full; the letters stay legible at half of it
_PLOT = Box(70, 118, 618, 468)
_NAME, _OWN_NAME = 20, 25
_POINT, _OWN_POINT = 7, 11
_TICKS = (  # the finest that has room
    (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7, 1.8, 1.9, 2),
    (0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8),
    (0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30),
    (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50, 100),
    (0.01, 0.1, 1, 10, 100, 1000),
)
_ROOM = 44  # pixels from one tick to the next

# Not every viewer of SVG knows CSS variables: each rule is written out for either background.
_LIGHT = {
    **{"card": "#fbfbfa", "edge": "#d9dbdd", "ink": "#1b1d20", "mute": "#565d64", "rule": "#e3e5e6"},
    **{"own": "#c84e00", "other": "#3b6ea5"},
}
_DARK = {
    **{"card": "#1c1f22", "edge": "#3a3f44", "ink": "#eceded", "mute": "#adb4ba", "rule": "#30353a"},
    **{"own": "#ff9046", "other": "#7fb2e5"},
}
_COLOURS = Template("""
    .sheet { fill: $card; stroke: $edge; }
    text { fill: $ink; }
    .mute { fill: $mute; }
    .grid { stroke: $rule; }
    .one { stroke: $mute; }
    .other { fill: $other; stroke: $other; }
    .own { fill: $own; stroke: $own; }
    .point { stroke: $card; }
    .halo, .own.halo { fill: $card; stroke: $card; }
    .own.name { stroke: none; }
    .lead { stroke: $mute; }
""")
_SHAPES = """
    text { font-family: system-ui, -apple-system, "Segoe UI", Roboto, Arial, sans-serif; }
    .code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
    .grid, .lead { stroke-width: 1; }
    .one { stroke-width: 1.5; stroke-dasharray: 5 5; }
    .whisker { stroke-width: 2; opacity: 0.6; }
    .own.whisker { stroke-width: 3; opacity: 1; }
    .point { stroke-width: 2; }
    .halo { stroke-width: 5; stroke-linejoin: round; }
    .own.halo, .own.name { font-weight: 700; }
"""
_STYLE = (
    f"{_COLOURS.substitute(_LIGHT)}{_SHAPES}"
    f"    @media (prefers-color-scheme: dark) {{{_COLOURS.substitute(_DARK)}    }}\n"
)


@dataclass(frozen=True)
class _Point:
    """An allocator in the picture; the ends are those of its whiskers."""

    name: str
    own: bool
    x: float
    y: float
    across: tuple[float, float]
    down: tuple[float, float]

    def dot(self) -> Box:
        size = (_OWN_POINT if self.own else _POINT) + 2
        return Box(self.x - size, self.y - size, self.x + size, self.y + size)

    def around(self) -> Box:
        """The dot and its whiskers."""
        dot = self.dot()
        left, right = min(dot.left, self.across[0]), max(dot.right, self.across[1])
        return Box(left, min(dot.top, self.down[0]), right, max(dot.bottom, self.down[1]))

    def boxes(self) -> list[Box]:
        """What no name may cover."""
        return [
            self.dot(),
            Box(self.across[0], self.y - 3, self.across[1], self.y + 3),
            Box(self.x - 3, self.down[0], self.x + 3, self.down[1]),
        ]


@dataclass(frozen=True)
class _Scale:
    """Ratios to pixels, in logarithms, so that half and twice are as far from 1."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, ratio: float) -> float:
        share = log(ratio / self.low) / log(self.high / self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self) -> list[float]:
        within = [[tick for tick in ticks if self.low <= tick <= self.high] for ticks in _TICKS]
        roomy = [ticks for ticks in within if self._roomy(ticks)]
        return max(roomy, key=len, default=[1.0])

    def _roomy(self, ticks: list[float]) -> bool:
        return all(abs(self(a) - self(b)) >= _ROOM for a, b in pairwise(ticks))


def _scale(means: list[dict], start: float, end: float) -> _Scale:
    low = min([1.0, *(mean["low"] for mean in means)])
    high = max([1.2, *(mean["high"] for mean in means)])
    room = (high / low) ** 0.08
    return _Scale(low / room, high * room, start, end)


def picture(document: dict) -> str:
    """Nearer to the lower left corner is better in both."""
    rows = [row for row in document["rows"] if row["time"] and row["peak"]]
    if not rows:
        raise LabError("the board has no figures to draw: nothing could be compared")
    across = _scale([row["time"]["mean"] for row in rows], _PLOT.left, _PLOT.right)
    up = _scale([row["peak"]["mean"] for row in rows], _PLOT.bottom, _PLOT.top)
    points = [_point(row, row["allocator"] == document["subject"]["name"], across, up) for row in rows]
    parts = [
        *_head(document, rows),
        *_axes(across, up),
        *(line for point in points for line in _whiskers(point)),
        *_names(points, across(1), up(1)),
        *(_dot(point) for point in points),
        *_foot(document),
    ]
    size = f'viewBox="0 0 {_WIDTH} {_HEIGHT}"'
    opening = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-labelledby="what how">'
    return "\n  ".join([opening, *parts]) + "\n</svg>\n"


def _point(row: dict, own: bool, across: Callable[[float], float], up: Callable[[float], float]) -> _Point:
    time, peak = row["time"]["mean"], row["peak"]["mean"]
    return _Point(
        row["allocator"],
        own,
        across(time["median"]),
        up(peak["median"]),
        (across(time["low"]), across(time["high"])),
        (up(peak["high"]), up(peak["low"])),
    )


# ---- what stands around the plot


def _text(x: float, y: float, size: float, text: str, classes: str = "", more: str = "") -> str:
    look = f' class="{classes}"' if classes else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" font-size="{size}"{look}{more}>{escape(text)}</text>'


def _head(document: dict, rows: list[dict]) -> list[str]:
    own = document["subject"]["name"]
    title = f"{own} and {len(rows) - 1} other allocators"
    means = [(row["allocator"], row["time"]["mean"]["median"], row["peak"]["mean"]["median"]) for row in rows]
    told = "; ".join(f"{name} {time:.2f} and {peak:.2f}" for name, time, peak in means)
    every = len(document["workloads"])
    return [
        f'<title id="what">{escape(title)}: time against peak memory</title>',
        f'<desc id="how">Geometric means over {every} workloads, time and peak memory ÷ the best peer\'s: '
        f"{escape(told)}. Lower is better in both.</desc>",
        f"<style>{_STYLE}  </style>",
        f'<rect x="0.5" y="0.5" width="{_WIDTH - 1}" height="{_HEIGHT - 1}" rx="12" '
        'class="sheet"/>',
        _text(24, 40, 25, title, more=' font-weight="700"'),
        _text(24, 68, 18, f"geometric means over {every} workloads, with their 95 % intervals", "mute"),
        _text(24, 102, 18, "↓ peak memory ÷ the best peer's, lower is better"),
    ]


def _axes(across: _Scale, up: _Scale) -> list[str]:
    parts = []
    for tick in across.ticks():
        x = across(tick)
        parts.append(_line(x, _PLOT.top, x, _PLOT.bottom, "one" if tick == 1 else "grid"))
        parts.append(_text(x, _PLOT.bottom + 24, 18, f"{tick:g}×", "mute", ' text-anchor="middle"'))
    for tick in up.ticks():
        y = up(tick)
        parts.append(_line(_PLOT.left, y, _PLOT.right, y, "one" if tick == 1 else "grid"))
        parts.append(_text(_PLOT.left - 9, y + 6, 18, f"{tick:g}×", "mute", ' text-anchor="end"'))
    parts.append(_text(_PLOT.left, _PLOT.bottom + 52, 18, "← time ÷ the best peer's, lower is better"))
    return parts


def _foot(document: dict) -> list[str]:
    """The conditions, in two lines."""
    facts = (
        document["when"][:10],
        f"commit {document['commit']}",
        f"{len(document['workloads'])} workloads",
        f"{document['machine']['cores']} cores",
    )
    rule = _line(24, _HEIGHT - 68, _WIDTH - 24, _HEIGHT - 68, "grid")
    command = document["command"]
    size = min(17.0, (_WIDTH - 48) / (0.62 * len(command)))
    return [
        rule,
        _text(24, _HEIGHT - 42, 17, " · ".join(facts), "mute"),
        _text(24, _HEIGHT - 18, round(size, 1), command, "mute code"),
    ]


# ---- the allocators


def _line(x1: float, y1: float, x2: float, y2: float, classes: str) -> str:
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{classes}"/>'


def _whiskers(point: _Point) -> list[str]:
    look = "own whisker" if point.own else "other whisker"
    return [
        _line(point.across[0], point.y, point.across[1], point.y, look),
        _line(point.x, point.down[0], point.x, point.down[1], look),
    ]


def _dot(point: _Point) -> str:
    size, look = (_OWN_POINT, "own") if point.own else (_POINT, "other")
    return f'<circle cx="{point.x:.1f}" cy="{point.y:.1f}" r="{size}" class="{look} point"/>'


def _names(points: list[_Point], x: float, y: float) -> list[str]:
    """Beside the points, and not on the lines at 1, which are at x and y; the subject's name finds its place first."""
    taken = [Box(x - 3, _PLOT.top, x + 3, _PLOT.bottom), Box(_PLOT.left, y - 3, _PLOT.right, y + 3)]
    taken += [box for point in points for box in point.boxes()]
    leads, names = [], []
    for point in sorted(points, key=lambda point: not point.own):
        label = place(point.name, point.around(), _OWN_NAME if point.own else _NAME, taken, _PLOT)
        taken.append(label.box())
        leads += [_lead(point, label)] if label.moved else []
        names += _name(label, "own " if point.own else "")
    return leads + names


def _name(label: Label, own: str) -> list[str]:
    """With a halo around it, as a text of its own: not every viewer of SVG can draw a stroke behind its letters."""
    at = label.x, label.y, label.size, label.text
    return [_text(*at, f"{own}halo", ' aria-hidden="true"'), _text(*at, f"{own}name")]


def _lead(point: _Point, label: Label) -> str:
    """A line from a point to its name."""
    box = label.box()
    x, y = min(max(point.x, box.left), box.right), min(max(point.y, box.top), box.bottom)
    return _line(point.x, point.y, x, y, "lead")
