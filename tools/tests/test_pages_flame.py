"""The flame graph of a page, and speedscope's file of the same stacks."""

import json
import re
import shutil
import subprocess

import pytest

from hakmem_pages import flame, page
from hakmem_pages.flame import Frame, Value

MAIN, MALLOC = Frame("main", "program", "prog"), Frame("malloc", "gate", "api/malloc.c")
POP, REFILL = Frame("cache_pop", "cache", "hot/cache.h", inlined=True), Frame("refill", "depot", "warm/refill.c")
STACKS = {(MAIN,): 75, (MAIN, MALLOC): 150, (MAIN, MALLOC, POP): 100, (MAIN, MALLOC, REFILL): 75}
BYTES = {(MAIN, MALLOC): 0, (MAIN, MALLOC, POP): 1024, (MAIN, MALLOC, REFILL): 3072}
SEVERAL = [
    Value("nothing", {(MAIN,): 0}),
    Value("instructions", STACKS),
    Value("bytes", BYTES, "{} B".format, "bytes"),
]
COLOURS = {"gate": "#e4572e", "cache": "#f3a712", "depot": "#e9d758", "never": "#000000", "program": "#d6d3cd"}
TEMPLATE = '{% extends "flame.html.j2" %}{% block title %}t{% endblock %}{% block body %}{{ graph }}{% endblock %}'


def charts(text):
    """The specifications in a text."""
    return [json.loads(one) for one in re.findall(r'<script type="application/json">(.*?)</script>', text)]


def boxes(text):
    return charts(text)[0]["data"][0]["values"]


@pytest.fixture
def graph():
    return flame.graph([Value("instructions", STACKS)], COLOURS)


@pytest.fixture
def several():
    return flame.graph(SEVERAL, COLOURS)


@pytest.fixture
def on_a_page(tmp_path):
    """A page with a graph."""

    def make(graph):
        (tmp_path / "page.html.j2").write_text(TEMPLATE)
        return page(tmp_path, "page.html.j2", graph=graph)

    return make


def test_widths_are_shares_and_callers_stand_above(graph):
    found = {one["name"]: one for one in boxes(graph)}
    assert {name: (one["level"], *one["at"]) for name, one in found.items()} == {
        "all": (0, [0, 1, "400"]),
        "main": (1, [0, 1, "400"]),
        "malloc": (2, [0, 0.8125, "325"]),
        "cache_pop": (3, [0, 0.25, "100"]),
        "refill": (3, [0.25, 0.4375, "75"]),
    }
    assert [name for name, one in found.items() if one["dash"]] == ["cache_pop"]
    assert "<button" in graph and "aria-pressed" not in graph, "one value: nothing to choose"


def test_each_value_has_its_own_shares(several):
    found = {one["name"]: one["at"] for one in boxes(several)}
    assert found["malloc"] == [[0, 0, "0"], [0, 0.8125, "325"], [0, 1, "4096 B"]]
    assert found["cache_pop"] == [[0, 0, "0"], [0, 0.25, "100"], [0.75, 1, "1024 B"]], "the widest first, in each value"
    assert found["refill"] == [[0, 0, "0"], [0.25, 0.4375, "75"], [0, 0.75, "3072 B"]]


def test_the_first_value_that_is_not_0_is_shown(several):
    buttons = re.findall(r'aria-pressed="(\w+)"( disabled)?>(\w+)<', several)
    assert buttons == [("false", " disabled", "nothing"), ("true", "", "instructions"), ("false", "", "bytes")]
    assert {"name": "value", "value": 1} in charts(several)[0]["signals"]


def test_identities_are_unique(on_a_page, several):
    found = re.findall(r'\bid="([^"]+)"', re.sub(r"<script>.*?</script>", "", on_a_page(several), flags=re.S))
    assert found and len(found) == len(set(found))


def test_calls_from_several_lines_are_one_box():
    calls = {(Frame("main", "a", "m.c", line=line), MALLOC): line for line in (1, 2)}
    assert [one["at"][0][2] for one in boxes(flame.graph([Value("calls", calls)], COLOURS))] == ["3", "3", "3"]
    told = flame.speedscope([Value("calls", calls)], "prog")
    assert [one["line"] for one in told["shared"]["frames"] if one["name"] == "main"] == [1, 2]


def test_the_legend_has_the_groups_that_there_are(graph):
    assert re.findall(r"</i>(\w+)</span>", graph) == ["gate", "cache", "depot", "program"]


def test_groups_without_a_colour_are_grey_together():
    graph = flame.graph([Value("instructions", STACKS)], {"gate": "#e4572e"}, "file of code")
    assert re.findall(r"</i>(\w+)</span>", graph) == ["gate", "other"]
    (rect,) = [mark for mark in charts(graph)[0]["marks"] if mark["type"] == "rect"]
    assert rect["encode"]["update"]["fill"][0]["test"] == 'indexof(["gate"], datum.group) < 0'
    assert '"file of code": datum.group' in rect["encode"]["update"]["tooltip"][0]["signal"]


def test_what_nobody_could_see_is_left_out():
    stacks = {(MAIN,): 10**7, (MAIN, MALLOC): 1}
    assert {one["name"] for one in boxes(flame.graph([Value("samples", stacks)], COLOURS))} == {"all", "main"}


