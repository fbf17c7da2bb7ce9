"""Memory over time of a command: what is sampled, the verdict, the page, and that the command is left alone."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hakmem_inspect import document, process
from hakmem_inspect.heap import Heap
from hakmem_inspect.plot.curve import Curve, Sample, Watch
from hakmem_inspect.plot.page import draw
from hakmem_inspect.plot.verdict import judge
from hakmem_program import clean_environment

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MIB = 1 << 20


def curve(live, held=None, resident=None, limit=0):
    """Samples a second apart, in MiB."""
    held = held or live
    resident = resident or [one + 2 for one in held]
    samples = [
        Sample(float(i), 1, int(r * MIB), int(a * MIB), 0, int((h - a) * MIB), 0, int(h * MIB))
        for i, (a, h, r) in enumerate(zip(live, held, resident, strict=True))
    ]
    return Curve(samples, limit)


# ---- the verdict


@pytest.mark.parametrize(
    "word, live, held",
    [
        ("leaks", [i + 5 for i in range(60)], None),
        ("leaks", [i + 5 + 20 * (i % 3) for i in range(60)], None),  # up and down, and up in all
        ("neither", [min(i, 10) * 5 + 1 for i in range(60)], None),  # it fills up, and stays
        ("neither", [20 + 20 * (i % 2) for i in range(60)], None),
        ("neither", [100 + i / 60 for i in range(60)], None),
        ("fragments", [20] * 60, [20 + i for i in range(60)]),
        ("fragments", [60 - i for i in range(60)], [60] * 60),
        ("neither", [2] * 60, [4] * 60),  # 2 MiB are no reason
        ("both", [i + 5 for i in range(60)], [2 * i + 10 for i in range(60)]),
        ("short", [5] * 5, None),
    ],
)
def test_the_verdict(word, live, held):
    assert judge(curve(live, held).samples).word == word


def test_what_is_not_in_the_heap():
    verdict = judge(curve([5] * 60, resident=[60 + i for i in range(60)]).samples)
    assert verdict.word == "elsewhere" and "5.0 MiB are held in it" in verdict.sentence


def test_nothing_was_sampled():
    assert judge([]).word == "short"
    assert "No process of this command was seen" in draw("true", Curve(), "It ended.")


def test_why_it_is_sparse():
    samples = curve([20] * 60, [60] * 60).samples
    assert "free blocks among live ones" in judge(samples).sentence
    for one in samples:
        one.free, one.retained = 0, one.free
    assert "retained for reuse" in judge(samples).sentence


# ---- what is sampled


def test_a_sample_is_what_the_reader_says(start):
    program = start("known_blocks")
    watch = Watch(program.pid)
    watch.look()
    watch.look()
    total = document.of(Heap(process.Process(program.pid)))["total"]
    for one in watch.curve.samples:
        assert (one.live, one.cached, one.held, one.retained) == tuple(
            total[name] for name in ("live", "cached", "held", "retained")
        )
        assert total["free"] + total["kept"] <= one.free <= total["free"] + total["kept"] + 65536
        assert one.live + one.cached + one.free + one.retained == one.held
        assert one.processes == 1 and one.resident == total["process_resident"]
    assert watch.wait >= 0.02


def test_the_limit(start):
    watch = Watch(start("known_blocks", HAKMEM_LIMIT="300M").pid)
    watch.look()
    assert watch.curve.limit == 300 * MIB


def _until_they_wait(pids):
    def waits(pid):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"

    end = time.monotonic() + 10
    while not all(waits(pid) for pid in pids):
        assert time.monotonic() < end, "a process of the three still runs"
        time.sleep(0.01)


def test_those_that_it_starts_count(variant, tool):
    program = "import os, sys\nif os.fork() == 0: os.fork()\nx = b'x' * 3000000\nos.write(1, b'%d\\n' % os.getpid())\nsys.stdin.read()"
    child = subprocess.Popen(
        [tool("python3"), "-c", program],
        env=clean_environment({"LD_PRELOAD": str(variant("release"))}),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    pids = [int(child.stdout.readline()) for _ in range(3)]
    _until_they_wait(pids)
    watch = Watch(child.pid)
    watch.look()
    (one,) = watch.curve.samples
    assert one.processes == 3
    assert one.live == sum(document.of(Heap(process.Process(pid)))["total"]["live"] for pid in pids) > 9000000
    alone = sum(process.Process(pid).resident_kib for pid in pids) * 1024
    assert 9000000 < one.resident < alone  # what they share counts once
    child.stdin.close()
    child.wait(20)


def test_a_process_without_hakmem_is_none(tool):
    child = subprocess.Popen([tool("sleep"), "20"], env=clean_environment())
    watch = Watch(child.pid)
    watch.look()
    assert watch.curve.samples == []
    child.kill()
    child.wait()
    watch.look()


def test_many_samples_are_thinned_out_and_keep_the_peak():
    thinned = Curve()
    for i in range(20000):
        thinned.add(Sample(i / 10, 1, 999 * MIB if i == 7777 else MIB))
    assert 500 < len(thinned.samples) <= 1500 and thinned.least_wait > 0.1
    assert max(one.resident for one in thinned.samples) == 999 * MIB
    assert [one.seconds for one in thinned.samples] == sorted(one.seconds for one in thinned.samples)
    assert thinned.samples[-1].seconds == 1999.9


# ---- the page


class Whole(HTMLParser):
    EMPTY = {"meta", "link", "br", "img", "input"}

    def __init__(self):
        super().__init__()
        self.open = []

    def handle_starttag(self, tag, attributes):
        assert not {"src", "href"} & dict(attributes).keys()
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_page_needs_nothing_else_and_has_the_figures():
    text = draw("<b>x</b> 'y'", curve([i + 5 for i in range(60)], limit=80 * MIB), "It ended with exit status 0.")
    parser = Whole()
    parser.feed(text)
    assert parser.open == [] and "<b>x</b>" not in text and 'data-verdict="leaks"' in text
    spec = json.loads(re.search(r'aria-label="memory over time"><script type="application/json">(.*?)</script>', text)[1])
    assert len(spec["data"]["values"]) == 60 and spec["data"]["values"][10]["live"] == 15
    labels = json.dumps(spec)
    assert "peak resident 66 MiB" in labels and "peak live 64 MiB" in labels and "limit 80 MiB" in labels


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1440])
def test_a_browser_draws_it(tmp_path, width):
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("chromium is not installed")
    (tmp_path / "plot.html").write_text(draw("x", curve([i + 5 for i in range(60)]), "It ended."))
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--window-size={width},900", "--virtual-time-budget=8000"]
    line = [browser, *options, "--dump-dom", f"file://{tmp_path}/plot.html"]
    done = subprocess.run(line, capture_output=True, text=True, timeout=120, check=False)
    assert "peak live 64 MiB</text>" in done.stdout, done.stderr


# ---- the command

LAUNCH = """
import sys
sys.path.insert(0, {tools!r})
from hakmem_inspect.plot.command import run
from hakmem_cli.run import original_environment
environment = original_environment()
environment[b"LD_PRELOAD"] = {library!r}
sys.exit(run(sys.argv[2], sys.argv[2:], environment, sys.argv[1]))
"""


@pytest.fixture
def plotted(variant, tmp_path, tool):
    """Starts a shell's command as ./hakmem run --plot does."""
    library = os.fsencode(variant("release"))
    source = LAUNCH.format(tools=f"{ROOT}/tools", library=library)

    def call(command, **keywords):
        line = [sys.executable, "-c", source, str(tmp_path / "page.html"), tool("sh"), "-c", command]
        return subprocess.Popen(
            line, env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **keywords
        )

    return call


