"""What A and B may be, how revisions are built, what the ledger takes, and whole calls of `ab`."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from hakmem_cli import build, layout
from hakmem_lab.ab import command, ledger, revisions, show, sides, stage
from hakmem_lab.ab.counted import Instructions
from hakmem_lab.ab.gain import Gain
from hakmem_lab.ab.pairs import Answer, Run
from hakmem_lab.ab.revisions import Repository
from hakmem_lab.ab.sides import Kind, Side, Sources
from hakmem_lab.errors import LabError
from hakmem_lab.running.runner import Runner
from hakmem_lab.workloads import REGISTRY

TOOLS = Path(layout.TOOLS)

CMAKE_LISTS = """\
cmake_minimum_required(VERSION 3.22)
project(small LANGUAGES C)
add_library(hakmem SHARED small.c)
set_target_properties(hakmem PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${HAKMEM_LIB_DIR})
foreach(variant IN LISTS HAKMEM_VARIANTS)
  add_library(hakmem_${variant} SHARED small.c)
  set_target_properties(hakmem_${variant} PROPERTIES
    LIBRARY_OUTPUT_DIRECTORY ${HAKMEM_LIB_DIR} OUTPUT_NAME hakmem-${variant})
  target_compile_definitions(hakmem_${variant} PRIVATE answer=answer_of_${variant})
