"""The floors of src/, as CONTRIBUTING.md lists them: bottom up, each with the one header that those above include."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_SECTION = re.compile(r"^## The floors$(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
_ROW = re.compile(r"^\|([^|]+)\|([^|]+)\|([^|]+)\|$", re.MULTILINE)
_TITLES = ["floor", "header", "role"]
NO_HEADER = "–"  # nothing above includes the floor


@dataclass(frozen=True)
class Floor:
    name: str  # also its folder in src/
    header: str  # as an include names it
    role: str
    height: int  # 0 is the lowest


def read(contributing: Path) -> list[Floor]:
    """The rows of the table, the lowest floor first."""
    section = _SECTION.search(contributing.read_text())
    if section is None:
        raise ValueError(f'{contributing.name} has no section "## The floors"')
    rows = [[cell.strip().strip("`") for cell in row] for row in _ROW.findall(section[1])]
    if not rows or rows[0] != _TITLES:
        raise ValueError(f"{contributing.name}: the table of floors begins with | {' | '.join(_TITLES)} |")
    named = [row for row in rows[1:] if not set(row[0]) <= set("-: ")]
    return [Floor(name, header, role, height) for height, (name, header, role) in enumerate(named)]
