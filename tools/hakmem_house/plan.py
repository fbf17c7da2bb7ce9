"""Where everything stands in the picture: a band for each floor, the highest at the top, its boxes as rooms in rows."""

from __future__ import annotations

from dataclasses import dataclass

from hakmem_house import headers, text
from hakmem_house.floors import Floor
from hakmem_house.sources import Source

WIDTH = 1000
MARGIN = 16
BAND = 836  # a band's width; the arrows that pass floors by run to the right of it
GAP = 34  # between two bands, where the arrows to the next floor are
PADDING = 10
HEAD = 38  # of a band, with its name
SPACE = 8  # between rooms
NAME, PURPOSE, LINE = 15, 13, 16  # sizes of the letters, and the height of a line
MOST = 5  # rooms in a row


@dataclass(frozen=True)
class Room:
    name: str
    lines: list[str]  # what it is for
    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Band:
    floor: Floor
    rooms: list[Room]
    y: float
    height: float

    @property
    def bottom(self) -> float:
        return self.y + self.height


@dataclass(frozen=True)
class Plan:
    bands: list[Band]  # the highest floor first
    bottom: float


def draw(floors: list[Floor], files: dict[str, Source]) -> Plan:
    """The bands with their rooms."""
    bands: list[Band] = []
    y = float(MARGIN)
    for floor in reversed(floors):
        band = _band(floor, _boxes(floor, files), y)
        bands.append(band)
        y = band.bottom + GAP
    return Plan(bands, y - GAP)


def _boxes(floor: Floor, files: dict[str, Source]) -> dict[str, str]:
    """The boxes of a floor with what each is for, as its header says it, or else its .c."""
    boxes: dict[str, str] = {}
    for source in sorted(files.values(), key=lambda source: (source.suffix != ".h", source.path)):
        if source.folder == floor.name and source.path != floor.header:
            name = source.box.split("/")[-1]
            boxes[name] = boxes.get(name) or headers.purpose(source.text)
    return dict(sorted(boxes.items()))


def _band(floor: Floor, boxes: dict[str, str], y: float) -> Band:
    """With its rooms in as many rows as make it lowest."""
    ways = [_rooms(boxes, rows, y + HEAD) for rows in range(1, len(boxes) + 1)]
    fitting = [rooms for rooms in ways if _fits(rooms)]
    rooms = min(fitting, key=_lowest, default=[])
    bottom = _lowest(rooms) + PADDING if rooms else y + HEAD
    return Band(floor, rooms, y, bottom - y)


def _rooms(boxes: dict[str, str], rows: int, y: float) -> list[Room]:
    """The rooms in this many rows, each row as wide as the band."""
    rooms: list[Room] = []
    for row in _rows(list(boxes), rows):
        width = (BAND - 2 * PADDING - (len(row) - 1) * SPACE) / len(row)
        lines = {name: text.wrap(boxes[name], PURPOSE, width - 2 * PADDING) for name in row}
        height = 30 + LINE * max(len(broken) for broken in lines.values()) + 4
        for place, name in enumerate(row):
            x = MARGIN + PADDING + place * (width + SPACE)
            rooms.append(Room(name, lines[name], x, y, width, height))
        y += height + SPACE
    return rooms


def _rows(names: list[str], rows: int) -> list[list[str]]:
    """The names in rows of nearly the same length, the longer ones first."""
    least, more = divmod(len(names), rows)
    lengths = [least + (row < more) for row in range(rows)]
    starts = [sum(lengths[:row]) for row in range(rows)]
    return [names[start : start + length] for start, length in zip(starts, lengths)]


def _fits(rooms: list[Room]) -> bool:
    """Not too many rooms a row, and every name and word within its room."""
    widest = min(room.width for room in rooms)
    if widest < (BAND - 2 * PADDING - (MOST - 1) * SPACE) / MOST - 1:
        return False
    for room in rooms:
        inner = room.width - 2 * PADDING
        if text.width(room.name, NAME, bold=True) > inner:
            return False
        if any(text.width(line, PURPOSE) > inner for line in room.lines):
            return False
    return True


def _lowest(rooms: list[Room]) -> float:
    return max(room.y + room.height for room in rooms)
