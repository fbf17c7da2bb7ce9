"""A flame graph: a box a function, its width its share, below its caller. It can be zoomed and searched.

Callers stand above, so that the whole stands first however deep the stacks are. What Vega draws is a partition that
is made here; speedscope's file has the same stacks, for https://www.speedscope.app or any other reader of it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from .charts import chart

# Of groups, those that matter most first. Dark text can be read on all of them, in the light page and in the dark one.
PALETTE = (
    "#e4572e",
    "#f3a712",
    "#e9d758",
    "#a8c686",
    "#76b5c5",
    "#669bbc",
    "#8d86c9",
    "#c792c7",
    "#c76b98",
    "#5fa59d",
)
_REST = "#d9dbdd"
_ROW = 20
_LEAST = 2e-5  # of the whole: what is narrower could be seen by no zoom that anybody would make


@dataclass(frozen=True)
class Frame:
    """A function on a stack. Its group decides its colour; `note`, its file, is told of it; `inlined`: its box is
    dashed. Calls from several lines of one function are one box, and several frames of speedscope's file."""

    name: str
    group: str
    note: str = ""
    inlined: bool = False
    line: int = 0


Stack = tuple[Frame, ...]  # the outermost caller first


@dataclass(frozen=True)
class Value:
    """What the widths can stand for: its name, how much of it each stack has, and how an amount is told."""

    name: str
    stacks: Mapping[Stack, int]
    told: Callable[[int], str] = "{:,}".format
    unit: str = "none"  # for speedscope: "none", "bytes" or one of time


def graph(values: Sequence[Value], colours: Mapping[str, str], groups: str = "group") -> Markup:
    """An element, once on a page whose template extends flame.html.j2. The reader chooses among the values; the first
    that is not 0 is shown. `colours` are of the groups, in the order of the legend, and `groups` says what those are;
    a group without a colour is grey."""
    boxes = _boxes(values)
    there = {box["group"] for box in boxes if box["group"]}
    legend = {group: colour for group, colour in colours.items() if group in there}
    sums = [sum(value.stacks.values()) for value in values]
    shown = next((at for at, whole in enumerate(sums) if whole), 0)
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True)
    return Markup(
        environment.get_template("flame_graph.html.j2").render(
            values=[(value.name, whole) for value, whole in zip(values, sums, strict=True)],
            shown=shown,
            legend=[*legend.items(), *([("other", _REST)] if there - set(legend) else [])],
            chart=chart(_spec(boxes, values, shown, legend, groups), "flame graph"),
        )
    )


def speedscope(values: Sequence[Value], name: str) -> dict:
    """The same stacks as a file of https://www.speedscope.app: a profile a value."""
    frames: dict[tuple[str, str, int], int] = {}
    profiles = []
    for value in values:
        kept = {stack: weight for stack, weight in value.stacks.items() if weight}
        profiles.append(
            {
                "type": "sampled",
                "name": value.name,
                "unit": value.unit,
                "startValue": 0,
                "endValue": sum(kept.values()),
                "samples": [
                    [frames.setdefault((one.name, one.note, one.line), len(frames)) for one in stack] for stack in kept
                ],
                "weights": list(kept.values()),
            }
        )
    return {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "hakmem",
        "name": name,
        "shared": {
            "frames": [
                {"name": name, **({"file": file} if file else {}), **({"line": line} if line else {})}
                for name, file, line in frames
            ]
        },
        "profiles": profiles,
    }


# ---- the partition


@dataclass
class _Node:
    """A function that was called so. `weights` and `starts` are of each value; those below begin where it begins."""

    frame: Frame
    level: int
    weights: list[int]
    starts: list[int]
    below: dict[tuple, _Node] = field(default_factory=dict)


def _tree(values: Sequence[Value]) -> _Node:
    root = _Node(Frame("all", ""), 0, [0] * len(values), [0] * len(values))
    for at, value in enumerate(values):
        for stack, weight in value.stacks.items():
            node = root
            node.weights[at] += weight
            for frame in stack:
                key = (frame.name, frame.group, frame.note, frame.inlined)
                if key not in node.below:
                    node.below[key] = _Node(frame, node.level + 1, [0] * len(values), [0] * len(values))
                node = node.below[key]
                node.weights[at] += weight
    return root


def _boxes(values: Sequence[Value]) -> list[dict]:
    """The boxes, each after its caller. `at` has for each value where the box begins and ends in the whole, and how
    much that is."""
    root = _tree(values)
    wholes = [max(weight, 1) for weight in root.weights]
    found = []
    waiting = [root]
    while waiting:
        node = waiting.pop()
        found.append(_box(node, wholes, values))
        for at in range(len(values)):
            start = node.starts[at]
            for below in sorted(node.below.values(), key=lambda one: -one.weights[at]):
                below.starts[at] = start
                start += below.weights[at]
        waiting += [
            one
            for one in node.below.values()
            if any(weight >= _LEAST * whole for weight, whole in zip(one.weights, wholes, strict=True))
        ]
    return found


