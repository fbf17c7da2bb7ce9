"""The report as one HTML file that needs nothing but itself, and the same stacks beside it for speedscope."""

from __future__ import annotations

import json
from pathlib import Path

from hakmem_lab.errors import LabError
from hakmem_lab.hot import groups
from hakmem_lab.hot.profile import Frame, Profile
from hakmem_lab.tables import Table
from hakmem_pages import flame, page

_COLOURS = {
    **dict(zip(groups.HAKMEM, flame.PALETTE, strict=True)),
    groups.PROGRAM: "#d6d3cd",
    groups.LIBC: "#b9b5ac",
    groups.KERNEL: "#98948a",
}


def html(command: str, summary: str, warning: str, profile: Profile, tables: list[Table]) -> str:
    return page(
        Path(__file__).parent,
        "page.html.j2",
        command=command,
        summary=summary,
        warning=warning,
        flame=flame.graph([_value(profile)], _COLOURS),
        tables=tables,
    )


def speedscope(command: str, profile: Profile) -> str:
    return json.dumps(flame.speedscope([_value(profile)], command), ensure_ascii=False)


def _value(profile: Profile) -> flame.Value:
    return flame.Value(profile.unit, {tuple(map(_frame, stack)): weight for stack, weight in profile.stacks.items()})


def _frame(frame: Frame) -> flame.Frame:
    return flame.Frame(frame.name, frame.group, frame.where, frame.inlined)


def beside(path: Path) -> Path:
    """The file for speedscope."""
    return path.with_suffix(".speedscope.json")


def write(text: str, path: Path) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise LabError(f"the report could not be written to {path}: {error.strerror}") from None
