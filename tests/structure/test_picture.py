"""docs/house.svg shows the sources as they are, and what is drawn can be read.

After a change of the floors, the boxes or their includes:  pytest tests/structure --update
"""

import re
import xml.etree.ElementTree as xml

import pytest

from hakmem_house import arrows, floors, picture, plan, sources, text
from hakmem_house.floors import Floor
from hakmem_house.sources import Source

FLOORS = [Floor(name, f"{name}/{name}.h", f"what {name} is for", height) for height, name in enumerate("abcd")]


def made_up(*files):
    """Sources by path, from (path, text)."""
    return {path: Source(path, content) for path, content in files}


FILES = made_up(
    ("a/box.h", "/* box: a < b & c. */\n"),
    ("b/heap.h", '/* heap: what is owned. */\n#include "a/a.h"\n'),
    ("b/heap.c", '#include "b/heap.h"\n#include "a/a.h"\n'),
    ("d/gate.h", '/* gate: the entrance. */\n#include "a/a.h"\n#include "c/c.h"\n'),
    *((f"{name}/{name}.h", f"/* {name}: a floor. */\n") for name in "abcd"),
)


def test_the_picture_is_that_of_the_sources(root, house, files, request):
    drawn = picture.draw(house, files)
    file = root / "docs/house.svg"
    if request.config.getoption("--update"):
        file.write_text(drawn)
    if file.read_text() != drawn:
        pytest.fail("docs/house.svg is stale; draw it anew: pytest tests/structure --update", pytrace=False)


def test_no_two_rooms_overlap_and_all_text_is_within(house, files):
    standing = plan.draw(house, files)
    for band in standing.bands:
        for room in band.rooms:
            assert room.x >= plan.MARGIN and room.x + room.width <= plan.MARGIN + plan.BAND
            assert room.y >= band.y + plan.HEAD and room.y + room.height <= band.bottom
            for line in room.lines:
                assert text.width(line, plan.PURPOSE) <= room.width - 2 * plan.PADDING, (room.name, line)
            assert room.height >= 30 + plan.LINE * len(room.lines)
            assert not [other.name for other in band.rooms if other is not room and overlap(room, other)]
    for upper, lower in zip(standing.bands, standing.bands[1:]):
        assert upper.bottom + plan.GAP == pytest.approx(lower.y)


def overlap(one, other):
    """Whether two rooms share a point."""
    beside = one.x + one.width <= other.x or other.x + other.width <= one.x
    return not beside and one.y < other.y + other.height and other.y < one.y + one.height


def test_every_role_ends_before_the_door(house):
    for floor in house:
        left = plan.PADDING + text.width(floor.name, 20, bold=True) + 14 + text.width(floor.role, 14)
        door = len(floor.header) * 13 * 0.62 + 20 + plan.PADDING
        assert left + door < plan.BAND, floor.name


def test_a_picture_is_well_formed_and_always_the_same():
    drawn = picture.draw(FLOORS, FILES)
    assert drawn == picture.draw(FLOORS, dict(reversed(FILES.items())))
    shown = [element.text for element in xml.fromstring(drawn).iter() if element.tag.endswith("}text")]
    assert {"box", "a < b & c", "heap", "gate", "what d is for", "b/b.h"} <= set(shown)


def test_the_highest_floor_is_at_the_top():
    drawn = picture.draw(FLOORS, FILES)
    assert re.findall(r'<g id="(\w)">', drawn) == ["d", "c", "b", "a"]


def test_arrows_bundle_the_includes_and_point_down():
    counts = {("b", "a"): 9, ("d", "a"): 1, ("d", "b"): 1, ("a", "d"): 3, ("a", "attic"): 1}
    drawn = {(arrow.source, arrow.target): arrow for arrow in arrows.draw(plan.draw(FLOORS, FILES), counts)}
    assert set(drawn) == {("b", "a"), ("d", "a"), ("d", "b")}
    assert drawn["b", "a"].width > drawn["d", "a"].width
    for arrow in drawn.values():
        heights = [float(number) for number in re.findall(r" ([\d.]+)(?=[CV ]|$)", arrow.path)]
        tip = float(arrow.head.split()[0].split(",")[1])
        assert tip > heights[0]
    assert drawn["b", "a"].label and not drawn["d", "a"].label


def test_a_floor_without_boxes_is_drawn_empty():
    [band] = plan.draw(FLOORS[2:3], FILES).bands
    assert band.rooms == [] and band.height == plan.HEAD


def test_the_command_prints_it(root, house, capsys, monkeypatch):
    from hakmem_house import __main__ as command

    monkeypatch.setattr("sys.argv", ["hakmem_house", str(root / "src")])
    command.main()
    read = sources.read(root / "src")
    assert capsys.readouterr().out == picture.draw(floors.read(root / "CONTRIBUTING.md"), read)
