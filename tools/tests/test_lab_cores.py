"""`hakmem cores`: the queues against their closed forms, the counts, the model by hand, and whole calls."""

import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from hakmem_cli import build, layout
from hakmem_lab.cores import counts, model, queueing, subjects, tables
from hakmem_lab.cores.counts import RANKS, SHARED, Counts, Lock
from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import Allocator
from hakmem_lab.stats import Ratio
from hakmem_lab.tables import table_lines

TOOLS = Path(layout.TOOLS)
MANY = (1, 2, 3, 10, 64)


# ---- queues


@pytest.mark.parametrize("customers", MANY)
def test_one_queue_without_thinking_serves_all_the_time(customers):
    found = queueing.flow(customers, 0.0, np.array([4.0]))
    assert found.throughput == pytest.approx(1 / 4)
    assert found.utilisation == pytest.approx([1])
    assert found.met_busy == pytest.approx([0 if customers == 1 else 1])


@pytest.mark.parametrize("customers", MANY)
def test_customers_who_only_think_never_meet(customers):
    found = queueing.flow(customers, 8.0, np.array([0.0, 0.0]))
    assert found.throughput == pytest.approx(customers / 8)
    assert not found.utilisation.any()


@pytest.mark.parametrize("customers", MANY)
@pytest.mark.parametrize("queues", (2, 5))
def test_equal_queues_without_thinking(customers, queues):
    found = queueing.flow(customers, 0.0, np.full(queues, 3.0))
    assert found.throughput == pytest.approx(customers / (3 * (customers + queues - 1)))


@pytest.mark.parametrize("customers", MANY)
def test_queues_alike_are_as_many_queues_of_a_part_each(customers):
    together = queueing.flow(customers, 5.0, np.array([12.0, 2.0]), np.array([4, 1]))
    apart = queueing.flow(customers, 5.0, np.array([3.0, 3.0, 3.0, 3.0, 2.0]))
    assert together.throughput == pytest.approx(apart.throughput)
    assert together.utilisation == pytest.approx(apart.utilisation[3:])
    assert together.met_busy == pytest.approx(apart.met_busy[3:])


def repairman(machines, think, service):
    """M/M/1//N: one repairman, machines that run for `think` and are mended in `service`; how many he mends."""
    ratio = service / think
    weights = [math.perm(machines, broken) * ratio**broken for broken in range(machines + 1)]
    return (1 - weights[0] / math.fsum(weights)) / service


@pytest.mark.parametrize("customers", MANY)
@pytest.mark.parametrize(("think", "service"), [(10.0, 1.0), (1.0, 1.0), (100.0, 0.5), (3.0, 40.0)])
def test_one_queue_is_the_machine_repairman(customers, think, service):
    found = queueing.flow(customers, think, np.array([service]))
    assert found.throughput == pytest.approx(repairman(customers, think, service))
    assert found.utilisation[0] == pytest.approx(found.throughput * service)
    if customers > 1:  # who comes sees the others alone
        assert found.met_busy[0] == pytest.approx(repairman(customers - 1, think, service) * service)


def test_waking_takes_time_of_who_was_late_alone():
    demand, none = np.array([2.0, 1.0]), np.zeros(2)
    plain = queueing.flow(8, 20.0, demand)
    assert queueing.flow_with_waking(8, 20.0, demand, none).throughput == pytest.approx(plain.throughput)
    wakings = np.array([30.0, 0.0])
    late = queueing.flow_with_waking(8, 20.0, demand, wakings)
    assert late.throughput < plain.throughput
    again = queueing.flow(8, 20.0 + float(wakings @ late.met_busy), demand)
    assert again.throughput == pytest.approx(late.throughput), "it is the time that it causes"
    assert queueing.flow_with_waking(1, 20.0, demand, wakings).throughput == pytest.approx(1 / 23)


@pytest.mark.parametrize(("customers", "think", "demand"), [(0, 1.0, 1.0), (1, -1.0, 1.0), (1, 0.0, 0.0), (1, 1.0, -1)])
def test_what_is_no_network_is_refused(customers, think, demand):
    with pytest.raises(ValueError, match="a network has customers"):
        queueing.flow(customers, think, np.array([demand]))


# ---- counts


def told(**pool):
    """What the observe library says of a run in which the pool's lock alone was taken."""
    locks = {f"{rank}{field}": 0 for rank in RANKS for field in ("", "_waited", "_held_ns", "_waited_ns")}
    shared = {"writes": 10, "home": 1, "remote": 2, "figures": 3, "under_locks": 4}
    return json.dumps({"lock_stats": locks | pool, "shared_line_stats": shared})


