"""A heap that is emptied: dictionaries and lists of many small objects, all dropped, and then nothing for a while.

    flush.py RECORDS MILLISECONDS

Prints what it did, the same on every allocator. Its figures go to the file that BENCH_FIGURES names, or to standard
error: the seconds of the work without the rest, resident KiB after each stage, and over time.
"""

import gc
import json
import os
import sys
import time

PAGE_KIB = os.sysconf("SC_PAGESIZE") // 1024
STEP = 0.02  # seconds from one sample to the next

curve = []
begun = time.perf_counter()


def resident_kib():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * PAGE_KIB


def sample():
    """Resident memory now, which also joins the curve unless the last sample is too near."""
    resident = resident_kib()
    ms = int(1000 * (time.perf_counter() - begun))
    if not curve or ms >= curve[-1][0] + 1000 * STEP:
        curve.append([ms, resident])
    return resident


def record(i):
    return {"id": i, "name": f"name {i}", "tags": [f"tag {i % 97}", f"place {i % 1009}"], "at": (i * 0.5, i * 0.25)}


def fill(count):
    records, by_name = [], {}
    for i in range(count):
        one = record(i)
        records.append(one)
        by_name.setdefault(one["name"][-4:], []).append(one)
        if i % 1024 == 0:
            sample()
    return records, by_name


def thinned(points, most=200):
    while len(points) > most:
        points = points[::2]
    return points


def main():
    count, idle = int(sys.argv[1]), int(sys.argv[2])
    sample()
    records, by_name = fill(count)
    print("records", len(records), "names", len(by_name), "ids", sum(one["id"] for one in records))
    stages = {"filled": sample()}
    records.clear()
    by_name.clear()
    gc.collect()
    seconds = time.perf_counter() - begun
    stages["freed"] = sample()
    end = time.perf_counter() + idle / 1000
    while time.perf_counter() < end:
        time.sleep(STEP)
        sample()
    stages["idled"] = sample()
    figures = {"seconds": seconds, "resident_kib_after": stages, "curve": thinned(curve)}
    with open(os.environ.get("BENCH_FIGURES", "/dev/stderr"), "w") as file:
        print(json.dumps(figures), file=file)


main()
