"""Bugs planted in a copy of the sources, to see that a test finds them."""

import os
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_SOURCES = ("CMakeLists.txt", "CMakePresets.json", "cmake", "include", "src", "tests", "docs/man")


def text_that_holds(file, right, root=ROOT):
    """The text of a source, which holds once what a bug is planted in the place of."""
    text = Path(root, file).read_text()
    assert text.count(right) == 1, f"{file} holds {text.count(right)} times: {right}"
    return text


class Copy:
    """A copy of what the library and its tests are built from, with build folders of its own."""

    def __init__(self, folder, also=()):
        self.root = Path(folder)
        for name in (*_SOURCES, *also):
            to = self.root / name
            to.parent.mkdir(parents=True, exist_ok=True)
            (shutil.copytree if (ROOT / name).is_dir() else shutil.copy)(ROOT / name, to)

    def configure(self, preset, *options):
        """Sets a preset's build folder up, and returns it."""
        _run(["cmake", "--preset", preset, "-DHAKMEM_BENCH=OFF", "-DHAKMEM_VARIANTS=", *options], self.root)
        return self.root / "build" / preset

    def build(self, preset, target):
        """Builds a target of a preset."""
        cores = str(len(os.sched_getaffinity(0)))
        _run(["cmake", "--build", f"build/{preset}", "--target", target, "-j", cores], self.root)

    @contextmanager
    def planted(self, file, right, wrong):
        """While the block runs, `file` holds the wrong text in the place of the right one."""
        path = self.root / file
        text = text_that_holds(file, right, self.root)
        path.write_text(text.replace(right, wrong))
        try:
            yield
        finally:
            path.write_text(text)


def _run(line, folder):
    done = subprocess.run(line, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]
