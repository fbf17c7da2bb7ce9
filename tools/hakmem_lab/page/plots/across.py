"""The subject across commits: one board after the other."""

from __future__ import annotations

import json

from hakmem_lab.page.plots.parts import best_line, colour, spec, tip


def means(entries: list[dict], key: str, title: str) -> dict:
    """The subject's geometric mean, board after board: hollow where a run failed, a gap where nothing was compared."""
    values = [
        {
            "board": f"{number}",
            "commit": one["commit"],
            "when": one["when"][:10],
            "complete": one["complete"],
            **{name: one[key]["mean"][name] for name in ("median", "low", "high")},
        }
        for number, one in enumerate(entries, 1)
        if one[key]
    ]
    labels = {f"{number}": f"{one['commit']}" for number, one in enumerate(entries, 1)}
    across = {
        "field": "board",
        "type": "ordinal",
        "sort": None,
        "title": "commit",
        "scale": {"domain": list(labels)},
        "axis": {"labelExpr": f"{json.dumps(labels)}[datum.value]", "labelAngle": -35, "labelLimit": 90},
    }
    up = {"type": "quantitative", "title": title, "scale": {"zero": False}, "axis": {"tickCount": 5}}
    hollow = {"condition": {"test": "datum.complete", "value": colour(0)}, "value": "var(--card)"}
    told = tip(
        *(("commit", "commit", ""), ("when", "measured", ""), ("median", title, ".2f")),
        *(("low", "from", ".2f"), ("high", "to", ".2f")),
    )
    return spec(
        values,
        220,
        layer=[
            best_line("y"),
            {
                "mark": {"type": "rule", "color": colour(0), "strokeWidth": 1.5, "opacity": 0.6},
                "encoding": {"x": across, "y": {**up, "field": "low"}, "y2": {"field": "high"}},
            },
            {
                "mark": {"type": "line", "color": colour(0)},
                "encoding": {"x": across, "y": {**up, "field": "median"}},
            },
            {
                "mark": {"type": "point", "shape": "diamond", "size": 110, "opacity": 1, "stroke": colour(0)},
                "encoding": {"x": across, "y": {**up, "field": "median"}, "fill": hollow, "tooltip": told},
            },
        ],
    )


def workload_across(entries: list[dict], name: str) -> dict:
    """Time and peak memory of one workload, board after board."""
    values = [
        {"board": number, "commit": one["commit"], "what": what, "ratio": one["workloads"][name][key]["median"]}
        for number, one in enumerate(entries, 1)
        for key, what in (("time", "time"), ("peak", "peak memory"))
    ]
    told = tip(("commit", "commit", ""), ("what", "what", ""), ("ratio", "÷ best peer's", ".2f"))
    encoding = {
        "x": {"field": "board", "type": "ordinal", "axis": None},
        "y": {
            **{"field": "ratio", "type": "quantitative", "title": None, "scale": {"zero": False}},
            "axis": {"tickCount": 3},
        },
        "color": {
            "field": "what",
            "type": "nominal",
            "scale": {"domain": ["time", "peak memory"], "range": [colour(0), colour(2)]},
            "legend": None,
        },
    }
    return spec(
        values,
        80,
        title={"text": name, "fontSize": 12},
        layer=[
            best_line("y"),
            {"mark": {"type": "line", "strokeWidth": 1.5}, "encoding": encoding},
            {"mark": {"type": "circle", "size": 28, "opacity": 1}, "encoding": {**encoding, "tooltip": told}},
        ],
    )
