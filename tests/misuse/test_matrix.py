"""The matrix of misuse keeps what promises.json says: each case ends on each library with the words that it promises.

After a change that is meant:  pytest tests/misuse --update   (many runs of each case; what one of them did not stop is not promised)
"""

import re

import pytest

from hakmem_lab.misuse import Program, promises

PROMISED = promises.read()
EACH = [(name, case) for name, cases in PROMISED.items() for case in cases]
STOPS = [(name, case) for name, cases in PROMISED.items() for case in promises.stops(cases)]
UPDATE_RUNS = 20
UPDATE_RUNS_OF_FAULTS = 200  # where memory lies decides: one in a hundred may pass
# Before a block that has a mapping of its own lies whatever the system placed there, rarely another block; a write into eight
# free bytes is found in 299 of 300 runs.
BY_CHANCE = re.compile(r"(underflow|underread|copy_.*_too_early).*\.large|write_after_free_of_a_tiny_block")


@pytest.fixture(scope="module")
def program(library):
    """Beside the library: in its own build folder, or in that of the release preset."""
    places = [library.parents[1] / folder / "bench/misuse" for folder in ("release", ".")]
    found = next((place for place in places if place.is_file()), None)
    if found is None:
        pytest.skip("the program of the matrix is not built: that needs a C++ compiler")
    return Program(found)


@pytest.fixture(scope="module")
def allocators(library):
    return {name: promises.library(name, library.parent) for name in (*promises.LIBRARIES, promises.WHOLE)}


@pytest.fixture(scope="module")
def cases(program):
    return {case.name: case for case in program.cases()}


@pytest.fixture
def run(program, allocators, cases):
    """One run of a case on a library."""

    def call(name, case):
        if not allocators[name].library.is_file():
            pytest.skip(f"{allocators[name].library.name} is not built")
        return program.run(cases[case], allocators[name])

    return call


def test_the_promises(request, program, allocators, cases):
    """They speak of cases that there are; with --update they are made anew."""
    if request.config.getoption("--update"):
        promises.write(made_anew(program, allocators, list(cases.values())))
    unknown = {case for promised in promises.read().values() for case in promised} - set(cases)
    assert not unknown


def made_anew(program, allocators, every):
    made = {name: made_of(program, one, every) for name, one in allocators.items() if one.library.is_file()}
    promised = {**PROMISED, **made}
    secure = promised.get("secure", {})
    whole = promised.get(promises.WHOLE, {})
    promised[promises.WHOLE] = {case: text for case, text in whole.items() if case not in secure}
    return promised


def made_of(program, allocator, every):
    made = promises.made(every, [program.run_all(every, allocator) for _ in range(UPDATE_RUNS)])
    faults = [case for case in every if "fault" in made.get(case.name, "")]
    again = promises.made(faults, [program.run_all(faults, allocator) for _ in range(UPDATE_RUNS_OF_FAULTS)])
    kept = {case: text for case, text in made.items() if "fault" not in text} | again
    return {case: text for case, text in kept.items() if allocator.name != "secure" or not BY_CHANCE.match(case)}


def test_the_public_suite_is_whole(cases):
    """37 kinds on three sizes, and five of C++."""
    assert sum(case.suite == "public" for case in cases.values()) == 116


@pytest.mark.parametrize(("name", "case"), EACH)
def test_a_promise(run, name, case):
    outcome = run(name, case)
    assert promises.is_kept(PROMISED[name][case], outcome), f"promised: {PROMISED[name][case]}\n{outcome.shown}"
    if outcome.words:
        assert f"hakmem: {outcome.words}: " in outcome.shown


# What is said of a sample, and whether it has been freed then.
SAMPLE_WORDS = {"overrun": False, "underrun": False, "use after free": True, "double free": True, "run as code": False}
SAMPLE_WORDS |= {f"{what} of an interior pointer": False for what in ("free", "realloc")}
SAMPLE_WORDS |= {"free with a wrong size": False, "free of a block of new": False}
SAMPLE_WORDS |= {"delete of a block of malloc": False, "delete[] of a block of new": False}
SAMPLE_WORDS |= {f"{what} of a freed block": True for what in ("realloc", "malloc_usable_size")}
OF_SAMPLES = [
    (case, all(SAMPLE_WORDS[words] for words in text.split(" | ")))
    for case, text in PROMISED.get("guarded", {}).items()
    if set(text.split(" | ")) <= SAMPLE_WORDS.keys()
]
# What is given to free or its like there is no sample: nothing is known of it.
NO_SAMPLE = re.compile(r"(misaligned free|(free|realloc|malloc_usable_size) of an invalid pointer)")


@pytest.mark.parametrize(("case", "freed"), OF_SAMPLES)
def test_a_line_names_the_stacks_of_a_sample(run, case, freed):
    """At least the call that allocated it; and the one that freed it, each with its thread."""
    shown = run("guarded", case).shown
    assert re.search(r"a guarded sample of \d+ bytes, .*; allocated by thread \d+ at [^;\n]*\S\+0x", shown), shown
    assert not freed or re.search(r"; freed by thread \d+ at [^;\n]*\S\+0x", shown), shown


def test_every_kind_that_has_an_effect_stops_a_sample(cases):
    """At once, with the line of a sample, unless the pointer is none of one."""
    guarded = PROMISED["guarded"]
    assert not set(cases) - set(guarded)
    stopped = set(guarded) - {case for case, _ in OF_SAMPLES} - {case for case in guarded if guarded[case] == "no effect"}
    assert not {case: guarded[case] for case in stopped if not NO_SAMPLE.fullmatch(guarded[case])}
    assert len(OF_SAMPLES) > 180 and sum(freed for _, freed in OF_SAMPLES) > 60


@pytest.mark.slow
@pytest.mark.parametrize(("name", "case"), STOPS)
def test_a_stop_a_hundred_times(run, name, case):
    for _ in range(100):
        outcome = run(name, case)
        assert promises.is_kept(PROMISED[name][case], outcome), f"promised: {PROMISED[name][case]}\n{outcome.shown}"


@pytest.mark.parametrize("case", ["double_free.small", "overflow_by_1.medium"])
def test_right_use_is_silent_before_it(run, case):
    """Nothing is said but the line of the stop."""
    for name in promises.LIBRARIES:
        shown = run(name, case).shown
        assert shown.count("hakmem: ") <= 1


def test_the_table_of_the_document_has_every_kind(cases):
    """docs/security.md shows what ./hakmem misuse --markdown prints."""
    text = (promises.ROOT / "docs" / "security.md").read_text(encoding="utf-8")
    block = text.split("<!-- misuse:")[1].split("<!-- end of misuse -->")[0]
    shown = set(re.findall(r"^\| `(\w+)` \|", block, re.MULTILINE))
    assert shown == {case.kind for case in cases.values()}
