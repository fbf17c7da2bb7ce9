"""Every command of docs/seeing.md that needs no program of its own is run here, and prints lines like those it shows."""

import os
import re
import shutil
import subprocess
import time

import pytest

from hakmem_inspect.heap import Heap
from hakmem_inspect.process import Process

# Of these the document shows what a server or a program with a leak did: tests of their own run such commands.
ELSEWHERE = re.compile(r"redis-server|pprof|\./server|--diff|^\(gdb\)")


def blocks(text):
    """Each console block, as (commands with their output lines)."""
    for block in re.findall(r"```console\n(.*?)```", text, re.DOTALL):
        parts = re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]
        yield [(part.split("\n")[0], [line for line in part.split("\n")[1:] if line.strip("… ")]) for part in parts]


class Shell:
    """Runs lines of the document, with what stands for its processes, addresses and files."""

    def __init__(self, root, folder):
        self.root, self.folder, self.service, self.running = root, folder, None, []
        self.environment = {**os.environ, "COLUMNS": "200"}

    def __call__(self, line):
        if line.endswith("&"):
            self.start(line.removesuffix("&"))
            return ""
        pid = str(self.service.pid) if self.service else ""
        line = line.replace("$!", pid).replace(" 8284 ", f" {pid} ")
        if " core " in line:
            self.snapshot()
            line = re.sub(r"0x[0-9a-f]+", self.address, line)
        line = re.sub(r"/tmp/|\b\w+\.html|(?<= )(before|after|core)(?= |$)", self.file, line)
        done = subprocess.run(
            ["bash", "-c", line], cwd=self.root, env=self.environment, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
        return done.stdout + done.stderr

    def file(self, found):
        return f"{self.folder}/" if found[0] == "/tmp/" else f"{self.folder}/{found[0]}"

    def start(self, line):
        child = subprocess.Popen(
            ["bash", "-c", f"exec env {line}"],
            cwd=self.root, env=self.environment, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        self.running.append(child)
        assert child.stdout.readline() == "ready\n"
        self.service = child

    def snapshot(self):
        """In the place of a core file."""
        line = ["./hakmem", "snapshot", str(self.service.pid), "-o", f"{self.folder}/core"]
        assert subprocess.run(line, cwd=self.root, env=self.environment, capture_output=True).returncode == 0
        self.address = hex(next(Heap(Process(self.service.pid)).slabs).start)

    def end(self):
        for child in self.running:
            child.kill()
            child.wait()


@pytest.fixture
def shell(root, library, tmp_path):
    if not shutil.which("python3"):
        pytest.skip("python3 is not on the search path")
    one = Shell(root, tmp_path)
    yield one
    one.end()


def beginning(line):
    """What a line begins with, whatever its figures are."""
    return re.sub(r"0x[0-9a-f]+|/\S*/|[\d.,]+", "", line).split()[:1]


def test_the_commands_print_what_is_shown(root, shell, record_property):
    text = (root / "docs/seeing.md").read_text()
    ran = 0
    began = time.monotonic()
    for block in blocks(text):
        for line, shown in block:
            if ELSEWHERE.search(line):
                continue
            said = [beginning(one) for one in shell(line).splitlines()]
            for one in shown:
                assert beginning(one) in said, f"{line} prints no line like: {one}\n{said}"
            ran += 1
    record_property("note", f"{ran} commands in {time.monotonic() - began:.0f} s")
    assert ran >= 12


def test_the_pictures_are_there(root):
    text = (root / "docs/seeing.md").read_text()
    pictures = re.findall(r"!\[.*?\]\((.*?)\)", text)
    assert len(pictures) >= 3 and all((root / "docs" / one).stat().st_size < 100_000 for one in pictures)
