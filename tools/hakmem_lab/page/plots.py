"""The figures of the page, each from what was written of the board."""

from __future__ import annotations

import math
from html import escape

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullLocator

from hakmem_lab.page import svg
from hakmem_lab.rest import names_of

_MARKERS = "Dos^vPX<>hp*"
_TICKS = (0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 7, 10, 20, 50, 100)
_FINE_TICKS = (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8)  # where a range is not even 1 to 2
_LINE, _NAME = 14, 75  # pixels from one name to the next, and that a name takes
_WIDE = 15.4  # inches of 72 pixels: the width of the page
_NARROW = 7.4
_FARTHEST = 8.0  # a ratio beyond is drawn at the edge, so that one outlier does not flatten the rest


def _style(i: int) -> dict:
    own = i == 0
    return {
        "marker": _MARKERS[i % len(_MARKERS)],
        "color": svg.series(i),
        "markersize": 10 if own else 7.5,
        "zorder": 5 if own else 3,
        "linestyle": "none",
        "markeredgewidth": 0.6,
        "markeredgecolor": svg.CARD,
    }


def _ratio_axis(axis, low: float, high: float) -> None:
    ticks = _TICKS if high > 2 * low else _FINE_TICKS
    axis.set_major_locator(FixedLocator([tick for tick in ticks if low <= tick <= high]))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))


# ---- time against memory, over the whole board


def both(document: dict) -> str:
    """A point an allocator: nearer to the lower left corner is better in both."""
    figure = Figure(figsize=(9.0, 6.4), layout="constrained")
    axes = figure.add_subplot()
    rows = [(i, row) for i, row in enumerate(document["rows"]) if row["time"] and row["peak"]]
    for i, row in rows:
        time, peak = row["time"]["mean"], row["peak"]["mean"]
        x, y = time["median"], peak["median"]
        axes.plot([time["low"], time["high"]], [y, y], color=svg.series(i), linewidth=1.2)
        axes.plot([x, x], [peak["low"], peak["high"]], color=svg.series(i), linewidth=1.2)
        axes.plot([x], [y], **_style(i))
    axes.set(xscale="log", yscale="log", xlabel="time ÷ best peer's", ylabel="peak memory ÷ best peer's")
    for axis, figures in (
        (axes.xaxis, [r["time"]["mean"] for _, r in rows]),
        (axes.yaxis, [r["peak"]["mean"] for _, r in rows]),
    ):
        low = min([0.9, *(0.93 * one["low"] for one in figures)])
        high = max([1.2, *(1.12 * one["high"] for one in figures)])
        (axes.set_xlim if axis is axes.xaxis else axes.set_ylim)(low, high)
        _ratio_axis(axis, low, high)
    _name_points(axes, rows)
    axes.grid(True, axis="both")
    axes.axvline(1, color=svg.MUTE, linewidth=1)
    axes.axhline(1, color=svg.MUTE, linewidth=1)
    return svg.inline(figure, "both", "time against peak memory of each allocator")


def _name_points(axes: Axes, rows: list[tuple[int, dict]]) -> None:
    """A name to the right of each point, pushed up where it would lie on another."""
    taken: list[tuple[float, float]] = []
    places = {row["allocator"]: (row["time"]["mean"]["median"], row["peak"]["mean"]["median"]) for _, row in rows}
    for name in sorted(places, key=lambda name: places[name][1]):
        x, y = axes.transData.transform(places[name])
        label = y
        while any(abs(label - other) < _LINE and abs(x - beside) < _NAME for beside, other in taken):
            label += 1
        taken.append((x, label))
        weight = "bold" if name == rows[0][1]["allocator"] else "normal"
        line = {"arrowstyle": "-", "color": svg.RULE, "shrinkA": 0, "shrinkB": 4} if label - y > _LINE / 2 else None
        offset = (10, label - y - 4)
        axes.annotate(name, places[name], offset, textcoords="offset points", weight=weight, arrowprops=line)


# ---- every workload: time and memory side by side


