"""Each block of a program is what the program knows it to be."""

import pytest
from hakmem_inspect import process, records, snapshot
from hakmem_inspect.figures import Sums
from hakmem_inspect.heap import Heap
from hakmem_inspect.where import BLOCK, FOREIGN, GUARDED_SAMPLE, HUGE_BLOCK, LARGE_BLOCK, NOWHERE, RECORD, UNIT, where

STATES = {
    "in_slab": records.FREE,
    "beside_in_slab": records.LIVE,
    "also_beside": records.LIVE,
    "single": records.LIVE,
    "live": records.LIVE,
    "one_in_a_hundred": records.LIVE,
    "cached": records.CACHED,
    "posted": records.POSTED,
    "sent_home": records.CACHED,
    "gathered": records.CACHED,
    "other": records.LIVE,
}
SIZES = {"in_slab": 1024, "live": 112, "cached": 112, "other": 224, "single": 4096, "one_in_a_hundred": 64}
PLACES = {
    "cached": records.IN_CACHE,
    "sent_home": records.IN_RETURNED,
    "gathered": records.IN_GATHERING,
}


def ask(program, name, beyond=0):
    heap = program.heap()
    return heap, where(heap, program.blocks[name] + beyond)


@pytest.mark.parametrize("name", STATES)
def test_the_state_of_a_block(standing, name):
    heap, answer = ask(standing, name)
    assert (answer.kind, answer.start, answer.offset) == (BLOCK, standing.blocks[name], 0)
    # The quarantine and the random order of secure, and the samples of profile, change which free blocks are where.
    if standing.library in ("secure", "profile"):
        assert (answer.state == records.LIVE) == (STATES[name] == records.LIVE)
        return
    assert answer.state == STATES[name]
    assert answer.size == SIZES.get(name, answer.size)
    if name in PLACES:
        assert heap.caches.where[answer.start][0] == PLACES[name]


def test_a_block_that_a_thread_without_a_heap_has_freed(start, tmp_path):
    program = start("light_blocks")
    heap = program.heap()
    assert where(heap, program.blocks["live"]).state == records.LIVE
    if not heap.layout.cpu_rows:
        pytest.skip("this library has no magazines by CPU")
    freed = where(heap, program.blocks["cached"])
    if freed.state == records.POSTED:
        pytest.skip("the system has no rseq, or took the CPU away at that moment")
    assert freed.state == records.CACHED
    assert records.IN_CPU in dict(freed.facts)["state"]
    # A snapshot has them, too.
    saved = tmp_path / "heap.snapshot"
    saved.write_bytes(snapshot.take(process.Process(program.pid))[1])
    assert where(Heap(snapshot.Snapshot(saved)), program.blocks["cached"]).state == records.CACHED


def test_an_address_within_a_block(standing):
    _, answer = ask(standing, "live", 13)
    assert (answer.kind, answer.state, answer.offset, answer.start) == (BLOCK, "live", 13, standing.blocks["live"])
    assert "lies 13 bytes inside" in answer.sentence


def test_neighbours_are_named(plain_standing):
    _, answer = ask(plain_standing, "in_slab")
    told = dict(answer.facts)
    assert told["before"].startswith(f"{plain_standing.blocks['beside_in_slab']:#x}, the program holds it")
    assert told["after"].startswith(f"{plain_standing.blocks['also_beside']:#x}, the program holds it")


def test_memory_that_was_never_given_out(plain_standing):
    _, answer = ask(plain_standing, "single", 8 * 4096)
    assert (answer.kind, answer.state) == (BLOCK, records.FRESH)


@pytest.mark.parametrize("beyond", [0, 99999])
def test_a_large_block(plain_standing, beyond):
    _, answer = ask(plain_standing, "large", beyond)
    assert (answer.kind, answer.size, answer.offset) == (LARGE_BLOCK, 2 * 65536, beyond)


@pytest.mark.parametrize("beyond", [0, 4999999])
def test_a_huge_block(standing, beyond):
    _, answer = ask(standing, "huge", beyond)
    assert (answer.kind, answer.state, answer.offset) == (HUGE_BLOCK, "live", beyond)


def test_freed_ones(plain_standing):
    assert ask(plain_standing, "freed_large")[1].kind == UNIT
    _, answer = ask(plain_standing, "freed_huge")
    assert (answer.kind, answer.state) == (HUGE_BLOCK, "free")


def test_owners_are_threads(plain_standing):
    heap, mine = ask(plain_standing, "live")
    others = where(heap, plain_standing.blocks["other"])
    assert heap.heaps[mine.owner].tid == plain_standing.pid
    assert heap.heaps[others.owner].tid not in (0, plain_standing.pid)
    assert dict(others.facts)["owner"].startswith(f"thread {heap.heaps[others.owner].tid} (")


@pytest.mark.parametrize("name, place", [("local", "[stack]"), ("global", "known_blocks"), ("code", "known_blocks")])
def test_what_is_foreign(standing, name, place):
    _, answer = ask(standing, name)
    assert answer.kind == FOREIGN and place in answer.sentence


def test_what_is_not_mapped(plain_standing):
    heap = plain_standing.heap()
    assert where(heap, 0).kind == where(heap, 1 << 63).kind == NOWHERE


def test_records_of_the_library(plain_standing):
    heap = plain_standing.heap()
    slab = next(iter(heap.slabs))
    for address in (
        heap.superslabs[0].address + 8,
        slab.free_at,
        slab.address,
        next(iter(heap.heaps.values())).address,
    ):
        assert where(heap, address).kind == RECORD


def test_the_command(plain_standing, command):
    done = command("where", plain_standing.pid, f"{plain_standing.blocks['cached']:#x}")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(f"{plain_standing.blocks['cached']:#x} is a free, cached block of 112 B\n")
    assert f"in the cache of thread {plain_standing.pid} (known_blocks)" in done.stdout


# ---- guarded samples


@pytest.fixture(scope="session")
def samples(start):
    return start("guarded_samples", HAKMEM_GUARD_EVERY="1")


@pytest.mark.parametrize(
    ("name", "state", "size", "facts"),
    [
        ("live", "live", 100, ("block", "allocated")),
        ("freed", "free", 5000, ("block", "allocated", "freed")),
        ("large", "live", 200000, ("block", "allocated")),
        ("freed_large", "free", 300000, ("block", "allocated", "freed")),
    ],
)
def test_a_guarded_sample(samples, name, state, size, facts):
    for beyond in (0, size - 1):
        _, answer = ask(samples, name, beyond)
        assert (answer.kind, answer.state, answer.size, answer.offset) == (GUARDED_SAMPLE, state, size, beyond)
        assert tuple(fact for fact, _ in answer.facts) == facts
        for fact, text in answer.facts[1:]:
            assert text.startswith(f"by thread {samples.pid} at guarded_samples+0x"), fact


@pytest.mark.parametrize(("beyond", "told"), [(-1, "lies 1 bytes before"), (100, "lies 0 bytes past the end of")])
def test_what_lies_beside_one(samples, beyond, told):
    _, answer = ask(samples, "live", beyond)
    assert answer.kind == GUARDED_SAMPLE
    assert f"{told} a live guarded sample of 100 B" in answer.sentence


def test_samples_are_in_the_sums(samples):
    total = Sums(samples.heap()).total
    assert total.huge_blocks == samples.told("huge", "count") > 0
    assert total.huge == samples.told("huge", "bytes")
