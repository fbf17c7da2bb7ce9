"""Where the cycles go, by box: the shares, the document that is written of them, and that docs/analysis is there."""

import re
from collections import Counter
from pathlib import Path

import pytest

from hakmem_cli import layout
from hakmem_lab.ab import swaps
from hakmem_lab.analysis import boxes, text
from hakmem_lab.analysis.command import FOLDER, SUBJECTS
from hakmem_lab.analysis.measure import Measured
from hakmem_lab.counters.record import Contestant, Run
from hakmem_lab.hot import groups
from hakmem_lab.hot.profile import Entry, Frame, Profile
from hakmem_lab.peers import Allocator
from hakmem_lab.workloads import REGISTRY

ROOT = Path(layout.ROOT)

MALLOC = Frame("malloc", groups.GATE, "/tree/src/api/malloc.c")
POP = Frame("cache_pop", groups.CACHE, "/tree/src/hot/cache.h", inlined=True)
INDEX = Frame("size_class_of", groups.COLD, "/tree/src/base/size_class.h", inlined=True)
REFILL = Frame("refill", groups.DEPOT, "/tree/src/warm/refill.c")
MAIN = Frame("main", groups.PROGRAM, "program")
KERNEL = Frame("clear_page", groups.KERNEL, "[kernel.kallsyms]")


def profile(kernel=0):
    stacks = {(MAIN,): 500, (MAIN, MALLOC): 100, (MAIN, MALLOC, POP): 200, (MAIN, MALLOC, INDEX): 50}
    stacks |= {(MAIN, MALLOC, REFILL): 120, (MAIN, MALLOC, REFILL, INDEX): 30, (KERNEL,): kernel}
    return Profile("instructions", stacks=Counter(stacks))


def test_a_box_is_the_file_that_its_source_stands_in():
    found = boxes.shares(profile())
    assert {name: one.share for name, one in found.items() if one.share} == {
        "program": 0.5,
        "hot/cache": 0.2,
        "warm/refill": 0.12,
        "api/malloc": 0.1,
        "base/size_class": 0.08,
    }
    assert list(found)[:2] == ["program", "hot/cache"]


def test_what_stands_in_an_entry_point_is_the_common_path():
    found = boxes.shares(profile())
    assert boxes.ours(found) == pytest.approx(0.5)
    assert boxes.common(found) == pytest.approx(0.35)
    assert found["base/size_class"].common == pytest.approx(0.05)
    assert found["base/size_class"].behind() == pytest.approx(0.03)
    assert found["warm/refill"].behind() == pytest.approx(0.12)


# ---- the document


def contestant(name, library, faults):
    run = Run({"task-clock": 100.0, "elapsed": 0.2, "page-faults": faults, "peak-kib": 2048}, proved=True)
    return Contestant(Allocator(name, library), [run] * 5)


def measured(sampled=True, kernel=0):
    counted = profile()
    return Measured(
        REGISTRY["random-mixed-400"],
        "bench 2000",
        "bench 10000",
        counted.total,
        boxes.shares(counted),
        [Entry("malloc", 100, 1400, 1520), Entry("free", 100, 2000, 2000)],
        samples=1500 if sampled else 0,
        by_time=boxes.shares(profile(kernel)) if sampled else {},
        contestants=[contestant("hakmem", Path("x"), 150), contestant("glibc", None, 140)],
    )


def document(one):
    return text.document(one, "a1b2c3d4e5f6", {"cores": 2, "processor": "P", "system": "S"}, "2026-11-22")


def test_the_document_says_how_it_was_made():
    told = document(measured())
    flat = " ".join(told.split())
    assert "`./hakmem analysis --only random-mixed-400` at a1b2c3d4e5f6 on 2026-11-22, on 2 cores (P, S)" in flat
    assert "1,500 samples" in told
    assert "no hardware counters" in told
    assert "| `hot/cache` | cache | 20.0 % | 0.0 % | 20.0 % |" in told
    assert "| `malloc` | 100 | 14.0 | 15.2 |" in told
    assert "| page faults | 150 | 140 | 1.07 |" in told
    assert max(len(line) for line in told.splitlines() if not line.startswith("|")) <= 100


def test_without_samples_there_is_no_column_of_time():
    one = measured(sampled=False)
    one.missing.append("the time was not sampled: perf is not installed")
    told = document(one)
    assert "| box | group | instructions | behind the common path |" in told
    assert "The time was not sampled: perf is not installed." in " ".join(told.split())


def test_each_suggestion_has_its_bound():
    first, second, *rest = text.suggestions(measured())
    assert first.startswith("All of hakmem takes 50.0 % of the time: no change of it can save more")
    assert "35.0 % is the common path; behind it are 15.0 %" in first
    assert second.startswith("`warm/refill` takes 12.0 % behind it: a change there can save that much at most.")
    assert "./hakmem ab default no-depot --workload random-mixed-400" in second
    assert any(one.startswith("Page faults: 150 where glibc has 140") for one in rest)


def test_where_nothing_is_left_that_is_said():
    one = measured()
    one.by_time = boxes.shares(Profile("samples", stacks=Counter({(MAIN,): 900, (MAIN, MALLOC, POP): 600})))
    assert any("No box behind the common path reaches 1 %" in line for line in text.suggestions(one))


def test_a_kernel_that_takes_more_is_named():
    told = text.suggestions(measured(kernel=1500))
    assert any(line.startswith("The kernel takes 60.0 % of the time") for line in told)


def test_the_swaps_and_the_boxes_exist():
    assert set(text.SWAPS.values()) <= set(swaps.names())
    for box in text.SWAPS:
        assert list((ROOT / "src").glob(f"{box}.[ch]")), box


# ---- what is there


@pytest.mark.parametrize("subject", SUBJECTS)
def test_docs_analysis_has_a_document_for_each(subject):
    told = (FOLDER / f"{subject}.md").read_text()
    assert told.startswith(f"# Where the cycles go: {subject}\n")
    assert re.search(r"`\./hakmem analysis\s+--only\s+" + subject + r"`\s+at\s+[0-9a-f]{12}\s+on\s+20\d\d-", told)
    for heading in ("By box", "A call", "Beside glibc", "What this suggests"):
        assert f"\n## {heading}\n" in told
    boxes_named = re.findall(r"^\| `(\w+/\w+)` \|", told, re.MULTILINE)
    assert len(boxes_named) >= 3
