"""Memory at rest: what an allocator holds once the work is done, where the program reports it.

A program says it of its own moment: all threads asleep, most blocks freed and no call since, everything dropped. Of
the run that is the median in that figure, the curve of resident memory over time is kept as well.
"""

from __future__ import annotations

from math import exp, log
from statistics import fmean, median_low

from hakmem_lab.comparison import Comparison, Standing
from hakmem_lab.tables import Table, memory_text, table_lines
from hakmem_lab.workloads import Workload

KIB, TO_LIVE = "KiB", "× live"  # resident KiB, or resident ÷ live bytes over the whole run
REFERENCE = "glibc"


def of_report(workload: Workload, report: dict) -> float | None:
    """The figure of one run; None where the program reports none."""
    value = report
    for key in workload.rest.split("."):
        value = value.get(key) if isinstance(value, dict) else None
    return value


def unit(workload: Workload) -> str:
    return TO_LIVE if workload.rest.endswith("_to_live") else KIB


# ---- what is written of it


def standing(comparison: Comparison, one: Standing) -> dict:
    """The median figure, and the curve of the run that it comes from."""
    runs = [(of_report(comparison.workload, sample.report), sample.report.get("curve", [])) for sample in one.samples]
    told = [figure for figure, _ in runs if figure is not None]
    if len(told) < len(runs):
        return {"rest": None, "curve": runs[0][1]}
    middle = median_low(told)
    return {"rest": middle, "curve": next(curve for figure, curve in runs if figure == middle)}


def without_curve(report: dict) -> dict:
    """A run as it is kept: one curve an allocator is enough."""
    return {key: value for key, value in report.items() if key != "curve"}


# ---- what is read of it


def names_of(document: dict) -> list[str]:
    return [document["subject"]["name"], *(peer["name"] for peer in document["peers"])]


def figures(one: dict) -> dict[str, float]:
    """The figure of each allocator that has one, of one workload of a board."""
    return {s["allocator"]: s["rest"] for s in one["standings"] if s.get("rest") is not None}


def workloads(document: dict) -> list[dict]:
    return [one for one in document["workloads"] if figures(one)]


def ratios(one: dict) -> dict[str, float]:
    """Each ÷ the reference's; none where that one is missing or held nothing."""
    held = figures(one)
    base = held.get(REFERENCE)
    return {name: figure / base for name, figure in held.items()} if base else {}


def means(document: dict) -> dict[str, float]:
    """The geometric mean of each allocator that has a ratio on every workload on which there are any."""
    rows = [row for row in map(ratios, workloads(document)) if row]
    everywhere = [name for name in names_of(document) if rows and all(row.get(name) for row in rows)]
    return {name: exp(fmean(log(row[name]) for row in rows)) for name in everywhere}


def text(one: dict, figure: float) -> str:
    return f"{figure:.2f} {TO_LIVE}" if one.get("rest_unit") == TO_LIVE else memory_text(figure)


def table(document: dict) -> Table:
    """A row a workload; where the reference did not run, the figures themselves."""
    names = names_of(document)

    def cell(one: dict, name: str) -> str:
        held, divided = figures(one), ratios(one)
        if name not in held:
            return "–"
        return f"{divided[name]:.2f}" if divided else text(one, held[name])

    def base(one: dict) -> str:
        held = figures(one).get(REFERENCE)
        return "–" if held is None else text(one, held)

    rows = [(one["workload"], base(one), *(cell(one, name) for name in names)) for one in workloads(document)]
    mean = means(document)
    if mean:
        rows.append(("geometric mean", "", *(f"{mean[name]:.2f}" if name in mean else "–" for name in names)))
    return Table(f"Memory at rest ÷ {REFERENCE}'s", ("workload", f"{REFERENCE} holds", *names), rows)


def readme_block(document: dict) -> str:
    """The table as the README shows it, under a title; empty where no workload tells of it."""
    return f"\n**{table(document).title}**\n\n{table_lines(table(document))}" if workloads(document) else ""
