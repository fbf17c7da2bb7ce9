"""The workloads of our own programs, in bench/."""

from __future__ import annotations

from hakmem_lab.workloads.workload import Timing, Workload


def _ours(name: str, group: str, program: str, summary: str, full: str, quick: str, **more) -> Workload:
    return Workload(name, group, summary, program, tuple(full.split()), tuple(quick.split()), **more)


def _random_mixed(name: str, summary: str, sizes: str, **environment: str) -> Workload:
    full, quick = f"10000000 {sizes}", f"2000000 {sizes}"
    return _ours(name, "random-mixed", "random_mixed", summary, full, quick, environment=environment)


def _waves(name: str, summary: str, options: str, full_rounds: int, quick_rounds: int) -> Workload:
    full, quick = (f"{options} --rounds {rounds}" for rounds in (full_rounds, quick_rounds))
    return _ours(name, "waves", "waves", summary, full, quick)


def _idle(name: str, who: str, threads: int) -> Workload:
    summary = f"{who} 500 MB (60 if quick) with 16–1024 B, 90 % freed at random, then no call"
    full, quick = f"--threads {threads} --megabytes 500 --idle 5000", f"--threads {threads} --megabytes 60 --idle 1000"
    return _ours(name, "at-rest", "idle", summary, full, quick, rest="resident_kib_after.idled")


def _sleepers(name: str, what: str, option: str) -> Workload:
    summary = f"1,000 threads (250 if quick) asleep, {what}"
    full, quick = f"--threads 1000 --idle 1000 {option}", f"--threads 250 --idle 100 {option}"
    return _ours(name, "at-rest", "sleepers", summary, full, quick, rest="resident_kib_asleep")


_LISTS = "--rounds 0 --vectors 24 --vector-last 4194304 --vector-percent 12"
_BOTH_WAYS = "blocks of 128 B, first half freed FIFO, second half LIFO"
_RANDOMLY = "blocks of 128 B, freed in random order"

_RANDOM_MIXED = (
    _random_mixed("random-mixed-400", "16–1039 B in 400 slots", "400 1"),
    _random_mixed("random-mixed-8192", "16–1039 B in 8192 slots", "8192 1"),
    _random_mixed("tiny-only", "8–128 B in 400 slots", "400 1 8 128"),
    _random_mixed("c5-to-c7", "129–1024 B in 400 slots", "400 1 129 1024"),
    _random_mixed("c6-heavy", "257–768 B in 400 slots", "400 1 257 768"),
    _random_mixed("c5-only", "256 B in 400 slots", "400 1", HAKMEM_BENCH_C5_ONLY="1"),
    _random_mixed("c6-only", "512 B in 400 slots", "400 1", HAKMEM_BENCH_C6_ONLY="1"),
    _random_mixed("c7-only", "1024 B in 400 slots", "400 1", HAKMEM_BENCH_C7_ONLY="1"),
)

_WAVES = (
    _waves("waves", f"1,600 {_BOTH_WAYS}", "--blocks 1600", 20000, 1500),
    _waves("waves-25", f"25 {_BOTH_WAYS}", "--blocks 25", 3000000, 200000),
    _waves("waves-1000", f"1,000 {_BOTH_WAYS}", "--blocks 1000", 20000, 2000),
    _waves("waves-10000", f"10,000 {_BOTH_WAYS}", "--blocks 10000", 1500, 150),
    _waves("waves-100000", f"100,000 {_BOTH_WAYS}", "--blocks 100000", 150, 8),
    _waves("waves-random", f"1,000 {_RANDOMLY}", "--random --blocks 1000", 60000, 5000),
    _waves("waves-random-100000", f"100,000 {_RANDOMLY}", "--random --blocks 100000", 150, 10),
)

