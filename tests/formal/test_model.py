"""The model of the remote free is explored completely by spin, and each bug that is planted in it is found."""

import re
import subprocess
from pathlib import Path

import pytest

MODEL = Path(__file__).with_name("remote_free.pml")
SOURCES = MODEL.parents[2] / "src"
PLANTS = {int(number): what for number, what in re.findall(r"^ \*   (\d) (.+)$", MODEL.read_text(), re.MULTILINE)}

# Mallocs and frees of the third thread: what is explored grows threefold with each.
SMALL = ("-DMALLOCS=1", "-DFREES=1")
LARGE = ("-DMALLOCS=2", "-DFREES=1")


@pytest.fixture
def explore(tool, tmp_path):
    """Explores the model with these definitions; returns what the search printed."""

    def call(*definitions):
        run([tool("spin"), "-a", *definitions, MODEL], tmp_path)
        search = tmp_path / "search"
        options = ["-O1", "-w", "-DSAFETY", "-DCOLLAPSE", "-DVECTORSZ=1024"]
        run([tool("cc"), *options, "-o", search, tmp_path / "pan.c"], tmp_path)
        return run([search, "-m100000", "-w24"], tmp_path)

    return call


def run(line, folder):
    done = subprocess.run([str(word) for word in line], cwd=folder, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def figure(pattern, output):
    return int(re.search(pattern, output)[1])


def errors(output):
    return figure(r"errors: (\d+)", output)


def check_is_explored(output, record_property):
    assert errors(output) == 0, output
    assert "max search depth too small" not in output  # else the search was cut off
    assert "Search not completed" not in output
    states, depth = figure(r"(\d+) states, stored", output), figure(r"depth reached (\d+)", output)
    assert states > 1_000_000
    record_property("note", f"{states:,} states explored completely, {depth} steps deep, 0 errors")


def test_every_claim_holds(explore, record_property):
    check_is_explored(explore(*SMALL), record_property)


@pytest.mark.slow
def test_every_claim_holds_in_a_larger_model(explore, record_property):
    check_is_explored(explore(*LARGE), record_property)


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: PLANTS[plant].replace(" ", "-"))
def test_a_planted_bug_is_found(explore, plant):
    output = explore(*SMALL, f"-DPLANT={plant}")
    assert errors(output) > 0
    assert "assertion violated" in output


def test_there_are_bugs_to_plant():
    assert list(PLANTS) == [1, 2, 3, 4, 5]


def test_every_step_is_a_function_of_the_allocator():
    code = "\n".join(path.read_text() for path in SOURCES.rglob("*.[ch]"))
    steps = re.findall(r"^inline (\w+)\(", MODEL.read_text(), re.MULTILINE)
    assert len(steps) > 15
    assert [step for step in steps if not re.search(rf"^\S.*\b{step}\(", code, re.MULTILINE)] == []