def test_counts_are_read_from_the_last_line():
    text = told(pool=7) + "\na warning\n" + told(pool=20, pool_waited=3, pool_held_ns=5000, pool_waited_ns=900) + "\n"
    found = counts.read(1000, text)
    assert found.locks["pool"] == Lock(20, 3, 5000, 900)
    assert found.locks["meta"] == Lock(0, 0, 0, 0)
    assert found.shared == {"home": 1, "remote": 2, "figures": 3, "under_locks": 4}
    assert (found.operations, found.waited(), found.waited_ns()) == (1000, 3, 300)


@pytest.mark.parametrize("text", ["", "hakmem: a warning\n", '{"lock_stats": {}}\n', "{"])
def test_a_library_that_does_not_count_is_told(text):
    with pytest.raises(UnsoundError, match="printed no line of its locks .*/hakmem build makes it"):
        counts.read(1000, text)


def test_a_run_keeps_to_its_processors_and_says_what_it_took(library, bench_programs):
    command = [str(bench_programs / "mid_large"), "--threads", "2", "--operations", "5000"]
    before = os.sched_getaffinity(0)
    one = counts.measure(command, Allocator("hakmem", library), counts.processors()[:1])
    assert os.sched_getaffinity(0) == before
    assert 0.2 * one.processor_ns < one.elapsed_ns, "two threads on one processor take turns"
    everywhere = counts.processors()[:2]
    beside = counts.measure_beside(command, Allocator("hakmem", library), everywhere)
    assert beside > one.elapsed_ns / 100 > 0
    assert os.sched_getaffinity(0) == before


# ---- the model


def counted(taken, held, waited=0, waited_ns=0, figures=0, home=0, operations=1000):
    locks = {rank: Lock(0, 0, 0, 0) for rank in RANKS} | {"pool": Lock(taken, waited, taken * held, waited_ns)}
    return Counts(operations, locks, {where: 0 for where in SHARED} | {"figures": figures, "home": home})


def load(threads, *runs):
    return model.load(threads, list(runs))


def test_a_load_is_the_median_of_counts_and_the_least_of_times():
    runs = [counted(100, 50, 2, 900), counted(300, 40, 1, 300), counted(200, 70)]
    found = model.load(2, runs)
    assert found.taken["pool"] == 0.2
    assert found.waited["pool"] == 0.001
    assert (found.held_ns["pool"], found.held_ns["meta"]) == (40, 0)
    assert found.waited_ns == 300


def test_a_lock_is_held_for_longer_by_what_has_to_be_fetched():
    loads = {1: load(1, counted(100, 50)), 2: load(2, counted(100, 80)), 4: load(4, counted(100, 999))}
    assert [model.held_ns("pool", cores, loads) for cores in (1, 2, 4)] == pytest.approx([50, 80, 50 + 60 * 3 / 4])
    assert model.held_ns("meta", 4, loads) == 0
    rare = {1: load(1, counted(0, 0)), 2: load(2, counted(0, 0)), 4: load(4, counted(10, 70))}
    assert model.held_ns("pool", 4, rare) == 70, "a lock that few threads do not take has the time of many"


def test_one_core_alone_is_as_it_was_measured():
    loads = {1: load(1, counted(100, 50, figures=500, home=500)), 2: load(2, counted(100, 80))}
    (one,) = model.outlook([1], loads, 100.0, 40.0).predictions
    assert one.flow.throughput == pytest.approx(1 / 100)
    assert one.utilisation("pool") == pytest.approx(0.1 * 50 / 100)


def test_two_cores_worked_out_by_hand():
    """A lock of 0.4 an operation, held for 40 ns by one thread and for 60 by two; 0.25 magazines sent home."""
    pair = counted(400, 60, waited=10, waited_ns=10 * 230, home=250)
    loads = {1: load(1, counted(400, 40)), 2: load(2, pair)}
    outlook = model.outlook([1, 2], loads, 100.0, 40.0)
    two = outlook.predictions[1]
    think = (100 - 0.4 * 40) + 0.25 * 20  # that of one thread, and the lines that come home
    demand = 0.4 * (60 + 20)
    waking = 0.4 * (230 - 60 / 2)
    late = 0.0
    for _ in range(100):
        met = demand / (think + late + demand)  # the other one is there
        late = (late + waking * met) / 2
    throughput = 2 / (think + late + demand * (1 + met))
    assert two.flow.throughput == pytest.approx(throughput)
    assert outlook.speed_up(two) == pytest.approx(throughput * 100)
    assert outlook.efficiency(two) == pytest.approx(throughput * 50)
    assert two.bottleneck() == "pool"
    assert two.waited() == pytest.approx(0.4 * met)


