"""What cannot be looked at is refused with a sentence and a status: 2 where it is none, 3 where it cannot be read."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from hakmem_inspect import layout
from hakmem_inspect.errors import UNREADABLE, WRONG_TARGET, InspectError
from hakmem_inspect.heap import Heap
from hakmem_inspect.memory import Memory
from hakmem_inspect.target import open_memory
from hakmem_inspect.where import parse_address


def refusal(target):
    with pytest.raises(InspectError) as error:
        Heap(open_memory(str(target)))
    return error.value


def test_no_such_process():
    error = refusal(2**22 + 12345)
    assert error.status == WRONG_TARGET and re.match(r"there is no process \d+", error.what)


@pytest.mark.parametrize("text", ["0", "99999999999999999999", "nothing-of-this-name", "/", __file__])
def test_no_target_at_all(text):
    assert refusal(text).status == WRONG_TARGET


def test_a_process_that_does_not_run_on_hakmem():
    child = subprocess.Popen(["sleep", "60"], env={})
    error = refusal(child.pid)
    child.kill()
    assert error.status == UNREADABLE and "does not run on hakmem" in error.what and "./hakmem run" in error.remedy


def test_a_process_that_has_ended(start):
    program = start("known_blocks")
    memory = open_memory(str(program.pid))
    program.process.kill()
    os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)
    assert "there is no process" in refusal(program.pid).what  # though its parent has not asked for its status
    program.process.wait()
    with pytest.raises(InspectError, match="there is no process"):
        Heap(memory)


@pytest.mark.skipif(os.geteuid() != 0, reason="needs root, to become another user")
def test_a_process_of_another_user(plain_standing, root_free_tools):
    code = (
        "import os, sys\n"
        "os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
        f"sys.path.insert(0, {str(root_free_tools)!r})\n"
        "from hakmem_inspect.errors import InspectError\n"
        "from hakmem_inspect.heap import Heap\n"
        "from hakmem_inspect.target import open_memory\n"
        "try:\n"
        f"    Heap(open_memory('{plain_standing.pid}'))\n"
        "except InspectError as error:\n"
        "    print(error.status, error)\n"
    )
    python = shutil.which("python3", path="/usr/bin:/bin")  # one that every user may run
    if python is None:
        pytest.skip("the system has no python3")
    done = subprocess.run([python, "-c", code], capture_output=True, text=True, cwd="/", check=False)
    assert done.stdout.startswith(f"{UNREADABLE} process {plain_standing.pid} may not be read by this user"), done


@pytest.fixture
def root_free_tools(tmp_path):
    """The reader where every user may read it."""
    folder = Path(tempfile.mkdtemp(prefix="hakmem-inspect-"))
    folder.chmod(0o755)
    shutil.copytree(Path(layout.__file__).parent, folder / "hakmem_inspect")
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("text", ["nonsense", "-1", "0x1ffffffffffffffff", ""])
def test_no_address(text):
    with pytest.raises(InspectError, match="is no address"):
        parse_address(text)


@pytest.mark.parametrize("text, number", [("0x10", 16), ("16", 16), ("7fab", 0x7FAB)])
def test_an_address(text, number):
    assert parse_address(text) == number


@pytest.mark.parametrize(
    "words, status, sentence",
    [
        (("where", "999999999", "0x10"), 2, "there is no process 999999999"),
        (("where", "1"), 2, "Missing argument"),
        (("top", "README.md"), 2, "README.md is neither a core file nor a snapshot"),
        (("snapshot", "1", "-o", "/nowhere/file"), None, ""),
    ],
)
def test_the_commands_say_so(command, root, words, status, sentence):
    done = command(*words, cwd=root)
    assert done.returncode in ((2, 3) if status is None else (status,)), done
    assert sentence in done.stderr and "Traceback" not in done.stderr


@pytest.fixture(scope="module")
def root(request):
    return request.config.rootpath


# ---- the table of layout


class Bytes(Memory):
    """A memory that is one range."""

    def __init__(self, at, data):
        self.layout_at, self._data = at, data

    def read(self, address, size):
        return self._data[address - self.layout_at :][:size]


def test_a_library_with_another_layout(plain_standing):
    heap = plain_standing.heap()
    data = bytearray(heap.memory.read(heap.layout.address, heap.layout.bytes))
    data[16] = layout.VERSION + 1
    told = f"has layout {layout.VERSION + 1}, this tool reads {layout.VERSION}: use the tool of"
    with pytest.raises(InspectError, match=told) as error:
        layout.find(Bytes(heap.layout.address, bytes(data)))
    assert error.value.status == UNREADABLE


def test_the_reader_has_the_names_of_the_table(root):
    text = (root / "src/report/layout.def").read_text()
    assert re.findall(r"^ROOT\((\w+),", text, re.MULTILINE) == layout.ROOTS
    assert re.findall(r"^NUMBER\((\w+),", text, re.MULTILINE) == layout.NUMBERS
    version = re.search(r"LAYOUT_VERSION = (\d+)", (root / "src/report/layout.h").read_text())
    assert int(version[1]) == layout.VERSION


def test_a_stripped_library_under_another_name(start, library, tmp_path, compiled, plain, tool):
    stripped = tmp_path / "other-name.so"
    assert plain([tool("strip"), "-s", "-o", stripped, library]).code == 0
    child = subprocess.Popen(
        [compiled("known_blocks")],
        env={"LD_PRELOAD": str(stripped)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    while child.stdout.readline() not in ("ready\n", ""):
        pass
    stripped.unlink()
    heap = Heap(open_memory(str(child.pid)))
    child.kill()
    child.wait()
    assert heap.layout.variant == "release" and len(heap.superslabs) > 0


def test_a_stripped_program_with_the_library_linked_into_it(library, plain, tool, tmp_path):
    program = tmp_path / "program"
    source = Path(__file__).with_name("churn.c")
    static = library.with_name("libhakmem.a")
    line = [tool("cc"), "-std=gnu17", "-O1", "-fno-builtin", "-s", source, static, "-pthread", "-o", program]
    done = plain(line)
    assert done.code == 0, done.err
    child = subprocess.Popen([program], env={}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    child.stdout.readline()
    heap = Heap(open_memory(str(child.pid)))
    child.kill()
    child.wait()
    assert len(heap.superslabs) > 0 and any(slab.live for slab in heap.slabs)
