"""The model of the magazines by CPU is explored completely by spin, and each bug that is planted in it is found."""

import re
import subprocess
from pathlib import Path

import pytest

MODEL = Path(__file__).with_name("cpu_cache.pml")
SOURCES = MODEL.parents[2] / "src"
PLANTS = {int(number): what for number, what in re.findall(r"^ \*   (\d) (.+)$", MODEL.read_text(), re.MULTILINE)}

# What the kernel does, how a sequence begins and ends, and the claims.
NOT_OURS = {"check", "begin", "finish"}


@pytest.fixture
def explore(tool, tmp_path):
    """Explores the model with these definitions; returns what the search printed."""

    def call(*definitions):
        run([tool("spin"), "-a", *definitions, MODEL], tmp_path)
        search = tmp_path / "search"
        run([tool("cc"), "-O1", "-w", "-DSAFETY", "-DCOLLAPSE", "-o", search, tmp_path / "pan.c"], tmp_path)
        return run([search, "-m100000", "-w22"], tmp_path)

    return call


def run(line, folder):
    done = subprocess.run([str(word) for word in line], cwd=folder, capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def errors(output):
    return int(re.search(r"errors: (\d+)", output)[1])


def test_every_claim_of_the_rows_holds(explore, record_property):
    output = explore()
    assert errors(output) == 0, output
    assert "max search depth too small" not in output  # else the search was cut off
    assert "Search not completed" not in output
    states = int(re.search(r"(\d+) states, stored", output)[1])
    assert states > 1_000_000
    record_property("note", f"{states:,} states explored completely, 0 errors")


@pytest.mark.parametrize("plant", PLANTS, ids=lambda plant: PLANTS[plant].replace(" ", "-"))
def test_a_planted_bug_of_the_rows_is_found(explore, plant):
    output = explore(f"-DPLANT={plant}")
    assert errors(output) > 0
    assert "assertion violated" in output


def test_there_are_bugs_of_the_rows_to_plant():
    assert list(PLANTS) == [1, 2, 3, 4, 5]


def test_every_step_of_the_rows_is_a_function_of_the_allocator():
    code = "\n".join(path.read_text() for path in SOURCES.rglob("*.[ch]"))
    steps = set(re.findall(r"^inline (\w+)\(", MODEL.read_text(), re.MULTILINE)) - NOT_OURS
    assert len(steps) >= 8
    assert [step for step in steps if not re.search(rf"^\S.*\b{step}\(", code, re.MULTILINE)] == []
