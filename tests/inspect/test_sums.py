"""Sums over the heap agree with what the library counts itself, and with each other."""

import json
from pathlib import Path

import pytest
from hakmem_inspect import document, process, records, snapshot
from hakmem_inspect.figures import Sums
from hakmem_inspect.listing import processes


@pytest.fixture(params=["release", "observe"])
def program(request, start):
    return start("known_blocks", request.param)


def cached_by_others(heap, pid):
    """Bytes of blocks that are in magazines, but not in those of the thread that called malloc_info."""
    own = (records.IN_CACHE, records.IN_DEPOT)
    return sum(
        heap.run_of(block).shape.stride
        for block, (where, one) in heap.caches.where.items()
        if not (one.tid == pid and where in own)
    )


def test_they_agree_with_malloc_info(program):
    heap = program.heap()
    total = document.of(heap)["total"]
    live = total["slab_live"] + total["large"] + cached_by_others(heap, program.pid)
    assert live == pytest.approx(program.told("slabs", "live_bytes"), rel=0.01)
    assert total["slab_bytes"] == pytest.approx(program.told("slabs", "bytes"), rel=0.01)
    assert total["huge"] == program.told("huge", "bytes") and total["huge_blocks"] == program.told("huge", "count")
    assert total["retained"] == program.told("retained", "bytes")
    assert total["superslabs"] == program.told("superslabs", "total")
    assert total["torn"] == 0


def test_every_byte_of_a_slab_is_counted_once(plain_standing):
    heap = plain_standing.heap()
    sums = Sums(heap)
    for one in sums.by_class.values():
        assert one.bound == one.live + one.cached + one.free + one.holes + one.fresh + one.rest
    for part in (sums.by_class, sums.by_owner):
        assert sum(one.bound for one in part.values()) == sums.total.slabs.bound
        assert sum(one.live for one in part.values()) == sums.total.slabs.live


def test_pages_that_went_back_are_not_resident(plain_standing):
    heap = plain_standing.heap()
    page = heap.memory.page_bytes
    for slab in heap.slabs:
        pages = heap.memory.resident_pages(slab.start, slab.bytes // page)
        assert not [i for i, one in enumerate(pages) if one and slab.absent >> i & 1]


def test_what_is_resident_is_known(plain_standing):
    total = document.of(plain_standing.heap())["total"]
    assert total["live"] <= total["resident"] <= total["held"] + (1 << 20)
    assert total["resident"] <= total["process_resident"] <= total["process_peak"]
    assert total["refilled"] == 0


def test_looking_costs_the_process_nothing(start):
    """No page fault, no memory, no time."""
    program = start("known_blocks")
    stat = Path(f"/proc/{program.pid}/stat")

    def figures():
        words = stat.read_text().rpartition(")")[2].split()
        return [words[7], words[9], words[11], words[12], words[21]]  # faults, ticks of processor time, resident pages

    document.of(program.heap())
    before = figures()
    for _ in range(20):
        snapshot.take(process.Process(program.pid))
    assert figures() == before


def test_once_as_json(plain_standing, command):
    done = command("top", plain_standing.pid, "--once", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["process"]["pid"] == plain_standing.pid and told["process"]["variant"] == "release"
    by_size = {one["size"]: one for one in told["classes"]}
    assert by_size[64]["blocks"] == 200 and by_size[64]["waste"] > 0.9
    assert sum(one["live"] for one in told["threads"]) == told["total"]["slab_live"]
    assert plain_standing.pid in [one["thread"] for one in told["threads"]]


def test_once_as_text(plain_standing, command):
    done = command("top", plain_standing.pid, "--once")
    assert done.returncode == 0 and f"process {plain_standing.pid} (known_blocks) on hakmem" in done.stdout
    assert "size class" in done.stdout and f"thread {plain_standing.pid} (known_blocks)" in done.stdout


def test_without_a_process_those_on_hakmem_are_listed(plain_standing, command):
    assert plain_standing.pid in processes()
    done = command("top")
    assert done.returncode == 0 and f"{plain_standing.pid}  known_blocks" in done.stdout
    told = json.loads(command("top", "--json").stdout)
    assert plain_standing.pid in [one["pid"] for one in told]
