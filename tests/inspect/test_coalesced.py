"""A block that is made of adjacent smaller ones is told as one, with all its bytes."""

import re
from base64 import b64decode

import pytest
from hakmem_inspect import document, process, records, snapshot
from hakmem_inspect.figures import Sums
from hakmem_inspect.heap import Heap
from hakmem_inspect.page import pins
from hakmem_inspect.page.cells import cells
from hakmem_inspect.where import BLOCK, RECORD, where

SIZE, PART = 1024, 256
LIVE = 1000 - 3  # of coalesced_blocks.c: all but the three that it has freed
STATES = {"live": records.LIVE, "cached": records.CACHED, "posted": records.POSTED}


@pytest.fixture(scope="module")
def heap(coalesced):
    return coalesced.heap()


@pytest.fixture(scope="module")
def slabs(heap):
    """Those with coalesced blocks."""
    return [slab for slab in heap.slabs if slab.inside]


@pytest.mark.parametrize("beyond", [0, 1, PART - 1, PART, SIZE - PART, SIZE - 1])
@pytest.mark.parametrize("name", STATES)
def test_each_of_its_bytes_is_the_block(heap, coalesced, name, beyond):
    start = coalesced.blocks[name]
    answer = where(heap, start + beyond)
    assert (answer.kind, answer.state, answer.start) == (BLOCK, STATES[name], start)
    assert (answer.size, answer.offset) == (SIZE, beyond)
    assert answer.sentence.endswith(" block of 1.0 KiB")
    assert re.match(
        rf"{start:#x} to {start + SIZE:#x}, coalesced of numbers \d+ to \d+ of 256$", dict(answer.facts)["block"]
    )


@pytest.mark.parametrize("name, state", [("in_slab", records.FREE), ("small", records.LIVE)])
def test_others_of_the_slab_are_what_they_were(heap, coalesced, name, state):
    answer = where(heap, coalesced.blocks[name] + 1)
    assert (answer.state, answer.size, answer.offset) == (state, PART, 1)


def test_its_neighbours_are_before_and_after_the_whole(heap, coalesced):
    start = coalesced.blocks["live"]
    after = dict(where(heap, start + PART).facts)["after"]
    assert after.startswith(f"{start + SIZE:#x}, ")
    before = dict(where(heap, start + SIZE).facts)["before"]
    assert before == f"{start:#x}, the program holds it"


def test_its_slab_is_whole(slabs):
    assert len(slabs) > 10 and not any(slab.torn for slab in slabs)
    for slab in slabs:
        assert (slab.shape.stride, slab.inside.bit_count()) == (PART, slab.insides)
        sets = (slab.live, slab.cached, slab.posted, slab.free, slab.inside)
        assert sum(one.bit_count() for one in sets) == slab.shape.capacity


def test_every_byte_is_counted_once(heap, slabs):
    sums = Sums(heap)
    for one in (*sums.by_class.values(), *sums.of_slab.values()):
        assert one.bound == one.live + one.cached + one.free + one.holes + one.fresh + one.rest
    assert sum((slab.live & slab.coalesced).bit_count() for slab in slabs) == LIVE
    of_class = sums.by_class[slabs[0].shape.index]
    assert of_class.live == (of_class.blocks - LIVE) * PART + LIVE * SIZE


def test_what_is_cached_or_posted_is_so_as_a_whole(heap, coalesced):
    sums = Sums(heap)
    for name, cached in (("cached", SIZE), ("posted", 0), ("in_slab", 0)):
        slab = heap.run_of(coalesced.blocks[name])
        one = sums.of_slab[slab.start]
        live = sum(slab.size(index) for index in records.bits(slab.live))
        assert (one.cached, one.live) == (cached, live), name
        assert one.free == one.bound - live - cached - one.holes - one.fresh - one.rest


def test_they_agree_with_malloc_info(heap, coalesced):
    total = document.of(heap)["total"]
    assert total["slab_live"] + total["large"] == coalesced.told("slabs", "live_bytes")
    assert total["slab_bytes"] == coalesced.told("slabs", "bytes")
    assert total["torn"] == 0


def test_a_snapshot_has_them(heap, coalesced, tmp_path):
    (tmp_path / "taken").write_bytes(snapshot.take(process.Process(coalesced.pid))[1])
    then = Heap(snapshot.Snapshot(str(tmp_path / "taken")))
    assert document.of(then)["classes"] == document.of(heap)["classes"]
    for name in coalesced.blocks:
        now, later = where(heap, coalesced.blocks[name] + 200), where(then, coalesced.blocks[name] + 200)
        assert (now.sentence, now.start, now.state) == (later.sentence, later.start, later.state)


def test_their_bitmap_is_a_record(heap, slabs):
    assert where(heap, slabs[0].inside_at).kind == RECORD
    assert "a bitmap of the slab" in where(heap, slabs[0].inside_at).sentence


def test_the_picture_fills_the_whole(heap, slabs):
    told = cells(heap, Sums(heap))
    runs = [run for one in told["superslabs"] for run in one["runs"] if run[0] == "slab"]
    for run, slab in zip(runs, heap.slabs, strict=True):
        live, inside = (int.from_bytes(b64decode(run[i]), "little") for i in (9, 15))
        assert (inside, live & ~inside) == (slab.inside, slab.live)
        assert live.bit_count() * slab.shape.stride == sum(slab.size(index) for index in records.bits(slab.live))
    kinds = pins._pins(heap, slabs[0].superslab)
    assert re.search(r"\d+ blocks of 1.0 KiB \(thread", kinds) and re.search(r"\d+ blocks of 256 B \(thread", kinds)


def test_gdb_lists_them_with_what_they_serve(coalesced, gdb):
    said = gdb(
        "hakmem blocks 1024 all", "hakmem blocks 256 all", name="coalesced_blocks", arguments=["-p", coalesced.pid]
    )
    of_1024, of_256 = re.split(r"^[\d,]+ live blocks of 256 bytes$", said, flags=re.MULTILINE)
    assert re.search(r"^[\d,]+ live blocks of 1024 bytes$", of_1024, re.MULTILINE)
    assert len(re.findall(r"^0x[0-9a-f]+  .*, coalesced, 1,024 bytes$", of_1024, re.MULTILINE)) == LIVE
    assert f"\n{coalesced.blocks['live']:#x}  thread {coalesced.pid}" in of_1024
    assert f"\n{coalesced.blocks['small']:#x}  thread {coalesced.pid}" in of_256
    assert "coalesced, " not in of_256
