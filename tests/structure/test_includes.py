"""The sources keep the rules of the house (CONTRIBUTING.md, "The floors"), and the checker sees each rule broken."""

import pytest

from hakmem_house import floors, headers, rules, sources

# The .c files that need no header, each with its reason.
HEADERLESS = {
    "api/dlopen.c": "dlopen of the C library",
    "api/hak.c": "defines public functions only",
    "api/jemalloc.c": "defines public functions only",
    "api/malloc.c": "defines public functions only",
    "api/operators.c": "defines public functions only",
    "profile/sample_hooks_profile.c": "defines what warm/heap_hooks.h declares",
    "report/hak_report.c": "defines public functions only",
    "report/malloc_info.c": "defines public functions only",
    "report/leave.c": "_exit and _Exit of the C library",
    "secure/heap_hooks_secure.c": "defines what warm/heap_hooks.h declares",
    "secure/slab_hooks_secure.c": "defines what cold/slab_hooks.h declares",
}
TABLE = """
## The floors

| floor | header | role |
|---|---|---|
| `os` | `os/os.h` | the operating system |
| `cold` | `cold/cold.h` | shared and locked |
| `hot` | `hot/hot.h` | runs always |

## Another section

| floor | header | role |
|---|---|---|
| no | no/no.h | is not listed |
"""
COMMENT = "/* {}: what it is.\n *\n * Owns:     nothing.\n * Promises: nothing.\n * Callers:  any.\n */\n"
SOUND = {
    "os/os.h": '/* os: the operating system. */\n#include "os/map.h"\n',
    "os/map.h": COMMENT.format("map"),
    "os/map.c": '#include "os/map.h"\n#include <stdio.h>\n#include "hakmem.h"\n',
    "cold/cold.h": '/* cold: shared. */\n#include "cold/pool.h"\n#include "cold/arena.h"\n',
    "cold/arena.h": COMMENT.format("arena"),
    "cold/arena.c": '#include "cold/arena.h"\n#include "os/os.h"\n',
    "cold/pool.h": COMMENT.format("pool") + '#include "cold/arena.h"\n',
    "cold/pool.c": '#include "cold/pool.h"\n#include "cold/pool.def"\n#include "os/os.h"\n',
    "cold/pool.def": "POOL(1)\n",
    "hot/hot.h": '/* hot: runs always. */\n#include "hot/gate.h"\n',
    "hot/gate.h": COMMENT.format("gate") + '#include "cold/cold.h"\n',
    "hot/entry.c": '#include "hot/gate.h"\n',
}


def test_the_sources_keep_the_rules(house, files):
    wrong = rules.broken(house, files, HEADERLESS)
    if wrong:
        pytest.fail("\n".join([f"{len(wrong)} things are against the rules of the house:", *wrong]), pytrace=False)


# ---- the checker itself, on small trees ----


@pytest.fixture
def told(tmp_path):
    """What the checker says of the sound tree with some files changed, added or (None) taken away."""

    def check(changed=None, headerless=("hot/entry.c",)):
        (tmp_path / "CONTRIBUTING.md").write_text(TABLE)
        for path, text in {**SOUND, **(changed or {})}.items():
            if text is not None:
                file = tmp_path / "src" / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        return rules.broken(floors.read(tmp_path / "CONTRIBUTING.md"), sources.read(tmp_path / "src"), headerless)

    return check


def with_line(path, line):
    """The sound file with one line more."""
    return {path: SOUND[path] + line + "\n"}


def test_a_sound_tree_keeps_them(told):
    assert told() == []


def test_an_include_that_runs_up(told):
    assert told(with_line("os/map.c", '#include "cold/cold.h"')) == [
        'src/os/map.c:4: #include "cold/cold.h" runs up, from os to cold: '
        "move what is needed to os or below, or have it handed in",
        "a circle of floors: cold → os → cold (src/cold/arena.c:2, src/os/map.c:4): "
        "move what both need to a floor below both, or have it handed in",
    ]


def test_an_include_turned_round(told):
    turned = {
        **with_line("cold/arena.c", '#include "hot/hot.h"'),
        "hot/gate.h": COMMENT.format("gate"),
    }
    [wrong] = told(turned)
    assert wrong.startswith('src/cold/arena.c:3: #include "hot/hot.h" runs up, from cold to hot: ')


def test_an_include_in_a_condition_counts(told):
    text = '#include "os/map.h"\n#if HAKMEM_SECURE\n#  include "hot/hot.h"\n#endif\n'
    assert any(wrong.startswith("src/os/map.c:3:") for wrong in told({"os/map.c": text}))


def test_an_inner_header_of_another_floor(told):
    assert told(with_line("cold/arena.c", '#include "os/map.h"')) == [
        'src/cold/arena.c:3: #include "os/map.h" names an inner header of os: include "os/os.h", and have that offer it'
    ]


def test_a_table_of_another_floor_is_an_inner_header(told):
    [wrong] = told(with_line("hot/gate.h", '#include "cold/pool.def"'))
    assert wrong.startswith('src/hot/gate.h:8: #include "cold/pool.def" names an inner header of cold:')


def test_a_floor_header_included_from_its_own_floor(told):
    [wrong] = told(with_line("cold/pool.c", '#include "cold/cold.h"'))
    assert wrong == (
        'src/cold/pool.c:4: #include "cold/cold.h" names the header for the floors above: '
        "include the box of cold that is meant"
    )


