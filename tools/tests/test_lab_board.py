"""The board: its rounds, its failures, its means, and the page, the history and the tables made of them."""

import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hakmem_lab import board, history, page, report, summary, tables
from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.peers import Allocator
from hakmem_lab.plan import Plan, rounds_within
from hakmem_lab.running.runner import Sample
from hakmem_lab.stats import Ratio
from hakmem_lab.workloads import REGISTRY

HAKMEM = Allocator("hakmem", Path("/lib/libhakmem.so"))
FAST = Allocator("fast", Path("/lib/libfast.so"), "1.0")
SMALL = Allocator("small", Path("/lib/libsmall.so"), "2.1")
PEERS = [FAST, SMALL]
CHOSEN = [REGISTRY["waves"], REGISTRY["hello"], REGISTRY["churn"]]

# seconds and peak KiB of each allocator on each workload
FIGURES = {
    "waves": {"hakmem": (0.5, 100), "fast": (1.0, 400), "small": (2.0, 200)},
    "hello": {"hakmem": (2.0, 100), "fast": (1.0, 100), "small": (4.0, 50)},
    "churn": {"hakmem": (1.0, 300), "fast": (1.0, 600), "small": (3.0, 100)},
}


class MadeUpMachine:
    """Runs take as long as they say, on a clock of their own; some fail, some differ from run to run."""

    quick = True

    def __init__(self, failing=(), jitter=None):
        self.time = 0.0
        self.ran = []
        self.failing = dict(failing)  # (workload, allocator): the run of it that fails, from 1
        self.jitter = jitter or {}  # workload: factors of the subject's runs, in turn

    def now(self):
        return self.time

    def sample(self, workload, allocator):
        key = (workload.name, allocator.name)
        self.ran.append(key)
        if self.ran.count(key) == self.failing.get(key):
            raise UnsoundError(f"{workload.program} on {allocator.name} failed with signal 11")
        seconds, peak = FIGURES[workload.name][allocator.name]
        if allocator is HAKMEM and workload.name in self.jitter:
            factors = self.jitter[workload.name]
            seconds *= factors[self.ran.count(key) % len(factors)]
        self.time += seconds
        return Sample(seconds, 1000, peak, peak, {"allocator_path": "made up", "peak_kib": peak})


def measured(machine=None, fewest=3, most=5, seconds=1000.0, shown=None):
    machine = machine or MadeUpMachine()
    plan = Plan(fewest, most, seconds, machine.now)
    plan.begin()
    told = [] if shown is None else shown

    def show(what, left):
        told.append((what, left, machine.time))

    return board.measure(machine, HAKMEM, PEERS, CHOSEN, plan, 0.05, show)


def document(machine=None, **arguments):
    setting = report.Setting("./hakmem bench board --quick", True, 0.05, ["left out: jemalloc is not on this machine"])
    written = report.board(measured(machine, **arguments), setting, Path("/"))
    return json.loads(json.dumps(written))


# ---- rounds within a time


def test_each_workload_gets_the_same_time_and_leaves_what_it_does_not_need():
    assert rounds_within(100, [1, 1], 3, 1000) == [50, 50]
    assert rounds_within(100, [1, 10], 3, 1000) == [50, 5]
    assert rounds_within(100, [1, 10], 3, 10) == [10, 9]


def test_rounds_are_never_fewer_than_the_fewest_nor_more_than_the_most():
    assert rounds_within(0, [5, 5], 3, 15) == [3, 3]
    assert rounds_within(1e9, [5, 0.01], 3, 15) == [15, 15]
    assert rounds_within(float("inf"), [5, 0.01], 7, 7) == [7, 7]


def test_the_time_is_kept():
    durations = [0.7, 3.0, 11.0, 0.2, 5.0]
    for seconds in (80, 150, 200, 290):
        rounds = rounds_within(seconds, durations, 3, 15)
        spent = sum(count * duration for count, duration in zip(rounds, durations, strict=True))
        assert 0.75 * seconds < spent <= seconds


def test_the_whole_board_ends_within_its_time():
    machine = MadeUpMachine()
    result = measured(machine, seconds=100.0)  # a round of all takes 20 s, the warm-up's included
    assert 80 < machine.time <= 100
    assert all(3 <= one.rounds() <= 5 for one in result.comparisons)