def test_nothing_at_all_is_a_graph_too():
    assert [one["name"] for one in boxes(flame.graph([Value("samples", {})], COLOURS))] == ["all"]


def test_names_cannot_end_a_script():
    stacks = {(Frame("</script><b>operator<< <int>&", "gate", "a&b"),): 5}
    text = flame.graph([Value("<b>'\"", stacks), Value("two", stacks)], COLOURS, "<b>'\"")
    assert "<b>" not in text
    assert boxes(text)[1]["name"] == "</script><b>operator<< <int>&"


def test_the_page_needs_nothing_but_itself(on_a_page, several):
    drawn = on_a_page(several)
    outside = re.sub(r"<script>.*?</script>", "", drawn, flags=re.S)
    assert not re.search(r"<(link|img|iframe)\b|@import|url\(|\b(src|href)=", outside)
    assert "vegaEmbed" in drawn and drawn.count("<script>") == 1
    assert 'name="viewport"' in drawn and "prefers-color-scheme: dark" in drawn


def test_speedscope_has_the_same_stacks():
    told = flame.speedscope(SEVERAL, "prog 1")
    assert (told["$schema"], told["name"]) == ("https://www.speedscope.app/file-format-schema.json", "prog 1")
    names = [one["name"] for one in told["shared"]["frames"]]
    for profile, value in zip(told["profiles"], SEVERAL, strict=True):
        stacks = [tuple(names[at] for at in sample) for sample in profile["samples"]]
        assert dict(zip(stacks, profile["weights"], strict=True)) == {
            tuple(one.name for one in stack): weight for stack, weight in value.stacks.items() if weight
        }
        assert (profile["type"], profile["name"]) == ("sampled", value.name)
    assert [(one["unit"], one["endValue"]) for one in told["profiles"]] == [("none", 0), ("none", 400), ("bytes", 4096)]


PROBE = """<script>
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const texts = () => [...document.querySelectorAll(".flame .mark-text text")];
const labels = () => texts().map((one) => one.textContent).filter(Boolean);
const drawn = () => [...document.querySelectorAll(".flame .mark-rect path")].map((one) => one.__data__);
const click = (name) => {
  const view = document.querySelector(".flame .chart").chart;
  const box = [...document.querySelectorAll(".flame .mark-rect path")].find((one) => one.__data__.datum.name == name);
  const { left, top } = box.getBoundingClientRect();
  for (const type of ["mousemove", "mousedown", "mouseup", "click"])
    box.dispatchEvent(new MouseEvent(type, { bubbles: true, clientX: left + 2, clientY: top + 2 }));
  return view.runAsync();
};
(async () => {
  const chart = document.querySelector(".flame .chart");
  while (!chart.chart) await wait(20);
  const told = [labels()];
  const search = document.querySelector("#flame-search");
  search.value = "ReFi";
  search.dispatchEvent(new Event("input"));
  await wait(50);
  told.push(document.querySelector("#flame-found").value);
  await click("refill");
  told.push(labels(), Object.fromEntries(drawn().map(({ datum, x, width }) => [datum.name, [x, width]])), [chart.clientWidth]);
  document.querySelector("#flame-whole").click();
  await chart.chart.runAsync();
  told.push(labels());
  const height = () => document.querySelector(".flame .chart svg").getBoundingClientRect().height;
  const high = height();
  search.value = "";
  search.dispatchEvent(new Event("input"));
  await click("malloc");
  document.querySelectorAll(".values button")[2].click();
  await chart.chart.runAsync();
  told.push(labels(), high / 20, [...document.querySelectorAll(".values button")].map((one) => one.ariaPressed));
  const shares = Object.fromEntries(chart.chart.data("shown").map((one) => [one.name, one.b - one.a]));
  search.value = "cache";
  search.dispatchEvent(new Event("input"));
  await wait(50);
  told.push(shares, document.querySelector("#flame-found").value);
  document.body.append("told" + JSON.stringify(told) + "end");
})();
</script>"""


@pytest.mark.slow
def test_a_browser_zooms_searches_and_chooses(on_a_page, several, tmp_path):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("chromium is not installed")
    (tmp_path / "page.html").write_text(on_a_page(several) + PROBE)
    options = [
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--window-size=1024,900",
        "--virtual-time-budget=8000",
    ]
    done = subprocess.run(
        [browser, *options, "--dump-dom", f"file://{tmp_path}/page.html"],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    told = json.loads(re.findall(r"told(\[.*\])end", done.stdout)[-1])
    whole, found, zoomed, places, (width,), again, bytes_, levels, pressed, shares, part = told
    assert set(whole) == set(again) == {"all", "main", "malloc", "cache_pop", "refill"}
    assert found == "18.8 % in matching functions"
    assert set(zoomed) == {"all", "main", "malloc", "refill"}
    assert places == {name: [0, width] for name in zoomed}, "it and its callers are as wide as the graph"
    assert levels == 4
    assert (set(bytes_), pressed) == ({"all", "main", "malloc", "cache_pop", "refill"}, ["false", "false", "true"])
    assert shares == {"all": 1, "main": 1, "malloc": 1, "refill": 0.75, "cache_pop": 0.25}
    assert part == "25.0 % in matching functions"