def dots(document: dict) -> str:
    """A row a workload, a point an allocator, time on the left and memory on the right."""
    workloads = document["workloads"]
    figure = Figure(figsize=(_WIDE, 1.5 + 0.33 * len(workloads)), layout="constrained")
    left, right = figure.subplots(1, 2, sharey=True)
    for axes, figure_name, title in (
        (left, "time_to_best", "time ÷ best peer's"),
        (right, "peak_to_best", "peak memory ÷ best peer's"),
    ):
        _dots_panel(axes, document, figure_name)
        axes.set_title(title)
    left.set_yticks(range(len(workloads)), [one["workload"] + (" ~" if one["wide"] else "") for one in workloads])
    left.set_ylim(len(workloads) - 0.4, -0.6)
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=min(9, len(labels)), handletextpad=0.2)
    return svg.inline(figure, "dots", "time and peak memory of each allocator on each workload")


def _dots_panel(axes: Axes, document: dict, figure_name: str) -> None:
    for i, name in enumerate(names_of(document)):
        points = [
            (s[figure_name], y)
            for y, one in enumerate(document["workloads"])
            for s in one["standings"]
            if s["allocator"] == name
        ]
        shown = [min(ratio["median"], _FARTHEST) for ratio, _ in points]
        axes.plot(shown, [y for _, y in points], label=name, **_style(i))
        if i == 0:
            for ratio, y in points:
                ends = [min(ratio["low"], _FARTHEST), min(ratio["high"], _FARTHEST)]
                axes.plot(ends, [y, y], color=svg.series(0), linewidth=2.5, zorder=4)
        for ratio, y in points:
            if ratio["median"] > _FARTHEST:
                axes.annotate(
                    f"{ratio['median']:.0f}",
                    (_FARTHEST, y),
                    (6, -3),
                    textcoords="offset points",
                    fontsize=10,
                    color=svg.MUTE,
                )
    medians = [s[figure_name]["median"] for one in document["workloads"] for s in one["standings"]]
    own = [one["standings"][0][figure_name]["low"] for one in document["workloads"]]
    low = max(min([0.7, *(0.93 * ratio for ratio in medians + own)]), 1 / _FARTHEST)
    high = min(max([2.0, *medians]), _FARTHEST) * 1.15
    axes.set(xscale="log", xlim=(low, high))
    _ratio_axis(axes.xaxis, low, high)
    axes.axvline(1, color=svg.MUTE, linewidth=1)
    axes.grid(True, axis="y")


# ---- one workload: every sample


def strips(workload: dict, number: int) -> str:
    """Each run of each allocator as a point, its median as a bar: time on the left, peak memory on the right."""
    standings = workload["standings"]
    height = 0.75 + 0.3 * len(standings)
    figure = Figure(figsize=(_NARROW, height))  # margins by hand: there are many of these, and layout takes time
    figure.subplots_adjust(1.35 / _NARROW, 0.35 / height, 1 - 0.1 / _NARROW, 1 - 0.4 / height, wspace=0.1)
    left, right = figure.subplots(1, 2, sharey=True)
    slowest = max(one["seconds"] for one in standings)
    unit, factor = ("s", 1) if slowest >= 1 else ("ms", 1e3) if slowest >= 1e-3 else ("µs", 1e6)
    _strip(left, [[factor * sample["seconds"] for sample in one["samples"]] for one in standings], f"time, {unit}")
    _strip(right, [[sample["peak_kib"] / 1024 for sample in one["samples"]] for one in standings], "peak memory, MiB")
    left.set_yticks(range(len(standings)), [one["allocator"] for one in standings])
    left.set_ylim(len(standings) - 0.5, -0.5)
    left.get_yticklabels()[0].set_fontweight("bold")
    return svg.inline(figure, f"strips{number}", f"samples of {escape(workload['workload'])}")


