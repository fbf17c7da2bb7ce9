"""The board as a whole: the allocators' means, and every workload."""

from __future__ import annotations

from hakmem_lab.page.plots.parts import ROW, best_line, by_allocator, colour, is_of, ratio_scale, spec, tip
from hakmem_lab.rest import names_of

_FARTHEST = 8.0  # a ratio beyond is drawn at the edge, so that one outlier does not flatten the rest
_ENDS = (("", "median"), ("_low", "low"), ("_high", "high"))


def both(document: dict) -> dict:
    """A point an allocator: nearer to the lower left corner is better in both."""
    rows = [row for row in document["rows"] if row["time"] and row["peak"]]
    values = [
        {
            "allocator": row["allocator"],
            **{f"time{key}": row["time"]["mean"][name] for key, name in _ENDS},
            **{f"peak{key}": row["peak"]["mean"][name] for key, name in _ENDS},
        }
        for row in rows
    ]

    def scale(name: str, title: str) -> dict:
        low = min([0.9, *(0.95 * one[f"{name}_low"] for one in values)])
        high = max([1.2, *(1.08 * one[f"{name}_high"] for one in values)])
        return ratio_scale(name, title, low, high)

    across, up = scale("time", "time ÷ best peer's"), scale("peak", "peak memory ÷ best peer's")
    series = by_allocator(names_of(document))
    told = tip(
        *(("allocator", "allocator", ""), ("time", "time", ".2f"), ("time_low", "from", ".2f")),
        *(("time_high", "to", ".2f"), ("peak", "peak memory", ".2f"), ("peak_low", "from ", ".2f")),
        ("peak_high", "to ", ".2f"),
    )
    whisker = {"type": "rule", "strokeWidth": 1.5, "opacity": 0.7}
    plain = {"color": series["color"]}
    return spec(
        values,
        420,
        layer=[
            best_line("x"),
            best_line("y"),
            {
                "mark": whisker,
                "encoding": {"x": {**across, "field": "time_low"}, "x2": {"field": "time_high"}, "y": up, **plain},
            },
            {
                "mark": whisker,
                "encoding": {"y": {**up, "field": "peak_low"}, "y2": {"field": "peak_high"}, "x": across, **plain},
            },
            {
                "mark": {"type": "point", "filled": True, "opacity": 1},
                "encoding": {"x": across, "y": up, **series, "tooltip": told},
            },
            {
                "transform": [{"filter": is_of(document["subject"]["name"])}],
                "mark": {"type": "text", "align": "left", "dx": 10, "dy": -10, "fontSize": 13, "fill": "var(--ink)"},
                "encoding": {"x": across, "y": up, "text": {"field": "allocator"}},
            },
        ],
    )


def dots(document: dict, key: str, title: str) -> dict:
    """A row a workload, a point an allocator; `key` is time_to_best or peak_to_best."""
    names = names_of(document)
    values = [
        {
            "workload": one["workload"] + (" ~" if one["wide"] else ""),
            "allocator": standing["allocator"],
            "ratio": standing[key]["median"],
            "low": standing[key]["low"],
            "high": standing[key]["high"],
        }
        for one in document["workloads"]
        for standing in sorted(one["standings"], key=lambda s: s["allocator"] == names[0])  # the subject on top
    ]
    own = [one["low"] for one in values if one["allocator"] == names[0]]
    low = max(min([0.7, *(0.93 * one["ratio"] for one in values), *(0.93 * one for one in own)]), 1 / _FARTHEST)
    high = min(max([2.0, *(one["ratio"] for one in values)]), _FARTHEST) * 1.15
    across = {**ratio_scale("ratio", title, low, high), "title": None}
    down = {
        "field": "workload",
        "type": "nominal",
        "sort": None,
        "title": None,
        "axis": {"labelColor": "var(--ink)", "labelLimit": 170, "grid": True, "ticks": False, "labelPadding": 6},
    }
    told = tip(
        *(("workload", "workload", ""), ("allocator", "allocator", ""), ("ratio", title, ".2f")),
        *(("low", "from", ".2f"), ("high", "to", ".2f")),
    )
    return spec(
        values,
        ROW * len(document["workloads"]),
        title={"text": f"{title}, log scale", "frame": "bounds"},  # beyond the axis, where a telephone has room
        layer=[
            best_line("x"),
            {
                "transform": [{"filter": is_of(names[0])}],
                "mark": {"type": "rule", "strokeWidth": 3, "color": colour(0)},
                "encoding": {"y": down, "x": {**across, "field": "low"}, "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "opacity": 0.95},
                "encoding": {"x": across, "y": down, **by_allocator(names), "tooltip": told},
            },
        ],
    )
