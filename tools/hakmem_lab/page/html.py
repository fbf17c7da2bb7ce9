"""The pieces that the page is made of."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

__all__ = ["card", "escape", "figure", "ratio", "row", "section", "table"]


def section(title: str, text: str, *cards: str) -> str:
    told = f"<p>{text}</p>\n" if text else ""
    return f"<h2>{title}</h2>\n{told}{''.join(cards)}"


def card(content: str, classes: str = "card wide") -> str:
    return f'<div class="{classes}">{content}</div>\n'


def figure(drawing: str, caption: str) -> str:
    return f"<figure>{drawing}<figcaption>{caption}</figcaption></figure>"


def table(header: Iterable[str], rows: Iterable[str], classes: str = "") -> str:
    head = "".join(f"<th>{cell}</th>" for cell in header)
    return f'<table class="{classes}"><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table>'


def row(cells: Iterable[str], own: bool = False) -> str:
    """A row of a table, its first cell the name; `own` is the subject's."""
    first, *others = cells
    opening = '<tr class="own">' if own else "<tr>"
    return f"{opening}<th>{first}</th>{''.join(f'<td>{cell}</td>' for cell in others)}</tr>"


def ratio(one: dict) -> str:
    return f"{one['median']:.2f} <small>[{one['low']:.2f}, {one['high']:.2f}]</small>"
