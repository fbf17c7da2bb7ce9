"""The board's picture: what it holds, that it is the same again, and that no name lies on another."""

import copy
import re
from xml.etree import ElementTree

import pytest

from hakmem_lab import picture
from hakmem_lab.errors import LabError
from hakmem_lab.labels import Box, Label, place


def mean(median, low, high):
    return {"mean": {"median": median, "low": low, "high": high}}


def row(name, time, peak):
    return {"allocator": name, "version": "", "time": mean(*time), "peak": mean(*peak)}


BOARD = {
    "when": "2026-11-22T10:00:00+00:00",
    "commit": "abc1234",
    "command": "./hakmem bench board --quick",
    "machine": {"cores": 2},
    "subject": {"name": "hakmem"},
    "workloads": [{}] * 36,
    "rows": [
        row("hakmem", (1.05, 0.96, 1.06), (1.21, 1.19, 1.22)),
        row("fast", (1.02, 1.01, 1.09), (2.09, 2.04, 2.10)),
        row("faster", (1.01, 1.01, 1.08), (2.12, 2.04, 2.14)),
        row("small", (1.75, 1.67, 1.88), (1.0, 1.0, 1.01)),
    ],
}
NAMES = ["hakmem", "fast", "faster", "small"]


def label_of(text, name):
    """The name of an allocator as it stands in the picture."""
    found = re.search(rf'<text x="([\d.]+)" y="([\d.]+)" font-size="(\d+)" class="[\w ]*">{name}</text>', text)
    return Label(name, *map(float, found.groups()), False)


def test_it_is_one_svg_that_needs_nothing_else_and_is_the_same_again():
    text = picture.picture(BOARD)
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.get("viewBox")
    assert not re.search(r"(href|src)=|url\(|@import|<script|<image", text)
    assert text == picture.picture(copy.deepcopy(BOARD))


def test_it_has_every_allocator_its_whiskers_and_its_conditions():
    text = picture.picture(BOARD)
    assert text.count("<circle") == 4
    assert text.count(' whisker"') == 8
    assert text.count('class="own point"') == 1
    shown = "".join(ElementTree.fromstring(text).itertext())
    for fact in ("2026-11-22", "abc1234", "36 workloads", "./hakmem bench board --quick", "and 3 other allocators"):
        assert fact in shown
    assert shown.count("the best peer's, lower is better") == 2
    assert "hakmem 1.05 and 1.21; fast 1.02 and 2.09" in shown


def test_both_backgrounds_have_their_colours():
    text = picture.picture(BOARD)
    light, dark = text.split("</style>")[0].split("@media (prefers-color-scheme: dark)")
    coloured = re.compile(r"^ *([^{}\n]+) {.*(#[0-9a-f]{6})", re.MULTILINE)
    ours, others = (dict(coloured.findall(part)) for part in (light, dark))
    assert ours.keys() == others.keys() and len(ours) == 10
    assert not [name for name in ours if ours[name] == others[name]]
    assert "var(" not in text and "paint-order" not in text  # not every viewer knows them


def test_less_is_further_left_and_lower():
    text = picture.picture(BOARD)
    places = [tuple(map(float, found)) for found in re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)"', text)]
    own, _, faster, small = places
    assert faster[0] < own[0] < small[0]
    assert faster[1] < own[1] < small[1]  # downwards


def overlap(boxes):
    return max(one.shared(other) for one in boxes for other in boxes if one is not other)


def test_no_name_lies_on_another():
    text = picture.picture(BOARD)
    assert overlap([label_of(text, name).box() for name in NAMES]) == 0


def test_no_name_lies_on_another_even_where_all_stand_at_one_place():
    names = ["hakmem", *(f"allocator{number}" for number in range(8))]
    rows = [{**BOARD["rows"][0], "allocator": name} for name in names]
    text = picture.picture({**BOARD, "rows": rows})
    assert overlap([label_of(text, name).box() for name in names]) < 10  # of some 2,000, by rounding


def test_a_name_beside_nothing_stands_to_the_right_of_its_point():
    label = place("name", Box(90, 90, 110, 110), 20, [], Box(0, 0, 300, 300))
    assert (label.x, label.moved) == (115, False)


def test_a_name_stays_within_the_plot():
    label = place("name", Box(270, 0, 290, 20), 20, [], Box(0, 0, 300, 300))
    assert label.box().beyond(Box(0, 0, 300, 300)) == 0


def test_a_long_command_fits_into_its_line():
    command = "./hakmem bench board --quick " + " ".join(f"--peer /some/where/lib{n}.so" for n in range(8))
    size = re.search(r'font-size="([\d.]+)" class="mute code"', picture.picture({**BOARD, "command": command}))
    assert 0.6 * float(size.group(1)) * len(command) < 640


def test_names_cannot_break_it():
    rows = [row("<b>&", (1, 1, 1), (1, 1, 1)), *BOARD["rows"][1:]]
    ElementTree.fromstring(picture.picture({**BOARD, "rows": rows, "subject": {"name": "<b>&"}}))


def test_a_board_without_figures_is_refused():
    with pytest.raises(LabError, match="no figures to draw"):
        picture.picture({**BOARD, "rows": [{"allocator": "hakmem", "time": None, "peak": None}]})
