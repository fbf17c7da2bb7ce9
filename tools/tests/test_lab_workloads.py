"""The registry of workloads, and each of its workloads on hakmem at quick size."""

import pytest

from hakmem_lab import peers, workloads
from hakmem_lab.errors import LabError
from hakmem_lab.runner import Runner
from hakmem_lab.workloads import REGISTRY


def test_every_workload_has_its_program_and_a_summary(root):
    for workload in REGISTRY.values():
        assert (root / "bench" / f"{workload.program}.c").is_file()
        assert workload.summary


def test_every_bench_program_has_a_workload(root):
    shared = {"provider", "report", "support"}
    sources = {file.stem for file in (root / "bench").glob("*.c")}
    assert sources - shared == {workload.program for workload in REGISTRY.values()}


def test_a_group_names_all_its_workloads_once():
    names = [workload.name for workload in workloads.select(["handover-mixed", "producer-consumer"])]
    assert names == ["handover-mixed", "handover"]
    assert workloads.select([]) == list(REGISTRY.values())


def test_an_unknown_workload_gets_the_nearest_name():
    with pytest.raises(LabError, match="no workload 'wave'; did you mean waves"):
        workloads.select(["wave"])


# ---- the workloads


@pytest.fixture(scope="module")
def runner(bench_programs):
    return Runner(bench_programs, quick=True)


@pytest.mark.parametrize("name", REGISTRY)
def test_workload_runs_on_hakmem(runner, library, name):
    sample = runner.sample(REGISTRY[name], peers.subject(library))
    assert 0 < sample.seconds < 60
    assert sample.operations > 0
    assert sample.peak_kib >= sample.resident_kib > 500
    assert sample.report["allocator_path"] == str(library)
