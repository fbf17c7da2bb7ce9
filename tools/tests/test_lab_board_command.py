"""`./hakmem bench board` as users run it, on programs that only say what they would have measured."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from hakmem_lab import bench as command
from hakmem_lab.peers import by_path
from hakmem_lab.workloads import REGISTRY

TOOLS = Path(__file__).resolve().parents[1]

# A program that reports without measuring. It fails, or names another library, where the test wants it to.
PROGRAM = """#!/bin/sh
library=${LD_PRELOAD:-/lib/libc.so.6}
case " $FAILS " in *" ${0##*/}:${library##*/} "*) echo 'out of luck' >&2; exit 7;; esac
[ "$STRANGER" = "${library##*/}" ] && library=/lib/libstranger.so
echo "{\\"workload\\": \\"${0##*/}\\", \\"operations\\": 1000, \\"seconds\\": 0.5, \\"peak_kib\\": 2048, \\
  \\"resident_kib\\": 1024, \\"allocator_path\\": \\"$library\\"}" | tr -d '\\n\\\\'
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("programs")
    for workload in REGISTRY.values():
        program = folder / workload.program
        program.write_text(PROGRAM)
        program.chmod(0o755)
    return folder


FORWARDS = """
#include <stddef.h>
void *__libc_malloc(size_t);
void __libc_free(void *);
void *malloc(size_t size) { return __libc_malloc(size); }
void free(void *block) { __libc_free(block); }
"""


@pytest.fixture(scope="module")
def libraries(tmp_path_factory):
    """The library under test and two peers: the C library's malloc, so that nothing depends on them."""
    folder = tmp_path_factory.mktemp("libraries")
    source = folder / "forwards.c"
    source.write_text(FORWARDS)
    for name in ("libhakmem.so", "libone.so", "libtwo.so"):
        subprocess.run(["cc", "-fno-builtin", "-shared", "-fPIC", str(source), "-o", str(folder / name)], check=True)
    return folder


@pytest.fixture
def bench(programs, libraries):
    def run(*arguments, **environment):
        given = ("--programs", programs, "--library", libraries / "libhakmem.so")
        beside = ("--peer", libraries / "libone.so", "--peer", libraries / "libtwo.so")
        command = [sys.executable, "-m", "hakmem_lab", "bench", *arguments, *given]
        if "--from" not in arguments and "accept" not in arguments and "--peer" not in arguments:
            command += beside
        clean = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
        clean |= {"PYTHONPATH": str(TOOLS), **environment}
        return subprocess.run(map(str, command), capture_output=True, text=True, env=clean, timeout=120, check=False)

    return run


SOME = ("board", "waves", "larson", "--quick", "--pairs", "3")


def test_board_writes_the_page_its_figures_and_the_history(bench, libraries, tmp_path):
    done = bench(*SOME, "--report", tmp_path / "b.html", "--json", tmp_path / "copy.json")
    assert done.returncode == 0, done.stderr
    assert "The board: each ÷ the best peer's on that workload" in done.stdout
    assert "2 workloads compared; 0 runs failed" in done.stderr
    assert "On each of the 2 workloads the interval of hakmem's time is within ± 5 %" in done.stderr
    assert f"the report is {tmp_path / 'b.html'}" in done.stderr
    board = json.loads((tmp_path / "b.json").read_text())
    assert board == json.loads((tmp_path / "copy.json").read_text())
    assert [one["workload"] for one in board["workloads"]] == ["waves", "larson"]
    assert board["command"].startswith("./hakmem bench board waves larson --quick --pairs 3 --peer ")
    assert board["command"].endswith(f"--library {libraries / 'libhakmem.so'}")
    assert "libtwo.so" in (tmp_path / "b.html").read_text()
    assert len((tmp_path / "history.jsonl").read_text().splitlines()) == 1
    assert bench(*SOME, "--report", tmp_path / "b.html").returncode == 0
    assert len((tmp_path / "history.jsonl").read_text().splitlines()) == 2
    assert "2 boards, the oldest first" in (tmp_path / "b.html").read_text()