def test_the_time_left_that_is_shown_is_the_time_left():
    shown = []
    machine = MadeUpMachine()
    measured(machine, seconds=300.0, shown=shown)
    warm = [(left, at) for what, left, at in shown if not what.startswith("warm-up")]
    assert warm[0][0] == pytest.approx(machine.time - warm[0][1])
    for left, at in warm:
        assert left == pytest.approx(machine.time - at, abs=0.01)
    assert {what for what, _, _ in shown} >= {"warm-up: waves", "waves", "hello", "churn"}
    assert all(left == pytest.approx(300 - at) for what, left, at in shown if what.startswith("warm-up"))


def test_a_workload_that_slows_down_stops_once_it_has_the_fewest_rounds():
    machine = MadeUpMachine(jitter={"waves": [1, 1, 60]})
    result = measured(machine, seconds=100.0)
    assert result.comparisons[0].rounds() == 3


# ---- failures


def test_a_peer_that_fails_loses_its_cell_and_nothing_else():
    result = measured(MadeUpMachine(failing={("hello", "small"): 3}))
    assert [list(one.peers) for one in result.comparisons] == [["fast", "small"], ["fast"], ["fast", "small"]]
    assert [failure.sentence for failure in result.failures] == ["hello on small failed with signal 11"]
    assert all(one.rounds() == 5 for one in result.comparisons)
    assert not result.sound()


@pytest.mark.parametrize("run", [1, 2, 5, 6])
def test_without_the_subject_a_workload_is_left_out(run):
    machine = MadeUpMachine(failing={("hello", "hakmem"): run})
    result = measured(machine)
    assert [one.workload.name for one in result.comparisons] == ["waves", "churn"]
    assert [(f.workload.name, f.allocator.name) for f in result.failures] == [("hello", "hakmem")]
    assert machine.ran.count(("hello", "hakmem")) == run


def test_a_workload_whose_peers_all_fail_is_left_out():
    result = measured(MadeUpMachine(failing={("hello", "fast"): 1, ("hello", "small"): 1}))
    assert [one.workload.name for one in result.comparisons] == ["waves", "churn"]
    assert len(result.failures) == 2


def test_a_run_that_took_no_time_is_a_failure(monkeypatch):
    monkeypatch.setitem(FIGURES, "hello", {**FIGURES["hello"], "fast": (0.0, 100)})
    result = measured()
    assert [f.sentence for f in result.failures] == ["a run reported 0 s and 100 KiB: both must be above 0"]
    assert list(result.comparisons[1].peers) == ["small"]


class StoppedMachine(MadeUpMachine):
    """The user stops it in a run of this number."""

    def __init__(self, number):
        super().__init__()
        self.number = number

    def sample(self, workload, allocator):
        if len(self.ran) + 1 == self.number:
            raise KeyboardInterrupt
        return super().sample(workload, allocator)


def test_what_had_ended_when_the_user_stops_is_kept():
    result = measured(StoppedMachine(12 + 20 + 3))  # a warm-up of 12, 20 of waves, in the first round of hello
    assert [one.workload.name for one in result.comparisons] == ["waves"]
    assert result.stopped
    assert not result.sound()
    assert "stopped before its end" in page.page(document(StoppedMachine(35)), [])


@pytest.mark.parametrize("number", [5, 14])
def test_a_board_of_which_nothing_had_ended_is_just_stopped(number):
    with pytest.raises(KeyboardInterrupt):
        measured(StoppedMachine(number))


def test_what_is_wrong_use_is_not_taken_for_a_failed_run():
    class Bare(MadeUpMachine):
        def sample(self, workload, allocator):
            raise LabError("the program is missing")

    with pytest.raises(LabError, match="missing"):
        measured(Bare())


def test_one_unsound_workload_in_ten_may_be_chance():
    result = measured(MadeUpMachine(jitter={"churn": [1, 1.4, 0.8]}))
    sound, _, unsound = result.comparisons
    assert sound.sound()
    assert not unsound.sound()
    assert not result.sound()
    assert replace(result, comparisons=[sound] * 9 + [unsound]).sound()
    assert not replace(result, comparisons=[sound] * 8 + [unsound] * 2).sound()
    text = page.page(document(), [])
    assert "incomplete" not in text
    assert "times not to be trusted" not in text


# ---- the means


def rows_of(result):
    return {row.allocator: row for row in summary.rows(result)}


