"""Documents as tables on a terminal."""

from rich.console import Console
from rich.table import Table

from .document import COLUMNS, fitting, headline, shown
from .words import percent, size

_SHOWN = 20


def console():
    out = Console()
    return out if out.is_terminal else Console(width=120)


def whole(document, out):
    """All of a document; the classes and threads that hold the most first."""
    out.print(headline(document), highlight=False, markup=False, soft_wrap=True)
    for first, rows, name in (
        ("size class", document["classes"], lambda one: f"{one['size']:,} B"),
        ("thread", document["threads"], lambda one: one["who"]),
    ):
        out.print(_table(first, rows, name, out.width))
        if len(rows) > _SHOWN:
            out.print(f"and {len(rows) - _SHOWN} that hold less", highlight=False)


def _table(first, rows, name, room):
    rows = sorted(rows, key=lambda one: one["held"], reverse=True)
    headings = [first, *(heading for _, heading, _ in COLUMNS)]
    lines = [[name(one), *(shown(one, key, form) for key, _, form in COLUMNS)] for one in rows[:_SHOWN]]
    widths = [max(map(len, column)) for column in zip(headings, *lines, strict=True)]
    columns = fitting(["name", *(key for key, _, _ in COLUMNS)], widths, room)
    table = Table(box=None, header_style="bold", pad_edge=False)
    for i in columns:
        table.add_column(headings[i], justify="right" if i else "left", no_wrap=True)
    for line in lines:
        table.add_row(*(line[i] for i in columns))
    return table


def listing(found, out):
    """The processes that run on hakmem."""
    if not found:
        out.print(
            "No process that this user may look at runs on hakmem: ./hakmem run -- COMMAND starts one.", highlight=False
        )
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("pid", justify="right")
    table.add_column("command")
    for heading in ("live", "held", "waste", "resident"):
        table.add_column(heading, justify="right")
    for pid, document, _ in found:
        if document is not None:
            total = document["total"]
            figures = size(total["live"]), size(total["held"]), percent(total["fragmentation"])
            table.add_row(str(pid), document["process"]["command"], *figures, size(total["process_resident"] or 0))
    if table.rows:
        out.print(table)
    for why in (why for _, document, why in found if document is None):
        out.print(f"{why}.", highlight=False, markup=False, soft_wrap=True)
    out.print("./hakmem top PID looks into one of them.", highlight=False)
