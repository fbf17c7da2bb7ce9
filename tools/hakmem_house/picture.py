"""docs/house.svg, drawn from the sources."""

from __future__ import annotations

from xml.sax.saxutils import escape

from hakmem_house import arrows, plan, rules, text
from hakmem_house.arrows import Arrow
from hakmem_house.floors import Floor
from hakmem_house.plan import BAND, MARGIN, PADDING, WIDTH, Band, Room
from hakmem_house.sources import Source

# Of a band: its ground, and the strong colour of its frame and of its arrows. Hot, warm and cold are temperatures.
_COLOURS = {
    "report": ("#f3ecfa", "#8250b4"),
    "api": ("#e9edf7", "#4c63a6"),
    "secure": ("#e5f3e6", "#3c8a4a"),
    "profile": ("#e3f1ef", "#2a7f76"),
    "hot": ("#ffdccf", "#cf4520"),
    "warm": ("#ffeec2", "#c08a00"),
    "cold": ("#d6e7fb", "#2f75bd"),
    "config": ("#eef0e6", "#75803c"),
    "events": ("#f6e9f1", "#a8487f"),
    "os": ("#e6e7ea", "#59606b"),
    "base": ("#efe8df", "#7d6547"),
}
_OTHER = ("#eeeeee", "#666666")
_LEGEND = "An arrow goes from a floor to one that it includes; the thicker, the more often."
_STYLE = """
    text { fill: #1f2328; }
    .floor { font-weight: 700; font-size: 20px; }
    .role { font-size: 14px; fill: #3d444d; }
    .door { font-family: ui-monospace, 'DejaVu Sans Mono', monospace; font-size: 13px; text-anchor: end; }
    .name { font-weight: 700; font-size: 15px; }
    .purpose { font-size: 13px; fill: #3d444d; }
    .count { font-size: 13px; fill: #3d444d; }
    .room { fill: #fff; fill-opacity: 0.8; }
    .arrow { fill: none; }"""
_DOOR = 0.62  # a monospaced letter's width, in parts of its size


def draw(floors: list[Floor], files: dict[str, Source]) -> str:
    """The picture's text; the same sources give the same text."""
    standing = plan.draw(floors, files)
    height = round(standing.bottom + 44)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img"'
        " font-family=\"system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', Arial, sans-serif\">",
        f"  <title>The house: {', '.join(floor.name for floor in reversed(floors))}</title>",
        f"  <style>{_STYLE}\n  </style>",
        f'  <rect x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="12" fill="#fff" stroke="#d1d9e0"/>',
        *(_arrow(arrow) for arrow in arrows.draw(standing, rules.floor_counts(files))),
        *(_band(band) for band in standing.bands),
        f'  <text class="role" x="{MARGIN}" y="{standing.bottom + 28:.1f}">{_LEGEND}</text>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _band(band: Band) -> str:
    """A floor with its name, its header and its rooms."""
    ground, strong = _COLOURS.get(band.floor.name, _OTHER)
    x, base = MARGIN + PADDING, band.y + 26
    beside = x + text.width(band.floor.name, 20, bold=True) + 14
    return "\n".join(
        [
            f'  <g id="{escape(band.floor.name)}">',
            f'    <rect x="{MARGIN}" y="{band.y:.1f}" width="{BAND}" height="{band.height:.1f}" rx="8"'
            f' fill="{ground}" stroke="{strong}" stroke-width="1.5"/>',
            f'    <text class="floor" x="{x}" y="{base + 1:.1f}">{escape(band.floor.name)}</text>',
            f'    <text class="role" x="{beside:.1f}" y="{base:.1f}">{escape(band.floor.role)}</text>',
            *_door(band, strong),
            *(_room(room, strong) for room in band.rooms),
            "  </g>",
        ]
    )


def _door(band: Band, strong: str) -> list[str]:
    """The header that the floors above come in by."""
    right = MARGIN + BAND - PADDING
    width = len(band.floor.header) * 13 * _DOOR + 20
    return [
        f'    <rect x="{right - width:.1f}" y="{band.y + 9:.1f}" width="{width:.1f}" height="23" rx="11.5"'
        f' fill="#fff" stroke="{strong}"/>',
        f'    <text class="door" x="{right - 10}" y="{band.y + 25:.1f}">{escape(band.floor.header)}</text>',
    ]


def _room(room: Room, strong: str) -> str:
    """A box: its name, and what it is for."""
    x = room.x + PADDING
    lines = [
        f'    <rect class="room" x="{room.x:.1f}" y="{room.y:.1f}" width="{room.width:.1f}" height="{room.height:.1f}"'
        f' rx="5" stroke="{strong}" stroke-opacity="0.45"/>',
        f'    <text class="name" x="{x:.1f}" y="{room.y + 20:.1f}">{escape(room.name)}</text>',
    ]
    for place, line in enumerate(room.lines):
        y = room.y + 22 + plan.LINE * (place + 1)
        lines.append(f'    <text class="purpose" x="{x:.1f}" y="{y:.1f}">{escape(line)}</text>')
    return "\n".join(lines)


def _arrow(arrow: Arrow) -> str:
    """A line with a point, and beside a straight one how many includes it stands for."""
    strong = _COLOURS.get(arrow.source, _OTHER)[1]
    includes = f"{arrow.includes} include{'s' if arrow.includes > 1 else ''}"
    lines = [
        f"  <g><title>{escape(arrow.source)} → {escape(arrow.target)}: {includes}</title>",
        f'    <path class="arrow" d="{arrow.path}" stroke="{strong}" stroke-width="{arrow.width:g}"/>',
        f'    <polygon points="{arrow.head}" fill="{strong}"/>',
    ]
    if arrow.label:
        x, y = arrow.label
        lines.append(f'    <text class="count" x="{x:.1f}" y="{y:.1f}">{includes}</text>')
    return "\n".join([*lines, "  </g>"])
