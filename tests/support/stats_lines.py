"""The lines that libhakmem-observe prints, as dictionaries, and what must hold between them."""

import json
import re

import pytest

TINY = ["c0", "c1", "c2", "c3", "c4", "c5", "c6", "c7"]
BANDS = [*TINY, "mid"]
LINES = [
    "process_stats",
    "free_path_stats",
    "free_path_stats_by_class",
    "malloc_path_stats",
    "malloc_path_stats_by_class",
    "free_dispatch_stats",
    "live_stats_by_class",
    "cache_stats",
    "depot_stats",
    "warm_pool_stats",
    "warm_pool_stats_by_class",
    "slab_stats",
    "superslab_stats",
    "shared_pool_stats",
    "remote_stats",
    "os_stats",
    "lock_stats",
    "shared_line_stats",
    "waste_stats",
    "waste_stats_by_class",
]
UNITS = 32  # of a superslab
LOCKS = ["start", "orphans", "big", "guarded", "huge", "pool", "stock", "meta"]
SHARED = ["home", "remote", "figures", "under_locks"]
USES = ["live", "free", "holes", "fresh", "rest"]


def number(text):
    return float(text) if "." in text else int(text)


def figures(fields):
    """{name: number} of "name=number ..."."""
    return {name: number(value) for name, value in (field.split("=") for field in fields.split())}


def human(text):
    """The lines in a program's standard error: a list of (name, figures)."""
    found = re.findall(r"^\[([A-Z_]+STATS[A-Z_]*)\] (.*)$", text, re.M)
    return [(name.lower(), figures(fields)) for name, fields in found]


def objects(text):
    """The JSON objects in a program's standard error, each a process or a call of hak_stats_print."""
    return [json.loads(line) for line in text.splitlines() if line.startswith("{")]


def difference(after, before):
    """What has happened between two objects, line by line; a list of lines has no difference."""
    lines = {name: line for name, line in after.items() if isinstance(line, dict)}
    return {name: {key: value - before[name][key] for key, value in line.items()} for name, line in lines.items()}


def check(stats):
    """Asserts what holds exactly between the lines, at any moment."""
    free, free_bands = stats["free_path_stats"], stats["free_path_stats_by_class"]
    made, made_bands = stats["malloc_path_stats"], stats["malloc_path_stats_by_class"]
    assert free["total"] == sum(free[path] for path in free if path != "total")
    assert made["total"] == sum(made[path] for path in made if path != "total")
    assert free["total"] == sum(free_bands.values()) + sum(free[kind] for kind in ("large", "huge", "empty", "guarded", "null"))
    assert made["total"] == sum(made_bands.values()) + sum(made[kind] for kind in ("large", "huge", "empty", "guarded", "failed"))

    dispatch = stats["free_dispatch_stats"]
    assert dispatch["total"] == free["total"] - free["empty"] - free["guarded"] - free["null"]
    assert dispatch["total"] == dispatch["tiny"] + dispatch["mid"] + dispatch["large"]
    assert dispatch["total"] == sum(dispatch[route] for route in dispatch if route.startswith("route_"))
    assert dispatch["tiny"] == sum(free_bands[band] for band in TINY)

    live = stats["live_stats_by_class"]
    for band in BANDS:
        assert made_bands[band] - free_bands[band] == live[band], band
    for kind in ("large", "huge"):
        assert made[kind] - free[kind] == live[kind] >= 0, kind

    slab, remote, depot = stats["slab_stats"], stats["remote_stats"], stats["depot_stats"]
    assert slab["bound"] >= slab["released"] >= 0 and slab["bound"] >= slab["recycled"]
    outside = sum(slab[f"{way}_blocks"] for way in ("taken", "carved", "coalesced"))
    outside -= slab["put_blocks"] + slab["collected_blocks"]
    assert outside >= sum(live[band] for band in BANDS)
    assert free["remote"] == remote["gathered"]
    assert remote["gathered"] + remote["from_cpus"] >= remote["posted_blocks"] + remote["blocks_sent_home"]
    assert remote["posted_blocks"] >= remote["collected"]
    assert remote["posted_blocks"] >= remote["posted_words"]
    assert remote["posted_words"] + remote["magazines_sent_home"] >= remote["publications"]
    assert depot["in"] >= depot["out"] + depot["taken_apart"]
    assert made["depot"] <= depot["out"]
    tiers = stats["superslab_stats"]
    assert tiers["total"] == tiers["open"] + tiers["draining"] + tiers["free"]
    check_warm_pool(stats["warm_pool_stats"], stats.get("warm_pool_stats_by_class", []))
    check_shared_pool(stats["shared_pool_stats"], stats["superslab_stats"])
    cache = stats["cache_stats"]
    assert cache["refill_average"] == pytest.approx(cache["refill_blocks"] / max(cache["refills"], 1), abs=0.01)
    check_locks(stats["lock_stats"])
    check_shared_lines(stats)
    check_waste(stats["waste_stats"], stats.get("waste_stats_by_class", []))
    return stats


