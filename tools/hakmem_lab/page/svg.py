"""A matplotlib figure as SVG inside the page: its colours are the page's, light or dark, and its text stays text."""

from __future__ import annotations

import io
import re

import matplotlib

matplotlib.use("svg")

from matplotlib.figure import Figure  # noqa: E402  (after the backend is chosen)

# Drawn in these, which nobody would choose; in the page they are variables of its style sheet.
INK, MUTE, RULE, CARD = "#010101", "#020202", "#030303", "#040404"
_NAMES = {INK: "ink", MUTE: "mute", RULE: "rule", CARD: "card"}
_SERIES = [f"#0505{i:02x}" for i in range(1, 13)]

matplotlib.rcParams.update(
    {
        "svg.fonttype": "none",
        "font.size": 12,
        "axes.edgecolor": RULE,
        "axes.labelcolor": MUTE,
        "axes.titlesize": 12.5,
        "axes.titlelocation": "left",
        "axes.titlecolor": INK,
        "axes.facecolor": "none",
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.spines.left": False,
        "axes.axisbelow": True,
        "axes.grid": True,
        "axes.grid.axis": "x",
        "grid.color": RULE,
        "grid.linewidth": 0.6,
        "text.color": INK,
        "xtick.color": RULE,
        "xtick.labelcolor": MUTE,
        "ytick.color": RULE,
        "ytick.labelcolor": INK,
        "ytick.major.size": 0,
        "figure.facecolor": "none",
        "legend.frameon": False,
    }
)


def series(i: int) -> str:
    """The colour of the i-th allocator; the subject is number 0."""
    return _SERIES[i % len(_SERIES)]


def inline(figure: Figure, name: str, label: str) -> str:
    """The figure as an element of the page; `name` keeps its ids apart from those of the other figures."""
    out = io.StringIO()
    matplotlib.rcParams["svg.hashsalt"] = name
    figure.savefig(out, format="svg", metadata={"Date": None})
    text = out.getvalue()
    text = re.sub(r"<metadata>.*?</metadata>", "", text[text.index("<svg") :], flags=re.S)
    text = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', text)
    text = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", text)
    text = re.sub(r'xlink:href="#', rf'xlink:href="#{name}-', text)
    for colour, variable in _NAMES.items():
        text = text.replace(colour, f"var(--{variable})")
    for i, colour in enumerate(_SERIES):
        text = text.replace(colour, f"var(--series-{i})")
    width = figure.get_figwidth() * 72
    opening = f'<svg role="img" aria-label="{label}" style="width:{width:.0f}px"'
    text = re.sub(r'<svg (height|width)="[^"]*"', "<svg", text)
    head, rest = text.split(">", 1)
    head = re.sub(r'\s(height|width)="[^"]*"', "", head).replace("<svg", opening, 1)
    return f"{head}>{rest}".strip()
