"""The matrix of misuse: how a case's ending is told, what is counted, and when a promise is kept."""

import json

import pytest

from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.misuse import Case, Ending, Outcome, Program, promises, tables
from hakmem_lab.peers import Allocator
from hakmem_lab.tables import table_lines

GLIBC = Allocator("glibc", None)
NAMES = ("stopped", "aborted", "fault", "late", "none", "unnoticed", "untried", "status", "liar", "silent")
LISTED = [{"name": f"{name}.small", "kind": name, "size": "small", "suite": "ours"} for name in NAMES]
SCRIPT = f"""#!/bin/sh
if [ "$1" = --list ]; then
  echo '{json.dumps(LISTED)}'
  exit
fi
[ "$1" = liar.small ] && echo "allocator /lib/libother.so"
[ "$1" = silent.small ] || echo "allocator /lib/libc.so.6"
case $1 in
  stopped.*) echo "hakmem: double free: pointer 0x10, thread 1" >&2; kill -ABRT $$ ;;
  aborted.*) kill -ABRT $$ ;;
  fault.*) kill -SEGV $$ ;;
  late.*) echo survived; echo "hakmem: double free: pointer 0x10, thread 1" >&2; kill -ABRT $$ ;;
  none.*) echo "no effect" ;;
  unnoticed.*) echo survived; [ -z "$HAKMEM_PROFILE" ] || echo "told $HAKMEM_PROFILE" ;;
  untried.*) echo "not tried: there is no free_sized"; exit 77 ;;
  status.*) exit 1 ;;
esac
"""


@pytest.fixture
def program(tmp_path):
    path = tmp_path / "misuse"
    path.write_text(SCRIPT)
    path.chmod(0o755)
    return Program(path)


@pytest.fixture
def run(program):
    cases = {case.kind: case for case in program.cases()}
    return lambda kind, allocator=GLIBC: program.run(cases[kind], allocator)


@pytest.mark.parametrize(
    ("kind", "ending", "text"),
    [
        ("stopped", Ending.STOPPED, "double free"),
        ("aborted", Ending.STOPPED, "abort"),
        ("fault", Ending.FAULT, "fault"),
        ("late", Ending.AT_EXIT, "at exit: double free"),
        ("none", Ending.NO_EFFECT, "no effect"),
        ("unnoticed", Ending.UNNOTICED, "unnoticed"),
        ("untried", Ending.NOT_TRIED, "not_tried"),
        ("status", Ending.STOPPED, "abort"),
    ],
)
def test_how_a_case_ends(run, kind, ending, text):
    outcome = run(kind)
    assert (outcome.ending, outcome.text()) == (ending, text)


def test_another_allocator_is_not_believed(run):
    with pytest.raises(UnsoundError, match="was to run on glibc, but /lib/libother.so served it"):
        run("liar")
    with pytest.raises(UnsoundError, match="did not say what served it"):
        run("silent")


def test_settings_of_the_caller_do_not_count_but_the_allocators_do(run, monkeypatch):
    monkeypatch.setenv("HAKMEM_PROFILE", "lean")
    assert "told" not in run("unnoticed").shown
    told = Allocator("glibc", None, settings=(("HAKMEM_PROFILE", "speed"),))
    assert "told speed" in run("unnoticed", told).shown


def test_a_program_that_is_not_built(tmp_path):
    with pytest.raises(LabError, match="build it first"):
        Program(tmp_path / "none").cases()


def outcomes(**endings):
    return {f"{kind}.{size}": Outcome(ending) for kind, sizes in endings.items() for size, ending in sizes.items()}


CASES = [Case(f"free.{size}", "free", size, "public") for size in ("small", "medium", "large")]
CASES += [Case("sized.one", "sized", "one", "public")]
FOUND = {
    "one": outcomes(
        free={"small": Ending.STOPPED, "medium": Ending.AT_EXIT, "large": Ending.FAULT}, sized={"one": Ending.NOT_TRIED}
    ),
    "two": outcomes(free=dict.fromkeys(("small", "medium", "large"), Ending.UNNOTICED), sized={"one": Ending.NO_EFFECT}),
}


def test_the_matrix_has_a_row_for_a_kind():
    lines = table_lines(tables.matrix_table(CASES, FOUND)).splitlines()
    assert lines[0] == "| kind | one | two |"
    assert lines[2:] == ["| `free` | stop / exit / fault | – |", "| `sized` |  | none |"]


def test_what_was_not_tried_is_not_counted():
    rows = tables.counts_table(CASES, FOUND).rows
    assert rows == [
        ("one", "of the public suite", "3 of 3", "1", "1", "1", "0", "0"),
        ("two", "of the public suite", "1 of 4", "0", "0", "0", "1", "3"),
    ]


def test_a_promise_is_what_every_run_gave():
    stopped, fault = Outcome(Ending.STOPPED, "double free"), Outcome(Ending.FAULT)
    assert promises.made_of([stopped, stopped]) == "double free"
    assert promises.made_of([stopped, fault]) == "double free | fault"
    assert promises.made_of([stopped, Outcome(Ending.UNNOTICED)]) is None
    assert promises.is_kept("double free | fault", fault)
    assert not promises.is_kept("double free", fault)
    assert not promises.is_kept("double free", Outcome(Ending.AT_EXIT, "double free"))
    assert promises.stops({"a": "no effect", "b": "fault", "c": "at exit: double free"}) == ["b", "c"]


def test_promises_are_kept_in_a_file(tmp_path):
    file = tmp_path / "promises.json"
    assert promises.read(file) == {}
    promises.write({"release": {"double_free.small": "double free"}}, file)
    assert promises.read(file) == {"release": {"double_free.small": "double free"}}
