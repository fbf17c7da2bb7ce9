"""The figures as tables, for the terminal or as Markdown: both from the same rows."""

from __future__ import annotations

from dataclasses import dataclass

from rich import box
from rich.console import Console
from rich.table import Table as RichTable

from hakmem_lab.acceptance import Check
from hakmem_lab.comparison import Comparison, Standing
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
    def line(cells: tuple[str, ...]) -> str:
        return "| " + " | ".join(cells) + " |"

    figures = len(table.header) - table.text_columns
    rule = "|" + "|".join(["---"] * table.text_columns + ["---:"] * figures) + "|"
    return "\n".join([f"**{table.title}**", "", line(table.header), rule, *map(line, table.rows), ""])


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
            time_text(standing.seconds()),
            _speed_text(comparison.workload, standing),
            "" if own else ratio_text(standing.time_ratio),
            memory_text(standing.peak_kib()),
            "" if own else ratio_text(standing.peak_ratio),
        )

    return Table(
        f"{comparison.workload.name}: {comparison.workload.summary}",
        ("allocator", "time", "operations", f"time: {subject} ÷ it", "peak memory", f"memory: {subject} ÷ it"),
        [row(standing) for standing in comparison.standings()],
    )


def noise_text(comparison: Comparison) -> str:
    """One sentence about the noise, A against A."""
    noise = ratio_text(comparison.noise)
    name = comparison.subject.allocator.name
    if comparison.sound():
        return f"noise, {name} against itself: {noise}"
    limit = f"{comparison.noise_limit:.0%}"
    return f"UNSOUND: {name} against itself came out at {noise}, more than {limit} from 1; the machine was too busy"


def summary_table(comparisons: list[Comparison]) -> Table:
    """The subject on every workload against every peer, one cell a pair."""
    peers = list(dict.fromkeys(name for comparison in comparisons for name in comparison.peers))

    def cell(comparison: Comparison, peer: str) -> str:
        standing = comparison.peers.get(peer)
        return f"{standing.time_ratio.median:.2f} / {standing.peak_ratio.median:.2f}" if standing else ""

    rows = [(c.workload.name, *(cell(c, peer) for peer in peers)) for c in comparisons]
    subject = comparisons[0].subject.allocator.name
    title = f"{subject} ÷ each peer: time / peak memory (below 1: {subject} needs less)"
    return Table(title, ("workload", *peers), rows)


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
