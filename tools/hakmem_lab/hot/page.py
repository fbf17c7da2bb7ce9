"""The report as one HTML file that needs nothing but itself."""

from __future__ import annotations

from html import escape
from pathlib import Path

from hakmem_lab.errors import LabError
from hakmem_lab.tables import Table

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 1200px; margin: 2rem auto; padding: 0 1rem; color: #222; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.05rem; margin-top: 2rem; }
code { font-family: ui-monospace, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
table { border-collapse: collapse; } td, th { padding: .15rem .9rem .15rem 0; text-align: right; }
th { border-bottom: 1px solid #999; } .text { text-align: left; } .warning { color: #b3261e; font-weight: 600; }
"""


def _table(table: Table) -> str:
    def row(cells: tuple[str, ...], tag: str) -> str:
        kinds = [' class="text"' if i < table.text_columns else "" for i in range(len(cells))]
        return "".join(f"<{tag}{kind}>{escape(cell)}</{tag}>" for kind, cell in zip(kinds, cells, strict=True))

    head = f"<tr>{row(table.header, 'th')}</tr>"
    body = "\n".join(f"<tr>{row(cells, 'td')}</tr>" for cells in table.rows)
    return f"<h2>{escape(table.title)}</h2>\n<table>\n{head}\n{body}\n</table>"


def html(command: str, summary: str, warning: str, flame_graph: str, tables: list[Table]) -> str:
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8"><title>hakmem: the hot path</title>',
        f"<style>{_STYLE}</style></head><body>",
        f"<h1>The hot path of <code>{escape(command)}</code></h1>",
        f"<p>{escape(summary)}</p>",
        f'<p class="warning">{escape(warning)}</p>' if warning else "",
        "<h2>Flame graph: width is share, callers stand below, dashed is inlined</h2>",
        flame_graph,
        *map(_table, tables),
        "</body></html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def write(text: str, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LabError(f"the report could not be written to {path}: {error.strerror}") from None
