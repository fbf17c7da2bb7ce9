"""A snapshot says later what the process said; taking many harms neither side; garbage is refused, not followed."""

import random

import pytest
from hakmem_inspect import document, process, snapshot
from hakmem_inspect.errors import InspectError, Unreadable
from hakmem_inspect.figures import Sums
from hakmem_inspect.heap import Heap
from hakmem_inspect.memory import Memory
from hakmem_inspect.where import where


@pytest.fixture(scope="module")
def taken(plain_standing, tmp_path_factory):
    """The standing program's snapshot."""
    path = tmp_path_factory.mktemp("snapshot") / "heap"
    _, data = snapshot.take(process.Process(plain_standing.pid))
    snapshot.write(str(path), data)
    return path


def test_it_says_what_the_process_says(plain_standing, taken):
    now, then = plain_standing.heap(), Heap(snapshot.Snapshot(str(taken)))
    told, kept = document.of(now), document.of(then)
    assert kept["total"] == told["total"] and kept["classes"] == told["classes"] and kept["threads"] == told["threads"]
    for name, address in plain_standing.blocks.items():
        answer, later = where(now, address), where(then, address)
        assert (answer.kind, answer.state, answer.sentence) == (later.kind, later.state, later.sentence), name


def test_it_holds_nothing_that_the_program_stored(start, tmp_path):
    """known_blocks fills its blocks with bytes of 1."""
    program = start("known_blocks")
    _, data = snapshot.take(process.Process(program.pid))
    snapshot.write(str(tmp_path / "heap"), data)
    memory = snapshot.Snapshot(str(tmp_path / "heap"))
    for name in ("live", "huge", "large", "in_slab"):
        with pytest.raises(Unreadable):
            memory.read(program.blocks[name], 8)


def test_the_command(plain_standing, command, tmp_path):
    path = tmp_path / "taken"
    done = command("snapshot", plain_standing.pid, "-o", path)
    assert done.returncode == 0 and done.stdout.startswith(f"{path}: "), done
    assert "on hakmem" in command("top", path).stdout
    assert (
        command("where", path, hex(plain_standing.blocks["live"]))
        .stdout.splitlines()[0]
        .endswith("a live block of 112 B")
    )


def test_of_a_core(crashed, tmp_path):
    from hakmem_inspect.core import Core

    heap, data = snapshot.take(Core(str(crashed.core)))
    snapshot.write(str(tmp_path / "heap"), data)
    then = Heap(snapshot.Snapshot(str(tmp_path / "heap")))
    assert document.of(then)["classes"] == document.of(heap)["classes"]


@pytest.mark.parametrize("length", [5, 17, 20, 60, 900, -1])
def test_one_that_is_cut_off(taken, tmp_path, length):
    short = tmp_path / "short"
    short.write_bytes(taken.read_bytes()[:length])
    with pytest.raises(InspectError):
        from hakmem_inspect.target import open_memory

        Heap(open_memory(str(short)))


def test_one_of_another_format(taken, tmp_path):
    other = tmp_path / "other"
    other.write_bytes(taken.read_bytes().replace(b"SNAPSHOT 1\n", b"SNAPSHOT 7\n", 1))
    with pytest.raises(InspectError, match="of format 7, this tool reads 1"):
        snapshot.Snapshot(str(other))


# ---- while the program goes on


def look_often(start, library, times):
    program = start("churn", library)
    memory = process.Process(program.pid)
    torn = 0
    for i in range(times):
        memory.refresh()
        heap, data = snapshot.take(memory)
        torn += heap.torn > 0
        total = Sums(heap).total
        assert 0 < total.live <= total.held
        for slab in heap.slabs:
            sets = (slab.live, slab.free, slab.cached, slab.posted, slab.inside)
            assert sum(one.bit_count() for one in sets) == slab.shape.capacity
        assert data.startswith(snapshot.MAGIC)
        for address in random.Random(i).sample(range(heap.window_base, heap.window_base + (8 << 20)), 5):
            where(heap, address)
    program.process.stdin.close()
    assert program.process.stdout.read() == "whole\n"
    assert program.process.wait(60) == 0
    return torn


LOOKS = [
    ("release", 25),
    ("observe", 5),
    pytest.param("release", 1000, marks=pytest.mark.slow),
    pytest.param("observe", 200, marks=pytest.mark.slow),
    pytest.param("secure", 200, marks=pytest.mark.slow),
]


@pytest.mark.parametrize("name, times", LOOKS)
def test_looking_at_a_busy_process_harms_neither(start, name, times, record_property):
    torn = look_often(start, name, times)
    record_property("note", f"{name}: {torn} of {times} looks found something that changed each time")