def test_workloads_alone_leave_no_page_and_no_history(bench, tmp_path):
    done = bench("waves", "--quick", "--pairs", "3", "--json", tmp_path / "w.json")
    assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["w.json"]
    assert "the report is" not in done.stderr


def test_without_a_name_it_is_the_board_of_all(programs, libraries, tmp_path, monkeypatch):
    two = [REGISTRY["waves"], REGISTRY["larson"]]
    monkeypatch.setattr(command.workloads, "select", lambda names: [] if names else two)
    monkeypatch.setattr(
        command.peers, "discover", lambda tell: tell("left out: one") or [by_path(libraries / "libone.so")]
    )
    app = typer.Typer()
    app.command()(command.bench)
    given = ["--programs", programs, "--library", libraries / "libhakmem.so", "--report", tmp_path / "b.html"]
    assert CliRunner().invoke(app, [*map(str, given), "--quick", "--pairs", "3"]).exit_code == 0
    board = json.loads((tmp_path / "b.json").read_text())
    assert [one["workload"] for one in board["workloads"]] == ["waves", "larson"]
    assert board["command"].startswith("./hakmem bench board --quick --pairs 3")
    assert board["notes"] == ["left out: one"]
    assert (tmp_path / "history.jsonl").exists()


def test_the_time_given_is_kept(bench, tmp_path):
    done = bench("board", "waves", "--minutes", "0.002", "--report", tmp_path / "b.html")
    assert done.returncode == 0, done.stderr
    assert 3 <= json.loads((tmp_path / "b.json").read_text())["workloads"][0]["rounds"] < 15
    assert re.search(r"measured in [01] s", done.stderr)


def test_a_pause_is_part_of_the_time_and_of_the_result(bench, tmp_path):
    """A round takes 0.6 s at least, and so does the warm-up: in 3 s there is room for four, not for five at first."""
    done = bench("board", "waves", "--quick", "--minutes", "0.05", "--pause", "0.2", "--report", tmp_path / "b.html")
    assert done.returncode == 0, done.stderr
    board = json.loads((tmp_path / "b.json").read_text())
    assert board["workloads"][0]["rounds"] in (3, 4)
    assert board["command"].startswith("./hakmem bench board waves --quick --minutes 0.05 --pause 0.2 --peer ")
    assert board["pause"] == 0.2
    assert json.loads((tmp_path / "history.jsonl").read_text())["pause"] == 0.2
    assert "--pause 0.2" in (tmp_path / "b.html").read_text()


def test_markdown_of_the_board_is_the_readme_block_and_comes_again_from_its_json(bench, tmp_path):
    done = bench(*SOME, "--report", tmp_path / "b.html", "--markdown")
    assert done.returncode == 0, done.stderr
    lead, text, table, *losses, wide = (" ".join(part.split()) for part in done.stdout.split("\n\n"))
    time, peak = losses
    assert lead.startswith("Over all 2 workloads, ")
    assert text.startswith("Measured on ")
    assert time == "Where hakmem loses in time, above 1.05 of the best peer's on 0 of 2 workloads."
    assert peak.startswith("Where hakmem loses in peak memory, above 1.10")
    assert "within ± 5 %" in wide
    assert table.startswith("| allocator | time | worst |")
    assert table.count("| --- |") == 0 and len([line for line in done.stdout.splitlines() if line.startswith("|")]) == 5
    again = bench("board", "--from", tmp_path / "b.json", "--markdown")
    assert (again.returncode, again.stdout) == (0, done.stdout)


