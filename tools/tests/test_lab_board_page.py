"""The page of a board."""

import json
import re
import shutil
import subprocess
from html.parser import HTMLParser

import pytest
from made_up_board import FIGURES, LOUD, MadeUpMachine, document, measured

from hakmem_lab import board, history, page, tables
from hakmem_lab.page.ticks import ticks
from hakmem_lab.stats import Ratio


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
