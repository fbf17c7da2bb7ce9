"""A load of four threads beside `./hakmem top --interval 0.1`: it loses at most 1 %, and nothing crashes on either side.

What is compared is the processor time of a step of the load, in windows with top and without that follow each other: on
a machine of few cores others, top among them, take turns from the load, but they do not make its steps longer. The test
runs for a minute. For as long as one likes, and on any library:

    .venv/bin/python tests/inspect/test_beside_top.py --minutes 30 build/lib/libhakmem.so
"""

import argparse
import fcntl
import os
import pty
import random
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tools"), str(ROOT / "tests/support")]

from hakmem_lab.stats import paired_ratio  # noqa: E402
from hakmem_program import clean_environment  # noqa: E402

WINDOW = 500_000_000  # nanoseconds of the load's processor time: where others take the machine it lasts longer
BETWEEN = 0.2  # seconds
LEAST = 10  # pairs of windows
MOST = 1.01


class Load:
    """churn.c, in which a line says how far it has come."""

    def __init__(self, program, library):
        self.process = subprocess.Popen(
            [program, "apart"],  # threads that wait for each other's cache lines cost more the more of them run at once
            env=clean_environment({"LD_PRELOAD": str(library)}),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
            preexec_fn=lambda: os.nice(10),  # top is to get its turns beside it
        )
        assert self.process.stdout.readline() == "ready\n"

    def told(self):
        """Steps, and nanoseconds of processor time."""
        self.process.stdin.write(".")
        self.process.stdin.flush()
        return tuple(map(int, self.process.stdout.readline().split()))

    def window(self):
        """Nanoseconds of a step from now on."""
        steps, used = self.told()
        steps_then, used_then = steps, used
        while used_then - used < WINDOW or steps_then == steps:
            time.sleep(0.05)
            steps_then, used_then = self.told()
        return (used_then - used) / (steps_then - steps)

    def end(self):
        self.process.stdin.close()
        return self.process.stdout.read(), self.process.wait(60)


class Top:
    """The live screen on a terminal of its own, where the space bar has it pause and go on."""

    def __init__(self, pid):
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 160, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, str(ROOT / "hakmem"), "top", str(pid), "--interval", "0.1"],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env={**os.environ, "TERM": "xterm-256color"},
            start_new_session=True,
        )
        os.close(theirs)
        self._looks = True
        self.drawn = 0
        self.last = b""
        threading.Thread(target=self._drain, daemon=True).start()
        while self.drawn < 20000 and self.process.poll() is None:  # some screens
            time.sleep(0.1)

    def _drain(self):
        try:
            while data := os.read(self._ours, 1 << 16):
                self.drawn += len(data)
                self.last = (self.last + data)[-4000:]
        except OSError:  # its other end is closed
            pass

    def go_on(self, wanted):
        if wanted != self._looks:
            self._looks = wanted
            os.write(self._ours, b" ")

    def seconds(self):
        """Processor time."""
        words = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")

    def end(self):
        os.write(self._ours, b"q")
        return self.process.wait(60)


def compare(program, library, seconds, tell=None):
    """The ratio of a step's processor time with top to that without, and what to say of it."""
    load = Load(program, library)
    top = Top(load.process.pid)
    random_ = random.Random(1)
    times = {False: [], True: []}
    used = drawn = beside = 0
    end = time.monotonic() + seconds
    while time.monotonic() < end or len(times[True]) < LEAST:
        for with_top in random_.sample([False, True], 2):
            top.go_on(with_top)
            time.sleep(BETWEEN)
            used_before, drawn_before, began = top.seconds(), top.drawn, time.monotonic()
            times[with_top].append(load.window())
            used += with_top * (top.seconds() - used_before)
            drawn += with_top * (top.drawn - drawn_before)
            beside += with_top * (time.monotonic() - began)
            assert top.process.poll() is None, top.last.decode(errors="replace")
        if tell and len(times[True]) % 25 == 0:
            tell(said(times, used / beside))
    assert drawn > 100 * len(times[True])  # it has looked
    assert top.end() == 0, top.last.decode(errors="replace")
    assert load.end() == ("whole\n", 0)
    return paired_ratio(times[True], times[False]), said(times, used / beside)


def said(times, share):
    ratio = paired_ratio(times[True], times[False])
    return (
        f"a step's processor time beside top: {ratio.median:.4f} [{ratio.low:.4f}, {ratio.high:.4f}] of that without, "
        f"in {len(times[True])} pairs of windows; top itself: {share:.0%} of a processor"
    )


@pytest.mark.slow
def test_a_load_loses_at_most_one_percent(compiled, variant, record_property):
    ratio, told = compare(compiled("churn"), variant("release"), 60)
    record_property("note", told)
    assert ratio.low <= MOST, told


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", nargs="?", default=str(ROOT / "build/lib/libhakmem.so"))
    parser.add_argument("--minutes", type=float, default=30)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        built = f"{folder}/churn"
        subprocess.run(["cc", "-O1", "-pthread", ROOT / "tests/inspect/churn.c", "-o", built], check=True)
        print(compare(built, Path(wanted.library).resolve(), 60 * wanted.minutes, lambda told: print(told, flush=True))[1])
