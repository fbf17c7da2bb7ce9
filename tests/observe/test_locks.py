"""How often the programs of bench/ take a lock: at most so often for a thousand of their operations.

The aim is one. A figure above it is what is needed now: the most of fourteen runs on two processors and on one, with
half as much again for chance where there are threads, and twice as much where a run is nothing but threads that come
and go. Lower it when its locks have become fewer. On more processors threads meet more often, so a run has two.
"""

import json
import os

import pytest

from stats_lines import LOCKS, check_locks, objects


def threads(program, options, **most):
    """The same program with so many threads."""
    return [(program, options(int(count[1:])), limit) for count, limit in most.items()]


RUNS = [
    ("random_mixed", "1000000 400 1", 0.1),
    ("random_mixed", "1000000 8192 1", 0.3),
    ("waves", "--blocks 1600 --rounds 600", 0.1),
    ("waves", "--blocks 10000 --rounds 100", 0.4),
    ("waves", "--blocks 100000 --rounds 8", 5),
    ("handover", "--blocks 1000000", 1.4),
    ("handover", "--blocks 300000 --min 16 --max 4096", 30),
    *threads("larson", lambda n: f"--threads {n} --rounds 4 --operations 25000", _2=17, _16=40, _64=55),
    *threads("mid_large", lambda n: f"--threads {n} --operations {64000 // n}", _2=480, _16=1100, _64=1700),
    ("large_mix", "--operations 600", 1900),
    *threads("churn", lambda n: f"--threads 800 --concurrency {n}", _2=40, _16=100, _64=900),
    *threads("crowd", lambda n: f"--threads {n} --rounds 20", _2=120, _16=170, _64=2500),
]


@pytest.fixture(autouse=True)
def two_processors():
    """What the test starts runs on two processors at most."""
    all_of_them = os.sched_getaffinity(0)
    os.sched_setaffinity(0, sorted(all_of_them)[:2])
    yield
    os.sched_setaffinity(0, all_of_them)


def figures(observe, program, options):
    """(operations, the locks' line) of a run."""
    done = observe(program, *options.split(), HAKMEM_STATS="locks", HAKMEM_STATS_FORMAT="json")
    (report,) = (json.loads(line) for line in done.out.splitlines() if line.startswith("{"))
    (stats,) = objects(done.err)
    assert list(stats) == ["lock_stats"]
    return report["operations"], stats["lock_stats"]


@pytest.mark.parametrize(("program", "options", "most"), RUNS)
def test_a_program_takes_few_locks(request, observe, program, options, most):
    path = request.config.rootpath / "build/release/bench" / program
    if not path.exists():
        pytest.fail(f"{path} is missing; build it first: ./hakmem build")
    operations, locks = figures(observe, path, options)
    check_locks(locks)
    by_rank = {rank: locks[rank] for rank in LOCKS if locks[rank] > 0}
    assert locks["taken"] * 1000 <= most * operations, f"{operations} operations: {locks['taken']} locks: {by_rank}"
