"""./hakmem profile: what it writes for pprof, a browser and speedscope, and what it prints."""

import gzip
import io
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from hakmem_profile import page, pprof, speedscope, tables
from hakmem_profile.errors import ProfileError
from hakmem_profile.model import VALUES, Line, Location, Mapping, Profile, Sample
from rich.console import Console

MAIN = Mapping(0x1000, 0x9000, 0, "/bin/it", "ab" * 20)
OTHER = Mapping(0x20000, 0x30000, 0x1000, "/lib/other.so")


def place(function, address=0x1234, mapping=MAIN, line=7):
    return Location(address, mapping, (Line(function, "it.c", line, function),))


def small():
    inlined = Location(0x1500, MAIN, (Line("tiny", "it.h", 3, "tiny"), Line("work", "it.c", 20, "work")))
    samples = [
        Sample((place("make"), inlined, place("main", 0x1600)), [10.0, 1000.0, 4.0, 400.0]),
        Sample((place("make"), place("main", 0x1604)), [2.0, 200.0, 0.0, 0.0]),
        Sample((place("read", 0x20100, OTHER), place("main", 0x1600)), [1.0, 5000.0, 1.0, 5000.0]),
        Sample((), [1.0, 3.0, 0.0, 0.0]),
    ]
    return Profile(samples, [MAIN, OTHER], 4096, 1_700_000_000_000_000_000, ["hakmem profile of: it"])


def printed(show, *arguments):
    out = Console(file=io.StringIO(), width=200)
    show(*arguments, out)
    return out.file.getvalue()


# ---- profile.proto ----


def test_what_is_encoded_is_decoded(tmp_path):
    file = tmp_path / "it.pb.gz"
    file.write_bytes(pprof.encode(small()))
    told = pprof.decode(file)
    assert [sample.values for sample in told.samples] == [sample.values for sample in small().samples]
    assert [sample.names() for sample in told.samples] == [sample.names() for sample in small().samples]
    assert [sample.locations for sample in told.samples] == [sample.locations for sample in small().samples]
    assert (told.every, told.time, told.comments) == (4096, small().time, ["hakmem profile of: it"])
    assert pprof.encode(small()) == pprof.encode(small()), "the same bytes each time"


def test_no_profile_is_refused(tmp_path):
    file = tmp_path / "it"
    for content in (b"\x1f\x8bnothing", b"\xff\xff\xff", gzip.compress(b"\xff\xff\xff")):
        file.write_bytes(content)
        with pytest.raises(ProfileError):
            pprof.decode(file)
    file.write_bytes(gzip.compress(b""))
    with pytest.raises(ProfileError, match="is no heap profile"):
        pprof.decode(file)
    with pytest.raises(ProfileError, match="could not be read"):
        pprof.decode(tmp_path / "none")


@pytest.fixture
def public_pprof():
    path = shutil.which("pprof", path=os.pathsep.join([os.environ["PATH"], str(Path.home() / "go/bin")]))
    if path is None:
        pytest.skip("pprof is not installed: go install github.com/google/pprof@latest")
    return path


def test_pprof_reads_it(public_pprof, profiled, sites, tmp_path, plain):
    for name, every in (("a", "4K"), ("b", "16K")):
        (tmp_path / f"{name}.pb.gz").write_bytes(pprof.encode(profiled(sites, every=every).profile()))
    pprof_tmp = {"PPROF_TMPDIR": str(tmp_path)}
    done = plain([public_pprof, "-top", "-unit=b", tmp_path / "a.pb.gz"], pprof_tmp)
    assert done.code == 0 and "Type: inuse_space" in done.out, done.err
    assert re.search(r"^ *10000000B .* leak$", done.out, re.MULTILINE), done.out
    done = plain([public_pprof, "-top", "-sample_index=alloc_objects", tmp_path / "a.pb.gz"], pprof_tmp)
    assert done.code == 0 and re.search(r" site_0$", done.out, re.MULTILINE), done.out
    done = plain([public_pprof, "-top", "-unit=b", "-diff_base", tmp_path / "a.pb.gz", tmp_path / "b.pb.gz"], pprof_tmp)
    assert done.code == 0 and not re.search(r" leak$", done.out, re.MULTILINE), "a block that is there in both"
    done = plain([public_pprof, "-proto", "-symbolize=none", "-output", tmp_path / "again.pb.gz", tmp_path / "a.pb.gz"], pprof_tmp)
    assert done.code == 0, done.err
    again, first = pprof.decode(tmp_path / "again.pb.gz"), pprof.decode(tmp_path / "a.pb.gz")
    assert [again.total(i) for i in range(4)] == [first.total(i) for i in range(4)]


