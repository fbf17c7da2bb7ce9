"""Every variable of the first design gives its own answer, and the page that the answer names leads somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TABLE = (ROOT / "src/config/retired.def").read_text()
PAGE = (ROOT / "docs/from-the-first-design.md").read_text()
ROWS = re.findall(r'^RETIRED\("([^"]+)", "([^"]+)"\)$', TABLE, re.MULTILINE)
ANSWERS = dict(ROWS)
OPTIONS = set(re.findall(r'^OPTION\(\w+, "(\w+)"', (ROOT / "src/config/options.def").read_text(), re.MULTILINE))

# Names that the first design read, with the pattern that answers.
KNOWN = {
    "TINY_C6_ULTRA_FREE_ENABLED": "*ULTRA*",
    "TINY_C7_ULTRA_HEADER_LIGHT": "*ULTRA*",
    "TINY_C5_INLINE_SLOTS": "*INLINE_SLOTS*",
    "TINY_INLINE_SLOTS_FIXED": "*INLINE_SLOTS*",
    "TINY_HOTHEAP_V2": "*HOTHEAP*",
    "TINY_C7_HOT": "TINY_C*_HOT*",
    "SMALL_HEAP_V3_ENABLED": "SMALL*V*",
    "SMALL_HEAP_V7_CLASSES": "SMALL*V*",
    "SMALL_SEGMENT_V4_ENABLED": "SMALL*V*",
    "TINY_HEAP_PROFILE": "TINY_HEAP*",
    "POOL_V1_FLATTEN_ENABLED": "POOL_V1*",
    "POOL_V2_ENABLED": "POOL_V2*",
    "POOL_ZERO_MODE": "POOL_*",
    "MID_V3_CLASSES": "MID_V3*",
    "MID_DESC_CACHE_ENABLED": "MID*",
    "TINY_HEADER_HOTFULL": "*HEADER*",
    "TINY_PTR_FAST_CLASSIFY_V4_ENABLED": "*CLASSIFY*",
    "TINY_STATIC_ROUTE": "*ROUTE*",
    "FREE_STATIC_ROUTE": "*ROUTE*",
    "FASTLANE_DIRECT": "*FASTLANE*",
    "FRONT_FASTLANE_FREE_DEDUP": "*FASTLANE*",
    "TINY_FRONT_V3_LUT_ENABLED": "*FRONT*",
    "WRAP_SHAPE": "*WRAP*",
    "ENV_SNAPSHOT": "*SNAPSHOT*",
    "FREE_TINY_FAST_HOTCOLD": "FREE_TINY*",
    "TINY_UNIFIED_LIFO": "*UNIFIED*",
    "TINY_TCACHE": "*TCACHE*",
    "WARM_POOL_SIZE": "WARM_POOL*",
    "SS_MEM_LEAN_TARGET_MB": "*LEAN*",
    "TINY_RSS_BUDGET_KB": "*RSS*",
    "TINY_DIET_STEP": "*DIET*",
    "TINY_STATS_DUMP": "*STATS*",
    "TINY_MEM_DUMP": "*DUMP*",
    "MEASURE_UNIFIED_CACHE": "*UNIFIED*",
    "FREE_POLICY": "*POLICY*",
    "TINY_INT_TIGHT": "TINY*",
}


def examples():
    """A name for each row of the table that no row before it answers, and the names that are known."""
    made = {re.sub(r"\*", "7", re.sub(r"\*$", "_OLD", re.sub(r"^\*", "OLD_", p))): p for p in ANSWERS}
    return {f"HAKMEM_{name}": pattern for name, pattern in {**made, **KNOWN}.items()}


def answers(start, names):
    """What the library says of each of these variables, by the name."""
    told = {}
    for line in start(**dict.fromkeys(names, "1")).rest.splitlines():
        found = re.fullmatch(r"hakmem: warning: (\w+) is retired: (.+); see docs/from-the-first-design\.md", line)
        assert found, line
        assert found[1] not in told, "told twice"
        told[found[1]] = found[2]
    return told


@pytest.fixture(scope="module")
def start(preload):
    """Runs a program that allocates nothing itself, with variables."""
    return lambda **variables: preload("true", **{"HAKMEM_VERBOSE": None, **variables})


def test_every_row_was_read():
    assert len(ROWS) == len(ANSWERS) == TABLE.count("\nRETIRED(")
    assert len(ROWS) > 50


def test_every_retired_name_gives_its_own_answer(start):
    wanted = {name: ANSWERS[pattern] for name, pattern in examples().items()}
    assert answers(start, wanted) == wanted


@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_no_option_that_there_is_counts_as_retired(start, name):
    value = "/dev/null" if name.endswith("_FILE") else "0"
    assert "retired" not in start(**{name: value}).err
    assert "retired" not in start(**{f"{name}X": value}).err, "a slip is no retired name"


@pytest.mark.parametrize("name", ["HAKMEM_SOMETHING_ELSE_ENTIRELY", "HAKMEM_", "HAKMEM_TIN", "HAKMEM_" + "TINY" * 40])
def test_another_name_is_not_retired(start, name):
    assert "retired" not in start(**{name: "1"}).err


def test_the_page_has_a_row_for_each_pattern():
    told = set(re.findall(r"`([A-Z0-9_*]+)`", PAGE))
    assert set(ANSWERS) - told == set()
    patterns = {word for word in told if "*" in word}
    assert patterns - set(ANSWERS) == set()


# ---- the page leads somewhere


def page_rows():
    lines = [line for line in PAGE.splitlines() if line.startswith("| ") and not line.startswith("| then ")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


QUESTIONS = [
    line.split("|")[2].strip() for line in (ROOT / "docs/ledger.md").read_text().splitlines() if line.startswith("| 2")
]


@pytest.mark.parametrize("row", page_rows(), ids=lambda row: row[0][:40])
def test_a_row_leads_to_a_file_or_to_a_row_of_the_ledger(row):
    assert len(row) == 5, row
    leads = row[3]
    files = re.findall(r"`([\w./-]+)`", leads)
    asked = re.findall(r'ledger: "([^"]+)"', leads)
    assert files or asked, "it leads nowhere"
    assert [file for file in files if not (ROOT / file).is_file()] == []
    assert [question for question in asked if question not in QUESTIONS] == []


SYSTEMS = (
    "Unified Cache;ULTRA;Gatekeeper;Page Box;HotHeap v2;SmallObject v1;SmallObject v4;Pool v1;Pool v2;MID v3;"
    "Superslab hash;Header modes;Warm Pool;Shared Pool;Tiers;Release Guard;Arena;Remote free;Abandoned;Prefault;"
    "First-touch;Statistics;Profiles;Route;Tiny classes;TLS bind;Larson;Large, huge"
).split(";")


@pytest.mark.parametrize("system", SYSTEMS)
def test_each_system_of_the_notes_has_a_row(system):
    assert [row for row in page_rows() if system in row[0]], f"nothing says what became of {system}"
