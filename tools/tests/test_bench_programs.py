"""The bench programs: what they do is what is specified, they prove their allocator, and notice a broken one."""

import json
import os
import re
import subprocess

import pytest


@pytest.fixture(scope="module")
def programs(bench_programs):
    return bench_programs


def run(program, *arguments, **environment):
    command = [str(program), *map(str, arguments)]
    clean = {key: value for key, value in os.environ.items() if key != "LD_PRELOAD"}
    return subprocess.run(
        command, capture_output=True, text=True, env={**clean, **environment}, timeout=120, check=False
    )


def report_of(done):
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


# ---- random mixed, by the definition in one place and by a model in another


def model_frees(iters, ws, seed, minimum=16, maximum=1039):
    """The frees of random mixed by band, worked out without allocating."""

    def draws(state, count):
        for _ in range(count):
            state ^= state << 13 & 0xFFFFFFFF
            state ^= state >> 17
            state ^= state << 5 & 0xFFFFFFFF
            yield state

    bands = dict.fromkeys(["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7", "mid"], 0)
    names = list(bands)

    def freed(size):
        bands[names[next((i for i in range(8) if size <= 8 << i), 8)]] += 1

    slots = {}
    for state, count in (((seed + 0xDEADBEEF) & 0xFFFFFFFF, iters // 10), (seed, iters)):
        for random in draws(state, count):
            k = random % ws
            if k in slots:
                freed(slots.pop(k))
            else:
                slots[k] = min(max(16 + (random & 1023), minimum), maximum)
    for size in slots.values():
        freed(size)
    return bands


SPECIFIED = {
    "c0": 0,
    "c1": 523,
    "c2": 8757,
    "c3": 17253,
    "c4": 34764,
    "c5": 68835,
    "c6": 137297,
    "c7": 274590,
    "mid": 8081,
}


def test_random_mixed_frees_exactly_what_is_specified(programs):
    report = report_of(run(programs / "random_mixed", 1000000, 400, 1, "--count-bands"))
    assert report["frees"] == 550100
    assert report["frees_by_band"] == SPECIFIED


@pytest.mark.parametrize(
    ("iters", "ws", "seed", "sizes"),
    [(100000, 400, 1, ()), (50000, 37, 4294967295, ()), (30000, 8192, 7, (8, 128)), (30000, 100, 3, (257, 768))],
)
def test_random_mixed_agrees_with_the_model(programs, iters, ws, seed, sizes):
    report = report_of(run(programs / "random_mixed", iters, ws, seed, *sizes, "--count-bands"))
    assert report["frees_by_band"] == model_frees(iters, ws, seed, *sizes)


def test_random_mixed_prints_its_line(programs):
    done = run(programs / "random_mixed", 200000, 400, 1)
    line, report = done.stdout.splitlines()
    assert line.startswith("Throughput = ")
    assert " ops/s [iter=200000 ws=400] time=" in line
    assert line.endswith("s")
    assert json.loads(report)["operations"] == 200000


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, (16, 1039)),
        ({"HAKMEM_BENCH_MIN_SIZE": "129", "HAKMEM_BENCH_MAX_SIZE": "1024"}, (129, 1024)),
        ({"HAKMEM_BENCH_C5_ONLY": "1"}, (256, 256)),
        ({"HAKMEM_BENCH_C6_ONLY": "1", "HAKMEM_BENCH_MIN_SIZE": "8"}, (512, 512)),
        ({"HAKMEM_BENCH_C7_ONLY": "1", "HAKMEM_BENCH_C5_ONLY": "0"}, (1024, 1024)),
    ],
)
def test_random_mixed_takes_sizes_from_the_environment(programs, environment, expected):
    report = report_of(run(programs / "random_mixed", 1000, 40, 1, **environment))
    assert (report["min"], report["max"]) == expected


def test_random_mixed_arguments_win_over_the_environment(programs):
    report = report_of(run(programs / "random_mixed", 1000, 40, 1, 20, 30, HAKMEM_BENCH_C5_ONLY="1"))
    assert (report["min"], report["max"]) == (20, 30)


