"""A core file of a program that was killed says what the running program would have."""

import json
import re

import pytest
from hakmem_inspect import records
from hakmem_inspect.core import Core
from hakmem_inspect.errors import UNREADABLE, WRONG_TARGET, InspectError
from hakmem_inspect.heap import Heap
from hakmem_inspect.where import BLOCK, FOREIGN, HUGE_BLOCK, NOWHERE, where

ASKED = {"in_slab": records.FREE, "cached": records.CACHED, "posted": records.POSTED, "live": records.LIVE}


@pytest.fixture(scope="module")
def heap(crashed):
    return Heap(Core(str(crashed.core)))


@pytest.mark.parametrize("name", ASKED)
def test_blocks(heap, crashed, name):
    answer = where(heap, crashed.blocks[name] + 3)
    assert (answer.kind, answer.state, answer.offset) == (BLOCK, ASKED[name], 3)


def test_other_addresses(heap, crashed):
    assert where(heap, crashed.blocks["huge"]).kind == HUGE_BLOCK
    assert where(heap, crashed.blocks["local"]).kind == FOREIGN
    code = where(heap, crashed.blocks["code"])
    assert code.kind in (FOREIGN, NOWHERE) and (code.kind == NOWHERE or "known_blocks" in code.sentence)
    assert where(heap, 0).kind == NOWHERE


def test_threads_have_their_numbers(heap, crashed):
    tids = [one.tid for one in heap.heaps.values() if one.has_thread]
    assert len(tids) == 2 and 0 not in tids
    assert heap.heaps[where(heap, crashed.blocks["live"]).owner].tid == heap.memory.pid


def test_the_summary(crashed, command):
    done = command("top", crashed.core, "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["total"]["slab_bytes"] == pytest.approx(crashed.told("slabs", "bytes"), rel=0.01)
    assert told["total"]["huge"] == crashed.told("huge", "bytes")
    assert told["total"]["resident"] is None
    assert {one["size"]: one["blocks"] for one in told["classes"]}[64] == 200


def test_the_commands(crashed, command):
    done = command("where", crashed.core, hex(crashed.blocks["posted"]))
    assert done.returncode == 0 and " is a free block of 224 B\n" in done.stdout
    assert "who has not collected it yet" in done.stdout
    assert command("top", crashed.core).stdout.startswith(f"core {crashed.core}"[:40])


def test_the_command_says_that_one_is_cut_off(crashed, command, tmp_path):
    (tmp_path / "short").write_bytes(crashed.core.read_bytes()[:100000])
    done = command("top", tmp_path / "short")
    assert done.returncode == UNREADABLE and "The file is cut off" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("part", [0, 0.0001, 0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_one_that_is_cut_off(crashed, tmp_path, part):
    data = crashed.core.read_bytes()
    short = tmp_path / "short"
    short.write_bytes(data[: 20 + int(len(data) * part)])
    try:
        Heap(Core(str(short)))
    except InspectError as error:
        assert "cut off" in str(error)
    else:
        assert part >= 0.5  # what is missing is not the heap's


def test_a_file_that_is_no_core(tmp_path):
    with pytest.raises(InspectError, match="no core file") as error:
        Core("/proc/self/exe")
    assert error.value.status == WRONG_TARGET
    (tmp_path / "bad").write_bytes(b"\x7fELF" + bytes(100))
    with pytest.raises(InspectError, match="damaged, or cut off"):
        Core(str(tmp_path / "bad"))


# ---- gdb


def test_gdb_on_a_core(gdb, crashed):
    said = gdb(
        f"hakmem where {crashed.blocks['cached']:#x}",
        "hakmem where &global",
        "hakmem where argv",
        "hakmem blocks 1000",
        "hakmem summary",
        arguments=[crashed.core],
    )
    assert f"{crashed.blocks['cached']:#x} is a free, cached block of 112 B" in said
    assert "known_blocks + 0x" in said and "lies in [stack]" in said or "is not the heap's" in said
    assert "2 live blocks of 1024 bytes" in said and f"\n{crashed.blocks['beside_in_slab']:#x}  thread " in said
    assert re.search(r"^64 B +\S+ KiB +200 ", said, re.MULTILINE)


def test_gdb_on_a_process(gdb, plain_standing):
    said = gdb(f"hakmem where {plain_standing.blocks['other']:#x}", arguments=["-p", plain_standing.pid])
    assert f"{plain_standing.blocks['other']:#x} is a live block of 224 B" in said and "owner   thread " in said


def test_gdb_says_what_is_wrong(gdb, crashed):
    said = gdb("hakmem summary", "hakmem blocks", "hakmem where")
    assert "hakmem: gdb has no program and no core file" in said or "Undefined command" in said
    said = gdb(
        "hakmem blocks", "hakmem blocks 999999", "hakmem where", "hakmem where nonsense", arguments=[crashed.core]
    )
    for sentence in (
        "a size in bytes is missing",
        "no size class serves 999999",
        "an address is missing",
        "is no address",
    ):
        assert sentence in said
    assert "Traceback" not in said
