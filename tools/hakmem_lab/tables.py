"""The figures as tables, for the terminal or as Markdown: both from the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import fill

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from hakmem_lab.acceptance import Check
from hakmem_lab.comparison import Checked, Comparison, Standing, seconds_of
from hakmem_lab.stats import Ratio
from hakmem_lab.workloads import Timing, Workload


@dataclass(frozen=True)
class Table:
    title: str
    header: tuple[str, ...]
    rows: list[tuple[str, ...]]
    text_columns: int = 1  # the first ones; the others are figures and stand to the right


def show(table: Table, console: Console) -> None:
    shown = RichTable(box=box.SIMPLE_HEAD)
    for i, name in enumerate(table.header):
        shown.add_column(name, justify="left" if i < table.text_columns else "right", no_wrap=True)
    for row in table.rows:
        shown.add_row(*row)
    console.print(table.title, style="bold", highlight=False, markup=False)
    console.print(shown)


def markdown(table: Table) -> str:
    return f"**{table.title}**\n\n{table_lines(table)}\n"


def table_lines(table: Table) -> str:
    """The table alone, as Markdown."""

    def line(cells: tuple[str, ...]) -> str:
        return "| " + " | ".join(cells) + " |"

    figures = len(table.header) - table.text_columns
    rule = "|" + "|".join(["---"] * table.text_columns + ["---:"] * figures) + "|"
    return "\n".join([line(table.header), rule, *map(line, table.rows)])


def ratio_text(ratio: Ratio) -> str:
    return f"{ratio.median:.2f} [{ratio.low:.2f}, {ratio.high:.2f}]"


def memory_text(kib: float) -> str:
    return f"{kib / 1024:.1f} MiB"


def time_text(seconds: float) -> str:
    return f"{seconds * 1000:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def rate_text(per_second: float) -> str:
    for unit, factor in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if per_second >= factor:
            return f"{per_second / factor:.2f} {unit}/s"
    return f"{per_second:.0f} /s"


def _speed_text(workload: Workload, standing: Standing) -> str:
    if workload.timing in (Timing.START_UP, Timing.WHOLE):
        return ""
    return rate_text(standing.operations_per_second())


def comparison_table(comparison: Comparison) -> Table:
    subject = comparison.subject.allocator.name

    def row(standing: Standing) -> tuple[str, ...]:
        own = standing is comparison.subject
        return (
            standing.allocator.label(),
            ", ".join(standing.served()),
            time_text(standing.seconds()),
            _speed_text(comparison.workload, standing),
            "" if own else ratio_text(standing.time_ratio),
            memory_text(standing.peak_kib()),
            "" if own else ratio_text(standing.peak_ratio),
        )

    ratios = (f"time: {subject} ÷ it", f"memory: {subject} ÷ it")
    return Table(
        f"{comparison.workload.name}: {comparison.workload.summary}",
        ("allocator", "served by", "time", "operations", ratios[0], "peak memory", ratios[1]),
        [row(standing) for standing in comparison.standings()],
        text_columns=2,
    )


def interval_text(comparison: Comparison, target: float) -> str:
    """One sentence about the interval of the subject's time on a board."""
    name = comparison.subject.allocator.name
    ratio = ratio_text(comparison.to_best(comparison.subject, seconds_of))
    width = f"± {100 * comparison.time_width():.1f} % after {comparison.rounds()} rounds"
    wide = f": WIDE, the target is {width_text(target)}" if comparison.time_width() > target else ""
    return f"time of {name} ÷ the best peer's: {ratio}, {width}{wide}"


def width_text(half_width: float) -> str:
    return f"± {100 * half_width:g} %"


def noise_text(comparison: Checked) -> str:
    """One sentence about the noise, A against A."""
    noise = ratio_text(comparison.noise)
    name = comparison.subject.allocator.name
    if comparison.sound():
        return f"noise, {name} against itself: {noise}"
    bound = f"beyond {comparison.noise_limit:.0%} of 1, or its interval beyond {comparison.noise_room():.0%}"
    return f"UNSOUND: {name} against itself came out at {noise}, {bound}; the machine was too busy"