# ---- all programs

QUICK = {
    "churn": ["--threads", "20"],
    "consumers": ["--batches", "20", "--batch", "100", "--waiting", "8", "--max", "4096"],
    "crowd": ["--threads", "20"],
    "false_sharing": ["--rounds", "3", "--writes", "10"],
    "fragmentation": ["--megabytes", "2", "--idle", "1"],
    "growth": ["--megabytes", "8", "--steps", "5000"],
    "handover": ["--blocks", "100000", "--max", "4096"],
    "hello": ["--json"],
    "huge_then_small": ["--rounds", "40", "--seconds", "0"],
    "idle": ["--megabytes", "2", "--idle", "1"],
    "large_mix": ["--operations", "20"],
    "larson": ["--rounds", "3", "--operations", "2000"],
    "mid_large": ["--operations", "300"],
    "random_mixed": ["20000", "400", "1"],
    "sleepers": ["--threads", "20", "--idle", "1"],
    "tide": ["--seconds", "1", "--megabytes", "2", "--operations", "50"],
    "transfer": ["--writes", "10"],
    "waves": ["--rounds", "20"],
}


@pytest.mark.parametrize("name", sorted(QUICK))
def test_program_reports_and_proves_its_allocator(programs, bump, name):
    plain = report_of(run(programs / name, *QUICK[name]))
    assert plain["workload"] == name
    assert plain["allocator_library"].startswith("libc.so")
    assert plain["operations"] > 0
    assert plain["seconds"] > 0
    assert plain["processor_seconds"] > 0
    assert plain["peak_kib"] >= plain["resident_kib"] > 0
    assert plain["minor_faults"] > 0
    preloaded = report_of(run(programs / name, *QUICK[name], LD_PRELOAD=str(bump)))
    assert preloaded["allocator_library"] == "libbump.so"
    assert preloaded["allocator_path"] == str(bump)


@pytest.mark.parametrize("name", sorted(QUICK))
def test_program_has_help(programs, name):
    done = run(programs / name, "--help")
    assert done.returncode == 0
    assert done.stdout.startswith(f"usage: {name} ")


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        (["random_mixed"], "ITERS is missing"),
        (["random_mixed", "10", "10"], "SEED is missing"),
        (["random_mixed", "ten", "10", "1"], "ITERS must be a whole number, not 'ten'"),
        (["random_mixed", "10", "0", "1"], "WS must lie between 1 and 4294967295, not 0"),
        (["random_mixed", "10", "10", "-1"], "SEED must be a whole number, not '-1'"),
        (["random_mixed", "10", "10", "1", "8"], "MIN needs MAX beside it"),
        (["random_mixed", "10", "10", "1", "9", "8"], "the smallest size 9 is above the largest 8"),
        (["random_mixed", "10", "10", "1", "8", "9", "1"], "'1' is one argument too many"),
        (["waves", "--round", "3"], "there is no option '--round'"),
        (["waves", "--rounds"], "--rounds needs a value"),
        (["waves", "--rounds", "3x"], "--rounds must be a whole number, not '3x'"),
        (["handover", "--min", "9", "--max", "8"], "--min 9 is above --max 8"),
        (["consumers", "--min", "9", "--max", "8"], "--min 9 is above --max 8"),
        (["mid_large", "--min", "9", "--max", "8"], "--min 9 is above --max 8"),
        (["crowd", "--threads", "0"], "--threads must lie between 1 and 100000, not 0"),
        (["growth", "--percent", "0"], "--percent must lie between 1 and 1000, not 0"),
        (["false_sharing", "--size", "big"], "--size must be a whole number, not 'big'"),
        (["idle", "--min", "9", "--max", "8"], "--min 9 is above --max 8"),
        (["idle", "--percent", "101"], "--percent must lie between 0 and 100, not 101"),
        (["huge_then_small", "--megabytes", "5"], "--megabytes must lie between 6 and 1048576, not 5"),
        (["sleepers", "--sizes", "--megabyte"], "--sizes and --megabyte both say what a thread does: give one"),
        (["tide", "--seconds", "0"], "--seconds must lie between 1 and 36000, not 0"),
        (["hello", "twice"], "'twice' is one argument too many"),
    ],
)
def test_program_refuses_wrong_arguments(programs, command, sentence):
    done = run(programs / command[0], *command[1:])
    assert done.returncode == 2
    assert done.stderr == f"{command[0]}: {sentence} (see --help)\n"
    assert done.stdout == ""


