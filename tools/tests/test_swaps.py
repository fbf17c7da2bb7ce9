"""Every box of swaps/ takes the place of one of the library, in a build of its own, which makes a whole malloc."""

import os
import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import pytest

from hakmem_cli import build, layout
from hakmem_lab.ab import ledger, sides, swaps
from hakmem_lab.ab.counted import Instructions
from hakmem_lab.ab.revisions import Repository
from hakmem_lab.ab.show import Outcome
from hakmem_lab.ab.sides import Kind, Side, Sources
from hakmem_lab.errors import LabError

ROOT = Path(layout.ROOT)
FOLDER = ROOT / "swaps"
NAMES = swaps.names()

# One of each seam; the others are built in a run of all tests.
FIRST = ("no-depot", "no-warm-pool", "no-remote-gathering", "no-purge", "prefault", "pool-parts-8")
EACH = [pytest.param(name, marks=() if name in FIRST else pytest.mark.slow) for name in NAMES]

# What a test promises that is not the allocator's to keep without the box.
PURGES = ("KnownZeroMemoryIsNotTouched", "ReallocGrowthTest", "Purge", "GrowsToTwoGiB", "Collect", "Trim")
NOT_PROMISED = {"no-purge": PURGES, "prefault": ("KnownZeroMemoryIsNotTouched",), "prefault-4m": PURGES[:1]}


def files(name):
    return sorted(path.relative_to(FOLDER / name) for path in (FOLDER / name).rglob("*") if path.is_file())


def test_the_list_has_a_line_for_each_folder_and_no_other():
    assert set(NAMES) == {path.name for path in FOLDER.iterdir() if path.is_dir()}
    assert set(FIRST) <= set(NAMES)
    assert all(what and "|" not in what and "\n" not in what for what in swaps.about().values())


@pytest.mark.parametrize("name", NAMES)
def test_each_file_takes_the_place_of_one_that_is_there(name):
    assert files(name)
    for file in files(name):
        assert (ROOT / "src" / file).is_file(), f"swaps/{name}/{file} replaces nothing: src/{file} does not exist"
        assert (ROOT / "src" / file).read_text() != (FOLDER / name / file).read_text(), "it changes nothing"


def test_help_names_each(hakmem):
    done = hakmem("ab", "--help")
    for name, what in swaps.about().items():
        assert re.search(rf"^ *{name} +{re.escape(what)}$", done.stdout, re.MULTILINE), done


# ---- as a side of ab


@pytest.fixture
def sources(tmp_path, monkeypatch):
    """Where sides come from; nothing is built."""
    current = tmp_path / "current.so"
    current.write_text("a library")
    monkeypatch.setattr(swaps, "built", lambda name, *_: tmp_path / f"{name}.so")
    return Sources(Repository(ROOT), current, tmp_path, lambda sentence: None)


def test_a_name_of_the_list_is_a_swap():
    assert [sides.kind_of(name) for name in NAMES] == [Kind.SWAP] * len(NAMES)
    assert sides.kind_of("no-such-box") is Kind.REVISION


def test_default_and_a_swap_are_of_the_current_build(sources, tmp_path):
    first, second = sides.resolve("default", "no-depot", sources)
    assert (first.library, second.library) == (sources.current, tmp_path / "no-depot.so")
    assert first.commit == second.commit


def test_two_swaps_may_be_compared(sources):
    assert sides.resolve("warm-pool-16", "no-warm-pool", sources)[1].kind is Kind.SWAP


@pytest.mark.parametrize("other", ["HEAD", "HAKMEM_RETAIN_KIB=0", ".", "build/lib/libhakmem.so"])
def test_a_swap_and_something_else_do_not_mix(sources, other):
    with pytest.raises(LabError, match="differ in two things"):
        sides.resolve(other, "no-depot", sources)


def test_what_is_neither_revision_nor_swap_is_told_where_both_are_listed(sources):
    with pytest.raises(LabError, match="no revision 'no-dpot'.*ab --help lists the swaps"):
        sides.resolve("default", "no-depot", sources)
        sides.resolve("HEAD", "no-dpot", sources)