def check_warm_pool(all_classes, by_class):
    for field, sum_of_all in all_classes.items():
        assert sum_of_all == sum(line[field] for line in by_class), field
    assert all(line["hits"] + line["misses"] > 0 for line in by_class)
    sizes = [line["size"] for line in by_class]
    assert sizes == sorted(set(sizes))


def check_shared_pool(pool, superslabs):
    assert (pool["unused"] + pool["active"] + pool["empty"]) % UNITS == 0, "whole superslabs"
    assert (pool["unused"] + pool["active"] + pool["empty"]) // UNITS <= superslabs["total"]
    assert pool["locks"] >= pool["locks_waited"] >= 0
    assert pool["to_free"] >= superslabs["free"] - 1, "one that is cut and not used yet is OPEN"
    assert pool["to_open"] + pool["to_draining"] + pool["to_free"] <= pool["locks"] * UNITS


def check_locks(locks):
    assert locks["taken"] == sum(locks[rank] for rank in LOCKS)
    assert locks["waited"] == sum(locks[f"{rank}_waited"] for rank in LOCKS)
    assert all(locks[rank] >= locks[f"{rank}_waited"] >= 0 for rank in LOCKS)
    for count, time in (("", "held_ns"), ("_waited", "waited_ns")):
        assert locks[time] == sum(locks[f"{rank}_{time}"] for rank in LOCKS)
        assert all(locks[f"{rank}{count}"] > 0 or locks[f"{rank}_{time}"] == 0 for rank in LOCKS), "no time for nothing"


def check_shared_lines(stats):
    """Each way home or into a bitmap writes a line at least once."""
    shared, remote = stats["shared_line_stats"], stats["remote_stats"]
    assert shared["writes"] == sum(shared[where] for where in SHARED)
    assert shared["home"] >= remote["magazines_sent_home"]
    assert shared["remote"] + shared["home"] >= remote["posted_words"] + remote["publications"]


def check_waste(all_classes, by_class):
    for line in (all_classes, *by_class):
        assert line["bound"] == sum(line[use] for use in USES), line
    for field, sum_of_all in all_classes.items():
        assert sum_of_all == sum(line[field] for line in by_class), field
    sizes = [line["size"] for line in by_class]
    assert sizes == sorted(set(sizes))
    for line in by_class:
        assert line["live"] % line["size"] == 0 < line["slabs"]
        assert line["bound"] == line["slabs"] * (65536 * (1 if line["size"] <= 8192 else 2 if line["size"] <= 16384 else 4))


def settled(stats):
    """Asserts what holds besides when all other threads have ended and hak_collect() has been called."""
    check(stats)
    slab, remote, depot = stats["slab_stats"], stats["remote_stats"], stats["depot_stats"]
    live = stats["live_stats_by_class"]
    assert remote["gathered"] + remote["from_cpus"] == remote["posted_blocks"] + remote["blocks_sent_home"]
    assert remote["posted_blocks"] == remote["collected"]
    assert depot["in"] == depot["out"] + depot["taken_apart"]
    outside = sum(slab[f"{way}_blocks"] for way in ("taken", "carved", "coalesced"))
    outside -= slab["put_blocks"] + slab["collected_blocks"]
    assert outside == sum(live[band] for band in BANDS)
    return stats
