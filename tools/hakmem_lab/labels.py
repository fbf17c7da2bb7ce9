"""Names beside what they name, placed so that none lies on another, on a point or on a whisker."""

from __future__ import annotations

from dataclasses import dataclass

_WIDTH = 0.58  # of a letter of a sans-serif, in sizes of the font
_ABOVE, _BELOW, _RISE = 0.76, 0.2, 0.3  # what a line covers above and below its base line, and that below its middle
_STEPS = range(0, 260, 6)  # how much farther than beside the point, tried in this order
_FAR = 24


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float

    def shared(self, other: Box) -> float:
        """The area that both cover."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.bottom, other.bottom) - max(self.top, other.top)
        return wide * high if wide > 0 and high > 0 else 0.0

    def beyond(self, frame: Box) -> float:
        """How far it reaches out of the frame."""
        out = (frame.left - self.left, self.right - frame.right, frame.top - self.top, self.bottom - frame.bottom)
        return sum(max(0.0, one) for one in out)


@dataclass(frozen=True)
class Label:
    text: str
    x: float  # of the text's left end, on its base line
    y: float
    size: float
    moved: bool  # so far from its point that a line has to lead there

    def box(self) -> Box:
        right = self.x + width(self.text, self.size)
        return Box(self.x, self.y - _ABOVE * self.size, right, self.y + _BELOW * self.size)


def width(text: str, size: float) -> float:
    return _WIDTH * size * len(text)


def place(text: str, around: Box, size: float, taken: list[Box], frame: Box) -> Label:
    """The place nearest to what is named that covers nothing, or else the one that covers least."""
    choices = [_at(text, around, size, _GAP + step, side, step) for step in _STEPS for side in _SIDES]

    def cost(label: Label) -> float:
        box = label.box()
        return sum(box.shared(other) for other in taken) + 1000 * box.beyond(frame)

    return min(choices, key=cost)  # of equals the first


_GAP = 5
_SIDES = ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1))  # right, left, above, below, corners


def _at(text: str, around: Box, size: float, gap: float, side: tuple[int, int], step: float) -> Label:
    across, down = side
    long = width(text, size)
    middle = (around.left + around.right) / 2
    if down == 0:
        left = around.right + gap if across > 0 else around.left - gap - long
        return Label(text, left, (around.top + around.bottom) / 2 + _RISE * size, size, step >= _FAR)
    left = middle - long / 2 + across * (long / 2 + _GAP)
    line = around.bottom + gap + _ABOVE * size if down > 0 else around.top - gap - _BELOW * size
    return Label(text, left, line, size, step >= _FAR)
