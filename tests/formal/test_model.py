"""The model of the remote free is explored completely by spin, and each bug that is planted in it is found."""

import re
from pathlib import Path

import pytest
import spin

MODEL = Path(__file__).with_name("remote_free.pml")
SOURCES = MODEL.parents[2] / "src"
TEXT = MODEL.read_text()


def listed(heading):
    """What the head of the model lists there, by its number: the scene, and what it is."""
    lines = re.search(rf"^ \* {heading} names .*\n((?: \* +\d+ in \d: .*\n)+)", TEXT, re.MULTILINE)[1]
    return {int(number): (int(scene), what) for number, scene, what in re.findall(r"(\d+) in (\d): (.+)", lines)}


PLANTS = listed("PLANT")
SIGHTS = listed("REACH")

# Mallocs and frees, for each scene: what is explored grows threefold with each.
SMALL = {
    0: ("-DMALLOCS=1", "-DFREES=1"),
    1: ("-DMALLOCS=2", "-DFREES=0"),
    2: ("-DMALLOCS=0", "-DFREES=1"),
    3: ("-DMALLOCS=1", "-DFREES=0", "-DOWNER_MALLOCS=1"),
    4: ("-DMALLOCS=0", "-DFREES=1"),
}
LARGE = {
    0: ("-DMALLOCS=2", "-DFREES=1"),
    1: ("-DMALLOCS=2", "-DFREES=0", "-DOWNER_MALLOCS=1"),
    3: ("-DMALLOCS=2", "-DFREES=0", "-DOWNER_MALLOCS=1"),
}


@pytest.fixture
def explore(tool, tmp_path):
    """Explores a scene of the model with these definitions; returns what the search printed."""

    def call(scene, *definitions):
        return spin.explore(MODEL, tool, tmp_path, f"-DSCENE={scene}", *definitions, optimized="-O0")

    return call


def check_is_explored(output, record_property):
    states, depth = spin.check_is_explored(output), spin.figure(r"depth reached (\d+)", output)
    assert states > 2_000_000
    record_property("note", f"{states:,} states explored completely, {depth} steps deep, 0 errors")


@pytest.mark.parametrize("scene", [s if s < 1 else pytest.param(s, marks=pytest.mark.slow) for s in SMALL])
def test_every_claim_holds(explore, scene, record_property):
    check_is_explored(explore(scene, *SMALL[scene]), record_property)


@pytest.mark.slow
@pytest.mark.parametrize("scene", LARGE)
def test_every_claim_holds_in_a_larger_model(explore, scene, record_property):
    check_is_explored(explore(scene, *LARGE[scene]), record_property)


def check_is_found(explore, name, number, scene):
    spin.check_is_found(explore(scene, *SMALL[scene], f"-D{name}={number}"))


def marked(plant):
    """Those of the scenes that every run explores; the others are slow."""
    name = PLANTS[plant][1].replace(" ", "-")
    return pytest.param(plant, id=name, marks=() if PLANTS[plant][0] < 1 else pytest.mark.slow)


@pytest.mark.parametrize("plant", [marked(plant) for plant in PLANTS])
def test_a_planted_bug_is_found(explore, plant):
    check_is_found(explore, "PLANT", plant, PLANTS[plant][0])


@pytest.mark.slow
@pytest.mark.parametrize("sight", SIGHTS, ids=lambda sight: SIGHTS[sight][1].replace(" ", "-"))
def test_what_the_claims_are_about_happens(explore, sight):
    check_is_found(explore, "REACH", sight, SIGHTS[sight][0])


def test_there_are_bugs_to_plant():
    assert list(PLANTS) == list(range(1, 19))
    assert list(SIGHTS) == list(range(1, 9))


def test_every_step_is_a_function_of_the_allocator():
    code = "\n".join(path.read_text() for path in SOURCES.rglob("*.[ch]"))
    steps = re.findall(r"^inline ([a-z]\w+)\(", TEXT, re.MULTILINE)
    assert len(steps) > 30
    assert [step for step in steps if not re.search(rf"^\S.*\b{step}\(", code, re.MULTILINE)] == []
