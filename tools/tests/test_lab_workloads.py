"""The registry of workloads, and each of its workloads on hakmem at quick size."""

import re
import subprocess

import pytest

from hakmem_lab import peers, workloads
from hakmem_lab.running import programs, witness
from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.running.process import child_environment
from hakmem_lab.running.runner import Runner
from hakmem_lab.workloads import REGISTRY


def test_every_workload_has_its_program_and_a_summary(root):
    for workload in REGISTRY.values():
        assert (root / "bench" / f"{workload.program}.c").is_file() == workload.ours()
        assert workload.summary


def test_every_bench_program_has_a_workload(root):
    shared = {"curve", "environment", "filled", "jemalloc", "provider", "report", "support", "witness"}
    of_cores = {"transfer"}  # it allocates nothing
    sources = {file.stem for file in (root / "bench").glob("*.c")}
    assert sources - shared - of_cores == {workload.program for workload in REGISTRY.values() if workload.ours()}


def test_every_input_is_used(root):
    arguments = {word for workload in REGISTRY.values() for way in (workload.full, workload.quick) for word in way}
    document = (root / "docs" / "seeing.md").read_text(encoding="utf-8")  # its examples are of some
    inputs = {file.name for file in (root / "bench" / "programs").iterdir() if file.name not in document}
    assert inputs == {name for name in inputs if any(name in argument for argument in arguments)}


def test_a_group_names_all_its_workloads_once():
    names = [workload.name for workload in workloads.select(["handover-mixed", "producer-consumer"])]
    assert names == ["handover-mixed", "handover", "consumers", "exchange", "exchange-small"]
    assert workloads.select([]) == list(REGISTRY.values())


def test_an_unknown_workload_gets_the_nearest_name():
    with pytest.raises(LabError, match="no workload 'wave'; did you mean waves"):
        workloads.select(["wave"])


# ---- the workloads


@pytest.fixture(scope="module")
def runner(bench_programs):
    return Runner(bench_programs, quick=True)


def present(name):
    """The workload, its program installed where that may be; else the test is skipped with the reason."""
    said = []
    try:
        return programs.present([REGISTRY[name]], said.append)[0]
    except LabError:
        pytest.skip(said[-1])


@pytest.mark.parametrize("name", REGISTRY)
def test_workload_runs_on_hakmem(runner, library, name):
    sample = runner.sample(present(name), peers.subject(library))
    assert 0 < sample.seconds < 60
    assert sample.operations > 0
    assert sample.peak_kib >= sample.resident_kib > 500
    assert sample.report["allocator_path"] == str(library)


def test_redis_counts_the_commands_that_it_answered(runner):
    workload = present("redis")
    requests = int(workload.quick[workload.quick.index("-n") + 1])
    kinds = workload.quick[workload.quick.index("-t") + 1].split(",")
    sample = runner.sample(workload, peers.glibc())
    assert sample.operations >= requests * len(kinds)
    assert sample.report["allocator_library"].startswith("libc.so")


def test_redis_on_glibc_is_not_the_jemalloc_that_debian_links_it_with(runner, monkeypatch):
    """The C library stands before it; where it does not, the row is refused and not taken for glibc's."""
    workload = present("redis")
    server = programs.locate(workload.program)
    if "libjemalloc" not in subprocess.run(["ldd", server], capture_output=True, text=True, check=True).stdout:
        pytest.skip("this redis-server brings no allocator")
    assert runner.sample(workload, peers.glibc()).report["allocator_library"].startswith("libc.so")
    monkeypatch.setattr(witness, "_C_LIBRARY", "")
    with pytest.raises(UnsoundError, match="was to run on glibc, but .*libjemalloc.so.* served redis-server"):
        runner.sample(workload, peers.glibc())


@pytest.mark.parametrize("name", ["redis-flush", "python-flush"])
def test_what_is_flushed_tells_its_memory_before_and_after(runner, name):
    sample = runner.sample(present(name), peers.glibc())
    stages, curve = sample.report["resident_kib_after"], sample.report["curve"]
    assert list(stages) == ["filled", "freed", "idled"]
    assert stages["filled"] > curve[0][1] + 5000
    times = [ms for ms, _ in curve]
    assert 10 <= len(times) <= 200
    assert times == sorted(set(times))
    assert times[-1] > 1000 * sample.seconds + 400  # the rest is in the curve, and not in the time
    assert max(kib for _, kib in curve) == pytest.approx(stages["filled"], rel=0.05)


OUTPUT = {
    "python": r"json \d{6} .*\ndict \d+ \d+\n",
    "python-flush": r"records 40000 names 11000 ids \d+\n",
    "sqlite": r"orders\|20000\|.*check\|ok\n",
    "lua": r"depth 4\t31744\n.*text\t\d+\n",
    "gcc": r".*_Z9weigh_alll:.*",
    "ghostscript": r"P6\n(# .*?\n)?306 396\n255\n.*P6\n.*P6\n.*",
    "z3": r"sat\n\(\(root 1\)\)\n",
    "ruby": r"words \d+, places \d+\n.*lines \d+, characters \d+\n",
}


@pytest.mark.parametrize("name", OUTPUT)
def test_program_does_its_work(runner, name):
    workload = present(name)
    environment = child_environment(peers.glibc(), workload.environment)
    command = runner.command(workload)
    done = subprocess.run(command, cwd=programs.INPUTS, env=environment, capture_output=True, check=True)
    assert re.fullmatch(OUTPUT[name], done.stdout.decode("latin-1"), re.DOTALL), done.stdout[:500]