def test_a_page_is_drawn_again_from_the_json_without_a_new_point(bench, tmp_path):
    bench(*SOME, "--report", tmp_path / "b.html")
    before = (tmp_path / "b.html").read_text()
    (tmp_path / "b.html").unlink()
    assert bench("--from", tmp_path / "b.json", "--report", tmp_path / "b.html").returncode == 0
    assert (tmp_path / "b.html").read_text() == before
    assert len((tmp_path / "history.jsonl").read_text().splitlines()) == 1


def test_a_picture_is_drawn_when_measured_and_comes_again_from_the_json(bench, tmp_path):
    done = bench(*SOME, "--report", tmp_path / "b.html", "--picture", tmp_path / "first.svg")
    assert done.returncode == 0, done.stderr
    assert f"the picture is {tmp_path / 'first.svg'}" in done.stderr
    again = bench("board", "--from", tmp_path / "b.json", "--picture", tmp_path / "second.svg")
    assert again.returncode == 0, again.stderr
    assert (tmp_path / "second.svg").read_text() == (tmp_path / "first.svg").read_text()


def test_a_board_that_stayed_wide_is_a_board(bench, tmp_path):
    """The time of hello is that of whole processes, and no two took the same nanoseconds."""
    chosen = ("board", "hello", "waves", "--quick", "--minutes", "0.2", "--noise", "0.000001")
    done = bench(*chosen, "--report", tmp_path / "b.html")
    assert done.returncode == 0, done.stderr
    assert "hello: time of hakmem ÷ the best peer's: " in done.stderr
    assert ": WIDE, the target is" in done.stderr
    assert "On 1 of the 2 workloads the interval of hakmem's time stayed wider" in done.stderr
    board = json.loads((tmp_path / "b.json").read_text())
    assert [(one["workload"], one["wide"]) for one in board["workloads"]] == [("hello", True), ("waves", False)]
    assert board["workloads"][0]["rounds"] > board["workloads"][1]["rounds"]
    assert {row["time"]["workloads"] for row in board["rows"]} == {2}


def test_each_row_says_which_library_served_it(bench, tmp_path):
    done = bench(*SOME, "--report", tmp_path / "b.html")
    for name, library in (("hakmem", "libhakmem.so"), ("libone.so", "libone.so"), ("libtwo.so", "libtwo.so")):
        assert re.search(rf"  {name} +{library}  ", done.stdout)
    board = json.loads((tmp_path / "b.json").read_text())
    served = [standing["served"] for one in board["workloads"] for standing in one["standings"]]
    assert served == [["libhakmem.so"], ["libone.so"], ["libtwo.so"]] * 2


# ---- what fails


def test_a_peer_that_fails_is_named_and_the_rest_is_kept(bench, tmp_path):
    done = bench(*SOME, "--report", tmp_path / "b.html", FAILS="waves:libtwo.so")
    assert done.returncode == 3
    assert re.search(r"waves: FAILED: waves .*on libtwo.so failed with status 7: out of luck", done.stderr)
    assert re.search(r"waves +1.00 / 1.00 +1.00 / 1.00 +failed", done.stdout)
    assert re.search(r"larson +1.00 / 1.00 +1.00 / 1.00 +1.00 / 1.00", done.stdout)
    board = json.loads((tmp_path / "b.json").read_text())
    assert board["failures"][0]["allocator"] == "libtwo.so"
    assert [len(one["standings"]) for one in board["workloads"]] == [2, 3]
    assert "out of luck" in (tmp_path / "b.html").read_text()


def test_hakmem_that_fails_costs_its_workload_only(bench, tmp_path):
    done = bench(*SOME, "--report", tmp_path / "b.html", FAILS="waves:libhakmem.so")
    assert done.returncode == 3
    assert "on hakmem failed with status 7: out of luck" in done.stderr
    assert [one["workload"] for one in json.loads((tmp_path / "b.json").read_text())["workloads"]] == ["larson"]