def test_an_include_of_no_file(told):
    [wrong] = told(with_line("cold/pool.c", '#include "pool.h"'))
    assert wrong.startswith('src/cold/pool.c:4: #include "pool.h" names no file: name headers from src/ on')


def test_a_circle_of_boxes(told):
    assert told(with_line("cold/arena.c", '#include "cold/pool.h"')) == [
        "a circle of boxes: cold/arena → cold/pool → cold/arena (src/cold/arena.c:3, src/cold/pool.h:7): "
        "move what both need into a box of its own"
    ]


def test_a_circle_of_three_boxes_is_told_once():
    edges = {"a": {"b": "1"}, "b": {"c": "2", "d": "3"}, "c": {"a": "4"}, "d": {}, "e": {"a": "5"}}
    assert rules.circles(edges) == ["a → b → c → a (1, 2, 4)"]


def test_a_file_that_is_too_long(told):
    assert told({"cold/pool.def": "POOL(1)\n" * rules.LONGEST}) == []
    [wrong] = told({"cold/pool.def": "POOL(1)\n" * (rules.LONGEST + 1)})
    assert wrong == "src/cold/pool.def:301: has 301 lines, more than 300: split the box"


def test_a_line_that_is_too_wide(told):
    assert told({"cold/pool.def": "x" * rules.WIDEST}) == []
    [wrong] = told({"cold/pool.def": "POOL(1)\n" + "é" * (rules.WIDEST + 1)})
    assert wrong == "src/cold/pool.def:2: has 121 columns, more than 120: wrap the line"


def test_a_file_of_code_without_a_header(told):
    [wrong] = told(headerless=())
    assert wrong == "src/hot/entry.c: has no header hot/entry.h: declare there what it offers, or join it to a box"


@pytest.mark.parametrize("exception", ["os/map.c", "os/gone.c"])
def test_an_exception_that_is_none(told, exception):
    [wrong] = told(headerless=("hot/entry.c", exception))
    assert wrong == f"src/{exception}: may be without a header, but is not: take it off the list of exceptions"


def test_two_files_of_one_name(told):
    [wrong] = told({"cold/gate.h": COMMENT.format("gate")})
    assert wrong == "src/cold/gate.h and src/hot/gate.h: two files named gate.h: give each box its own name"


def test_a_folder_that_is_no_floor(told):
    [wrong] = told({"attic/box.h": COMMENT.format("box")})
    assert wrong.startswith("src/attic: is no floor:")


def test_a_floor_that_has_no_folder(told):
    gone = {"hot/hot.h": None, "hot/gate.h": None, "hot/entry.c": None}
    [wrong] = told(gone, headerless=())
    assert wrong.startswith("src/hot: is not there:")


def test_a_floor_that_has_no_header(told):
    assert told({"hot/hot.h": None}) == ["src/hot/hot.h: is not there: the floors above include hot by this header"]


def test_a_floor_header_that_declares_something(told):
    [wrong] = told(with_line("hot/hot.h", "int hot_calls(void);"))
    assert wrong == "src/hot/hot.h:3: declares something: move it to a box; a floor's header only includes"


@pytest.mark.parametrize("part", headers.PARTS)
def test_a_header_whose_comment_lacks_a_part(told, part):
    [wrong] = told({"os/map.h": COMMENT.format("map").replace(part, "Besides:")})
    assert wrong == f"src/os/map.h:1: the comment it opens with lacks {part}"


@pytest.mark.parametrize("text", ["#pragma once\n" + COMMENT.format("map"), COMMENT.format("pam"), ""])
def test_a_header_that_opens_otherwise(told, text):
    assert 'src/os/map.h:1: does not open with a comment "map: what it is."' in told({"os/map.h": text})


def test_the_floors_are_those_of_the_section(tmp_path):
    (tmp_path / "CONTRIBUTING.md").write_text(TABLE)
    read = floors.read(tmp_path / "CONTRIBUTING.md")
    assert [(floor.name, floor.header, floor.height) for floor in read] == [
        ("os", "os/os.h", 0),
        ("cold", "cold/cold.h", 1),
        ("hot", "hot/hot.h", 2),
    ]


@pytest.mark.parametrize("text", ["# nothing\n", "## The floors\n\nnone\n"])
def test_a_file_without_floors_is_refused(tmp_path, text):
    (tmp_path / "CONTRIBUTING.md").write_text(text)
    with pytest.raises(ValueError, match="floors"):
        floors.read(tmp_path / "CONTRIBUTING.md")


@pytest.mark.parametrize(
    "text, name, purpose",
    [
        ("/* heap: what one thread owns: its lanes. */", "heap", "what one thread owns"),
        ("/* retain: how much is\n * kept for reuse.\n *\n * Owns: it. */", "retain", "how much is kept for reuse"),
        ("/* line: one line (X=1; off), and more. */", "line", "one line, and more"),
        ("/* Converts and forwards. */", "", ""),
    ],
)
def test_a_header_says_what_the_box_is(text, name, purpose):
    assert headers.opening(text) == (name, purpose)


@pytest.mark.parametrize(
    "text, purpose",
    [
        ("/* tag: address -> owner. Constant. */", "address → owner"),
        ("/* The public functions (of hakmem.h). Holds nothing. */", "the public functions"),
        ("#include <stdio.h>\n", ""),
    ],
)
def test_any_file_says_what_it_is_for(text, purpose):
    assert headers.purpose(text) == purpose
