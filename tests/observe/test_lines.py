"""Which lines are printed, when, and in which form."""

import re

import pytest

from stats_lines import LINES, human, objects

BOXES = {
    "process": LINES[:1],
    "free_path": LINES[1:3],
    "malloc_path": LINES[3:5],
    "dispatch": LINES[5:6],
    "live": LINES[6:7],
    "cache": LINES[7:8],
    "depot": LINES[8:9],
    "warm_pool": LINES[9:11],
    "slab": LINES[11:12],
    "superslab": LINES[12:13],
    "shared_pool": LINES[13:14],
    "remote": LINES[14:15],
    "os": LINES[15:16],
    "locks": LINES[16:18],
    "waste": LINES[18:],
}
HINT = (
    "hakmem: warning: this library counts nothing for HAKMEM_STATS; libhakmem-observe.so does: "
    "./hakmem run --observe -- COMMAND\n"
)

PROGRAM = r"""
#include <dlfcn.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  (void)argv;
  free(malloc(100));
  _Bool (*print)(void) = (_Bool (*)(void))dlsym(RTLD_DEFAULT, "hak_stats_print");
  if (print == NULL) return 3;
  _Bool printed = argc > 1 && print();
  return argc > 1 && !printed ? 2 : 0;
}
"""


@pytest.fixture(scope="module")
def program(compile_c):
    """Allocates one block; with an argument, prints the lines before it ends."""
    return compile_c(PROGRAM, "prints", ["-ldl"])


def names(text):
    """The names of the lines; one of each list."""
    lines = [name for name, _ in human(text)]
    rows = ("warm_pool_stats_by_class", "waste_stats_by_class")
    return [name for at, name in enumerate(lines) if not (at > 0 and name == lines[at - 1] and name in rows)]


def test_every_box_is_printed_unless_some_are_chosen(observe, program):
    assert names(observe(program).err) == LINES
    assert names(observe(program, HAKMEM_STATS="all").err) == LINES
    assert names(observe(program, HAKMEM_STATS="").err) == LINES


@pytest.mark.parametrize("box", BOXES)
def test_a_box_has_a_name(observe, program, box):
    assert names(observe(program, HAKMEM_STATS=box).err) == BOXES[box]


def test_boxes_are_chosen_in_any_order(observe, program):
    assert names(observe(program, HAKMEM_STATS="os,free_path,remote").err) == [*LINES[1:3], *LINES[14:16]]


@pytest.mark.parametrize(
    ("variable", "value", "suggestion"),
    [
        ("HAKMEM_STATS", "FREE_PATH", "did you mean free_path?"),
        ("HAKMEM_FREE_PATH_STATS", "yes", "the nearest valid value is 1"),
        ("HAKMEM_STATS", "unheard_of", "man 3 hakmem lists the values"),
    ],
)
def test_a_wrong_choice_prints_its_warning_alone(observe, program, variable, value, suggestion):
    err = observe(program, **{variable: value}).err
    assert err.count("\n") == 1
    assert err.endswith(f"; {suggestion}\n")


def test_of_two_boxes_the_one_that_there_is_is_printed(observe, program):
    err = observe(program, HAKMEM_STATS="depot,FREE_PATH").err
    assert err.startswith("hakmem: warning: unknown name FREE_PATH in HAKMEM_STATS is ignored; did you mean free_path?\n")
    assert names(err) == BOXES["depot"]


def test_none_prints_nothing(observe, program):
    assert observe(program, HAKMEM_STATS="none").err == ""


@pytest.mark.parametrize(
    ("name", "box"),
    [
        ("HAKMEM_FREE_PATH_STATS", "free_path"),
        ("HAKMEM_FREE_DISPATCH_STATS", "dispatch"),
        ("HAKMEM_WARM_POOL_STATS", "warm_pool"),
    ],
)
def test_the_old_names_choose_a_box(observe, program, name, box):
    assert names(observe(program, **{name: "1"}).err) == BOXES[box]
    assert names(observe(program, **{name: "1", "HAKMEM_STATS": "os"}).err) == [*BOXES[box], "os_stats"]
    assert names(observe(program, **{name: "0"}).err) == LINES


