"""The arrows between floors: straight down to the next floor, and past others in an arc on the right."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from math import sqrt

from hakmem_house.plan import BAND, GAP, MARGIN, PADDING, Band, Plan

_EDGE = MARGIN + BAND  # where the arcs begin and end
_REACH = (30, 134)  # how far the shortest and the longest arc go to the right

Counts = dict[tuple[str, str], int]
Ports = dict[tuple[str, str, str], float]  # source, target and "out" or "in" -> height


@dataclass(frozen=True)
class Arrow:
    source: str
    target: str
    includes: int
    path: str
    head: str  # the corners of its point
    width: float
    label: tuple[float, float] | None  # where the number of includes stands


def draw(plan: Plan, counts: Counts) -> list[Arrow]:
    """The arrows, those that go farthest first, so that the shorter ones lie on them."""
    places = {band.floor.name: place for place, band in enumerate(plan.bands)}
    down = {pair: count for pair, count in counts.items() if pair[0] in places and pair[1] in places}
    down = {(a, b): count for (a, b), count in down.items() if places[a] < places[b]}
    order = sorted(down, key=lambda pair: (places[pair[0]] - places[pair[1]], places[pair[0]]))
    far = [pair for pair in order if places[pair[1]] - places[pair[0]] > 1]
    ports = _ports(plan, far, places)
    return [
        _arc(pair, down[pair], ports, places) if pair in far else _straight(pair, down[pair], plan, places)
        for pair in order
    ]


def _straight(pair: tuple[str, str], includes: int, plan: Plan, places: dict[str, int]) -> Arrow:
    """From the floor of a band to the ceiling of the next."""
    upper = plan.bands[places[pair[0]]]
    x, top, bottom = MARGIN + BAND / 2, upper.bottom, upper.bottom + GAP
    width = _width(includes)
    size = _size(width)
    path = f"M{x:g} {top:.1f}V{bottom - size:.1f}"
    head = f"{x:g},{bottom:.1f} {x - size * 0.8:.1f},{bottom - size:.1f} {x + size * 0.8:.1f},{bottom - size:.1f}"
    return Arrow(*pair, includes, path, head, width, (x + size * 0.8 + 8, (top + bottom) / 2 + 4))


def _arc(pair: tuple[str, str], includes: int, ports: Ports, places: dict[str, int]) -> Arrow:
    """From the right edge of one band to that of another."""
    start, end = ports[(*pair, "out")], ports[(*pair, "in")]
    width = _width(includes)
    size = _size(width)
    spanned = places[pair[1]] - places[pair[0]]
    least, most = _REACH
    share = (spanned - 2) / max(1, len(places) - 3)
    bulge = (least + (most - least) * share) * 4 / 3  # a curve reaches three quarters of the way to its handles
    tip = _EDGE + 1
    back = tip + size
    curve = f"{_EDGE + bulge:.1f} {start:.1f} {back + bulge:.1f} {end:.1f} {back:.1f} {end:.1f}"
    path = f"M{_EDGE} {start:.1f}C{curve}"
    head = f"{tip},{end:.1f} {back:.1f},{end - size * 0.7:.1f} {back:.1f},{end + size * 0.7:.1f}"
    return Arrow(*pair, includes, path, head, width, None)


def _ports(plan: Plan, far: list[tuple[str, str]], places: dict[str, int]) -> Ports:
    """The height at which each arc leaves and arrives, in an order that keeps them apart: arcs within one another."""
    arriving, leaving = defaultdict(list), defaultdict(list)
    for pair in far:
        leaving[pair[0]].append(pair)
        arriving[pair[1]].append(pair)
    ports: Ports = {}
    for band in plan.bands:
        name = band.floor.name
        ends = [(*pair, "in") for pair in sorted(arriving[name], key=lambda pair: -places[pair[0]])]
        ends += [(*pair, "out") for pair in sorted(leaving[name], key=lambda pair: -places[pair[1]])]
        ports |= _spread(band, ends)
    return ports


def _spread(band: Band, ends: list[tuple[str, str, str]]) -> Ports:
    """Along the height of the band."""
    step = (band.height - 2 * PADDING) / max(1, len(ends))
    return {end: band.y + PADDING + step * (place + 0.5) for place, end in enumerate(ends)}


def _width(includes: int) -> float:
    """Grows with the root, so that one include is still seen and thirty are not a wall."""
    return round(1.1 * sqrt(includes) + 0.6, 2)


def _size(width: float) -> float:
    """Of an arrow's point."""
    return 5 + 1.4 * width
