"""In the release library nothing of counting is left, and HOT is compiled as if events were not there."""

import json
import re
import shlex
import shutil

import pytest

TOLD = re.compile(r"^ *observe_\w+\([^;]*\);\n", re.M)
HOT = ["api/malloc.c", "api/hak.c", "api/jemalloc.c", "api/operators.c"]


def names(library, plain, tool):
    done = plain([tool("nm"), library])
    assert done.code == 0, done
    return {line.split()[-1] for line in done.out.splitlines()}


def test_no_symbol_and_no_line_of_counting_is_in_the_release_library(library, observe_library, plain, tool):
    mark = re.compile(r"^(observe_\w+|tall(y_take|y_list|y_for_thread|ies)|band_\w+|text_percent|held_(begin|end|now|time|waited)|stats_lines_\w+|lock_lines_\w+|waste_lines_\w+|print_free_path)$")
    if "debug" not in str(library):  # there functions that do nothing may stay
        assert not [name for name in names(library, plain, tool) if mark.match(name)]
    assert [name for name in names(observe_library, plain, tool) if mark.match(name)]
    line = b"free_path_stats_by_class"
    assert line not in library.read_bytes() and line in observe_library.read_bytes()


def test_static_tls_stays_within_a_kibibyte(observe_library, plain, tool):
    done = plain([tool("readelf"), "-lW", observe_library])
    segment = next(line.split() for line in done.out.splitlines() if line.split()[:1] == ["TLS"])
    assert 0 < int(segment[5], 16) <= 1024


@pytest.fixture(scope="module")
def assembly(request, plain, tmp_path_factory):
    """Compiles a file of a source folder as the release build does, to assembly."""
    root = request.config.rootpath
    commands = json.loads((root / "build/release/compile_commands.json").read_text())

    def call(folder, name):
        source = str(root / "src" / name)
        (entry,) = [e for e in commands if e["file"] == source and "/hakmem_objects.dir/" in e["command"]]
        words = [word for word in shlex.split(entry["command"]) if word not in ("-c", "-g", entry["file"])]
        at = words.index("-o")
        words[at : at + 2] = []
        words = [word.replace(f"-I{root}/src", f"-I{folder}") for word in words]
        done = plain([*words, "-g0", "-S", "-o", "-", folder / name], cwd=folder)
        assert done.code == 0, done.err
        return done.out

    return call


@pytest.fixture(scope="module")
def without_events(request, tmp_path_factory):
    """The sources with every statement that tells of an event taken out."""
    folder = tmp_path_factory.mktemp("silent") / "src"
    shutil.copytree(request.config.rootpath / "src", folder)
    taken = 0
    for part in ("api", "hot"):
        for file in (folder / part).glob("*.[ch]"):
            text, count = TOLD.subn("", file.read_text())
            file.write_text(text)
            taken += count
    assert taken >= 8, "the events were found"
    return folder


@pytest.mark.parametrize("name", HOT)
def test_hot_is_compiled_as_if_there_were_no_events(request, assembly, without_events, name):
    assert assembly(request.config.rootpath / "src", name) == assembly(without_events, name)