def test_all_are_divided_by_the_best_peer_of_the_workload():
    rows = rows_of(measured())
    assert rows["hakmem"].time.mean.median == pytest.approx((0.5 * 2 * 1) ** (1 / 3))
    assert rows["fast"].time.mean.median == pytest.approx(1.0)
    assert rows["small"].time.mean.median == pytest.approx((2 * 4 * 3) ** (1 / 3))
    assert rows["hakmem"].peak.mean.median == pytest.approx((0.5 * 2 * 3) ** (1 / 3))
    assert rows["fast"].peak.mean.median == pytest.approx((2 * 2 * 6) ** (1 / 3))
    assert rows["small"].peak.mean.median == pytest.approx(1.0)


def test_means_can_be_held_against_each_other():
    rows = rows_of(measured())
    between = (0.25 * 0.5 * 1 / 3) ** (1 / 3)  # hakmem ÷ small, workload by workload
    assert rows["hakmem"].time.mean.median / rows["small"].time.mean.median == pytest.approx(between)


def test_the_worst_and_the_won_are_named():
    own = rows_of(measured())["hakmem"]
    assert (own.time.worst, own.time.worst_on, own.time.won) == (2.0, "hello", 2)  # churn is a tie
    assert (own.peak.worst, own.peak.worst_on, own.peak.won) == (3.0, "churn", 1)


def test_unsound_times_are_left_out_of_the_means_and_memory_is_not():
    own = rows_of(measured(MadeUpMachine(jitter={"hello": [1, 1.4, 0.8]})))["hakmem"]
    assert own.time.workloads == 2
    assert own.time.mean.median == pytest.approx((0.5 * 1) ** (1 / 2))
    assert own.peak.workloads == 3


def test_a_failed_cell_is_counted():
    rows = rows_of(measured(MadeUpMachine(failing={("hello", "small"): 1})))
    assert (rows["small"].failed, rows["small"].time.workloads) == (1, 2)
    assert (rows["hakmem"].failed, rows["hakmem"].time.workloads) == (0, 3)


# ---- tables


def test_matrix_has_a_cell_each_and_names_what_failed():
    failing = {("hello", "small"): 1, ("churn", "hakmem"): 2}
    table = tables.matrix_table(document(MadeUpMachine(failing=failing)))
    assert table.header == ("workload", "hakmem", "fast", "small")
    assert table.rows == [
        ("waves", "0.50 / 0.50", "1.00 / 2.00", "2.00 / 1.00"),
        ("hello", "2.00 / 1.00", "1.00 / 1.00", "failed"),
        ("churn", "failed", "", ""),
    ]


def test_unsound_workloads_are_marked():
    table = tables.matrix_table(document(MadeUpMachine(jitter={"hello": [1, 1.4, 0.8]})))
    assert [row[0] for row in table.rows] == ["waves", "hello ~", "churn"]
    assert "unsound" in table.title


def test_readme_block_says_how_it_was_measured_and_has_the_means():
    text = tables.readme_block(document())
    assert "with `./hakmem bench board --quick`" in text
    assert max(map(len, text.split("\n\n")[0].splitlines())) <= 150
    assert "| hakmem | 1.00 [1.00, 1.00] | 2.00 hello | 2 of 3 | 1.44 [1.44, 1.44] | 3.00 churn | 1 of 3 |" in text
    assert "| fast 1.0 | 1.00 [1.00, 1.00] |" in text


# ---- the history


def test_history_keeps_a_line_a_board(tmp_path):
    path = tmp_path / "history.jsonl"
    first, second = document(), {**document(), "commit": "abc1234"}
    history.append(first, path)
    history.append(second, path)
    entries, broken = history.read(path)
    assert broken == 0
    assert [one["commit"] for one in entries] == [first["commit"], "abc1234"]
    assert entries[0]["workloads"]["hello"]["time"]["median"] == 2.0
    assert entries[0]["time"]["mean"] == first["rows"][0]["time"]["mean"]
    assert entries[0]["sound"] is True


def test_a_torn_line_of_the_history_is_left_out(tmp_path):
    path = tmp_path / "history.jsonl"
    history.append(document(), path)
    path.write_text('{"when": "2026-11\n[]\n' + path.read_text())
    entries, broken = history.read(path)
    assert (len(entries), broken) == (1, 2)


def test_only_boards_of_the_same_conditions_are_compared():
    one = history.entry(document())
    others = [{**one, "quick": False}, {**one, "peers": {"fast": "1.1"}}, {**one, "machine": {"cores": 64}}]
    assert history.comparable([*others, one], one) == [one]


# ---- the page


class Reader(HTMLParser):
    """What a page holds: its text by element, its ids, and what it would load."""

    def __init__(self, text):
        super().__init__()
        self.ids, self.loads, self.open, self.text = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        if tag not in ("meta", "br", "link", "img"):
            self.open.append(tag)
        for name, value in attributes:
            if name == "id":
                self.ids.append(value)
            if name in ("src", "href", "xlink:href", "data") and not value.startswith("#"):
                self.loads.append(value)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