# ---- the page and speedscope ----


def chart_of(text):
    return json.loads(re.search(r'class="chart"[^>]*><script type="application/json">(.*?)</script>', text)[1])


def boxes_of(text):
    """Each box by the names above it, and what it is told to have of each value."""
    found, path = {}, []
    for one in chart_of(text)["data"][0]["values"]:
        path[one["level"] :] = [one["name"]]
        found["/".join(path)] = one
    return found


def test_the_page_has_the_tree():
    boxes = boxes_of(page.page(small(), "it <&>"))
    assert {path: [told for _, _, told in one["at"]] for path, one in boxes.items()} == {
        "all": ["5.3 KiB", "5", "6.1 KiB", "14"],
        "all/main": ["5.3 KiB", "5", "6.1 KiB", "13"],
        "all/main/work": ["400 B", "4", "1000 B", "10"],
        "all/main/work/tiny": ["400 B", "4", "1000 B", "10"],
        "all/main/work/tiny/make": ["400 B", "4", "1000 B", "10"],
        "all/main/make": ["0 B", "0", "200 B", "2"],
        "all/main/read": ["4.9 KiB", "1", "4.9 KiB", "1"],
        "all/(no stack)": ["0 B", "0", "3 B", "1"],
    }
    shares = {
        path: [round((b - a) * sum_) for (a, b, _), sum_ in zip(one["at"], (5400, 5, 6203, 14), strict=True)]
        for path, one in boxes.items()
    }
    assert (shares["all"], shares["all/main"]) == ([5400, 5, 6203, 14], [5400, 5, 6200, 13])
    assert (shares["all/main/read"], shares["all/(no stack)"]) == ([5000, 1, 5000, 1], [0, 0, 3, 1])
    assert {(one["group"], one["note"]) for one in boxes.values()} == {
        ("", ""),
        ("it", "it.c"),
        ("it", "it.h"),
        ("other.so", "it.c"),
    }
    assert [path for path, one in boxes.items() if one["dash"]] == ["all/main/work/tiny"], "inlined"


def test_the_bytes_that_live_are_shown_first():
    words = ["bytes that live", "blocks that live", "bytes allocated", "blocks allocated"]
    text = page.page(small(), "it")
    buttons = r'<button type="button" aria-pressed="(\w+)"[^>]*>([^<]+)</button>'
    assert re.findall(buttons, text) == list(zip(["true", "false", "false", "false"], words, strict=True))
    freed = Profile([Sample((place("make"),), [1.0, 10.0, 0.0, 0.0])])
    text = page.page(freed, "it")
    assert re.findall(buttons, text) == list(zip(["false", "false", "true", "false"], words, strict=True))
    assert text.count("disabled>") == 2
    assert list(boxes_of(page.page(Profile([]), "it"))) == ["all"], "nothing was sampled"


def test_the_largest_files_of_code_have_colours():
    maps = [Mapping(0, 1, 0, f"/lib/lib{i}.so") for i in range(12)]
    calls = [(place("f", mapping=one), place("main")) for one in maps]
    samples = [Sample(stack, [1.0, i + 1.0, 1.0, i + 1.0]) for i, stack in enumerate(calls)]
    legend = re.findall(r"</i>([\w.]+)</span>", page.page(Profile(samples, maps), "it"))
    assert legend == [f"lib{i}.so" for i in range(11, 1, -1)] + ["other"]


