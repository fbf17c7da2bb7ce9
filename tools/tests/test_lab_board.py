"""The board: its rounds, its failures, its means, and the page, the history and the tables made of them."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from hakmem_lab import board, history, page, report, summary, tables
from hakmem_lab.errors import LabError, UnsoundError
from hakmem_lab.page.ticks import ticks
from hakmem_lab.peers import Allocator
from hakmem_lab.plan import Plan
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
        return Sample(seconds, 1000, peak, peak, {"allocator_path": str(allocator.library), "peak_kib": peak})


TARGET = 0.05


def measured(machine=None, fewest=3, first=5, most=5, seconds=1000.0, shown=None):
    machine = machine or MadeUpMachine()
    plan = Plan(fewest, first, most, seconds, machine.now)
    plan.begin()
    told = [] if shown is None else shown

    def show(what, left):
        told.append((what, left, machine.time))

    return board.measure(machine, HAKMEM, PEERS, CHOSEN, plan, TARGET, show)


def document(machine=None, **arguments):
    notes = ["left out: jemalloc is not on this machine"]
    setting = report.Setting("./hakmem bench board --quick", True, TARGET, notes)
    written = report.board(measured(machine, **arguments), setting, Path("/"))
    return json.loads(json.dumps(written))


# ---- rounds within a time

ROUND = 15.5  # seconds of one round of all workloads


def test_all_workloads_get_the_first_rounds_if_there_is_time_and_else_the_fewest():
    def first(seconds):
        machine = MadeUpMachine()
        result = measured(machine, seconds=seconds)
        assert machine.time <= max(seconds, 4 * ROUND)
        return [one.rounds() for one in result.comparisons]

    assert first(6 * ROUND) == [5, 5, 5]
    assert first(5 * ROUND) == [4, 4, 4]
    assert first(1.0) == [3, 3, 3]
    assert first(float("inf")) == [5, 5, 5]


def test_a_workload_that_slows_down_stops_once_it_has_the_fewest_rounds():
    machine = MadeUpMachine(jitter={"waves": [1, 1, 60]})
    result = measured(machine, seconds=90.0)
    assert [one.rounds() for one in result.comparisons] == [3, 3, 3]


def test_the_time_left_that_is_shown_is_the_time_left():
    shown = []
    machine = MadeUpMachine()
    measured(machine, shown=shown)
    warm = [(left, at) for what, left, at in shown if not what.startswith("warm-up")]
    assert warm
    for left, at in warm:
        assert left == pytest.approx(machine.time - at, abs=0.01)
    assert {what for what, _, _ in shown} >= {"warm-up: waves", "waves", "hello", "churn"}
    assert all(left == pytest.approx(1000 - at) for what, left, at in shown if what.startswith("warm-up"))


# ---- more rounds where the interval is wide

LOUD = [1, 1.4, 0.8]
CALMING = [1, 1.2, 0.9, 1.1, 1, *[1] * 500]  # noisy at first


def rounds_of(result):
    return {one.workload.name: one.rounds() for one in result.comparisons}


def test_a_noisy_workload_gets_more_rounds_until_its_interval_is_narrow():
    result = measured(MadeUpMachine(jitter={"hello": CALMING}), most=60)
    rounds = rounds_of(result)
    assert (rounds["waves"], rounds["churn"]) == (5, 5)
    assert 5 < rounds["hello"] < 60
    assert result.comparisons[1].time_width() <= TARGET
    assert result.wide() == []


def test_rounds_have_a_bound_and_what_stayed_wide_is_kept():
    result = measured(MadeUpMachine(jitter={"hello": LOUD}), most=12)
    assert rounds_of(result) == {"waves": 5, "hello": 12, "churn": 5}
    assert [one.workload.name for one in result.wide()] == ["hello"]
    assert result.complete()


def test_time_has_a_bound():
    machine = MadeUpMachine(jitter={"hello": LOUD})
    result = measured(machine, most=10**6, seconds=200.0)
    assert 190 < machine.time <= 200 + 3  # a run of hello may come out slower than the one before
    assert rounds_of(result)["hello"] > 10
    assert [one.workload.name for one in result.wide()] == ["hello"]


def test_without_a_time_the_rounds_are_those_given():
    result = measured(MadeUpMachine(jitter={"hello": LOUD}), 7, 7, 7, float("inf"))
    assert set(rounds_of(result).values()) == {7}


def test_the_widest_comes_first():
    machine = MadeUpMachine(jitter={"hello": [1, 1.1, 0.9], "churn": [1, 2.0, 0.5]})
    measured(machine, most=60, seconds=150.0)
    first = len(CHOSEN) * 3 * 6  # runs of the warm-up and of the first five rounds
    assert machine.ran[first][0] == "churn"
    assert {name for name, _ in machine.ran[first:]} == {"churn", "hello"}


def test_every_round_runs_every_allocator_and_begins_with_another_one():
    machine = MadeUpMachine(jitter={"hello": LOUD})
    result = measured(machine, most=12)
    assert {len(standing.samples) for standing in result.comparisons[1].standings()} == {12}
    ran = [name for workload, name in machine.ran if workload == "hello"]
    rounds = [ran[at : at + 3] for at in range(3, len(ran), 3)]
    assert len(rounds) == 12
    assert [one[0] for one in rounds] == ["hakmem", "fast", "small"] * 4
    assert all(set(one) == {"hakmem", "fast", "small"} for one in rounds)


# ---- failures


def test_a_peer_that_fails_loses_its_cell_and_nothing_else():
    result = measured(MadeUpMachine(failing={("hello", "small"): 3}))
    assert [list(one.peers) for one in result.comparisons] == [["fast", "small"], ["fast"], ["fast", "small"]]
    assert [failure.sentence for failure in result.failures] == ["hello on small failed with signal 11"]
    assert all(one.rounds() == 5 for one in result.comparisons)
    assert not result.complete()


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
    result = measured(StoppedMachine(9 + 15 + 3))  # a warm-up of 9, 15 of waves, in the first round of hello
    assert [one.workload.name for one in result.comparisons] == ["waves"]
    assert result.stopped
    assert not result.complete()
    assert "stopped before its end" in page.page(document(StoppedMachine(27)), [])


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


def test_a_peer_that_fails_in_a_later_round_loses_its_cell():
    machine = MadeUpMachine(failing={("hello", "small"): 9}, jitter={"hello": LOUD})
    result = measured(machine, most=12)
    assert list(result.comparisons[1].peers) == ["fast"]
    assert rounds_of(result)["hello"] == 12
    assert not result.complete()


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


def test_wide_workloads_are_in_the_means_with_their_intervals():
    steady = rows_of(measured())["hakmem"].time
    own = rows_of(measured(MadeUpMachine(jitter={"hello": LOUD})))["hakmem"].time
    assert own.workloads == 3
    assert own.mean.median == pytest.approx(steady.mean.median)
    assert own.mean.low < 0.95 * steady.mean.low
    assert own.mean.high > 1.05 * steady.mean.high


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


def test_wide_workloads_are_marked_and_counted():
    written = document(MadeUpMachine(jitter={"hello": LOUD}))
    table = tables.matrix_table(written)
    assert [row[0] for row in table.rows] == ["waves", "hello ~", "churn"]
    assert "~ wide" in table.title
    assert "On 1 of the 3 workloads the interval of hakmem's time stayed wider than ± 5 %" in tables.wide_text(written)
    assert "count like the others: hello." in tables.wide_text(written)
    assert tables.wide_text(document()).startswith("On each of the 3 workloads")


def test_readme_block_says_how_it_was_measured_and_has_the_means():
    text = tables.readme_block(document())
    assert "with `./hakmem bench board --quick`" in " ".join(text.split())
    lead, *paragraphs = text.split("\n\n")
    assert " ".join(lead.split()).startswith(
        "Over all 3 workloads, time and peak memory of hakmem are 1.00 and 1.44 times"
    )
    assert max(len(line) for part in paragraphs if not part.startswith("|") for line in part.splitlines()) <= 100
    assert "| hakmem | 1.00 [1.00, 1.00] | 2.00 hello | 2 of 3 | 1.44 [1.44, 1.44] | 3.00 churn | 1 of 3 |" in text
    assert "| fast 1.0 | 1.00 [1.00, 1.00] |" in text


def test_readme_block_names_where_the_subject_loses():
    time, peak = tables.loss_texts(document(MadeUpMachine(jitter={"hello": LOUD})))
    assert time == "Where hakmem loses in time, above 1.05 of the best peer's on 1 of 3 workloads: hello 2.00 (fast) ~."
    assert peak == (
        "Where hakmem loses in peak memory, above 1.10 of the best peer's on 2 of 3 workloads: churn 3.00 (small), "
        "hello 2.00 (small)."
    )
    text = " ".join(tables.readme_block(document()).split())
    assert "on 1 of 3 workloads: hello 2.00 (fast)." in text
    assert peak in text


def test_where_nothing_is_lost_it_says_so(monkeypatch):
    for name in FIGURES:
        monkeypatch.setitem(FIGURES, name, {"hakmem": (1.05, 110), "fast": (1.0, 100), "small": (1.0, 100)})
    time, peak = tables.loss_texts(document())
    assert time == "Where hakmem loses in time, above 1.05 of the best peer's on 0 of 3 workloads."
    assert peak == "Where hakmem loses in peak memory, above 1.10 of the best peer's on 0 of 3 workloads."


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
    assert entries[0]["complete"] is True
    assert entries[0]["workloads"]["hello"]["wide"] is False


def test_a_torn_line_of_the_history_is_left_out(tmp_path):
    path = tmp_path / "history.jsonl"
    history.append(document(), path)
    path.write_text('{"when": "2026-11\n[]\n' + path.read_text())
    entries, broken = history.read(path)
    assert (len(entries), broken) == (1, 2)


def test_only_boards_of_the_same_conditions_are_compared():
    one = history.entry(document())
    changes = ({"quick": False}, {"target": 0.03}, {"peers": {"fast": "1.1"}}, {"machine": {"cores": 64}})
    others = [{**one, **change} for change in changes]
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
    jitter = {"hello": LOUD}
    written = document(MadeUpMachine(failing={("churn", "small"): 2}, jitter=jitter))
    return written, page.page(written, [history.entry(written)])


def test_page_needs_nothing_else(drawn):
    _, text = drawn
    read = Reader(text)
    assert read.loads == []
    assert read.open == []
    assert len(read.ids) == len(set(read.ids))
    outside = re.sub(r"<script>.*?</script>", "", text, flags=re.S)  # Vega, which is inlined
    assert not re.search(r"(src|href)\s*=\s*.https?:|@import|url\((?!#)|<link", outside)


def charts(text):
    """The charts of a page, by the label that is read out."""
    found = re.findall(r'aria-label="([^"]*)"><script type="application/json">(.*?)</script>', text)
    return {label.replace("&#39;", "'"): json.loads(spec) for label, spec in found}


def test_page_has_no_colour_that_the_style_sheet_does_not_know(drawn):
    _, text = drawn
    drawings = json.dumps(charts(text))
    assert not re.search(r"#[0-9a-f]{6}\b", drawings)
    style = text[: text.index("</style>")]
    assert set(re.findall(r"var\((--[\w-]+)\)", text)) <= set(re.findall(r"(--[\w-]+):", style))


def parts(value):
    """All objects within a chart."""
    if isinstance(value, dict):
        yield value
        value = list(value.values())
    if isinstance(value, list):
        for one in value:
            yield from parts(one)


def test_every_logarithmic_axis_says_so_and_has_ticks_of_its_own(drawn):
    _, text = drawn
    logarithmic = 0
    for label, spec in charts(text).items():
        assert spec["width"] == "container", label
        for part in parts(spec["layer"]):
            if isinstance(part.get("scale"), dict) and part["scale"].get("type") == "log":
                logarithmic += 1
                title = part["title"] or spec["title"]["text"]
                assert title.endswith(", log scale"), label
                low, high = part["scale"]["domain"]
                assert 2 <= len(part["axis"]["values"]) <= 7
                assert all(low <= tick <= high for tick in part["axis"]["values"])
    assert logarithmic > 6


def test_every_point_has_a_tooltip_of_fields_that_there_are(drawn):
    _, text = drawn
    for label, spec in charts(text).items():
        told = [part["tooltip"] for part in parts(spec["layer"]) if "tooltip" in part]
        assert told, label
        fields = {field for value in spec["data"]["values"] for field in value}
        assert {tip["field"] for tip in told[0]} <= fields, label


def test_the_charts_have_every_allocator_on_every_workload(drawn):
    written, text = drawn
    every = charts(text)["time of each allocator on each workload"]["data"]["values"]
    assert {(one["workload"].removesuffix(" ~"), one["allocator"]) for one in every} == {
        (one["workload"], standing["allocator"]) for one in written["workloads"] for standing in one["standings"]
    }
    waves = charts(text)["time of each run of waves"]["data"]["values"]
    assert len(waves) == sum(len(s["samples"]) for s in written["workloads"][0]["standings"])


@pytest.mark.parametrize(
    ("low", "high", "most"),
    [(0.9, 3.2, 7), (0.7, 9.2, 7), (1, 1.2, 7), (1e-3, 1e4, 5), (12.7, 13.1, 5), (0.99, 1.01, 7)],
)
def test_ticks_are_round_and_few(low, high, most):
    found = ticks(low, high, most)
    assert len(found) <= most
    assert all(low <= tick <= high for tick in found)
    assert all(len(f"{tick:.6g}".replace(".", "").strip("0")) <= 2 for tick in found)


def test_each_heading_of_the_matrix_is_over_its_columns(drawn):
    written, text = drawn
    matrix = re.search(r'<table class="matrix">(.*?)</table>', text, re.S)[1]
    first, second = re.findall(r"<tr>(.*?)</tr>", re.search(r"<thead>(.*?)</thead>", matrix, re.S)[1], re.S)
    allocators = re.findall(r'<th colspan="2" class="first">(.*?)</th>', first)
    assert allocators == [row["allocator"] for row in written["rows"]]
    assert re.findall(r"<th[^>]*>(.*?)</th>", second) == ["time", "memory"] * len(allocators)
    for row in re.findall(r"<tr>(.*?)</tr>", re.search(r"<tbody>(.*?)</tbody>", matrix, re.S)[1], re.S):
        assert row.count("<td") + row.count('<td colspan="2"') == 2 * len(allocators)


PROBE = """<script>
(async () => {
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  while (![...document.querySelectorAll(".chart")].every((one) => one.chart)) {
    await wait(50);
  }
  const wide = [...document.querySelectorAll(".chart svg")].filter((one) => one.getBoundingClientRect().width > innerWidth);
  document.body.append("told" + JSON.stringify({
    drawn: document.querySelectorAll(".chart svg").length,
    charts: document.querySelectorAll(".chart").length,
    wide: wide.length,
    page: document.documentElement.scrollWidth - innerWidth,
  }) + "end");
})();
</script>"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [500, 1024, 1440])  # a window has 500 at least; the styles are those of 390
def test_a_browser_draws_every_chart_within_the_window(drawn, tmp_path, width):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("chromium is not installed")
    (tmp_path / "board.html").write_text(drawn[1] + PROBE)
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=20000", "--dump-dom"]
    line = [browser, *options, f"--window-size={width},900", f"file://{tmp_path}/board.html"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=180, check=False)
    told = json.loads(re.findall(r"told(\{.*\})end", done.stdout)[-1])
    assert told["drawn"] == told["charts"] > 8
    assert told["wide"] == 0
    assert told["page"] <= 0, "nothing is wider than the window"


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
    assert "wide: hakmem's time ± " in shown
    assert "On 1 of the 3 workloads the interval of hakmem's time stayed wider" in shown
    assert "incomplete: runs failed" in shown
    assert "Where hakmem loses in time, above 1.05" in shown
    assert "libhakmem.so" in shown
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