@pytest.mark.parametrize(
    ("environment", "sentence"),
    [
        ({"HAKMEM_BENCH_C5_ONLY": "yes"}, "HAKMEM_BENCH_C5_ONLY must be 0 or 1, not 'yes'"),
        (
            {"HAKMEM_BENCH_C5_ONLY": "1", "HAKMEM_BENCH_C6_ONLY": "1"},
            "HAKMEM_BENCH_C5_ONLY and HAKMEM_BENCH_C6_ONLY cannot both be set",
        ),
        (
            {"HAKMEM_BENCH_C6_ONY": "1"},
            "there is no HAKMEM_BENCH_C6_ONY; there are HAKMEM_BENCH_MIN_SIZE, HAKMEM_BENCH_MAX_SIZE, "
            "HAKMEM_BENCH_C5_ONLY, HAKMEM_BENCH_C6_ONLY, HAKMEM_BENCH_C7_ONLY",
        ),
        ({"HAKMEM_BENCH_": "1"}, "there is no HAKMEM_BENCH_; there are HAKMEM_BENCH_MIN_SIZE, "),
        ({"HAKMEM_BENCH_MIN_SIZE": "big"}, "HAKMEM_BENCH_MIN_SIZE must be a whole number, not 'big'"),
    ],
)
def test_random_mixed_refuses_a_wrong_environment(programs, environment, sentence):
    done = run(programs / "random_mixed", 10, 10, 1, **environment)
    assert done.returncode == 2
    assert sentence in done.stderr


@pytest.mark.parametrize("program", ["churn", "waves"])
def test_a_program_that_reads_no_variables_refuses_them(programs, program):
    done = run(programs / program, HAKMEM_BENCH_C6_ONLY="1")
    assert (done.returncode, done.stdout) == (2, "")
    assert "HAKMEM_BENCH_C6_ONLY is set, and this program reads no variable of that kind" in done.stderr


def test_hello_alone_only_greets(programs):
    assert run(programs / "hello").stdout == "hello\n"


def test_fragmentation_tells_the_resident_memory_of_each_stage(programs):
    stages = report_of(run(programs / "fragmentation", "--megabytes", 8, "--idle", 1))["resident_kib_after"]
    assert list(stages) == ["filled", "freed", "idled", "refilled", "emptied", "ended"]
    assert stages["filled"] > 8 * 1024


# ---- memory at rest


def check_curve(report, shortest_ms):
    curve = report["curve"]
    times = [ms for ms, _ in curve]
    assert 2 <= len(curve) <= 200
    assert times == sorted(set(times))
    assert times[0] == 0
    assert times[-1] >= shortest_ms
    assert all(0 < kib <= report["peak_kib"] + 1024 for _, kib in curve)


@pytest.mark.parametrize("threads", [1, 3])
def test_idle_tells_what_is_held_without_a_call(programs, threads):
    arguments = ("--threads", threads, "--megabytes", 9, "--min", 512, "--max", 1024, "--idle", 60)
    report = report_of(run(programs / "idle", *arguments))
    stages = report["resident_kib_after"]
    assert list(stages) == ["filled", "freed", "idled"]
    assert stages["filled"] > 9 * 1024
    assert report["threads"] == threads
    assert report["operations"] == pytest.approx(9 * 2**20 / 768, rel=0.05)
    assert report["survivors"] == pytest.approx(0.1 * report["operations"], rel=0.2)
    check_curve(report, 60)


@pytest.mark.parametrize(("percent", "survivors"), [(0, 1.0), (100, 0.0)])
def test_idle_keeps_the_share_that_was_asked_for(programs, percent, survivors):
    report = report_of(run(programs / "idle", "--megabytes", 2, "--percent", percent, "--idle", 1))
    assert report["survivors"] == survivors * report["operations"]


