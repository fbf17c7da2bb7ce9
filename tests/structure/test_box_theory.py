"""docs/box-theory.md: each principle says where it lives and which tests keep it, and these exist."""

import re
import tomllib
from pathlib import Path

import pytest

from named_tests import existing_tests

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/box-theory.md").read_text()
PRINCIPLES = ("One boundary", "Reversible", "Observable", "Fail fast", "Three temperatures")
FIRST_SCREEN = 24  # lines of the README before its tables


def sections():
    """The page's text by heading."""
    parts = re.split(r"^## \d\. (.+)$", PAGE, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def named(text):
    """The tests in brackets at the ends of items."""
    brackets = re.findall(r"\[([\w., \n/]+)\](?!\()", text)
    words = [word.strip() for bracket in brackets for word in bracket.split(",")]
    return [word for word in words if re.fullmatch(r"test_\w+|\w+\.[\w.]+", word)]


def test_the_principles_are_those_of_the_method():
    assert tuple(sections()) == PRINCIPLES


@pytest.mark.parametrize("principle", PRINCIPLES)
def test_the_tests_of_a_principle_exist(principle):
    text = sections()[principle]
    assert len(named(text)) >= 3, "a principle that no test keeps"
    assert set(named(text)) - existing_tests() == set()
    assert re.search(r"`src/\w+", text), "it says nowhere where it lives"


@pytest.mark.parametrize("principle", PRINCIPLES)
def test_each_item_of_a_principle_names_a_test_or_a_page(principle):
    for item in re.findall(r"^- (.+?)(?=^- |^#|\n\n|\Z)", sections()[principle], re.MULTILINE | re.DOTALL):
        assert named(item) or re.search(r"\]\([\w./#-]+\)", item), f"nothing keeps this: {item}"


def test_the_table_of_seams_has_every_swap():
    rows = re.findall(r"^\| `(src/[\w./]+)` \| .+? \| (.+) \|$", sections()["Reversible"], re.MULTILINE)
    told = {swap: seam for seam, swaps in rows for swap in re.findall(r"`([\w-]+)`", swaps)}
    with (ROOT / "swaps/swaps.toml").open("rb") as file:
        assert set(told) == set(tomllib.load(file))
    for swap, seam in told.items():
        assert (ROOT / seam).is_file()
        assert (ROOT / "swaps" / swap / Path(seam).relative_to("src")).is_file(), f"{swap} swaps something else"


def test_the_word_on_the_first_screen_of_the_readme_leads_there():
    first = "\n".join((ROOT / "README.md").read_text().splitlines()[:FIRST_SCREEN])
    assert re.search(r"\bbox(es)?\b", first, re.IGNORECASE)
    assert "[Box Theory](docs/box-theory.md)" in first


def test_a_test_that_does_not_exist_would_be_found():
    assert named("- A claim. [test_no_such_test_there, NoSuite.NoTest]\n[a link](walk.md)") == [
        "test_no_such_test_there",
        "NoSuite.NoTest",
    ]
    assert not {"test_no_such_test_there", "NoSuite.NoTest"} & existing_tests()