def test_locks_that_many_threads_take_besides_add_to_what_one_needs():
    loads = {1: load(1, counted(0, 0)), 2: load(2, counted(0, 0)), 16: load(16, counted(1000, 1))}
    (many,) = model.outlook([16], loads, 100.0, 0.0).predictions
    assert many.flow.throughput == pytest.approx(queueing.flow(16, 100.0, np.array([1.0])).throughput)
    assert many.parts == 1 and many.met_busy("pool") < model.WAITED_SHARE


@pytest.mark.parametrize(("held", "parts"), [(3, 2), (7, 4), (30, 8), (1000, 8)])
def test_the_pool_is_divided_until_fewer_wait(held, parts):
    loads = {number: load(number, counted(1000, held)) for number in (1, 2, 16)}
    (many,) = model.outlook([16], loads, 100.0 + held, 0.0).predictions
    demand = np.array([float(held)])
    assert many.parts == parts
    assert many.flow.throughput == pytest.approx(queueing.flow(16, 100.0, demand, parts).throughput)
    assert queueing.flow(16, 100.0, demand, parts // 2).met_busy[0] >= model.WAITED_SHARE
    assert many.met_busy("pool") < model.WAITED_SHARE or parts == 8


def test_the_pool_is_divided_as_the_library_does_it():
    cold = Path(layout.ROOT) / "src/cold"
    assert f"PARTS_FIRST = 1, PARTS_MOST = {model.PARTS_MOST} }}" in (cold / "pool_parts_bounds.h").read_text()
    assert f"WAITED_SHARE = {1 / model.WAITED_SHARE:g} }}" in (cold / "pool_parts.c").read_text()


def test_threads_that_share_nothing_scale_and_one_line_for_all_ends_it():
    alone = {number: load(number, counted(0, 0)) for number in (1, 2, 64)}
    assert model.outlook([64], alone, 100.0, 100.0).predictions[0].flow.throughput == pytest.approx(64 / 100)
    shared = {number: load(number, counted(0, 0, figures=1000)) for number in (1, 2, 64)}
    (many,) = model.outlook([64], shared, 100.0, 100.0).predictions
    assert many.bottleneck() == "figures"
    assert many.flow.throughput == pytest.approx(1 / (100 * 63 / 64), rel=1e-6), "each operation takes the line once"


# ---- what is shown


def test_the_tables_name_the_queue_that_limits():
    loads = {number: load(number, counted(500, 40)) for number in (1, 2, 64)}
    outlook = model.outlook([1, 2, 64], loads, 100.0, 0.0)
    text = table_lines(tables.outlook_table("larson", outlook, {2: Ratio(1.5, 1.4, 1.625)}))
    assert re.search(r"\| 1 \| pool \| 20.0% \| 1.00 \| 100% \|  \|", text)
    assert re.search(r"\| 2 \| pool \| [\d.]+% \| 1.\d\d \| \d\d% \| 1\.50 \[1\.40, 1\.62\] \|", text)
    assert re.search(r"\| 64 \| pool \| [\d.]+% \| 3\d\.\d\d \| \d\d% \|  \|", text)
    assert "| 64 | 500,000 | 0 |" in table_lines(tables.counts_table("larson", outlook))
    quiet = {number: load(number, counted(1, 40)) for number in (1, 2)}
    both = tables.outlook_table("larson", model.outlook([2], quiet, 100.0, 0.0), {})
    assert "| 2 | none | 0.1% | 2.00 |" in table_lines(both)


def test_each_subject_has_any_number_of_threads():
    for subject in subjects.SUBJECTS.values():
        for quick in (True, False):
            assert subject.arguments(37, quick)[:2] == ["--threads", "37"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("larsson", "there is no workload 'larsson'; did you mean larson?"),
        ("handover", "handover has its own number of threads: give one of larson, "),
    ],
)
def test_a_workload_that_cannot_is_refused(name, sentence):
    with pytest.raises(LabError, match=re.escape(sentence)):
        subjects.find(name)


# ---- whole calls


@pytest.fixture(scope="module")
def observe_library(library):
    build.programs_to_measure(("observe",))
    return library.with_name("libhakmem-observe.so")


@pytest.fixture
def cores(observe_library, bench_programs):
    """Calls `hakmem cores` without building anything."""

    def call(*arguments, **environment):
        code = "import sys; sys.path.insert(0, sys.argv.pop(1)); from hakmem_lab import cli; cli.main(sys.argv[1:])"
        return subprocess.run(
            [sys.executable, "-c", code, str(TOOLS), "cores", *map(str, arguments)],
            capture_output=True,
            text=True,
            env={**os.environ, **environment},
            timeout=300,
            check=False,
        )

    return call