def test_the_ledger_names_the_commit_that_a_swap_is_of():
    first = Side("default", Kind.SETTINGS, Path("x"), "a1" * 20)
    second = Side("no-depot", Kind.SWAP, Path("y"), "a1" * 20)
    row = ledger.row(Outcome(first, second, {}, {"waves": Instructions()}), "Shall it go?", date(2026, 11, 22))
    assert "`./hakmem ab default no-depot` at a1a1a1a1a1a1" in row
    turned = ledger.row(Outcome(second, first, {}, {}), "Shall it come?", date(2026, 11, 22))
    assert "`./hakmem ab no-depot default` at a1a1a1a1a1a1" in turned


# ---- the libraries


def swapped(name):
    return swaps.built(name, ROOT, ROOT / "build" / "ab", lambda sentence: None)


def run(command, preload=None):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("HAKMEM_", "LD_PRELOAD"))}
    if preload:
        environment |= {"LD_PRELOAD": str(preload), "HAKMEM_VERBOSE": "1"}
    command = [str(word) for word in command]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)


@pytest.mark.parametrize("name", EACH)
def test_a_swap_builds_and_serves_a_program(name, bench_programs):
    done = run([bench_programs / "random_mixed", "20000", "400", "1"], swapped(name))
    assert done.returncode == 0, done.stderr
    assert re.search(r"^\[HAKMEM\] .*slabs_bound=[1-9]", done.stderr, re.MULTILINE), done.stderr
    assert b"swaps/" + name.encode() in swapped(name).read_bytes(), "it has nothing of its own"


def test_no_library_that_users_get_holds_a_trace(library):
    """Names of sources stand in the debug information; those of swaps/ are found in theirs by the test above."""
    folder = Path(library).parent
    for one in (folder / "libhakmem.so", folder / "libhakmem.a"):
        assert b"/src/" in one.read_bytes(), "there is no debug information to look at"
        assert b"swaps/" not in one.read_bytes()


def test_a_swap_cannot_be_installed(tmp_path):
    options = ["-DHAKMEM_TESTS=OFF", "-DHAKMEM_BENCH=OFF", "-DHAKMEM_VARIANTS=", "-DHAKMEM_SWAP=no-depot"]
    assert run(["cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", *options]).returncode == 0
    assert "libhakmem" not in (tmp_path / "cmake_install.cmake").read_text()
    assert not [path for path in tmp_path.rglob("cmake_install.cmake") if "file(INSTALL" in path.read_text()]


def test_a_swap_that_there_is_not_is_refused(tmp_path):
    done = run(["cmake", "-S", ROOT, "-B", tmp_path, "-G", "Ninja", "-DHAKMEM_SWAP=no-such-box"])
    assert done.returncode != 0
    assert "There is no swap 'no-such-box': swaps/swaps.toml lists them." in done.stderr


@pytest.fixture(scope="module")
def contract_tests():
    """Every contract test, as (program, name). Each runs in a process of its own, as ctest runs them."""
    build.everything("release", quiet=True)
    programs = sorted((ROOT / "build/release/tests").glob("contract_*_test"))
    found = []
    for program in programs:
        suite = ""
        for line in run([program, "--gtest_list_tests"]).stdout.splitlines():
            word = line.split("#")[0].strip()
            if line.startswith("  "):
                found.append((program, suite + word))
            elif word.endswith("."):
                suite = word
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_swap_keeps_the_contract(name, contract_tests):
    left_out = NOT_PROMISED.get(name, ())
    chosen = [(program, test) for program, test in contract_tests if not any(word in test for word in left_out)]
    assert len(chosen) > len(contract_tests) * 0.8
    preload = swapped(name)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        done = list(pool.map(lambda one: run([one[0], f"--gtest_filter={one[1]}"], preload), chosen))
    failed = [f"{test}: {one.stdout[-800:]}" for (_, test), one in zip(chosen, done, strict=True) if one.returncode]
    assert not failed, "\n".join(failed)