def _box(node: _Node, wholes: list[int], values: Sequence[Value]) -> dict:
    frame = node.frame
    places = []
    for start, weight, whole, value in zip(node.starts, node.weights, wholes, values, strict=True):
        a, b = round(start / whole, 7), round((start + weight) / whole, 7)
        places.append([a if weight else 0, b if weight else 0, value.told(weight)])
    if node.level == 0:
        places = [[0, 1, told] for _, _, told in places]  # even where there is nothing
    return {
        "name": frame.name,
        "group": frame.group,
        "note": frame.note,
        "dash": int(frame.inlined),
        "level": node.level,
        "at": places,
    }


# ---- the drawing


def _spec(
    boxes: list[dict], values: Sequence[Value], shown: int, colours: Mapping[str, str], groups: str
) -> dict:
    whole = {"signal": "containerSize()[0]"}
    resized = [{"events": {"source": "window", "type": "resize"}, "update": whole["signal"]}]
    left, right = "scale('x', max(datum.a, focus[0]))", "scale('x', min(datum.b, focus[1]))"
    room = f"({right} - {left})"
    place = {
        "y": {"signal": f"datum.level * {_ROW}"},
        "height": {"value": _ROW - 1},
        "x": {"signal": left},
        "x2": {"signal": right},
    }
    return {
        "$schema": "https://vega.github.io/schema/vega/v6.json",
        "width": 600,
        "height": _ROW,
        "autosize": {"type": "none"},
        "padding": 0,
        "signals": [
            {"name": "width", "init": whole["signal"], "on": resized},
            {"name": "height", "update": f"(1 + data('depth')[0].most) * {_ROW}"},
            {"name": "value", "value": shown},
            {"name": "zoomed", "value": None, "on": [{"events": "@box:click", "update": "datum.at"}]},
            {  # of a function that the chosen value is 0 of there is nothing to show
                "name": "focus",
                "update": "zoomed && zoomed[value][1] > zoomed[value][0] ? slice(zoomed[value], 0, 2) : [0, 1]",
            },
            {"name": "wanted", "value": ""},
        ],
        "data": [
            {
                "name": "boxes",
                "values": boxes,
                "transform": [
                    {"type": "formula", "as": "a", "expr": "datum.at[value][0]"},
                    {"type": "formula", "as": "b", "expr": "datum.at[value][1]"},
                ],
            },
            {
                "name": "shown",
                "source": "boxes",
                "transform": [
                    {
                        "type": "filter",
                        "expr": "datum.b > focus[0] && datum.a < focus[1] && "
                        "(datum.b - datum.a) / (focus[1] - focus[0]) * width > 0.5",
                    },
                    {
                        "type": "formula",
                        "as": "found",
                        "expr": "wanted != '' && indexof(lower(datum.name), lower(wanted)) >= 0",
                    },
                ],
            },
            {
                "name": "depth",
                "source": "shown",
                "transform": [{"type": "aggregate", "ops": ["max"], "fields": ["level"], "as": ["most"]}],
            },
        ],
        "scales": [
            {
                "name": "x",
                "type": "linear",
                "zero": False,
                "domain": {"signal": "focus"},
                "range": [0, {"signal": "width"}],
            },
            {"name": "colour", "type": "ordinal", "domain": list(colours), "range": list(colours.values())},
        ],
        "marks": [
            {
                "type": "rect",
                "name": "box",
                "from": {"data": "shown"},
                "encode": {
                    "update": {
                        **place,
                        "fill": [
                            {"test": f"indexof({json.dumps(list(colours))}, datum.group) < 0", "value": _REST},
                            {"scale": "colour", "field": "group"},
                        ],
                        "fillOpacity": {"signal": "wanted == '' || datum.found ? 1 : 0.3"},
                        "stroke": {"signal": "datum.found ? 'var(--ink)' : 'var(--card)'"},
                        "strokeWidth": {"signal": "datum.found ? 1.6 : 0.7"},
                        "strokeDash": {"signal": "datum.dash ? [2, 2] : []"},
                        "cornerRadius": {"value": 1.5},
                        "cursor": {"value": "pointer"},
                        "tooltip": [
                            {"test": f"value == {at}", "signal": _tip(value.name, at, groups)}
                            for at, value in enumerate(values)
                        ],
                    }
                },
            },
            {
                "type": "text",
                "interactive": False,
                "from": {"data": "shown"},
                "encode": {
                    "update": {
                        "x": {"signal": f"{left} + 4"},
                        "y": {"signal": f"datum.level * {_ROW} + {_ROW / 2}"},
                        "baseline": {"value": "middle"},
                        "fontSize": {"value": 11.5},
                        "fill": {"signal": "wanted == '' || datum.found ? '#16181a' : 'var(--mute)'"},
                        "text": {"signal": f"{room} > 28 ? datum.name : ''"},
                        "limit": {"signal": f"max({room} - 7, 1)"},
                    }
                },
            },
        ],
    }


def _tip(name: str, at: int, groups: str) -> str:
    """What is told of a box, of this value."""
    return (
        "{title: datum.name + (datum.dash ? ' (inlined)' : ''), "
        f"{json.dumps(name)}: datum.at[{at}][2] + ' (' + format(datum.b - datum.a, '.2%') + ')', "
        f"{json.dumps(groups)}: datum.group || '–', 'where': datum.note || '–'}}"
    )
