"""The page."""

from pathlib import Path

from hakmem_pages import chart, page

from .. import words
from . import verdict

_HERE = Path(__file__).parent
_PARTS = (
    ("live", "what the program holds"),
    ("cached", "free blocks in the threads' caches"),
    ("free", "free blocks in slabs, and units that threads keep"),
    ("retained", "free units and ranges that stay resident"),
)
_UNITS = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))


def draw(command, curve, ended):
    """The page of a curve; `ended` says how the command ended."""
    samples = curve.samples
    judged = verdict.judge(samples)
    return page(
        _HERE,
        "plot.html.j2",
        command=command,
        ended=ended,
        verdict=judged,
        rule=verdict.RULE,
        parts=_PARTS,
        facts=_facts(curve),
        chart=chart(_spec(curve), "memory over time") if samples else None,
    )


def _facts(curve):
    samples = curve.samples
    if not samples:
        return []
    most = max(one.processes for one in samples)
    facts = [
        ("time", f"{samples[-1].seconds:.1f} s, {len(samples):,} samples"),
        ("peak resident", _peak(samples, "resident")),
        ("peak live", _peak(samples, "live")),
        ("at the end", f"{words.size(samples[-1].resident)} resident, {words.size(samples[-1].live)} live"),
    ]
    if curve.limit:
        facts.append(("limit", words.size(curve.limit)))
    if most > 1:
        facts.append(("processes", f"{most} at once; of a page that several of them have, resident counts each its part"))
    return facts


def _peak(samples, name):
    one = max(samples, key=lambda one: getattr(one, name))
    return f"{words.size(getattr(one, name))} at {one.seconds:.1f} s"


def _spec(curve):
    """Vega-Lite: the parts of the heap on top of each other, and above them a line of what is resident."""
    samples = curve.samples
    top = max(max(one.resident, one.held) for one in samples)
    highest = max(top, curve.limit if curve.limit <= 2 * top else 0)
    scale, unit = next(((bytes_, name) for bytes_, name in _UNITS if top >= bytes_), (1, "B"))

    def of(number):
        return round(number / scale, 3)

    rows = [
        {
            "s": round(one.seconds, 3),
            **{name: of(getattr(one, name)) for name, _ in _PARTS},
            "resident": of(one.resident),
            "held": of(one.held),
        }
        for one in samples
    ]
    peaks = [_label(max(samples, key=lambda one: one.resident), "resident", of, unit, samples)]
    peaks.append(_label(max(samples, key=lambda one: one.live), "live", of, unit, samples))
    end = samples[-1].seconds
    time = {"field": "s", "type": "quantitative", "title": "seconds", "axis": {"tickCount": {"expr": "ceil(width / 80)"}}}
    time["scale"] = {"domain": [0, end], "nice": False}
    names = [name for name, _ in _PARTS]
    parts = {
        "transform": [
            {"fold": names, "as": ["part", "bytes"]},
            {"calculate": f"indexof({names}, datum.part)", "as": "order"},
        ],
        "mark": {"type": "area", "opacity": 0.9, "clip": True},
        "encoding": {
            "x": time,
            "y": {
                "field": "bytes",
                "type": "quantitative",
                "title": unit,
                "stack": "zero",
                "scale": {"domain": [0, of(highest) * 1.12]},  # room for the labels
            },
            "order": {"field": "order"},
            "color": {
                "field": "part",
                "type": "nominal",
                "scale": {"domain": names, "range": [f"var(--{name})" for name in names]},
                "legend": None,
            },
        },
    }
    line = {
        "mark": {"type": "line", "color": "var(--resident)", "strokeWidth": 1.8, "clip": True},
        "encoding": {"x": time, "y": {"field": "resident", "type": "quantitative"}},
    }
    told = [("s", "seconds", ".2f"), ("resident", f"resident, {unit}", ",.2f")]
    told += [(name, f"{name}, {unit}", ",.2f") for name in (*names, "held")]
    hover = {
        "mark": {"type": "rule", "clip": True},
        "params": [
            {
                "name": "at",
                "select": {"type": "point", "on": "pointerover", "nearest": True, "clear": "pointerout", "fields": ["s"]},
            }
        ],
        "encoding": {
            "x": time,
            "opacity": {"condition": {"param": "at", "empty": False, "value": 0.8}, "value": 0},
            "tooltip": [{"field": field, "type": "quantitative", "title": title, "format": form} for field, title, form in told],
        },
    }
    marks = [
        {"mark": {"type": "point", "filled": True, "size": 45, "color": "var(--ink)", "clip": True}},
        *(
            {
                "transform": [{"filter": f"datum.late == {late}"}],
                "mark": {"type": "text", "align": align, "dx": dx, "dy": -9, "fontSize": 11.5, "clip": True},
                "encoding": {"text": {"field": "label"}},
            }
            for late, align, dx in (("true", "right", -2), ("false", "left", 2))
        ),
    ]
    labels = {
        "data": {"values": peaks},
        "encoding": {"x": {"field": "s", "type": "quantitative"}, "y": {"field": "y", "type": "quantitative"}},
        "layer": marks,
    }
    layers = [parts, line, hover, labels]
    if 0 < curve.limit <= highest:
        limit = {"values": [{"y": of(curve.limit), "label": f"limit {words.size(curve.limit)}"}]}
        at = {"y": {"field": "y", "type": "quantitative"}}
        layers.append({"data": limit, "mark": {"type": "rule", "strokeDash": [5, 4], "color": "var(--limit)"}, "encoding": at})
        text = {"type": "text", "align": "left", "x": 4, "dy": -6, "color": "var(--limit)", "fontSize": 11.5}
        layers.append({"data": limit, "mark": text, "encoding": {**at, "text": {"field": "label"}}})
    layers[0]["params"] = [{"name": "zoom", "select": {"type": "interval", "encodings": ["x"]}, "bind": "scales"}]
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v5.json",
        "width": "container",
        "height": 380,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "data": {"values": rows},
        "layer": layers,
    }


def _label(one, name, of, unit, samples):
    number = getattr(one, name)
    late = one.seconds > samples[-1].seconds / 2
    label = f"peak {name} {words.size(number)}"
    return {"s": round(one.seconds, 3), "y": of(number), "label": label, "late": late}