endforeach()
"""
PRESETS = {"version": 3, "configurePresets": [{"name": "release", "generator": "Ninja", "binaryDir": "b"}]}


class SmallRepository:
    """A repository of a library that has one function."""

    def __init__(self, root):
        self.root = root
        root.mkdir()
        self.git("init", "--quiet")
        self.commit("int answer(void) { return 1; }\n")

    def git(self, *arguments):
        who = ("-c", "user.name=Test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false")
        command = ["git", "-C", str(self.root), *who, *arguments]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()

    def commit(self, source):
        (self.root / "CMakeLists.txt").write_text(CMAKE_LISTS)
        (self.root / "CMakePresets.json").write_text(json.dumps(PRESETS))
        (self.root / "small.c").write_text(source)
        (self.root / "docs").mkdir(exist_ok=True)
        (self.root / "docs" / "ledger.md").write_text(LEDGER)
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "a change")
        return self.git("rev-parse", "HEAD")


LEDGER = f"# The ledger\n\n{ledger.HEADER}\n|---|---|---|---|\n| 2026-01-01 | An old one | 1 | GO |\n\nAn ending.\n"


@pytest.fixture
def small(tmp_path):
    return SmallRepository(tmp_path / "small")


@pytest.fixture
def sources(small, tmp_path):
    return Sources(Repository(small.root), tmp_path / "current.so", tmp_path / "cache", lambda sentence: None)


# ---- what A and B are


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("HEAD", Kind.REVISION),
        ("HEAD~2", Kind.REVISION),
        ("experiment/depot-off", Kind.REVISION),
        (".", Kind.WORKTREE),
        ("worktree", Kind.WORKTREE),
        ("/usr/lib/libjemalloc.so.2", Kind.LIBRARY),
        ("build/lib/libhakmem.so", Kind.LIBRARY),
        ("./library", Kind.LIBRARY),
        ("default", Kind.SETTINGS),
        ("HAKMEM_RETAIN_KIB=0", Kind.SETTINGS),
    ],
)
def test_a_side_is_known_by_its_looks(text, kind):
    assert sides.kind_of(text) is kind


def test_settings_are_separated_by_commas():
    assert sides.settings_of("HAKMEM_RETAIN_KIB=0,HAKMEM_PROFILE=lean") == {
        "HAKMEM_RETAIN_KIB": "0",
        "HAKMEM_PROFILE": "lean",
    }
    assert sides.settings_of("default") == {}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("RETAIN=0", "'RETAIN=0' is no setting: write HAKMEM_NAME=VALUE"),
        ("HAKMEM_RETAIN_KIB=0,lean", "'lean' is no setting"),
        ("HAKMEM_VERBOSE=0,HAKMEM_VERBOSE=1", "HAKMEM_VERBOSE is set twice"),
        ("HAKMEM_BENCH_C5_ONLY=1", "changes the workload, not the library"),
    ],
)
def test_what_is_no_setting_is_refused(text, sentence):
    with pytest.raises(LabError, match=sentence):
        sides.settings_of(text)


def test_settings_and_revisions_do_not_mix(sources):
    with pytest.raises(LabError, match="'HEAD' and 'HAKMEM_VERBOSE=1' differ in two things"):
        sides.resolve("HEAD", "HAKMEM_VERBOSE=1", sources)


def test_settings_are_of_the_current_build(sources):
    sources.current.write_text("a library")
    first, second = sides.resolve("default", "HAKMEM_VERBOSE=1", sources)
    assert first.library == second.library == sources.current
    assert (first.settings, second.settings) == ({}, {"HAKMEM_VERBOSE": "1"})


@pytest.mark.parametrize("second", ["worktree", "/nowhere/libx.so"])
def test_a_missing_library_is_named(sources, second):
    with pytest.raises(LabError, match=r"the library .* is missing"):
        sides.resolve("HEAD", second, sources)


def test_an_unknown_revision_is_named_before_anything_is_built(sources):
    with pytest.raises(LabError, match="there is no revision 'HAED'"):
        sides.resolve("HEAD", "HAED", sources)
    assert not sources.cache.exists()


@pytest.mark.parametrize("name", ["--all", "-h"])
def test_a_name_is_never_taken_for_an_option_of_git(small, name):
    assert Repository(small.root).commit(name) is None


# ---- revisions


def test_each_revision_is_built_once_and_apart(small, sources):
    old = small.git("rev-parse", "HEAD")
    new = small.commit("int answer(void) { return 2; }\nint more(void) { return 3; }\n")
    (small.root / "small.c").write_text("this is in no commit\n")
    said = []
    sources = Sources(sources.repository, sources.current, sources.cache, said.append)
    first, second = sides.resolve(old, "HEAD", sources)
    assert (first.commit, second.commit) == (old, new)
    assert b"more" in second.library.read_bytes()
    assert b"more" not in first.library.read_bytes()
    assert said == [f"building {old[:12]}", f"building {new[:12]}"]
    sides.resolve("HEAD~1", new, sources)
    assert len(said) == 2
    assert sorted(path.name for path in sources.cache.iterdir()) == sorted([old, new])


def test_a_variant_is_built_beside_the_release_library(small, sources):
    secure = Sources(sources.repository, sources.current, sources.cache, sources.say, "secure")
    released, other = sides.resolve("HEAD", "HEAD", sources)[0].library, sides.resolve("HEAD", "HEAD", secure)[0].library
    assert other.name == "libhakmem-secure.so"
    assert b"answer_of_secure" in other.read_bytes()
    assert b"answer_of_secure" not in released.read_bytes()


def test_another_compiler_builds_anew(small, sources, monkeypatch):
    said = []
    sources = Sources(sources.repository, sources.current, sources.cache, said.append)
    sides.resolve("HEAD", "HEAD", sources)
    monkeypatch.setenv("CFLAGS", "-g")
    sides.resolve("HEAD", "HEAD", sources)
    assert len(said) == 2


def test_a_revision_that_does_not_build_shows_the_compilers_last_lines(small, sources):
    broken = small.commit("int answer(void) { return wrong; }\n")
    with pytest.raises(LabError, match=f"revision {broken[:12]} does not build") as caught:
        sides.resolve("HEAD", "HEAD", sources)
    assert "small.c:1:" in str(caught.value)
    assert "undeclared" in str(caught.value)
    assert list((sources.cache / broken).iterdir()) == []


def test_missing_tools_are_named(small, monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(LabError, match="git is needed to compare revisions"):
        Repository(small.root).commit("HEAD")
    with pytest.raises(LabError, match="cmake is needed to build revisions"):
        revisions._step(["cmake"], small.root, "0" * 40)


# ---- where they run


def test_two_copies_of_each_lie_under_paths_of_one_length(tmp_path):
    for name in ("short.so", "much-longer.so"):
        (tmp_path / name).write_text(name)
    first = Side("short.so", Kind.LIBRARY, tmp_path / "short.so")
    second = Side("much-longer.so", Kind.LIBRARY, tmp_path / "much-longer.so")
    with stage.staged(first, second, tmp_path / "cache") as contestants:
        paths = {copy: one.allocator.library for copy, one in contestants.items()}
        assert len(set(paths.values())) == 4
        assert len({len(str(path)) for path in paths.values()}) == 1
        assert [paths[copy].read_text() for copy in "AaBb"] == ["short.so"] * 2 + ["much-longer.so"] * 2
    assert list((tmp_path / "cache").iterdir()) == []


# ---- how long a run is


@pytest.mark.parametrize(
    ("lasts", "used", "budget", "quick"),
    [
        (0.3, 0.25, 60, True),  # long enough
        (0.3, 0.05, 60, False),
        (4.0, 0.15, 60, True),  # it waits: sixteen such runs, which a look needs, take 64 s
        (4.0, 0.15, 120, False),
        (4.0, 0.25, 120, True),
    ],
)
def test_a_run_is_long_where_the_budget_has_room_for_it(monkeypatch, lasts, used, budget, quick):
    clock = iter((100.0, 100.0 + lasts))
    taken = []
    monkeypatch.setattr(command.time, "monotonic", lambda: next(clock))
    monkeypatch.setattr(
        command, "_take", lambda runner, *_: lambda copy: taken.append(runner) or Run(used, used, 2000)
    )
    sized = command._sized(Runner(Path("/programs"), pause=5.0), REGISTRY["tide"], {}, budget)
    assert sized == Runner(Path("/programs"), quick, 5.0)
    assert taken == [Runner(Path("/programs"), quick=True)]


# ---- the ledger

COMMITS = ("a" * 40, "b" * 40)


def outcome(kind=Kind.REVISION, missing=""):
    settings = kind is Kind.SETTINGS
    first = Side("default" if settings else "HEAD~1", kind, Path("x"), COMMITS[0])
    second = Side("HAKMEM_DEPOT_KIB=0" if settings else "HEAD", kind, Path("x"), COMMITS[0 if settings else 1])
    slower = Gain(-0.031, -0.034, -0.028)
    same = Gain(0.0, -0.004, 0.004)
    answer = Answer(
        {"time": slower, "elapsed": slower, "memory": same}, same, 40, {copy: [Run(1, 1, 2000)] for copy in "AaBb"}
    )
    counts = Instructions(missing=missing) if missing else Instructions(38.6, 38.6, 39.1)
    return show.Outcome(first, second, {"waves": answer}, {"waves": counts})


def test_a_row_names_commits_and_figures():
    assert ledger.row(outcome(), " Shall it be slower? ", date(2026, 11, 22)) == (
        "| 2026-11-22 | Shall it be slower? | `./hakmem ab aaaaaaaaaaaa bbbbbbbbbbbb --workload waves`: waves: "
        "time −3.1 % [−3.4, −2.8], memory +0.0 % [−0.4, +0.4], instructions 38.6 → 39.1 in 40 pairs | NO-GO, on waves |"
    )


def test_a_row_of_settings_says_of_which_commit():
    row = ledger.row(outcome(Kind.SETTINGS, missing="no valgrind"), "Depot off?", date(2026, 11, 22))
    assert "`./hakmem ab default HAKMEM_DEPOT_KIB=0 --workload waves` at aaaaaaaaaaaa: waves" in row
    assert "instructions" not in row


def test_a_row_of_a_variant_says_of_which():
    of_secure = replace(outcome(), variant="secure")
    row = ledger.row(of_secure, "Shall it?", date(2026, 11, 22))
    assert "`./hakmem ab aaaaaaaaaaaa bbbbbbbbbbbb --variant secure --workload waves`: waves" in row


def test_a_pause_is_told_of():
    paused = replace(outcome(), pause=2.5)
    row = ledger.row(paused, "Shall it?", date(2026, 11, 22))
    assert "`./hakmem ab aaaaaaaaaaaa bbbbbbbbbbbb --pause 2.5 --workload waves`: waves" in row
    assert "(a gain: B needs less; 2.5 s before each run)" in show.table(paused).title
    assert show.document(paused)["pause"] == 2.5
    assert "before each run" not in show.table(outcome()).title


def test_a_row_goes_to_the_end_of_the_table(small):
    path = small.root / "docs" / "ledger.md"
    ledger.append(path, "| 2026-11-22 | A new one | 2 | NO-GO |")
    assert path.read_text() == LEDGER.replace("| GO |\n", "| GO |\n| 2026-11-22 | A new one | 2 | NO-GO |\n")


def check_ledger(small, question="Shall it?", names=("HEAD~1", "HEAD")):
    ledger.check(small.root / "docs" / "ledger.md", Repository(small.root), question, names)


def test_a_committed_tree_may_be_written_down_twice(small):
    check_ledger(small)
    ledger.append(small.root / "docs" / "ledger.md", "| 1 | 2 | 3 | 4 |")
    check_ledger(small)


def test_a_tree_that_is_not_committed_is_refused(small):
    (small.root / "new.c").write_text("")
    with pytest.raises(LabError, match=r"not committed \(new.c\): commit it before --ledger"):
        check_ledger(small)


@pytest.mark.parametrize(
    ("question", "names", "sentence"),
    [
        (" ", ("HEAD", "HEAD"), "--ledger needs --question TEXT"),
        ("this | that?", ("HEAD", "HEAD"), "no '|' and no line break"),
        ("this?", ("HEAD", "/lib/x.so"), "/lib/x.so belongs to none that is known"),
    ],
)
def test_what_cannot_be_written_down_is_refused(small, question, names, sentence):
    with pytest.raises(LabError) as caught:
        check_ledger(small, question, names)
    assert sentence in str(caught.value)


def test_a_ledger_without_its_table_is_refused(small):
    (small.root / "docs" / "ledger.md").write_text("# Nothing\n")
    with pytest.raises(LabError, match="has no table that begins with"):
        check_ledger(small)
    shutil.rmtree(small.root / "docs")
    small.git("commit", "--quiet", "--all", "--message", "no ledger")
    with pytest.raises(LabError, match="cannot be read"):
        check_ledger(small)


# ---- what is shown


def test_gains_are_short():
    assert show.gain_text(Gain(0.012, -0.0004, 0.03)) == "+1.2 % [+0.0, +3.0]"
    assert show.gain_text(Gain(-0.02, -0.02, -0.02)) == "−2.0 %"
    assert show.gain_text(Gain(0.02, float("-inf"), float("inf"))) == "+2.0 % (too few pairs)"


def test_json_is_whole_and_finite():
    made = outcome()
    made.answers["waves"].gains["memory"] = Gain(0.0, float("-inf"), float("inf"))
    document = json.loads(json.dumps(show.document(made), allow_nan=False))
    waves = document["workloads"]["waves"]
    assert document["verdict"] == waves["verdict"] == "NO-GO"
    assert waves["memory"]["low"] is None
    assert waves["instructions"]["second"] == 39.1
    assert len(waves["runs"]["b"]) == 1


# ---- whole calls


@pytest.fixture(scope="module")
def programs():
    build.programs_to_measure()
    return Path(layout.build_dir("release")) / "bench"


def lab(*arguments, **environment):
    command = [sys.executable, "-m", "hakmem_lab", "ab", *map(str, arguments)]
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("LD_PRELOAD", "HAKMEM_"))}
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        env={**clean, "PYTHONPATH": str(TOOLS), **environment},
        timeout=300,
        check=False,
    )


def test_a_library_against_itself(programs, library, tmp_path):
    """Short, so that time is likely undecided; what is proved is that both sides ran, and what is exact."""
    copy = tmp_path / "copy.so"
    shutil.copy(library, copy)
    out = tmp_path / "ab.json"
    what = ("--workload", "random-mixed-400", "--budget", 3, "--pause", 0.05)
    done = lab(library, copy, *what, "--json", out, HAKMEM_PROFILE="lean")
    assert done.returncode in (0, 1, 3), done.stderr
    assert "A and B are the same library" in done.stderr
    assert "at most 3 s for each of 1 workloads, then their instructions are counted" in done.stderr
    assert "HAKMEM_PROFILE of the environment is set aside" in done.stderr
    name, said = "random-mixed-400", done.stderr
    assert re.search(rf"{name}: \d+ pairs, time .*, at most \d+ s left", said)
    assert said.index(f"{name}: warming up") < said.index(" pairs, time") < said.index(f"{name}: counting instructions")
    assert "verdict: " in done.stdout
    assert "0.05 s before each run" in done.stdout
    document = json.loads(out.read_text())
    assert document["pause"] == 0.05
    workload = document["workloads"]["random-mixed-400"]
    assert workload["verdict"] in ("GO", "NO-GO", "NEUTRAL")
    assert {len(runs) for runs in workload["runs"].values()} == {workload["pairs"] // 2}
    if not workload["instructions"]["missing"]:
        assert workload["instructions"]["verdict"] == "NEUTRAL"
        assert workload["instructions"]["decided"]


@pytest.mark.slow
@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the planted instructions are x86-64's")
def test_a_planted_slow_down_is_no_go(programs, root, tmp_path):
    """Fourteen instructions, each needing the one before, on every free: about 3 % of random mixed's time."""
    tree = tmp_path / "tree"
    for part in ("src", "include", "cmake", "tools"):
        shutil.copytree(root / part, tree / part)
    for part in ("CMakeLists.txt", "CMakePresets.json"):
        shutil.copy(root / part, tree / part)
    gate = tree / "src" / "hot" / "gate.h"
    opening = "static ALWAYS_INLINE void gate_free_or(void *block, struct free_way slow) {\n"
    planted = '  __asm__ volatile(".rept 14\\n\\tadd $1, %0\\n\\t.endr\\n\\tsub $14, %0" : "+r"(block));\n'
    assert opening in gate.read_text()
    gate.write_text(gate.read_text().replace(opening, opening + planted))
    slow = revisions._build(tree, "planted")
    done = lab("worktree", slow, "--workload", "random-mixed-400", "--budget", 40)
    assert done.returncode == 1, done.stdout
    assert "verdict: NO-GO, on random-mixed-400" in done.stdout


