"""The page's section on memory at rest: each allocator's figure, and how it came to it."""

from __future__ import annotations

from collections.abc import Callable

from hakmem_lab import rest
from hakmem_lab.page import curves
from hakmem_lab.page.html import card, escape, figure, section

_TEXT = (
    "What a process holds once the work is done: threads asleep, most blocks freed and no call since, everything "
    f"dropped. The second column is what it holds on {rest.REFERENCE}; the others are divided by it. For tide, whose "
    "heap never rests, it is resident memory ÷ live bytes over the whole run."
)
_CAPTION = (
    "Resident memory over time, of the run of each allocator that is the median at rest. The samples come from the "
    "process itself, or from beside it, at least 10 ms apart."
)


def content(document: dict, shade: Callable[[float, bool], str]) -> str:
    """The whole section, or nothing where no workload tells of it; `shade` makes a cell of a ratio."""
    told = rest.workloads(document)
    parts = [card(_table(document, told, shade))] if told else []
    if curves.with_curves(document):
        parts.append(card(figure(curves.drawing(document, rest.names_of(document)), _CAPTION)))
    return section("Memory at rest", _TEXT, *parts) if parts else ""


def _table(document: dict, told: list[dict], shade: Callable[[float, bool], str]) -> str:
    names = rest.names_of(document)
    head = "".join(f"<th>{escape(name)}</th>" for name in ("workload", f"{rest.REFERENCE} holds", *names))
    rows = "".join(_row(one, names, shade) for one in told)
    mean = rest.means(document)
    if mean:
        cells = "".join(_cell(mean.get(name), i == 0, shade) for i, name in enumerate(names))
        rows += f"<tr><th>geometric mean</th><td></td>{cells}</tr>"
    return f'<table class="matrix"><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'


def _row(one: dict, names: list[str], shade: Callable[[float, bool], str]) -> str:
    held, ratios = rest.figures(one), rest.ratios(one)
    base = rest.text(one, held[rest.REFERENCE]) if rest.REFERENCE in held else "–"
    if ratios:
        cells = "".join(_cell(ratios.get(name), i == 0, shade) for i, name in enumerate(names))
    else:
        cells = "".join(f"<td>{rest.text(one, held[name]) if name in held else '–'}</td>" for name in names)
    return f"<tr><th>{escape(one['workload'])}</th><td>{base}</td>{cells}</tr>"


def _cell(ratio: float | None, own: bool, shade: Callable[[float, bool], str]) -> str:
    return "<td>–</td>" if ratio is None else shade(ratio, own)