@pytest.mark.parametrize("name", subjects.SUBJECTS)
def test_a_short_run_predicts(cores, name, tmp_path):
    file = tmp_path / "cores.json"
    done = cores(name, "--quick", "--runs", 1, "--cores", "1,4", "--markdown", "--json", file)
    assert done.returncode == 0, done.stderr
    assert f"**{name} on more cores, as predicted**" in done.stdout
    document = json.loads(file.read_text())
    assert document["workload"] == name and document["transfer_ns"] > 0 < document["operation_ns"]
    one, four = document["predictions"]
    assert (one["cores"], one["speed_up"], one["waited"]) == (1, pytest.approx(1), 0)
    assert 0 < four["speed_up"] < 4.5, "beyond 4 by no more than the locks that an operation takes less"
    assert four["efficiency"] == pytest.approx(four["speed_up"] / 4)
    assert four["counts"]["locks"]["pool"]["taken"] > 0
    assert all(0 <= part <= 1 + 1e-9 for part in four["utilisation"].values())
    assert re.search(rf"\| 4 \| \w+ \| [\d.]+% \| {four['speed_up']:.2f} \|", done.stdout)


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="two cores are measured on two")
def test_two_cores_are_measured_where_there_are_two(cores, tmp_path):
    file = tmp_path / "cores.json"
    done = cores("larson", "--quick", "--runs", 1, "--cores", "2", "--transfer", 0, "--json", file)
    assert done.returncode == 0, done.stderr
    (two,) = json.loads(file.read_text())["predictions"]
    assert 0 < two["measured"]["low"] <= two["measured"]["median"] <= two["measured"]["high"]
    assert "ns, a line 0 ns to another core" in done.stderr


def test_one_processor_takes_a_transfer_for_granted(cores):
    everywhere = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(everywhere)[:1])
    try:
        done = cores("larson", "--quick", "--runs", 1, "--cores", "2")
    finally:
        os.sched_setaffinity(0, everywhere)
    assert done.returncode == 0, done.stderr
    assert "one processor cannot tell how long a line takes to another: 100 ns, unless --transfer says" in done.stderr
    assert "a line 100 ns to another core" in done.stderr


def test_dearer_transfers_make_it_slower(cores, tmp_path):
    near, far = tmp_path / "near.json", tmp_path / "far.json"
    for file, ns in ((near, 0), (far, 100000)):
        done = cores("mid-large", "--quick", "--runs", 1, "--cores", "8", "--transfer", ns, "--json", file)
        assert done.returncode == 0, done.stderr
    quick, slow = (json.loads(file.read_text())["predictions"][0] for file in (near, far))
    assert slow["speed_up"] < quick["speed_up"] / 2  # 5 and more where the machine is quiet
    assert slow["service_ns"]["pool"] > 80000


@pytest.mark.parametrize(
    ("arguments", "status", "sentence"),
    [
        (("larson", "--cores", "1,x"), 2, "--cores 1,x is no list of numbers from 1 to 256: give one like 1,2,4,8"),
        (("larson", "--cores", "0"), 2, "--cores 0 is no list of numbers"),
        (("larson", "--cores", "257"), 2, "is no list of numbers from 1 to 256"),
        (("hello",), 2, "hello has its own number of threads"),
        (("larson", "--observe", "/nowhere/libhakmem-observe.so"), 2, "is missing: build it first with ./hakmem build"),
        (("larson", "--programs", "/nowhere"), 2, "/nowhere/transfer is missing: build it first"),
        (("larson", "--json", "/nowhere/cores.json"), 2, "/nowhere/cores.json"),
    ],
)
def test_wrong_use_is_refused_with_a_sentence(cores, arguments, status, sentence):
    done = cores(*arguments)
    assert done.returncode == status, done.stderr
    assert sentence in done.stderr


def test_a_library_that_counts_nothing_is_no_observe_library(cores, library):
    done = cores("larson", "--quick", "--runs", 1, "--cores", "2", "--observe", library)
    assert done.returncode == 3
    assert "printed no line of its locks" in done.stderr


def test_a_library_that_did_not_serve_is_told(cores, compile_allocator):
    idle = compile_allocator("int nothing;", "idle")
    done = cores("larson", "--quick", "--runs", 1, "--cores", "2", "--transfer", 50, "--library", idle)
    assert done.returncode == 3
    assert re.search(r"was to run on libidle.so, but \S*libc\S* served it", done.stderr)