def _score_cells(score: dict | None) -> tuple[str, str, str]:
    """The mean with its interval, the worst with its workload, and how many were won of how many."""
    if score is None:
        return ("–", "–", "–")
    worst = f"{score['worst']:.2f} {score['worst_on']}"
    return (ratio_text(Ratio(**score["mean"])), worst, f"{score['won']} of {score['workloads']}")


def rows_table(document: dict) -> Table:
    """The board's summary, from what was written of it."""
    failed = any(row["failed"] for row in document["rows"])
    header = ("allocator", "time", "worst", "fastest on", "peak memory", "worst", "smallest on")
    cells = [
        (
            f"{row['allocator']} {row['version']}".strip(),
            *_score_cells(row["time"]),
            *_score_cells(row["peak"]),
            *([str(row["failed"])] if failed else []),
        )
        for row in document["rows"]
    ]
    title = f"The board: {document['definition']}, geometric mean over the workloads (below 1: less than any peer)"
    return Table(title, header + (("failed on",) if failed else ()), cells)


def matrix_table(document: dict) -> Table:
    """Each allocator on each workload, from what was written of the board."""
    names = [document["subject"]["name"], *(peer["name"] for peer in document["peers"])]

    def cells(one: dict) -> tuple[str, ...]:
        ran = {standing["allocator"]: standing for standing in one["standings"]}
        return tuple(_matrix_cell(ran.get(name)) for name in names)

    rows = [(one["workload"] + (" ~" if one["wide"] else ""), *cells(one)) for one in document["workloads"]]
    rows += [(name, *["failed" if name_ == names[0] else "" for name_ in names]) for name in without_figures(document)]
    title = f"Time / peak memory: {document['definition']}"
    if any(one["wide"] for one in document["workloads"]):
        title += f" (~ wide: the interval of time stayed wider than {width_text(document['target'])})"
    return Table(title, ("workload", *names), rows)


def _matrix_cell(standing: dict | None) -> str:
    if standing is None:
        return "failed"
    return f"{standing['time_to_best']['median']:.2f} / {standing['peak_to_best']['median']:.2f}"


def without_figures(document: dict) -> list[str]:
    """The workloads on which nothing could be compared: the subject failed, or every peer."""
    compared = {one["workload"] for one in document["workloads"]}
    return list(dict.fromkeys(f["workload"] for f in document["failures"] if f["workload"] not in compared))


# ---- what the board says in words


def wide_text(document: dict) -> str:
    """How many intervals stayed wide; the workloads count all the same."""
    names = [one["workload"] for one in document["workloads"] if one["wide"]]
    every = len(document["workloads"])
    bound = width_text(document["target"])
    own = document["subject"]["name"]
    if not names:
        return f"On each of the {every} workloads the interval of {own}'s time is within {bound}."
    return (
        f"On {len(names)} of the {every} workloads the interval of {own}'s time stayed wider than {bound} (marked ~); "
        f"they count like the others: {', '.join(names)}."
    )


@dataclass(frozen=True)
class Loss:
    """A workload on which the subject needed more than the best peer, by more than the limit."""

    workload: str
    ratio: float
    peer: str
    wide: bool


TIME_LOSS, PEAK_LOSS = 1.05, 1.10


def losses(document: dict, key: str, best: str, limit: float) -> list[Loss]:
    """The worst first."""
    found = [
        Loss(one["workload"], one["standings"][0][key]["median"], one[best], one["wide"] and key == "time_to_best")
        for one in document["workloads"]
    ]
    return sorted((loss for loss in found if loss.ratio > limit), key=lambda loss: -loss.ratio)


def time_losses(document: dict) -> list[Loss]:
    return losses(document, "time_to_best", "best_time", TIME_LOSS)


def peak_losses(document: dict) -> list[Loss]:
    return losses(document, "peak_to_best", "best_peak", PEAK_LOSS)