# ---- garbage


class Spoilt(Memory):
    """A memory in which some bytes are others."""

    def __init__(self, memory, spoilt, moves):
        self._memory, self._spoilt, self.moves = memory, spoilt, moves
        self.layout_at, self.page_bytes = memory.layout_at, memory.page_bytes

    def read(self, address, size):
        if size > 1 << 28:
            raise Unreadable(address, size)
        data = bytearray(self._memory.read(address, size))
        for at, value in self._spoilt.items():
            if address <= at < address + size:
                data[at - address] = value
        return bytes(data)

    def mappings(self):
        return self._memory.mappings()

    def threads(self):
        return self._memory.threads()


def spoils(memory, seed):
    """Some bytes of what was read, in one range or in all."""
    random_ = random.Random(seed)
    spans = list(zip(memory._starts, memory._sizes, strict=True))
    if seed % 2:
        spans = [random_.choice(spans)]
    values = [0, 1, 0x7F, 0x80, 0xFF] if seed % 3 else range(256)
    spoilt = {}
    for _ in range(random_.choice([1, 3, 30, 300])):
        start, size = random_.choice(spans)
        spoilt[start + random_.randrange(size)] = random_.choice(list(values))
    return spoilt


def look_at_garbage(memory, seeds, addresses):
    refused = 0
    for seed in seeds:
        try:
            heap = Heap(Spoilt(memory, spoils(memory, seed), moves=seed % 5 == 0))
            document.of(heap)
            for address in addresses:
                where(heap, address).lines()
        except InspectError:
            refused += 1
    return refused


@pytest.fixture(scope="module")
def of_coalesced(coalesced, tmp_path_factory):
    """A snapshot of a program with coalesced blocks."""
    path = tmp_path_factory.mktemp("snapshot") / "coalesced"
    path.write_bytes(snapshot.take(process.Process(coalesced.pid))[1])
    return snapshot.Snapshot(str(path))


def contradictions(heap, slab):
    """Which bytes are to be others, so that a slab with coalesced blocks contradicts itself."""
    free, inside = (one & 0xFF for one in (slab.free, slab.inside))
    tags = int.from_bytes(heap.memory.read(heap.layout.window_tags, 8), "little")
    tag = tags + 4 * (slab.start - heap.window_base >> heap.layout.unit_shift)
    pointer = slab.address + heap.layout.slab_inside
    return {
        "none is inside": {slab.inside_at: 0},
        "all are inside": dict.fromkeys(range(slab.inside_at, slab.inside_at + slab.bitmap_bytes), 0xFF),
        "one is free and inside": {slab.free_at: free | (inside & -inside)},
        "another number of them": {slab.address + heap.layout.slab_insides: slab.insides & 0xFF ^ 1},
        "no bitmap": dict.fromkeys(range(pointer, pointer + 8), 0),
        "no flag in the tag": {tag: slab.shape.index},
    }


def test_coalesced_blocks_that_contradict_themselves_are_torn(of_coalesced):
    whole = Heap(of_coalesced)
    slab = next(slab for slab in whole.slabs if slab.inside & 0xFF)
    for what, spoilt in contradictions(whole, slab).items():
        heap = Heap(Spoilt(of_coalesced, spoilt, moves=True))
        again = heap.run_of(slab.start)
        assert [one.start for one in heap.slabs if one.torn] == [slab.start], what
        sets = (again.live, again.free, again.cached, again.posted, again.inside)
        assert sum(one.bit_count() for one in sets) == slab.shape.capacity, what
        one = Sums(heap).of_slab[slab.start]
        assert one.bound == one.live + one.cached + one.free + one.holes + one.fresh + one.rest, what
        for index in range(slab.shape.capacity):
            assert where(heap, again.block(index) + 1).lines(), what


def test_no_garbage_is_followed(plain_standing, taken, record_property):
    refused = look_at_garbage(snapshot.Snapshot(str(taken)), range(300), plain_standing.blocks.values())
    record_property("note", f"{refused} of 300 spoilt heaps were refused, the others shown")
    assert 0 < refused < 300


def test_no_garbage_is_followed_among_coalesced_blocks(coalesced, of_coalesced):
    look_at_garbage(of_coalesced, range(100), coalesced.blocks.values())


@pytest.mark.slow
def test_no_garbage_is_followed_however_long(plain_standing, taken):
    look_at_garbage(snapshot.Snapshot(str(taken)), range(1000, 3000), plain_standing.blocks.values())
