"""A flame graph: a box a function, its width its share, below its caller. It can be zoomed and searched.

Callers stand above, so that the whole stands first however deep the stacks are. What Vega draws is a partition that
is made here; speedscope's file has the same stacks, for https://www.speedscope.app or any other reader of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from .charts import chart, data

_ROW = 20
_LEAST = 2e-5  # of the whole: what is narrower could be seen by no zoom that anybody would make


@dataclass(frozen=True)
class Frame:
    """A function on a stack. Its group decides its colour; `note` is told of it; `inlined`: its box is dashed."""

    name: str
    group: str
    note: str = ""
    inlined: bool = False


Stack = tuple[Frame, ...]  # the outermost caller first


def graph(stacks: Mapping[Stack, int], unit: str, colours: Mapping[str, str]) -> Markup:
    """An element of a page whose template extends flame.html.j2. `colours` are of the groups, in the order of the
    legend; text is dark on them, in the light page and in the dark one."""
    nodes = _nodes(stacks)
    shown = [group for group in colours if any(node["group"] == group for node in nodes)]
    environment = Environment(loader=FileSystemLoader(Path(__file__).parent), autoescape=True, trim_blocks=True)
    return Markup(
        environment.get_template("flame_graph.html.j2").render(
            legend=[(group, colours[group]) for group in shown],
            chart=chart(_spec(nodes, unit, {group: colours[group] for group in shown}), "flame graph"),
            nodes=data([[node["a"], node["b"], node["name"]] for node in nodes], "flame-nodes"),
        )
    )


def speedscope(stacks: Mapping[Stack, int], unit: str, name: str) -> dict:
    """The same stacks as a file of https://www.speedscope.app; `unit` is "bytes", or one that it has no name for."""
    frames: dict[tuple[str, str], int] = {}
    samples = [[frames.setdefault((one.name, one.note), len(frames)) for one in stack] for stack in stacks]
    weights = list(stacks.values())
    return {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "exporter": "hakmem",
        "name": name,
        "shared": {"frames": [{"name": name, **({"file": file} if file else {})} for name, file in frames]},
        "profiles": [
            {
                "type": "sampled",
                "name": f"{name}: {unit}",
                "unit": unit if unit == "bytes" else "none",
                "startValue": 0,
                "endValue": sum(weights),
                "samples": samples,
                "weights": weights,
            }
        ],
    }


# ---- the partition


@dataclass
class _Node:
    weight: int = 0
    below: dict[Frame, _Node] = field(default_factory=dict)


def _nodes(stacks: Mapping[Stack, int]) -> list[dict]:
    """The boxes, each before those below it: from a to b of the whole, on a level."""
    root = _Node()
    for stack, weight in stacks.items():
        node = root
        node.weight += weight
        for frame in stack:
            node = node.below.setdefault(frame, _Node())
            node.weight += weight
    whole = max(root.weight, 1)
    found = [{"name": "all", "group": "", "note": "", "dash": 0, "a": 0, "b": 1, "level": 0, "weight": root.weight}]
    waiting = [(root, 0, 1)]
    while waiting:
        node, start, level = waiting.pop()
        for frame, below in sorted(node.below.items(), key=lambda one: -one[1].weight):
            if below.weight < _LEAST * whole:
                break
            a, b = round(start / whole, 7), round((start + below.weight) / whole, 7)
            dash, note = int(frame.inlined), frame.note
            box = {"name": frame.name, "group": frame.group, "note": note, "dash": dash, "a": a, "b": b}
            found.append({**box, "level": level, "weight": below.weight})
            waiting.append((below, start, level + 1))
            start += below.weight
    return sorted(found, key=lambda box: (box["a"], box["level"]))


# ---- the drawing


def _spec(nodes: list[dict], unit: str, colours: Mapping[str, str]) -> dict:
    whole = {"signal": "containerSize()[0]"}
    resized = [{"events": {"source": "window", "type": "resize"}, "update": whole["signal"]}]
    left, right = "scale('x', max(datum.a, focus[0]))", "scale('x', min(datum.b, focus[1]))"
    room = f"({right} - {left})"
    tip = (
        "{title: datum.name + (datum.dash ? ' (inlined)' : ''), "
        f"'{unit}': format(datum.weight, ',') + ' (' + format(datum.b - datum.a, '.2%') + ')'"
        ", 'group': datum.group || '–', 'where': datum.note || '–'}"
    )
    place = {
        "y": {"signal": f"datum.level * {_ROW}"},
        "height": {"value": _ROW - 1},
        "x": {"signal": left},
        "x2": {"signal": right},
    }
    return {
        "$schema": "https://vega.github.io/schema/vega/v6.json",
        "width": 600,
        "height": (1 + max(node["level"] for node in nodes)) * _ROW,
        "autosize": {"type": "none"},
        "padding": 0,
        "signals": [
            {"name": "width", "init": whole["signal"], "on": resized},
            {
                "name": "focus",
                "value": [0, 1],
                "on": [{"events": "@box:click", "update": "[datum.a, datum.b]"}],
            },
            {"name": "wanted", "value": ""},
        ],
        "data": [
            {
                "name": "nodes",
                "values": nodes,
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
            }
        ],
        "scales": [
            {"name": "x", "type": "linear", "domain": {"signal": "focus"}, "range": [0, {"signal": "width"}]},
            {"name": "colour", "type": "ordinal", "domain": list(colours), "range": list(colours.values())},
        ],
        "marks": [
            {
                "type": "rect",
                "name": "box",
                "from": {"data": "nodes"},
                "encode": {
                    "update": {
                        **place,
                        "fill": [
                            {"test": "datum.group == ''", "value": "#d9dbdd"},
                            {"scale": "colour", "field": "group"},
                        ],
                        "fillOpacity": {"signal": "wanted == '' || datum.found ? 1 : 0.3"},
                        "stroke": {"signal": "datum.found ? 'var(--ink)' : 'var(--card)'"},
                        "strokeWidth": {"signal": "datum.found ? 1.6 : 0.7"},
                        "strokeDash": {"signal": "datum.dash ? [2, 2] : []"},
                        "cornerRadius": {"value": 1.5},
                        "cursor": {"value": "pointer"},
                        "tooltip": {"signal": tip},
                    }
                },
            },
            {
                "type": "text",
                "interactive": False,
                "from": {"data": "nodes"},
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