def _loss_text(document: dict, what: str, limit: float, found: list[Loss]) -> str:
    own, every = document["subject"]["name"], len(document["workloads"])
    listed = ", ".join(f"{one.workload} {one.ratio:.2f} ({one.peer}){' ~' if one.wide else ''}" for one in found)
    where = f"above {limit:.2f} of the best peer's on {len(found)} of {every} workloads"
    return f"Where {own} loses in {what}, {where}{': ' + listed if found else ''}."


def loss_texts(document: dict) -> list[str]:
    """Each workload on which the subject loses, with the figure and the peer that needed least: time, then memory."""
    return [
        _loss_text(document, "time", TIME_LOSS, time_losses(document)),
        _loss_text(document, "peak memory", PEAK_LOSS, peak_losses(document)),
    ]


def conditions_text(document: dict) -> str:
    """When, of what, how, where and on how many workloads."""
    machine = f"{document['machine']['cores']} cores ({document['machine']['processor']})"
    return (
        f"Measured on {document['when'][:10]} at {document['commit']} with `{document['command']}` on {machine}, "
        f"{len(document['workloads'])} workloads"
    )


def lead_text(document: dict) -> str:
    """One sentence that holds for all workloads: the subject's means, the fastest peer's and the smallest peer's."""
    own, *peers = [row for row in document["rows"] if row["time"] is not None]
    fastest = min(peers, key=lambda row: row["time"]["mean"]["median"])
    smallest = min(peers, key=lambda row: row["peak"]["mean"]["median"])

    def means(row: dict) -> str:
        return f"{row['time']['mean']['median']:.2f} and {row['peak']['mean']['median']:.2f}"

    return (
        f"Over all {len(document['workloads'])} workloads, time and peak memory of {own['allocator']} are {means(own)} "
        f"times those of the best peer on each workload; those of {fastest['allocator']}, the peer with the least time, "
        f"{means(fastest)}; those of {smallest['allocator']}, the peer with the least memory, {means(smallest)}."
    )


def readme_block(document: dict) -> str:
    """The board as the README shows it: one sentence, how it was measured, the summary, where the subject loses."""
    text = (
        f"{conditions_text(document)}. Time and peak memory of each allocator ÷ those of the best peer on each "
        "workload: geometric mean over all of them, and the interval that the noise leaves it (95 %). Below 1 is less "
        "than any peer needs. Worst is the highest single ratio, with its workload. Each run said which library served "
        "it, and it was that of its row."
    )
    table = table_lines(rows_table(document))
    under = [*loss_texts(document), wide_text(document), *_failed_texts(document)]
    return "\n\n".join([_filled(lead_text(document)), _filled(text), table, *map(_filled, under)])


def _filled(text: str) -> str:
    return fill(text, 100, break_on_hyphens=False, break_long_words=False)


def _failed_texts(document: dict) -> list[str]:
    return [f"Not measured: {failure['sentence']}." for failure in document["failures"]]


def verdict_text(check: Check) -> str:
    verdict = "met" if check.met() else "MISSED"
    return verdict if check.certain() else f"{verdict}, within the noise"


def figure_text(value: float, unit: str) -> str:
    if unit == "×":
        return f"{value:.2f}"
    number = f"{value:.0f}" if float(value).is_integer() else f"{value:.1f}"
    return f"{number} {unit}".strip()


def acceptance_table(checks: list[Check]) -> Table:
    rows = [
        (
            check.what,
            f"{check.rule} {figure_text(check.limit, check.unit)}",
            ratio_text(check.interval) if check.interval else figure_text(check.figure, check.unit),
            verdict_text(check),
        )
        for check in checks
    ]
    return Table("The figures that hakmem promises", ("figure", "target", "measured", "verdict"), rows)


def workloads_table(workloads: list[Workload]) -> Table:
    rows = [(workload.name, workload.group, workload.summary, workload.program) for workload in workloads]
    return Table("Workloads", ("name", "group", "what", "program"), rows, text_columns=4)