@pytest.mark.parametrize(
    "command, status",
    [("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 128 + signal.SIGTERM), ("kill -KILL $$", 128 + signal.SIGKILL)],
)
def test_the_exit_status_is_passed_on(plotted, tmp_path, command, status):
    child = plotted(f"echo out; echo err >&2; sleep 0.3; {command}")
    out, err = child.communicate(timeout=60)
    assert child.returncode == status and out == "out\n"
    assert re.fullmatch(rf"err\nhakmem: {tmp_path}/page.html: [\d.]+ [KM]iB\n", err)
    text = (tmp_path / "page.html").read_text()
    how = f"exit status {status}" if status < 128 else signal.Signals(status - 128).name
    assert how in text and "Memory of" in text


def test_its_input_and_descriptors_are_its_own(plotted):
    read_end, write_end = os.pipe()
    os.write(write_end, b"more")
    os.close(write_end)
    other = f"import os; os.write(1, os.read({read_end}, 9))"
    child = plotted(f"cat; {sys.executable} -c '{other}'", stdin=subprocess.PIPE, pass_fds=(read_end,))
    out, _ = child.communicate("in ", timeout=60)
    assert (child.returncode, out) == (0, "in more")


def test_the_keys_of_the_terminal_end_the_command_and_the_page_is_written(plotted, tmp_path):
    child = plotted("echo ready; exec sleep 60", start_new_session=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.5)
    os.killpg(child.pid, signal.SIGINT)
    child.communicate(timeout=60)
    assert child.returncode == 128 + signal.SIGINT
    assert "SIGINT" in (tmp_path / "page.html").read_text()


def test_a_command_that_handles_the_keys_goes_on(plotted):
    child = plotted("trap 'echo caught' INT; echo ready; sleep 1; sleep 0.3; echo end; exit 4", start_new_session=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    os.killpg(child.pid, signal.SIGINT)
    out, _ = child.communicate(timeout=60)
    assert (child.returncode, out) == (4, "caught\nend\n")


def test_sigterm_is_passed_on(plotted, tmp_path):
    child = plotted("echo ready; exec sleep 60")
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.3)
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=60)
    assert child.returncode == 128 + signal.SIGTERM and (tmp_path / "page.html").exists()


def test_a_page_that_cannot_be_written_is_told(plotted, tmp_path):
    (tmp_path / "page.html").mkdir()
    child = plotted("exit 0")
    _, err = child.communicate(timeout=60)
    assert child.returncode != 0 and "cannot be written" in err


def test_the_options_of_run():
    sys.path.insert(0, f"{ROOT}/tools")
    from hakmem_cli.run import take_plot

    assert take_plot(["--plot", "--", "x", "--plot"]) == ("hakmem-plot.html", ["--", "x", "--plot"])
    assert take_plot(["--preset", "debug", "--plot=a.html", "--observe", "x"]) == ("a.html", ["--preset", "debug", "--observe", "x"])
    assert take_plot(["x", "--plot"]) == ("", ["x", "--plot"])
