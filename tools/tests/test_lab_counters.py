"""`hakmem stat`: what perf prints, the rows, and whole calls."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from hakmem_cli import layout
from hakmem_lab.counters import events, figures, record
from hakmem_lab.counters.record import Contestant, Run, Tool
from hakmem_lab.peers import Allocator, glibc

TOOLS = Path(layout.TOOLS)

PRINTED = """# started on Sun Nov 22 15:54:12 2026

2.15;msec;task-clock;2145607;100.00;0.334;CPUs utilized
<not supported>;;cycles;0;100.00;;
1000;;instructions:u;0;100.00;;
<not counted>;;branches;0;100.00;;
166;;page-faults;2145607;100.00;77.367;K/sec
5;;context-switches;2145607;100.00;2.330;K/sec
"""


def test_what_perf_counted_is_read_and_the_rest_is_missing():
    found = events.parse(PRINTED.splitlines())
    assert found == {"task-clock": 2.15, "instructions": 1000, "page-faults": 166, "context-switches": 5}


# ---- the rows


def counted(scale, **more):
    hardware = {"cycles": 1000, "instructions": 2500, "branches": 400, "branch-misses": 8}
    hardware |= {"cache-references": 50, "cache-misses": 5}
    counts = {"task-clock": 2.0, "page-faults": 100, "context-switches": 0, "elapsed": 0.003, "peak-kib": 2048}
    return Run({name: value * scale for name, value in {**counts, **hardware, **more}.items()}, proved=True)


def contestants(*scales):
    hakmem = Contestant(Allocator("hakmem", Path("x")), [counted(scale) for scale in scales])
    return [hakmem, Contestant(Allocator("glibc", None, "2.36"), [counted(4)] * len(scales))]


def rows(both):
    return {row[0]: row[1:] for row in figures.table("a program", both).rows}


def test_each_figure_is_the_median_beside_that_of_the_peer():
    found = rows(contestants(1, 2, 50))
    assert found["cycles"] == ("2,000", "4,000", "0.50")
    assert found["instructions a cycle"] == ("2.50", "2.50", "1.00")
    assert found["… of branches"] == ("2.00 %", "2.00 %", "")
    assert found["… of references"] == ("10.00 %", "10.00 %", "")
    assert found["processor time"] == ("4.0 ms", "8.0 ms", "0.50")
    assert found["peak memory"] == ("4.0 MiB", "8.0 MiB", "0.50")
    assert found["context switches"] == ("0", "0", figures.MISSING), "nothing ÷ nothing is no figure"


def test_what_the_machine_has_not_has_no_row():
    both = contestants(1)
    for contestant in both:
        for run in contestant.runs:
            for name in events.HARDWARE:
                del run.counts[name]
    assert not figures.has_hardware(both)
    assert list(rows(both)) == ["processor time", "elapsed time", "page faults", "context switches", "peak memory"]


def test_what_one_of_them_lacks_is_marked():
    both = contestants(1)
    del both[1].runs[0].counts["peak-kib"]
    assert rows(both)["peak memory"] == ("2.0 MiB", figures.MISSING, figures.MISSING)


def test_instructions_of_callgrind_are_a_row_when_all_have_them():
    both = contestants(1)
    both[0].instructions = 50
    assert "instructions (callgrind)" not in rows(both)
    both[1].instructions = 200
    assert rows(both)["instructions (callgrind)"] == ("50", "200", "0.25")


# ---- runs


def test_without_perf_the_kernel_tells(library, bench_programs):
    command = [str(bench_programs / "random_mixed"), "100000", "400", "1"]
    witness = bench_programs / "libwitness.so"
    run = record.run(command, Allocator("hakmem", library), Tool(None), witness, quiet=True)
    assert run.proved
    assert run.counts["page-faults"] > 50
    assert run.counts["task-clock"] > 0
    assert run.counts["peak-kib"] > 500
    assert set(run.counts) == {"task-clock", "page-faults", "context-switches", "elapsed", "peak-kib"}


def test_what_a_second_try_prints_is_not_shown(library, bench_programs, tmp_path, capfd):
    """The first time this perf has counted nothing, as one that began to wait for the program too late."""
    perf = tmp_path / "perf"
    counts = tmp_path / "counts"
    counts.write_text(f"{PRINTED}1500000;ns;user_time;1500000;100.00;;\n")
    perf.write_text(
        f"""#!/bin/sh
