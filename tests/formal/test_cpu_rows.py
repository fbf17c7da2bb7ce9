"""The model of the magazines by CPU is explored completely by spin, and each bug that is planted in it is found."""

import functools
import re
from pathlib import Path

import pytest
import spin

MODEL = Path(__file__).with_name("cpu_cache.pml")
SOURCES = MODEL.parents[2] / "src"
PLANTS = {int(number): what for number, what in re.findall(r"^ \*   (\d) (.+)$", MODEL.read_text(), re.MULTILINE)}

# What the kernel does, how a sequence begins and ends, and the claims.
NOT_OURS = {"check", "begin", "finish"}


@pytest.fixture
def explore(tool, tmp_path):
    """Explores the model with these definitions; returns what the search printed."""
    return functools.partial(spin.explore, MODEL, tool, tmp_path)


def test_every_claim_of_the_rows_holds(explore, record_property):
    states = spin.check_is_explored(explore())
    assert states > 1_000_000
    record_property("note", f"{states:,} states explored completely, 0 errors")


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: PLANTS[plant].replace(" ", "-"))
def test_a_planted_bug_of_the_rows_is_found(explore, plant):
    spin.check_is_found(explore(f"-DPLANT={plant}"))


def test_there_are_bugs_of_the_rows_to_plant():
    assert list(PLANTS) == [1, 2, 3, 4, 5]


def test_every_step_of_the_rows_is_a_function_of_the_allocator():
    code = "\n".join(path.read_text() for path in SOURCES.rglob("*.[ch]"))
    steps = spin.steps(MODEL) - NOT_OURS
    assert len(steps) >= 8
    assert [step for step in steps if not re.search(rf"^\S.*\b{step}\(", code, re.MULTILINE)] == []
