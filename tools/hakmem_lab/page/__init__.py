"""The board as one page that needs nothing else: what was measured, and every figure of it, from its JSON.

__init__   the page: its template is page.html.j2
plots      the charts, as specifications of Vega-Lite
ticks      where the ticks of a logarithmic axis stand
"""

from __future__ import annotations

from math import log2
from pathlib import Path

from hakmem_pages import chart
from hakmem_pages import page as framed
from markupsafe import Markup

from hakmem_lab import history, rest, tables
from hakmem_lab.page import plots


def page(document: dict, entries: list[dict]) -> str:
    """`entries` is the history, the board itself among them."""
    names = rest.names_of(document)
    shown = history.comparable(entries, history.entry(document))
    return framed(
        Path(__file__).parent,
        "page.html.j2",
        board=document,
        own=document["rows"][0],
        names=names,
        legend=[(name, plots.colour(i), plots.glyph(i)) for i, name in enumerate(names)],
        label=_label,
        ratio=_ratio,
        shade=_shade,
        chart=chart,
        plots=plots,
        tables=tables,
        rest=rest,
        standings={one["workload"]: _by_name(one) for one in document["workloads"]},
        failed=tables.without_figures(document),
        with_curves=[one for one in document["workloads"] if any(s.get("curve") for s in one["standings"])],
        history=shown,
        left_out=len(entries) - len(shown),
    )


def _by_name(workload: dict) -> dict[str, dict]:
    return {standing["allocator"]: standing for standing in workload["standings"]}


def _label(one: dict) -> str:
    return f"{one.get('name') or one['allocator']} {one['version']}".strip()


def _ratio(one: dict) -> Markup:
    return Markup("{:.2f} <small>[{:.2f}, {:.2f}]</small>").format(one["median"], one["low"], one["high"])


def _shade(figure: float) -> str:
    """The style of a cell, whose shade tells the ratio: the stronger, the farther from 1."""
    strength = min(0.55, 0.3 * abs(log2(figure)))
    colour = "better" if figure < 1 else "worse"
    return f"background:rgba(var(--{colour}),{strength:.2f})" if strength >= 0.01 else ""