@pytest.fixture(scope="module")
def drawn():
    jitter = {"hello": [1, 1.4, 0.8]}
    written = document(MadeUpMachine(failing={("churn", "small"): 2}, jitter=jitter))
    return written, page.page(written, [history.entry(written)])


def test_page_needs_nothing_else(drawn):
    _, text = drawn
    read = Reader(text)
    assert read.loads == []
    assert read.open == []
    assert len(read.ids) == len(set(read.ids))
    assert not re.search(r"(src|href)\s*=\s*.https?:|@import|url\((?!#)|<script|<link", text)


def test_every_reference_of_the_page_has_its_target(drawn):
    _, text = drawn
    ids = set(Reader(text).ids)
    assert set(re.findall(r'href="#([^"]+)"', text)) | set(re.findall(r"url\(#([^)]+)\)", text)) <= ids


def test_page_has_no_colour_that_the_style_sheet_does_not_know(drawn):
    _, text = drawn
    drawings = "".join(re.findall(r"<svg.*?</svg>", text, re.DOTALL))
    assert drawings
    assert not re.search(r"#[0-9a-f]{6}\b", drawings)
    style = text[: text.index("</style>")]
    assert set(re.findall(r"var\((--[\w-]+)\)", text)) <= set(re.findall(r"(--[\w-]+):", style))


def test_page_has_every_workload_allocator_and_figure(drawn):
    written, text = drawn
    shown = "".join(Reader(text).text)
    for one in written["workloads"]:
        assert one["workload"] in shown
        assert one["summary"] in shown
        for standing in one["standings"]:
            for key in ("time_to_best", "peak_to_best"):
                ratio = standing[key]
                assert f"{ratio['median']:.2f} [{ratio['low']:.2f}, {ratio['high']:.2f}]" in shown
            assert tables.time_text(standing["seconds"]) in shown
            assert tables.memory_text(standing["peak_kib"]) in shown
    for row in written["rows"]:
        assert f"{row['allocator']} {row['version']}".strip() in shown
        for score in (row["time"], row["peak"]):
            assert tables.ratio_text(Ratio(**score["mean"])) in shown
            assert f"{score['worst']:.2f} {score['worst_on']}" in shown


def test_page_tells_its_conditions_and_its_faults(drawn):
    written, text = drawn
    shown = "".join(Reader(text).text)
    for fact in (written["commit"], written["when"], written["machine"]["processor"], written["command"]):
        assert fact in shown
    assert "jemalloc is not on this machine" in shown
    assert "churn on small failed with signal 11" in shown
    assert "unsound: hakmem against itself" in shown
    assert "2 of 3 workloads are sound" in shown
    assert "incomplete: runs failed" in shown
    assert "times not to be trusted" in shown
    assert "one point, no line yet" in shown


def test_page_draws_a_line_across_boards():
    written = document()
    entry = history.entry(written)
    other = {**entry, "commit": "otherone", "quick": False}
    shown = "".join(Reader(page.page(written, [entry, other, {**entry, "commit": "laterone"}])).text)
    assert "2 boards, the oldest first. 1 measured otherwise" in shown
    assert "laterone" in shown
    assert "otherone" not in shown


def test_a_page_of_failures_alone_can_be_drawn():
    failing = {(name, "hakmem"): 1 for name in FIGURES}
    written = document(MadeUpMachine(failing=failing))
    shown = "".join(Reader(page.page(written, [history.entry(written)])).text)
    assert "Nothing could be compared" in shown


def test_names_cannot_break_the_page():
    written = document()
    written["subject"]["name"] = written["rows"][0]["allocator"] = "<b>&"
    for one in written["workloads"]:
        one["standings"][0]["allocator"] = "<b>&"
        one["workload"] = 'a"<i>'
    assert Reader(page.page(written, [])).open == []


# ---- reading a board again


def test_a_board_is_read_as_it_was_written(tmp_path):
    written = document()
    report.write(written, tmp_path / "board.json")
    assert report.read(tmp_path / "board.json") == written


@pytest.mark.parametrize("text", ["", "[]", '{"rows": []}', "{"])
def test_what_is_no_board_is_refused(tmp_path, text):
    (tmp_path / "board.json").write_text(text)
    with pytest.raises(LabError, match="is no board"):
        report.read(tmp_path / "board.json")
