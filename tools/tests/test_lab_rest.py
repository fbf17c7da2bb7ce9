"""Memory at rest: from what a program reports to the board's table, its Markdown and its page."""

import copy
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hakmem_lab import comparison, page, report, rest, tables
from hakmem_lab.board import Board
from hakmem_lab.peers import Allocator
from hakmem_lab.running.runner import Sample
from hakmem_lab.workloads import REGISTRY

HAKMEM = Allocator("hakmem", Path("/lib/libhakmem.so"))
GLIBC = Allocator("glibc", None, "2.36")
SMALL = Allocator("small", Path("/lib/libsmall.so"), "2.1")

# KiB at rest of each run, or resident ÷ live
IDLE = {"hakmem": [2048, 1024, 4096], "glibc": [4096, 4096, 4096], "small": [1024, 1024, 1024]}
TIDE = {"hakmem": [1.5, 1.5, 1.5], "glibc": [3.0, 3.0, 3.0], "small": [1.2, 1.2, 1.2]}


def sample(figures, number):
    curve = [[0, 100], [10 * (number + 1), 2000 + number]]
    told = {"allocator_path": "/lib/some.so", "peak_kib": 9000, "curve": curve, **figures}
    return Sample(1.0 + number, 1000, 9000, 5000, told)


def samples_of(workload, values):
    """Runs of each allocator that report these figures; None reports nothing."""
    key = workload.rest.split(".")

    def told(value):
        if value is None:
            return {}
        return {key[0]: {key[1]: value} if len(key) > 1 else value}

    return {name: [sample(told(value), i) for i, value in enumerate(own)] for name, own in values.items()}


def compared(name, values, peers=(GLIBC, SMALL)):
    workload = REGISTRY[name]
    by_name = samples_of(workload, values)
    running = comparison.contestants(HAKMEM, list(peers))
    return comparison.judge(workload, running, {key: by_name[one.name] for key, one in running.items()})


def document(*comparisons, peers=(GLIBC, SMALL)):
    setting = report.Setting("./hakmem bench board", False, 0.05, [])
    written = report.board(Board(HAKMEM, list(peers), list(comparisons), [], 0.05), setting, Path("/"))
    return json.loads(json.dumps(written))


@pytest.fixture(scope="module")
def written():
    return document(compared("idle-4", IDLE), compared("tide", TIDE))


# ---- what is measured


def test_every_workload_at_rest_says_where_its_figure_is():
    told = {name for name, workload in REGISTRY.items() if workload.rest}
    assert told >= {name for name, workload in REGISTRY.items() if workload.group == "at-rest"}
    assert told >= {"fragmentation", "crowd", "redis-flush", "python-flush"}


@pytest.mark.parametrize("name", [name for name, workload in REGISTRY.items() if workload.rest and workload.ours()])
def test_the_key_of_the_figure_is_one_that_the_program_writes(root, name):
    source = (root / "bench" / f"{REGISTRY[name].program}.c").read_text()
    for key in REGISTRY[name].rest.split("."):
        assert f'"{key}"' in source


def test_a_report_without_the_figure_has_none():
    workload = REGISTRY["idle-4"]
    assert rest.of_report(workload, {"resident_kib_after": {"idled": 7}}) == 7
    for nothing in ({}, {"resident_kib_after": {}}, {"resident_kib_after": 7}):
        assert rest.of_report(workload, nothing) is None
    assert rest.of_report(REGISTRY["waves"], {"seconds": 1}) is None


# ---- what is written


def test_the_curve_is_of_the_run_that_is_the_median_and_is_kept_once(written):
    own = written["workloads"][0]["standings"][0]
    assert own["rest"] == 2048
    assert own["curve"] == [[0, 100], [10, 2000]]  # the first run's
    assert len(own["samples"]) == 3
    assert not any("curve" in one for one in own["samples"])
    assert [one["rest_unit"] for one in written["workloads"]] == ["KiB", "× live"]


def test_of_two_runs_one_is_the_median():
    one = document(compared("idle-4", {name: own[:2] for name, own in IDLE.items()}))
    assert one["workloads"][0]["standings"][0]["rest"] == 1024


def test_where_a_run_does_not_tell_there_is_no_figure():
    one = document(compared("idle-4", {**IDLE, "small": [1024, None, 1024]}))
    assert one["workloads"][0]["standings"][2]["rest"] is None
    assert rest.table(one).rows[0] == ("idle-4", "4.0 MiB", "0.50", "1.00", "–")