def test_idle_is_the_same_again(programs):
    one, other, another = (
        report_of(run(programs / "idle", "--megabytes", 2, "--idle", 1, "--seed", seed)) for seed in (5, 5, 6)
    )
    assert [one[key] for key in ("operations", "survivors")] == [other[key] for key in ("operations", "survivors")]
    assert one["survivors"] != another["survivors"]


def test_huge_then_small_tells_what_is_left_of_the_huge_blocks(programs, bump):
    churn = ("--rounds", 30, "--megabytes", 12, "--seconds", 1, "--operations", 20)
    report = report_of(run(programs / "huge_then_small", *churn))
    assert list(report["resident_kib_after"]) == ["churned", "ended"]
    assert report["seconds"] < 0.9  # the sleep does not count
    check_curve(report, 900)
    kept = report_of(run(programs / "huge_then_small", *churn, LD_PRELOAD=str(bump)))["resident_kib_after"]
    assert kept["ended"] > kept["churned"] > 2 * 2560  # that allocator gives nothing back


def test_sleepers_tell_what_a_thread_costs(programs):
    few, many = (report_of(run(programs / "sleepers", "--threads", n, "--idle", 20)) for n in (2, 1000))
    assert (few["operations"], many["operations"]) == (2, 1000)
    assert many["kib_a_thread"] == pytest.approx(
        (many["resident_kib_asleep"] - many["resident_kib_before"]) / many["threads"], rel=0.01
    )
    # A stack has two pages. So many threads, because the system's count of resident pages is 200 KiB off at times.
    assert many["kib_a_thread"] >= 8
    assert many["resident_kib_asleep"] > few["resident_kib_asleep"] + 998 * 8
    check_curve(many, 20)


@pytest.mark.parametrize(("kind", "blocks", "kib"), [((), 1, 0), (("--sizes",), 64, 32), (("--megabyte",), 1900, 0)])
def test_sleepers_of_each_kind_use_what_is_said(programs, bump, kind, blocks, kib):
    report = report_of(run(programs / "sleepers", "--threads", 30, *kind, "--idle", 1, LD_PRELOAD=str(bump)))
    assert report["operations"] == pytest.approx(30 * blocks, rel=0.1)
    assert report["kib_a_thread"] > kib


def test_tide_holds_resident_memory_against_live_bytes(programs):
    report = report_of(run(programs / "tide", "--seconds", 1, "--megabytes", 20, "--operations", 20))
    assert report["resident_to_live"] == pytest.approx(report["resident_kib_mean"] / report["live_kib_mean"], rel=0.01)
    assert report["live_kib_mean"] == pytest.approx(0.55 * 20 * 1024, rel=0.1)  # from a tenth to the whole, evenly
    assert report["resident_to_live"] > 0.95
    assert report["peak_kib"] > 19 * 1024
    check_curve(report, 900)


def test_a_curve_covers_a_run_of_any_length(programs):
    report = report_of(run(programs / "idle", "--megabytes", 1, "--idle", 2600))
    times = [ms for ms, _ in report["curve"]]
    assert 95 <= len(times) <= 200
    assert max(later - ms for ms, later in zip(times, times[1:], strict=False)) < 500
    check_curve(report, 2500)


def test_a_crowd_draws_its_curve(programs):
    check_curve(report_of(run(programs / "crowd", "--threads", 300, "--rounds", 3)), 10)


def test_fragmentation_draws_its_curve(programs):
    check_curve(report_of(run(programs / "fragmentation", "--megabytes", 4, "--idle", 30)), 60)


# ---- what each must notice