def test_a_library_that_serves_nothing_is_found_out(programs, library, tmp_path):
    empty = tmp_path / "empty.so"
    empty.write_text("not a library")
    done = lab(library, empty, "--workload", "random-mixed-400", "--budget", 1)
    assert done.returncode == 3
    assert "was to run on" in done.stderr
    assert "libc.so.6 served it" in done.stderr


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["HEAD", "no-such-branch"], "there is no revision 'no-such-branch'"),
        (["HEAD", "/nowhere/libx.so"], "the library /nowhere/libx.so is missing"),
        (["default", "HAKMEM_RETAIN_KB=0"], "does not accept 'HAKMEM_RETAIN_KB=0': unknown option"),
        (["default", "HAKMEM_VERBOSE=7"], "HAKMEM_VERBOSE=7 is not a number from 0 to 1"),
        (["default", "HEAD"], "'default' and 'HEAD' differ in two things"),
        (["default", "default", "--workload", "wave"], "there is no workload 'wave'; did you mean waves?"),
        (["default", "default", "--ledger"], "--ledger needs --question TEXT"),
        (["default", "default", "--question", "Why?"], "--question is the ledger's"),
        (["default", "/x.so", "--ledger", "--question", "Why?"], "/x.so belongs to none that is known"),
        (["default", "default", "--budget", "0"], "--budget"),
        (["default", "default", "--pause", "-0.5"], "-0.5 is not in the range x>=0"),
        (["default", "default", "--pause", "nan"], "nan is no number of seconds"),
        (["default", "default", "--pause", "soon"], "'soon' is not a valid float"),
        (["default", "default", "--variant", "secur"], "there is no variant 'secur'"),
        (["default"], "Missing argument 'B'"),
    ],
)
def test_wrong_use_is_refused_with_a_sentence(programs, library, arguments, sentence):
    done = lab(*arguments)
    assert done.returncode == 2
    assert sentence in " ".join(done.stderr.split())


def test_a_current_build_that_is_missing_is_named(programs):
    done = lab("default", "HAKMEM_VERBOSE=1", "--current", "/nowhere/libhakmem.so")
    assert done.returncode == 2
    assert "/nowhere/libhakmem.so is missing: build it first with ./hakmem build" in done.stderr