while [ "$1" != -o ]; do shift; done
out=$2
while [ "$1" != -- ]; do shift; done
shift
if [ -e {tmp_path}/tried ]; then cp {counts} "$out"; else : > "$out"; fi
: > {tmp_path}/tried
exec "$@"
"""
    )
    perf.chmod(0o755)
    command = [str(bench_programs / "random_mixed"), "100000", "400", "1"]
    witness = bench_programs / "libwitness.so"
    run = record.run(command, Allocator("hakmem", library), Tool(str(perf)), witness, quiet=False)
    assert run.counts["page-faults"] == 166
    assert capfd.readouterr().out.count("Throughput") == 1


def test_perf_that_is_not_installed_is_told(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    assert record.find_perf().path is None
    assert "apt-get install linux-perf" in record.find_perf().reason


@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
def test_callgrind_counts_all_processes(bench_programs):
    command = [str(bench_programs / "hello")]
    once = record.instructions(command, glibc())
    twice = record.instructions(["/bin/sh", "-c", f"{command[0]}; {command[0]}"], glibc())
    assert 10_000 < once < twice / 2


@pytest.fixture
def stat(library, bench_programs):
    """Calls `hakmem stat` without building anything."""

    def call(*arguments, path=None):
        code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from hakmem_lab import cli; cli.main(sys.argv[1:])"
        environment = {**os.environ, **({"PATH": str(path)} if path else {})}
        return subprocess.run(
            [sys.executable, "-c", code, str(TOOLS), "stat", *map(str, arguments)],
            capture_output=True,
            text=True,
            env=environment,
            timeout=120,
            check=False,
        )

    return call


def test_a_program_is_counted_beside_glibc(stat, bench_programs):
    done = stat("--", bench_programs / "random_mixed", 100000, 400, 1)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Throughput") == 1, "the output is that of the first run"
    assert "medians of 3 runs of each, in turn" in done.stdout
    header = next(line for line in done.stdout.splitlines() if "figure" in line)
    assert re.search(r"hakmem +glibc [\d.]+ +÷ glibc", header), header
    for row in ("processor time", "page faults", "context switches", "peak memory"):
        assert re.search(rf"^ *{row} +[\d.,]+", done.stdout, re.MULTILINE), row
    if "no hardware counters" in done.stderr:
        assert "cycles" not in done.stdout
        assert "instructions (callgrind)" in done.stdout or "valgrind" in done.stderr
    elif "perf" not in done.stderr:
        assert re.search(r"instructions a cycle +\d", done.stdout)


def test_a_peer_may_be_any_library(stat, bump, bench_programs):
    done = stat("--runs", 1, "--peer", bump, "--markdown", "--", bench_programs / "hello")
    assert done.returncode == 0, done.stderr
    assert "| figure | hakmem | libbump.so | ÷ libbump.so |" in done.stdout
    assert "one run of each" in done.stdout


def test_a_failure_is_no_figure(stat):
    done = stat("--", "false")
    assert done.returncode == 3
    assert "false on hakmem failed with status 1" in done.stderr


def test_what_perf_did_not_wait_for_is_no_figure(stat, tmp_path, monkeypatch):
    """perf 6.1 now and then reports success for a program that ended before perf began to wait for it."""
    perf = tmp_path / "perf"
    perf.write_text(
        """#!/bin/sh
while [ "$1" != -o ]; do shift; done
printf '49;;page-faults;1;100;;\n<not counted>;ns;user_time;0;100;;\n<not counted>;ns;system_time;0;100;;\n' >"$2"
"""
    )
    perf.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    done = stat("--", "false")
    assert done.returncode == 3
    assert "perf did not wait for false on hakmem: nobody knows how it ended" in done.stderr


def test_a_program_that_says_nothing_of_its_allocator_is_told(stat):
    done = stat("--runs", 1, "--", "sh", "-c", ":")
    assert done.returncode == 0, done.stderr
    assert "which allocator served it was not proved" in done.stderr
    assert "peak memory" not in done.stdout


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ((), "there is no command to count"),
        (("--", "no-such-program-there"), "command not found"),
        (("--peer", "glibcc", "--", "true"), "there is no peer 'glibcc'; did you mean glibc?"),
    ],
)
def test_wrong_use_is_refused_with_a_sentence(stat, arguments, sentence):
    done = stat(*arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