def _strip(axes: Axes, groups: list[list[float]], title: str) -> None:
    for y, values in enumerate(groups):
        colour = svg.series(0) if y == 0 else svg.MUTE
        middle = float(np.median(values))
        axes.plot([middle, middle], [y - 0.33, y + 0.33], color=colour, linewidth=2)
        spread = y + np.linspace(-0.16, 0.16, len(values))
        axes.plot(values, spread, "o", color=colour, markersize=4.6, alpha=0.55, markeredgewidth=0)
    everything = [value for values in groups for value in values]
    if max(everything) > 12 * min(everything) > 0:
        axes.set_xscale("log")
        low, high = 0.8 * min(everything), 1.25 * max(everything)
        whole = [
            m * 10.0**e for e in range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1) for m in (1, 3)
        ]
        axes.set_xlim(low, high)
        axes.xaxis.set_major_locator(FixedLocator([tick for tick in whole if low <= tick <= high]))
        axes.xaxis.set_minor_locator(NullLocator())
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    else:
        axes.set_xlim(0, 1.06 * max(everything))
        axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.set_title(title, fontsize=11.5, color=svg.MUTE)


# ---- across commits


def history(entries: list[dict]) -> str:
    """The subject's geometric means, board after board."""
    figure = Figure(figsize=(_WIDE, 3.6), layout="constrained")
    for axes, key, title in zip(
        figure.subplots(1, 2), ("time", "peak"), ("time ÷ best peer's", "peak memory ÷ best peer's"), strict=True
    ):
        _line(axes, [one[key] and one[key]["mean"] for one in entries], [one["complete"] for one in entries])
        axes.set_title(title)
        every = max(1, math.ceil(len(entries) / 8))
        labels = [f"{one['commit']}\n{one['when'][:10]}" for one in entries]
        axes.set_xticks(range(0, len(entries), every), labels[::every], fontsize=10)
    return svg.inline(figure, "history", "geometric means across commits")


def history_by_workload(entries: list[dict]) -> str:
    """A small panel a workload: time and memory, board after board."""
    names = list(entries[-1]["workloads"])
    columns = min(6, len(names))
    rows = math.ceil(len(names) / columns)
    height = 1.45 * rows + 0.6
    figure = Figure(figsize=(_WIDE, height))
    figure.subplots_adjust(0.04, 0.1 / height, 0.99, 1 - 0.75 / height, wspace=0.3, hspace=0.45)
    panels = figure.subplots(rows, columns, squeeze=False).flat
    for axes, name in zip(panels, names, strict=False):
        for key, colour, label in (("time", svg.series(0), "time"), ("peak", svg.series(2), "peak memory")):
            ratios = [one["workloads"][name][key]["median"] for one in entries]
            axes.plot(ratios, color=colour, linewidth=1.4, marker="o", markersize=3.5, label=label)
        axes.axhline(1, color=svg.MUTE, linewidth=0.8)
        axes.set_title(name, fontsize=11)
        axes.set_xticks([])
        axes.tick_params(axis="y", labelsize=9.5)
        axes.yaxis.set_major_locator(MaxNLocator(3))
        axes.grid(True, axis="y")
    for axes in figure.axes[len(names) :]:
        axes.set_visible(False)
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="upper left", ncols=2)
    return svg.inline(figure, "history-by-workload", "ratios to the best peer across commits, by workload")


def _line(axes: Axes, means: list[dict | None], complete: list[bool]) -> None:
    """One mean an entry, with its interval; hollow where a run failed, a gap where nothing could be compared."""
    if not any(means):
        axes.text(0.5, 0.5, "no times", transform=axes.transAxes, ha="center", color=svg.MUTE)
        axes.set_yticks([])
        return
    places = range(len(means))
    middle, low, high = ([one[key] if one else np.nan for one in means] for key in ("median", "low", "high"))
    axes.fill_between(places, low, high, color=svg.series(0), alpha=0.18, linewidth=0)
    axes.vlines(places, low, high, color=svg.series(0), linewidth=1.4)
    axes.plot(places, middle, color=svg.series(0), marker="D", markersize=7, linewidth=1.8)
    hollow = [np.nan if good else value for value, good in zip(middle, complete, strict=True)]
    axes.plot(places, hollow, "D", color=svg.CARD, markeredgecolor=svg.series(0), markersize=7)
    axes.axhline(1, color=svg.MUTE, linewidth=1)
    axes.grid(False, axis="x")
    axes.grid(True, axis="y")
    axes.set_xlim(-0.5, len(means) - 0.5)
    axes.yaxis.set_major_locator(MaxNLocator(5))
