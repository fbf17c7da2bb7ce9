"""One workload: every sample, and memory over time."""

from __future__ import annotations

from statistics import median

from hakmem_lab.page.plots.parts import PLAIN, ROW, by_allocator, colour, is_of, spec, tip
from hakmem_lab.page.ticks import ticks

_SPREAD = 12  # largest ÷ smallest beyond which samples get a logarithmic axis


def strip(workload: dict, key: str, title: str) -> dict:
    """Each run of each allocator as a point, its median as a bar; `key` is seconds or peak_kib."""
    names = [one["allocator"] for one in workload["standings"]]
    if key == "seconds":
        slowest = max(one["seconds"] for one in workload["standings"])
        unit, factor = ("s", 1.0) if slowest >= 1 else ("ms", 1e3) if slowest >= 1e-3 else ("µs", 1e6)
    else:
        unit, factor = "MiB", 1 / 1024
    values = [
        {"allocator": one["allocator"], "run": run + 1, "value": float(f"{factor * sample[key]:.5g}")}
        for one in workload["standings"]
        for run, sample in enumerate(one["samples"])
    ]
    middles = [
        {"allocator": one["allocator"], "value": median(factor * sample[key] for sample in one["samples"])}
        for one in workload["standings"]
    ]
    figures = [one["value"] for one in values]
    across = {"field": "value", "type": "quantitative", "title": f"{title}, {unit}"}
    low, high = min(figures), max(figures)
    if high > _SPREAD * low > 0:
        across["title"] += ", log scale"
        across["scale"] = {"type": "log", "domain": [0.8 * low, 1.25 * high], "nice": False}
        across["axis"] = {"values": ticks(0.8 * low, 1.25 * high, 5), "labelExpr": PLAIN}
    else:
        across["scale"] = {"domain": [0, 1.06 * high], "nice": False}
        across["axis"] = {"tickCount": 5, "labelExpr": PLAIN}
    down = {
        "field": "allocator",
        "type": "nominal",
        "sort": names,
        "title": None,
        "axis": {"labelColor": "var(--ink)", "ticks": False, "grid": False, "labelPadding": 6},
    }
    shade = {"condition": {"test": is_of(names[0]), "value": colour(0)}, "value": "var(--mute)"}
    told = tip(("allocator", "allocator", ""), ("run", "run", "d"), ("value", f"{title}, {unit}", ".4~g"))
    return spec(
        values,
        ROW * len(names),
        layer=[
            {
                "data": {"values": middles},
                "mark": {"type": "tick", "thickness": 2.5, "size": 16},
                "encoding": {"x": across, "y": down, "color": shade},
            },
            {
                "mark": {"type": "circle", "size": 36, "opacity": 0.6},
                "encoding": {"x": across, "y": down, "color": shade, "tooltip": told},
            },
        ],
    )


def curve(workload: dict, names: list[str]) -> dict:
    """Resident memory of each allocator; its colour is its own also where another has no curve."""
    values = [
        {"allocator": standing["allocator"], "s": round(ms / 1000, 3), "mib": round(kib / 1024, 2)}
        for standing in workload["standings"]
        for ms, kib in standing.get("curve") or []
    ]
    series = by_allocator(names)
    told = tip(("allocator", "allocator", ""), ("s", "after, s", ".2f"), ("mib", "resident, MiB", ".1f"))
    encoding = {
        "x": {
            **{"field": "s", "type": "quantitative", "title": "seconds", "scale": {"nice": False}},
            "axis": {"tickCount": 6, "grid": False},
        },
        "y": {"field": "mib", "type": "quantitative", "title": "resident, MiB", "axis": {"tickCount": 5}},
        "color": series["color"],
    }
    near = {"type": "point", "on": "pointerover", "nearest": True, "clear": "pointerout", "encodings": ["x", "y"]}
    width = {"condition": {"test": is_of(names[0]), "value": 2.8}, "value": 1.5}
    return spec(
        values,
        190,
        title=workload["workload"],
        layer=[
            {"mark": {"type": "line", "interpolate": "step-after"}, "encoding": {**encoding, "strokeWidth": width}},
            {
                "params": [{"name": "near", "select": near}],
                "mark": {"type": "point", "filled": True, "size": 50},
                "encoding": {
                    **encoding,
                    "opacity": {"condition": {"param": "near", "empty": False, "value": 1}, "value": 0},
                    "tooltip": told,
                },
            },
        ],
    )
