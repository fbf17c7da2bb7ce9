"""The flame graph of a page, and speedscope's file of the same stacks."""

import json
import re
import shutil
import subprocess

import pytest

from hakmem_pages import flame, page
from hakmem_pages.flame import Frame

MAIN, MALLOC = Frame("main", "program", "prog"), Frame("malloc", "gate", "api/malloc.c")
POP, REFILL = Frame("cache_pop", "cache", "hot/cache.h", inlined=True), Frame("refill", "depot", "warm/refill.c")
STACKS = {(MAIN,): 75, (MAIN, MALLOC): 150, (MAIN, MALLOC, POP): 100, (MAIN, MALLOC, REFILL): 75}
COLOURS = {"gate": "#e4572e", "cache": "#f3a712", "depot": "#e9d758", "never": "#000000", "program": "#d6d3cd"}
TEMPLATE = '{% extends "flame.html.j2" %}{% block title %}t{% endblock %}{% block body %}{{ graph }}{% endblock %}'


def charts(text):
    """The specifications in a text."""
    return [json.loads(one) for one in re.findall(r'<script type="application/json">(.*?)</script>', text)]


@pytest.fixture
def graph():
    return flame.graph(STACKS, "instructions", COLOURS)


@pytest.fixture
def drawn(graph, tmp_path):
    """A page with the graph."""
    (tmp_path / "page.html.j2").write_text(TEMPLATE)
    return page(tmp_path, "page.html.j2", graph=graph)


def test_widths_are_shares_and_callers_stand_above(graph):
    nodes = {one["name"]: one for one in charts(graph)[0]["data"][0]["values"]}
    places = {name: (one["level"], one["a"], one["b"], one["weight"]) for name, one in nodes.items()}
    assert places == {
        "all": (0, 0, 1, 400),
        "main": (1, 0, 1, 400),
        "malloc": (2, 0, 0.8125, 325),
        "cache_pop": (3, 0, 0.25, 100),
        "refill": (3, 0.25, 0.4375, 75),
    }
    assert [name for name, one in nodes.items() if one["dash"]] == ["cache_pop"]


def test_the_legend_has_the_groups_that_there_are(graph):
    assert re.findall(r"</i>(\w+)</span>", graph) == ["gate", "cache", "depot", "program"]


def test_what_nobody_could_see_is_left_out():
    stacks = {(MAIN,): 10**7, (MAIN, MALLOC): 1}
    names = {one["name"] for one in charts(flame.graph(stacks, "samples", COLOURS))[0]["data"][0]["values"]}
    assert names == {"all", "main"}


def test_nothing_at_all_is_a_graph_too():
    assert [one["name"] for one in charts(flame.graph({}, "samples", COLOURS))[0]["data"][0]["values"]] == ["all"]


def test_names_cannot_end_a_script():
    text = flame.graph({(Frame("</script><b>operator<< <int>&", "gate", "a&b"),): 5}, "samples", COLOURS)
    assert "<b>" not in text
    assert charts(text)[0]["data"][0]["values"][1]["name"] == "</script><b>operator<< <int>&"


def test_the_page_needs_nothing_but_itself(drawn):
    outside = re.sub(r"<script>.*?</script>", "", drawn, flags=re.S)
    assert not re.search(r"<(link|img|iframe)\b|@import|url\(|\b(src|href)=", outside)
    assert "vegaEmbed" in drawn and drawn.count("<script>") == 1
    assert 'name="viewport"' in drawn and "prefers-color-scheme: dark" in drawn


def test_speedscope_has_the_same_stacks():
    told = flame.speedscope(STACKS, "instructions", "prog 1")
    assert told["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    names = [one["name"] for one in told["shared"]["frames"]]
    (profile,) = told["profiles"]
    stacks = [tuple(names[at] for at in sample) for sample in profile["samples"]]
    assert dict(zip(stacks, profile["weights"], strict=True)) == {
        tuple(one.name for one in stack): weight for stack, weight in STACKS.items()
    }
    assert (profile["type"], profile["unit"], profile["endValue"]) == ("sampled", "none", 400)
    assert flame.speedscope(STACKS, "bytes", "heap")["profiles"][0]["unit"] == "bytes"


PROBE = """<script>
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const labels = () => [...document.querySelectorAll(".flame .mark-text text")].map((one) => one.textContent).filter(Boolean);
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
  told.push(document.querySelector("#flame-found").value);
  await click("refill");
  told.push(labels());
  document.querySelector("#flame-whole").click();
  await chart.chart.runAsync();
  told.push(labels());
  document.body.append("told" + JSON.stringify(told) + "end");
})();
</script>"""


@pytest.mark.slow
def test_a_browser_zooms_and_searches(drawn, tmp_path):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("chromium is not installed")
    (tmp_path / "page.html").write_text(drawn + PROBE)
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
    whole, found, zoomed, again = json.loads(re.findall(r"told(\[.*\])end", done.stdout)[-1])
    assert set(whole) == set(again) == {"all", "main", "malloc", "cache_pop", "refill"}
    assert found == "18.8 % in matching functions"
    assert set(zoomed) == {"all", "main", "malloc", "refill"}
