"""How wide words are, and how they are broken into lines.

Measured in DejaVu Sans, which is wider than what most readers see: what fits here fits there.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import matplotlib
from fontTools.ttLib import TTFont

_FONTS = {False: "DejaVuSans.ttf", True: "DejaVuSans-Bold.ttf"}


def width(text: str, size: float, bold: bool = False) -> float:
    """Of a line of text in this size."""
    widths, em = _advances(bold)
    return sum(widths.get(letter, em) for letter in text) * size / em


def wrap(text: str, size: float, room: float) -> list[str]:
    """Lines that are no wider than the room; a word that is wider by itself has a line of its own."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


@cache
def _advances(bold: bool) -> tuple[dict[str, int], int]:
    """The width of each letter, and the units of an em."""
    font = TTFont(Path(matplotlib.get_data_path()) / "fonts/ttf" / _FONTS[bold])
    widths = font["hmtx"].metrics
    return {chr(code): widths[name][0] for code, name in font.getBestCmap().items()}, font["head"].unitsPerEm
