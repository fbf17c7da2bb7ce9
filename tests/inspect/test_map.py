"""The picture of a heap: a page that needs nothing else, with the figures that the reader has."""

import json
import re
import shutil
import subprocess
import zlib
from base64 import b64decode
from html.parser import HTMLParser

import pytest
from hakmem_inspect import process, snapshot
from hakmem_inspect.figures import Sums
from hakmem_inspect.page import page, pins


def view(heap):
    return heap, Sums(heap)


def data_of(text):
    packed = re.search(r'id="data">([^<]*)<', text)[1]
    return json.loads(zlib.decompress(b64decode(packed)))


def count(text):
    return int.from_bytes(b64decode(text), "little").bit_count()


class Whole(HTMLParser):
    """Sees that every element is closed, in order."""

    EMPTY = {"meta", "link", "br", "img", "input"}

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def heap(plain_standing):
    return plain_standing.heap()


@pytest.fixture(scope="module")
def drawn(heap):
    return page([view(heap)])


def test_it_needs_nothing_else(drawn):
    assert not re.search(r"(src|href)=|https?://|@import|url\(", drawn)
    parser = Whole()
    parser.feed(drawn)
    assert parser.open == []


def test_it_draws_every_unit_once(heap, drawn):
    (told,) = data_of(drawn)
    for superslab, one in zip(heap.superslabs, told["superslabs"], strict=True):
        assert int(one["at"], 16) == superslab.start
        units = [unit for _, first, units, *_ in one["runs"] for unit in range(first, first + units)]
        assert units == list(range(heap.layout.superslab_units))


def test_it_has_the_blocks_of_each_slab(heap, drawn):
    (told,) = data_of(drawn)
    runs = [run for one in told["superslabs"] for run in one["runs"] if run[0] == "slab"]
    slabs = list(heap.slabs)
    assert len(runs) == len(slabs) > 20
    for run, slab in zip(runs, slabs, strict=True):
        assert (told["sizes"][run[3]], run[4], run[5]) == (slab.shape.stride, slab.owner, slab.shape.capacity)
        assert count(run[9]) == slab.live.bit_count() and count(run[10]) == slab.cached.bit_count()


def test_its_tables_tell_the_waste(heap, drawn):
    assert re.search(r'<th data-is="64">64 B</th>.*?<td data-is="200">200</td>', drawn, re.DOTALL)
    for one in heap.heaps.values():
        assert one.who in drawn


def test_what_keeps_a_sparse_superslab_is_named(start):
    """known_blocks keeps one block of 64 B in a hundred: half a superslab."""
    heap = start("known_blocks").heap()
    sums = Sums(heap)
    whole = heap.superslabs[0]
    told = pins._pins(heap, whole)
    assert re.search(r"\d+ blocks of 64 B \(thread \d+ \(known_blocks\)\)", told)
    number, beside = pins.count_of(heap, sums)
    assert len(pins.sparse(heap, sums)) == min(number, 25) and (beside > 0) == (number > 0)


def test_two_and_their_difference(start, busy):
    memory = process.Process(start("known_blocks").pid)
    before, data = snapshot.take(memory)
    after = busy.heap()
    text = page([view(before), view(after)])
    assert len(data_of(text)) == 2 and "Difference by size class" in text
    row = re.search(r'<th data-is="64">64 B</th>(.*?)</tr>', text, re.DOTALL)[1]
    figures = [float(one) for one in re.findall(r'data-is="([^"]+)"', row)]
    assert figures[2] == figures[1] - figures[0] and figures[5] == figures[4] - figures[3]


def test_names_from_outside_are_text(heap, monkeypatch):
    monkeypatch.setattr(heap.memory, "command", "<script>alert(1)</script>")
    monkeypatch.setattr(heap.memory, "describe", "<b>bold</b>")
    text = page([view(heap)])
    assert "<script>alert" not in text and "<b>bold" not in text


def test_the_commands(plain_standing, crashed, command, tmp_path):
    done = command("map", plain_standing.pid, "-o", tmp_path / "map.html")
    assert done.returncode == 0 and done.stdout.startswith(f"{tmp_path}/map.html: "), done
    done = command("map", crashed.core, plain_standing.pid, "-o", tmp_path / "two.html")
    assert done.returncode == 0 and "Difference by size class" in (tmp_path / "two.html").read_text()
    done = command("map", plain_standing.pid, "-o", "/nowhere/map.html")
    assert done.returncode == 2 and "/nowhere/map.html cannot be written" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_draws_it(heap, drawn, tmp_path, width, scheme):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("chromium is not installed")
    (tmp_path / "map.html").write_text(drawn)
    slab = next(slab for slab in heap.slabs if slab.shape.stride == 64)
    options = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        f"--window-size={width},900",
        "--virtual-time-budget=8000",
    ]
    options += ["--force-dark-mode"] if scheme == "dark" else []
    address = f"file://{tmp_path}/map.html#{slab.start:#x}"
    done = subprocess.run(
        [browser, *options, "--dump-dom", address], capture_output=True, text=True, timeout=120, check=False
    )
    assert '<p id="wait"' not in done.stdout, done.stderr  # it is taken away when all is drawn
    assert f"Slab {slab.start:#x}, blocks of 64 B" in done.stdout