def test_the_page_needs_nothing_else_and_escapes():
    text = page.page(small(), "it <&>")
    assert "<title>memory of it &lt;&amp;&gt;</title>" in text
    own = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert not re.search(r"<(link|img|iframe)\b|(src|href)=|@import|url\(", own)
    name = "</script><b>operator<< <int>&"
    text = page.page(Profile([Sample((place(name),), [1.0, 9.0, 1.0, 9.0])]), "it")
    assert "<b>" not in re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert f"all/{name}" in boxes_of(text)


def test_functions_count_recursion_once():
    calls = tuple(place("dive", 0x1000 + i) for i in range(5))
    text = page.page(Profile([Sample(calls, [1.0, 100.0, 1.0, 100.0])], [MAIN], 1, 0, [""]), "it")
    row = re.search(r"<code>dive</code></th>(.*)", text)[1]
    assert re.findall(r'data-is="([\d.]+)"', row) == ["100.0"] * 4


PROBE = """<script>
(async () => {
  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const chart = document.querySelector(".flame .chart");
  while (!chart.chart) await wait(20);
  const boxes = () => [...document.querySelectorAll(".flame .mark-rect path")].map((one) => one.__data__.datum.name);
  const told = [document.documentElement.scrollWidth <= innerWidth];
  for (const button of document.querySelectorAll(".values button")) {
    button.click();
    await chart.chart.runAsync();
    told.push(boxes());
  }
  const search = document.querySelector("#flame-search");
  search.value = "make";
  search.dispatchEvent(new Event("input"));
  await wait(50);
  told.push(document.querySelector("#flame-found").value);
  document.querySelectorAll(".sortable thead th")[0].click();
  told.push([...document.querySelectorAll(".sortable tbody th")].map((one) => one.textContent));
  document.body.append("told" + JSON.stringify(told) + "end");
})();
</script>"""


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_browser_draws_it(tmp_path, width, scheme):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("chromium is not installed")
    (tmp_path / "it.html").write_text(page.page(small(), "it") + PROBE)
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},900", "--virtual-time-budget=8000"]
    options += ["--force-dark-mode"] if scheme == "dark" else []
    done = subprocess.run(
        [browser, *options, "--dump-dom", f"file://{tmp_path}/it.html"], capture_output=True, text=True, timeout=120, check=False
    )
    fits, live, blocks, allocated, calls, found, rows = json.loads(re.findall(r"told(\[.*\])end", done.stdout)[-1])
    assert fits, "nothing is wider than the page"
    assert set(live) >= {"all", "main", "read"} and "(no stack)" not in live
    assert set(blocks) == {"all", "main", "work", "tiny", "make", "read"} and blocks.count("make") == 1
    assert set(allocated) - {"(no stack)"} == set(blocks), "three of 6203 bytes are half a pixel"
    assert set(calls) == {*blocks, "(no stack)"} and calls.count("make") == 2
    assert found == "85.7 % in matching functions"
    assert rows == sorted(rows) and len(rows) == 5


def test_speedscope_has_each_value():
    told = json.loads(speedscope.encode(small(), "it"))
    assert told["$schema"] == "https://www.speedscope.app/file-format-schema.json"
    names = [frame["name"] for frame in told["shared"]["frames"]]
    assert [one["unit"] for one in told["profiles"]] == ["bytes", "none", "bytes", "none"]
    for one, i in zip(told["profiles"], reversed(range(len(VALUES))), strict=True):
        assert sum(one["weights"]) == one["endValue"] == round(small().total(i))
        assert len(one["samples"]) == len(one["weights"])
    first = told["profiles"][0]
    assert [names[number] for number in first["samples"][0]] == ["main", "work", "tiny", "make"]
    assert first["weights"] == [400, 5000]


# ---- what is printed ----