BLOCKS_TWICE = {
    "churn": ["--concurrency", "1", "--threads", "20"],
    "consumers": ["--batches", "20"],
    "crowd": ["--threads", "2"],
    "fragmentation": ["--megabytes", "2", "--idle", "1"],
    "growth": ["--rounds", "0", "--steps", "50000"],
    "handover": ["--blocks", "100000"],
    "huge_then_small": ["--rounds", "1", "--seconds", "1"],
    "idle": ["--threads", "2", "--megabytes", "2", "--idle", "1"],
    "large_mix": ["--operations", "2000", "--max", "200000"],
    "larson": ["--rounds", "3", "--operations", "2000"],
    "mid_large": ["--operations", "3000", "--threads", "2"],
    "sleepers": ["--threads", "2", "--megabyte", "--idle", "1"],
    "tide": ["--seconds", "1", "--megabytes", "2"],
    "waves": ["--rounds", "20"],
}


@pytest.mark.parametrize("name", sorted(BLOCKS_TWICE))
def test_program_notices_a_block_given_out_twice(programs, broken, name):
    done = run(programs / name, *BLOCKS_TWICE[name], LD_PRELOAD=str(broken))
    assert done.returncode == 1, done
    assert done.stderr.startswith(f"{name}: ")
    assert "was overwritten" in done.stderr or "lost what the block held" in done.stderr


@pytest.mark.parametrize("waiting", [1, 100])
def test_consumers_free_what_all_producers_allocate(programs, waiting):
    done = run(programs / "consumers", "--pairs", 3, "--batches", 40, "--batch", 10, "--waiting", waiting)
    report = report_of(done)
    assert (report["operations"], report["pairs"]) == (3 * 40 * 10, 3)


def test_waves_in_random_order_free_the_same_blocks(programs):
    report = report_of(run(programs / "waves", "--blocks", 1000, "--rounds", 20, "--random"))
    assert (report["random"], report["operations"]) == (1, 20000)


def test_threads_of_a_crowd_are_alive_at_once(programs):
    few, many = (report_of(run(programs / "crowd", "--threads", count)) for count in (2, 100))
    assert many["operations"] == 50 * few["operations"]
    assert many["resident_kib_asleep"] > few["resident_kib_asleep"] + 98 * 8  # a stack has two pages
    assert many["peak_kib"] > 0.95 * many["resident_kib_asleep"]


@pytest.mark.parametrize("mode", [[], ["--passive"]])
def test_false_sharing_counts_the_blocks_of_all_threads(programs, mode):
    report = report_of(run(programs / "false_sharing", "--threads", 3, "--rounds", 7, "--writes", 300, *mode))
    assert (report["operations"], report["passive"]) == (21, len(mode))


def test_processor_time_is_that_of_all_threads(programs):
    one, four = (report_of(run(programs / "mid_large", "--threads", n, "--operations", 20000)) for n in (1, 4))
    assert four["processor_seconds"] > 1.5 * one["processor_seconds"]
    idle = report_of(run(programs / "idle", "--megabytes", 2, "--idle", 300))
    assert idle["processor_seconds"] < 0.3


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="a line needs two processors to go from one to the other")
def test_a_line_takes_its_time_from_one_processor_to_another(programs):
    report = report_of(run(programs / "transfer"))
    assert report["operations"] == 200 * 1000
    assert 5 < report["nanoseconds"] < 20000
    assert report["nanoseconds"] <= report["seconds"] * 1e9 / report["operations"], "the least of the rounds"


def test_one_processor_cannot_tell(programs):
    done = subprocess.run(
        [str(programs / "transfer")],
        preexec_fn=lambda: os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1]),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert "may run on one processor alone" in done.stderr


@pytest.mark.parametrize(("name", "table", "most"), [("larson", "lanes", 256), ("mid_large", "workers", 256), ("churn", "visits", 256)])
def test_what_a_thread_writes_shares_no_line_with_another(programs, name, table, most):
    symbols = subprocess.run(["nm", "-S", str(programs / name)], capture_output=True, text=True, check=True).stdout
    (line,) = [line.split() for line in symbols.splitlines() if re.search(rf" {table}(\.\d+)?$", line)]
    assert int(line[0], 16) % 64 == 0
    assert int(line[1], 16) % (64 * most) == 0


def test_growth_reaches_its_limit(programs):
    report = report_of(run(programs / "growth", "--megabytes", 40, "--steps", 0))
    assert report["peak_kib"] > 40 * 1024