def test_a_board_on_which_all_fails_still_says_so(bench, tmp_path):
    fails = "waves:libhakmem.so larson:libone.so larson:libtwo.so"
    done = bench(*SOME, "--report", tmp_path / "b.html", FAILS=fails)
    assert done.returncode == 3
    assert "0 workloads compared; 3 runs failed" in done.stderr
    assert "Nothing could be compared" in (tmp_path / "b.html").read_text()


def test_a_run_on_another_allocator_is_a_failure(bench, tmp_path):
    done = bench(*SOME, "--report", tmp_path / "b.html", STRANGER="libone.so")
    assert done.returncode == 3
    assert "was to run on libone.so, but /lib/libstranger.so served it" in done.stderr


# ---- wrong use


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["board", "wave"], "there is no workload 'wave'; did you mean waves?"),
        (["board", "--peer", "gemalloc"], "there is no peer 'gemalloc'; did you mean jemalloc?"),
        (["board", "--peer", "/nowhere/libx.so"], "the peer /nowhere/libx.so is not a file"),
        (["board", "--peer", "glibc", "--peer", "glibc"], "two allocators are called glibc"),
        (["board", "--pairs", "2"], "--pairs"),
        (["board", "--pairs", "5", "--minutes", "1"], "give one"),
        (["board", "--pause", "-1"], "-1.0 is not in the range x>=0"),
        (["board", "--pause", "nan"], "nan is no number of seconds"),
        (["accept", "--pause", "inf"], "inf is no number of seconds"),
        (["board", "--report", "/nowhere/board.html"], "/nowhere/board.html: No such file or directory"),
        (["board", "--report", "/proc/board.html"], "the report cannot be written to /proc/board.html"),
        (["board", "--report", "board.json"], "give it a name that ends in .html"),
        (["board", "--picture", "board.png"], "give it a name that ends in .svg"),
        (["accept", "--picture", "b.svg"], "accept has its own workloads and peers"),
        (["waves", "--json", "/nowhere/w.json"], "cannot be written to /nowhere/w.json"),
        (["accept", "--json", "/nowhere/w.json"], "cannot be written to /nowhere/w.json"),
        (["accept", "--report", "b.html"], "accept has its own workloads and peers"),
        (["board", "--from", "/nowhere/board.json"], "/nowhere/board.json could not be read: No such file"),
        (["board", "--from", "x.json", "--pause", "5"], "--from shows a board measured before"),
        (["board", "waves", "--from", "x.json"], "--from shows a board measured before"),
    ],
)
def test_wrong_use_is_refused_before_anything_is_measured(bench, tmp_path, arguments, sentence):
    paper = () if "--report" in arguments or "--json" in arguments else ("--report", tmp_path / "b.html")
    done = bench(*arguments, *(() if "accept" in arguments else paper), FAILS="waves:libhakmem.so")
    assert done.returncode == 2
    assert sentence in done.stderr.replace("\n", " ")
    assert "measured in" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_place_for_a_page(bench, tmp_path):
    (tmp_path / "b.html").mkdir()
    done = bench(*SOME, "--report", tmp_path / "b.html")
    assert done.returncode == 2
    assert f"the report cannot be written to {tmp_path / 'b.html'}: Is a directory" in done.stderr


def test_lines_that_are_no_board_are_told_of(bench, tmp_path):
    (tmp_path / "history.jsonl").write_text("torn\n")
    done = bench(*SOME, "--report", tmp_path / "b.html")
    assert done.returncode == 0, done.stderr
    assert "has 1 lines that are no board's: they are left out" in done.stderr


def test_nothing_is_drawn_with_before_it_is_needed():
    """The help and the list of workloads come without loading what draws and computes."""
    code = (
        "import sys, hakmem_lab.cli as cli; cli.load(*cli.COMMANDS);"
        "print([m for m in sys.modules if m in ('numpy', 'matplotlib', 'vl_convert')])"
    )
    environment = {**os.environ, "PYTHONPATH": str(TOOLS)}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout == "[]\n"