def test_leaks_are_told_by_whole_stacks():
    text = printed(tables.leaks, small())
    assert text.index("4.9 KiB") < text.index("400 B")
    assert re.search(r"read  it\.c:7\n +main  it\.c:7\n", text)
    assert re.search(r"make  it\.c:7\n +tiny  it\.h:3\n +work  it\.c:20\n +main", text)
    nothing = Profile([Sample((place("make"),), [1.0, 10.0, 0.0, 0.0])])
    assert printed(tables.leaks, nothing) == "Nothing that was sampled lives.\n"


def test_sites_and_sums():
    text = printed(tables.sites, small())
    assert re.search(r"4\.9 KiB +1 +4\.9 KiB +read < main", text)
    assert "5.3 KiB" in printed(tables.summary, small())


def test_a_difference():
    more = small()
    more.samples[0].values = [20.0, 2000.0, 14.0, 1400.0]
    text = printed(tables.difference, small(), more)
    assert re.search(r"\+1000 B +\+1000 B +make < tiny < work < main", text) and "read" not in text
    assert printed(tables.difference, small(), small()) == "No stack holds or has allocated more or less.\n"
    moved = small()
    moved.samples[0].locations = (place("make", 0x7777), *moved.samples[0].locations[1:])
    assert printed(tables.difference, small(), moved).startswith("No stack"), "another address of the same function"


# ---- the command ----


@pytest.fixture(scope="module")
def run_once(command, forks, tmp_path_factory, library):
    """One run of ./hakmem profile on the build of this checkout."""
    if library.parent != Path(__file__).resolve().parents[2] / "build/lib":
        pytest.skip("./hakmem runs the release build alone")
    folder = tmp_path_factory.mktemp("run")
    return folder, command("profile", "-o", folder / "it.pb.gz", "--every", "1", "--leaks", "--", forks)


def test_the_command_runs_a_program(run_once):
    folder, done = run_once
    assert done.returncode == 9, done.stderr
    assert sorted(file.name for file in folder.iterdir()) == ["it.html", "it.pb.gz", "it.speedscope.json"]
    told = pprof.decode(folder / "it.pb.gz")
    assert {"before", "in_child", "in_parent", "main"} <= {name for sample in told.samples for name in sample.names()}
    assert "in_child" in done.stdout and "written: " in done.stdout


def test_a_program_that_allocates_little(run_once, command, tmp_path):
    done = command("profile", "-o", tmp_path / "it.pb.gz", "--", "sh", "-c", "exit 4")
    assert done.returncode == 4 and "Nothing was sampled" in done.stdout, done.stderr
    assert pprof.decode(tmp_path / "it.pb.gz").samples == []
    assert len(list(tmp_path.iterdir())) == 3


def test_a_recording_that_was_left(run_once, command, profile_library, sites, plain, tmp_path):
    environment = {"LD_PRELOAD": str(profile_library), "HAKMEM_PROFILE_EVERY": "64K"}
    assert plain([sites], environment, cwd=tmp_path).code == 0
    (file,) = tmp_path.glob("hakmem.*.profile")
    done = command("profile", "--leaks", "--from", file, "-o", tmp_path / "it.pb.gz")
    assert done.returncode == 0 and "leak  " in done.stdout, done.stderr
    assert pprof.decode(tmp_path / "it.pb.gz").comments == [f"hakmem profile of: {sites}"]


def test_the_command_compares(run_once, command):
    folder, _ = run_once
    done = command("profile", "--diff", folder / "it.pb.gz", folder / "it.pb.gz")
    assert done.returncode == 0 and "No stack holds" in done.stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["-o", "/nowhere/it.pb.gz", "--", "true"], "/nowhere is no folder"),
        (["--signal", "HELLO", "--", "true"], "there is no signal HELLO"),
        (["--", "no-such-program"], "no-such-program"),
        ([], "needs a command"),
        (["--from", "/nowhere/it"], "/nowhere/it could not be read"),
        (["--diff", "/nowhere/a", "/nowhere/b"], "/nowhere/a could not be read"),
    ],
)
def test_the_command_refuses(run_once, command, words, told):
    done = command("profile", *words)
    assert done.returncode != 0 and told in done.stderr, done
