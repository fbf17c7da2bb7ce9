"""Resident memory over time, a panel a workload and a line an allocator."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from hakmem_lab.page import svg

_COLUMNS = 2
_WIDE, _HIGH, _LEGEND = 15.4, 3.1, 0.75  # inches of 72 pixels: the page, a row of panels, the names above them


def with_curves(document: dict) -> list[dict]:
    return [one for one in document["workloads"] if any(s.get("curve") for s in one["standings"])]


def drawing(document: dict, names: list[str]) -> str:
    """All panels; a name has the colour that it has elsewhere on the page."""
    shown = with_curves(document)
    rows = math.ceil(len(shown) / _COLUMNS)
    height = rows * _HIGH + _LEGEND
    figure = Figure(figsize=(_WIDE, height))
    figure.subplots_adjust(
        0.55 / _WIDE, 0.5 / height, 1 - 0.4 / _WIDE, 1 - (_LEGEND + 0.35) / height, wspace=0.14, hspace=0.42
    )
    panels = figure.subplots(rows, _COLUMNS, squeeze=False).flat
    for axes, one in zip(panels, shown, strict=False):
        _panel(axes, one, names)
    for axes in figure.axes[len(shown) :]:
        axes.set_visible(False)
    lines = {line.get_label(): line for axes in figure.axes for line in axes.get_lines()}
    drawn = [name for name in names if name in lines]
    figure.legend(
        [lines[name] for name in drawn], drawn, loc="upper left", ncols=min(9, len(drawn)), handlelength=1.4
    )
    return svg.inline(figure, "curves", "resident memory of each allocator over time")


def _panel(axes: Axes, one: dict, names: list[str]) -> None:
    longest = highest = 1e-3
    for standing in one["standings"]:
        curve = standing.get("curve")
        if not curve:
            continue
        i = names.index(standing["allocator"])
        times, held = [ms / 1000 for ms, _ in curve], [kib / 1024 for _, kib in curve]
        longest, highest = max(longest, times[-1]), max(highest, *held)
        width, level = (2.6, 5) if i == 0 else (1.4, 3)
        axes.plot(times, held, color=svg.series(i), linewidth=width, zorder=level, label=names[i])
    axes.set_title(one["workload"])
    axes.set_xlim(0, longest)
    axes.set_ylim(0, 1.06 * highest)
    axes.grid(True, axis="y")
    axes.grid(False, axis="x")
    axes.xaxis.set_major_locator(MaxNLocator(7))
    axes.yaxis.set_major_locator(MaxNLocator(5))
    axes.tick_params(labelsize=10.5)
    _unit(axes, "MiB", (0, 1), (-4, 6), "right")
    _unit(axes, "s", (1, 0), (16, -15), "left")


def _unit(axes: Axes, text: str, corner: tuple[int, int], offset: tuple[int, int], side: str) -> None:
    axes.annotate(
        *(text, corner, offset, "axes fraction", "offset points"), fontsize=10.5, color=svg.MUTE, ha=side
    )
