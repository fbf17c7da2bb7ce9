"""The lines that libhakmem-observe prints, as dictionaries, and what must hold between them."""

import json
import re

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
    "slab_stats",
    "superslab_stats",
    "remote_stats",
    "os_stats",
]


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
    """What has happened between two objects, line by line."""
    return {name: {key: value - before[name][key] for key, value in line.items()} for name, line in after.items()}


def check(stats):
    """Asserts what holds exactly between the lines, at any moment."""
    free, free_bands = stats["free_path_stats"], stats["free_path_stats_by_class"]
    made, made_bands = stats["malloc_path_stats"], stats["malloc_path_stats_by_class"]
    assert free["total"] == sum(free[path] for path in free if path != "total")
    assert made["total"] == sum(made[path] for path in made if path != "total")
    assert free["total"] == sum(free_bands.values()) + sum(free[kind] for kind in ("large", "huge", "null"))
    assert made["total"] == sum(made_bands.values()) + sum(made[kind] for kind in ("large", "huge", "failed"))

    dispatch = stats["free_dispatch_stats"]
    assert dispatch["total"] == free["total"] - free["null"]
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
    outside = slab["taken_blocks"] + slab["carved_blocks"] - slab["put_blocks"] - slab["collected_blocks"]
    assert outside >= sum(live[band] for band in BANDS)
    assert free["remote"] == remote["gathered"] >= remote["posted_blocks"] >= remote["collected"]
    assert remote["posted_blocks"] >= remote["posted_words"] >= remote["publications"]
    assert depot["in"] >= depot["out"] + depot["taken_apart"]
    assert made["depot"] <= depot["out"]
    tiers = stats["superslab_stats"]
    assert tiers["total"] == tiers["open"] + tiers["draining"] + tiers["free"]
    return stats


def settled(stats):
    """Asserts what holds besides when all other threads have ended and hak_collect() has been called."""
    check(stats)
    slab, remote, depot = stats["slab_stats"], stats["remote_stats"], stats["depot_stats"]
    live = stats["live_stats_by_class"]
    assert remote["gathered"] == remote["posted_blocks"] == remote["collected"]
    assert depot["in"] == depot["out"] + depot["taken_apart"]
    outside = slab["taken_blocks"] + slab["carved_blocks"] - slab["put_blocks"] - slab["collected_blocks"]
    assert outside == sum(live[band] for band in BANDS)
    return stats