def test_lines_are_nothing_but_names_and_numbers(observe, program):
    for line in observe(program).err.splitlines():
        assert re.fullmatch(r"\[[A-Z_]+\]( [a-z0-9_]+=\d+(\.\d\d)?)+", line), line


def test_the_fields_that_have_names_of_old(observe, program):
    fields = {name: list(figures) for name, figures in human(observe(program).err)}
    assert fields["free_path_stats"] == "total cache depot spill remote large huge empty guarded null".split()
    assert fields["free_path_stats_by_class"] == "c0 c1 c2 c3 c4 c5 c6 c7 mid".split()
    assert fields["malloc_path_stats"] == "total cache depot slab fresh borrow coalesced gathered stolen large huge empty guarded failed".split()
    assert fields["malloc_path_stats_by_class"] == "c0 c1 c2 c3 c4 c5 c6 c7 mid".split()
    dispatch = fields["free_dispatch_stats"]
    assert dispatch[:4] == ["total", "tiny", "mid", "large"]
    assert dispatch[4:] and all(field.startswith("route_") for field in dispatch[4:])
    assert fields["warm_pool_stats"] == ["hits", "misses", "prefilled"]
    assert fields["warm_pool_stats_by_class"] == ["size", "hits", "misses", "prefilled"]
    pool = "unused active empty locks locks_waited to_open to_draining to_free"
    assert fields["shared_pool_stats"] == pool.split()


def test_json_is_one_object_on_one_line_with_the_same_figures(observe, program):
    done = observe(program, HAKMEM_STATS_FORMAT="json")
    assert done.err.count("\n") == 1
    (stats,) = objects(done.err)
    assert list(stats) == LINES
    again = dict(human(observe(program).err))
    for name in ("free_path_stats", "malloc_path_stats", "slab_stats", "cache_stats"):
        assert stats[name] == again[name]
    (some,) = objects(observe(program, HAKMEM_STATS_FORMAT="json", HAKMEM_STATS="os,remote").err)
    assert list(some) == ["remote_stats", "os_stats"]


def test_lines_are_printed_on_request_and_at_exit(observe, program):
    assert names(observe(program, HAKMEM_STATS="os").err) == ["os_stats"]
    done = observe(program, "print", HAKMEM_STATS="os,free_path")
    assert names(done.err) == [*LINES[1:3], "os_stats"] * 2


def test_the_verbose_line_stands_before_them(observe, program):
    lines = observe(program, HAKMEM_VERBOSE="1", HAKMEM_STATS="os").err.splitlines()
    assert [line.split("]")[0] for line in lines] == ["[HAKMEM", "[OS_STATS"]


def test_an_unknown_box_gets_one_warning_with_the_nearest(observe, program):
    done = observe(program, HAKMEM_STATS="free_pth,os")
    warning = "hakmem: warning: unknown name free_pth in HAKMEM_STATS is ignored; did you mean free_path?\n"
    assert done.err.startswith(warning + "[OS_STATS]")
    assert names(done.err) == ["os_stats"]


def test_the_release_library_says_that_it_does_not_count(preload, program):
    both = {"HAKMEM_STATS": "os", "HAKMEM_WARM_POOL_STATS": "1"}
    for variables in ({"HAKMEM_STATS": "all"}, {"HAKMEM_FREE_PATH_STATS": "1"}, both):
        done = preload(program, HAKMEM_VERBOSE=None, **variables)
        assert (done.code, done.err) == (0, HINT)
    assert preload(program, HAKMEM_VERBOSE=None, HAKMEM_STATS_FORMAT="json", HAKMEM_FREE_PATH_STATS="0").err == ""
    done = preload(program, "print", HAKMEM_VERBOSE=None)
    assert (done.code, done.err) == (2, ""), "hak_stats_print returns false"
