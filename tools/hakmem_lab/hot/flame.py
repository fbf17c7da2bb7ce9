"""The flame graph: a picture in SVG that needs nothing but itself.

Width is share, colour is group, callers stand below.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape

from hakmem_lab.hot import groups
from hakmem_lab.hot.profile import Frame, Profile

_WIDTH, _ROW, _LETTER = 1200, 19, 6.6
_LEAST = 0.4  # pixels: what is narrower is left out
_LEGEND = 30
_FONT = "font-family:ui-monospace,Menlo,Consolas,monospace;font-size:11px"


@dataclass
class _Node:
    frame: Frame | None = None
    weight: int = 0
    above: dict[Frame, _Node] = field(default_factory=dict)

    def depth(self) -> int:
        return 1 + max((node.depth() for node in self.above.values()), default=0)


def _tree(profile: Profile) -> _Node:
    root = _Node()
    for stack, weight in profile.stacks.items():
        node = root
        node.weight += weight
        for frame in stack:
            node = node.above.setdefault(frame, _Node(frame))
            node.weight += weight
    return root


class _Picture:
    def __init__(self, profile: Profile) -> None:
        self._root = _tree(profile)
        self._unit = profile.unit
        self._height = self._root.depth() * _ROW + _LEGEND
        self._parts: list[str] = []

    def draw(self) -> str:
        self._place(self._root, 0.0, 0)
        self._legend()
        size = f'viewBox="0 0 {_WIDTH} {self._height}" width="100%"'
        head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} style="{_FONT}" role="img">'
        return "\n".join([head, "<title>flame graph</title>", *self._parts, "</svg>"])

    def _place(self, node: _Node, left: float, level: int) -> None:
        width = _WIDTH * node.weight / max(self._root.weight, 1)
        if width < _LEAST:
            return
        self._box(node, left, self._height - (level + 1) * _ROW, width)
        for above in sorted(node.above.values(), key=lambda one: -one.weight):
            self._place(above, left, level + 1)
            left += _WIDTH * above.weight / self._root.weight

    def _box(self, node: _Node, left: float, top: float, width: float) -> None:
        frame = node.frame
        share = f"{node.weight / max(self._root.weight, 1):.1%}, {node.weight:,} {self._unit}"
        name = frame.name if frame else "all"
        inlined = " (inlined)" if frame and frame.inlined else ""
        tip = f"{name}{inlined}: {share}\n{frame.group}, {frame.where}" if frame else f"all: {share}"
        colour = groups.COLOURS[frame.group] if frame else "#eeeeee"
        dashes = ' stroke-dasharray="2 2"' if inlined else ""
        self._parts.append(
            f'<g><title>{escape(tip)}</title><rect x="{left:.2f}" y="{top}" width="{width:.2f}" height="{_ROW - 1}" '
            f'rx="1.5" fill="{colour}" stroke="#ffffff" stroke-width="0.6"{dashes}/>{_text(name, left, top, width)}</g>'
        )

    def _legend(self) -> None:
        left = 4.0
        for group in groups.ALL:
            if not _has(self._root, group):
                continue
            self._parts.append(
                f'<rect x="{left:.1f}" y="4" width="12" height="12" fill="{groups.COLOURS[group]}"/>'
                f'<text x="{left + 16:.1f}" y="14">{group}</text>'
            )
            left += 34 + _LETTER * len(group)


def _has(node: _Node, group: str) -> bool:
    return (node.frame is not None and node.frame.group == group) or any(_has(n, group) for n in node.above.values())


def _text(name: str, left: float, top: float, width: float) -> str:
    letters = int((width - 6) / _LETTER)
    if letters < 3:
        return ""
    shown = name if len(name) <= letters else name[: letters - 1] + "…"
    return f'<text x="{left + 3:.2f}" y="{top + 13}">{escape(shown)}</text>'


def svg(profile: Profile) -> str:
    return _Picture(profile).draw()