# ---- the table


def test_the_table_has_a_row_a_workload_and_each_allocator_over_glibc(written):
    table = rest.table(written)
    assert table.header == ("workload", "glibc holds", "hakmem", "glibc", "small")
    assert table.rows == [
        ("idle-4", "4.0 MiB", "0.50", "1.00", "0.25"),
        ("tide", "3.00 × live", "0.50", "1.00", "0.40"),
        ("geometric mean", "", "0.50", "1.00", "0.32"),
    ]


def test_a_mean_needs_a_figure_on_every_workload():
    missing = {**IDLE, "small": [None, None, None]}
    table = rest.table(document(compared("idle-4", missing), compared("tide", TIDE)))
    assert table.rows[-1] == ("geometric mean", "", "0.50", "1.00", "–")


def test_without_glibc_the_figures_stand_by_themselves():
    one = document(compared("idle-4", IDLE, (SMALL,)), compared("tide", TIDE, (SMALL,)), peers=(SMALL,))
    assert rest.table(one).rows == [
        ("idle-4", "–", "2.0 MiB", "1.0 MiB"),
        ("tide", "–", "1.50 × live", "1.20 × live"),
    ]
    assert "2.0 MiB" in page.page(one, [])


def test_markdown_has_the_table_where_there_is_one(written):
    text = rest.readme_block(written)
    assert "**Memory at rest ÷ glibc's**" in text
    assert "| idle-4 | 4.0 MiB | 0.50 | 1.00 | 0.25 |" in text
    assert rest.readme_block(document(compared("waves", {name: [None] * 3 for name in IDLE}))) == ""


# ---- the page


class Reader(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.text, self.ids = [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]

    def handle_data(self, data):
        self.text.append(data)


def curves_of(text):
    """The charts of memory over time, by workload."""
    pattern = r'aria-label="resident memory over time, ([^"]*)"><script type="application/json">(.*?)</script>'
    return {name: json.loads(spec) for name, spec in re.findall(pattern, text)}


def test_the_page_has_the_table_and_a_line_for_each_allocator_on_each_workload(written):
    text = page.page(written, [])
    shown = " ".join(Reader(text).text)
    assert "Memory at rest" in shown
    assert "4.0 MiB" in shown
    assert "3.00 × live" in shown
    drawn = curves_of(text)
    assert list(drawn) == ["idle-4", "tide"]
    for spec in drawn.values():
        assert {one["allocator"] for one in spec["data"]["values"]} == {"hakmem", "glibc", "small"}
        assert "resident, MiB" in json.dumps(spec)


def test_the_page_still_needs_nothing_else(written):
    text = page.page(written, [])
    ids = Reader(text).ids
    assert len(ids) == len(set(ids))
    outside = re.sub(r"<script>.*?</script>", "", text, flags=re.S)  # Vega, which is inlined
    assert not re.search(r"(src|href)\s*=\s*.https?:|@import|url\((?!#)|<link", outside)


def test_a_colour_is_an_allocators_own_also_where_the_one_before_it_failed(written):
    one = copy.deepcopy(written)
    for workload in one["workloads"]:
        del workload["standings"][1]  # glibc's
    for spec in curves_of(page.page(one, [])).values():
        assert {value["allocator"] for value in spec["data"]["values"]} == {"hakmem", "small"}
        colours = spec["layer"][0]["encoding"]["color"]["scale"]
        assert dict(zip(colours["domain"], colours["range"], strict=True))["small"] == "var(--series-2)"


def test_a_board_without_figures_at_rest_has_no_such_section():
    none = document(compared("waves", {name: [None] * 3 for name in IDLE}))
    for one in none["workloads"]:
        for standing in one["standings"]:
            standing["curve"] = []
    assert "Memory at rest" not in page.page(none, [])


def test_a_board_of_before_is_still_drawn(written):
    """One whose JSON says nothing of memory at rest."""
    old = copy.deepcopy(written)
    for one in old["workloads"]:
        del one["rest_unit"]
        for standing in one["standings"]:
            del standing["rest"], standing["curve"]
    assert rest.workloads(old) == []
    assert "Memory at rest" not in page.page(old, [])
    assert tables.matrix_table(old).rows