_THREADS = (
    _ours(
        *("handover", "producer-consumer", "handover", "64 B from one thread to another"),
        *("--blocks 10000000", "--blocks 1500000"),
    ),
    _ours(
        *("handover-mixed", "producer-consumer", "handover", "16–4096 B from one thread to another"),
        *("--blocks 3000000 --min 16 --max 4096", "--blocks 300000 --min 16 --max 4096"),
    ),
    _ours(
        *("consumers", "producer-consumer", "consumers", "2 threads only allocate 64 B, 2 only free it"),
        *("--batches 5000", "--batches 400"),
    ),
    _ours(
        *("exchange", "producer-consumer", "exchange", "8 threads, 8–32 KiB in slots that all share, every page touched"),
        *("--operations 50000", "--operations 4000"),
    ),
    _ours(
        *("exchange-small", "producer-consumer", "exchange", "16 threads, 64 B–2 KiB in slots that all share"),
        *("--threads 16 --slots 16384 --min 64 --max 2048 --operations 200000",),
        *("--threads 16 --slots 16384 --min 64 --max 2048 --operations 30000",),
    ),
    _ours(
        *("larson", "larson", "larson", "2 threads, each handing its blocks to a successor"),
        *("--rounds 80", "--rounds 12"),
    ),
    _ours(
        *("churn", "churn", "churn", "short-lived threads that leave blocks behind"),
        *("--threads 4000", "--threads 800"),
    ),
    _ours(
        *("mid-large", "mid-large", "mid_large", "4 threads, 8 KiB–1 MiB in 40 slots each, every page touched"),
        *("--operations 50000", "--operations 4000"),
    ),
    _ours(
        *("false-sharing-active", "false-sharing", "false_sharing", "4 threads write and free 8 B of their own"),
        *("--rounds 200000 --writes 1000", "--rounds 14000 --writes 1000"),
    ),
    _ours(
        *("false-sharing-passive", "false-sharing", "false_sharing", "4 threads begin with 8 B from the main thread"),
        *("--passive --rounds 400 --writes 400000", "--passive --rounds 28 --writes 400000"),
    ),
    _ours(
        *("crowd", "crowd", "crowd", "1,000 threads (250 if quick) use every class, then all sleep"),
        *("--threads 1000 --rounds 20", "--threads 250"),
        rest="resident_kib_asleep",
    ),
    _ours(
        *("crowd-busy", "crowd", "crowd", "64 threads use every class, again and again"),
        *("--threads 64 --rounds 2000", "--threads 64 --rounds 200"),
    ),
)

_LARGE = (
    _ours(
        *("large-mix", "large-mix", "large_mix", "0.1–30 MB in 20 slots, every page touched"),
        *("--operations 2000", "--operations 120"),
    ),
    _ours(
        *("buffers", "mid-large", "mid_large", "2 threads, 33–100 KB in 400 slots each, every page touched"),
        *("--threads 2 --slots 400 --min 33000 --max 100000 --operations 2000000",),
        *("--threads 2 --slots 400 --min 33000 --max 100000 --operations 200000",),
    ),
    _ours(
        *("megabytes", "large-mix", "mid_large", "0.2–3 MB in 32 slots, every page touched"),
        *("--threads 1 --slots 32 --min 200000 --max 3000000 --operations 20000",),
        *("--threads 1 --slots 32 --min 200000 --max 3000000 --operations 2000",),
    ),
    _ours(
        *("growth-large", "growth", "growth", "realloc from 4 KiB to 1 GiB (96 MiB if quick) by 25 % a step"),
        *("--steps 0 --percent 25 --megabytes 1024", "--steps 0 --percent 25 --megabytes 96"),
    ),
    _ours(
        *("growth-vectors", "growth", "growth", "1,000 vectors growing by half or double up to 64 KiB"),
        *("--rounds 0 --steps 2000000", "--rounds 0 --steps 150000"),
    ),
    _ours(
        *("growth-lists", "growth", "growth", "24 lists growing by 12 % up to 4 MiB"),
        *(f"{_LISTS} --steps 100000", f"{_LISTS} --steps 12000"),
    ),
    _ours(
        *("fragmentation", "fragmentation", "fragmentation", "fill, free 90 % at random, idle, refill otherwise"),
        *("--megabytes 200 --idle 1000", "--megabytes 30 --idle 50"),
        rest="resident_kib_after.idled",
    ),
    _ours(
        *("phases", "fragmentation", "phases", "6 MB of blocks in five phases, each of other sizes; few stay"),
        *("--rounds 60", "--rounds 8"),
    ),
)

_AT_REST = (
    _idle("idle-1", "1 thread fills", 1),
    _idle("idle-4", "4 threads fill", 4),
    _ours(
        *("huge-then-small", "at-rest", "huge_then_small", "blocks of 2.5–6 MB, 40 MB alive; then a few small ones"),
        *("--seconds 6", "--seconds 2"),
        rest="resident_kib_after.ended",
    ),
    _sleepers("sleepers-one", "each with one block of 100 B", ""),
    _sleepers("sleepers-sizes", "each with a block of each of 64 sizes up to 1 KiB", "--sizes"),
    _sleepers("sleepers-megabyte", "after a megabyte each, all freed", "--megabyte"),
    _ours(
        *("tide", "at-rest", "tide", "live memory swells and ebbs between 20 and 200 MB (4 and 40 if quick)"),
        *("--seconds 60 --megabytes 200", "--seconds 4 --megabytes 40"),
        rest="resident_to_live",
    ),
)

_START = (
    _ours("hello", "hello", "hello", "a whole process that prints hello", "", "", timing=Timing.START_UP),
)

BENCH_WORKLOADS = (*_RANDOM_MIXED, *_WAVES, *_THREADS, *_LARGE, *_AT_REST, *_START)
