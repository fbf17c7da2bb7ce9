"""What nothing can be preloaded into is refused in one clear sentence."""

import os
import shutil
import struct
from pathlib import Path

import pytest

from hakmem_cli import program
from hakmem_cli.elf import Elf

TRUE = Path(os.path.realpath(shutil.which("true")))


@pytest.fixture
def refusal(hakmem):
    """Runs a program that must be refused; returns what was said, checked to be one line."""

    def run(path, status=2, **keywords):
        done = hakmem("run", "--", path, **keywords)
        assert (done.returncode, done.stdout) == (status, ""), done.stderr
        assert done.stderr.startswith("hakmem: ")
        assert done.stderr.count("\n") == 1
        return done.stderr

    return run


@pytest.fixture
def patched(tmp_path):
    """A copy of `true` with some bytes changed."""

    def make(offset, data, name="patched"):
        copy = tmp_path / name
        content = bytearray(TRUE.read_bytes())
        content[offset : offset + len(data)] = data
        copy.write_bytes(content)
        copy.chmod(0o755)
        return copy

    return make


@pytest.mark.parametrize("how", ["-static", "-static-pie"])
def test_statically_linked(refusal, compile_c, how):
    assert "statically linked" in refusal(compile_c("int main(void) { return 0; }", how))


def test_another_architecture(refusal, patched):
    assert "for s390, 64-bit" in refusal(patched(18, struct.pack("<H", 22)))


def test_another_word_size(refusal, compile_c):
    program = compile_c("int main(void) { return 0; }")
    content = bytearray(program.read_bytes()[:52])
    content[4] = 1  # 32-bit; its tables are read from offsets that now say: none
    content[16:52] = struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, 0, 0, 0, 0, 52, 32, 0, 40, 0, 0)
    program.write_bytes(content)
    assert "for i386, 32-bit" in refusal(program)


def test_another_c_library(refusal, patched, library):
    if Elf(library).libc != "glibc":
        pytest.skip("the library is not built for glibc")
    loader = TRUE.read_bytes().index(b"/ld-linux")
    assert "runs on musl" in refusal(patched(loader, b"/ld-musl-x.so.1\0"))


@pytest.mark.parametrize(("mode", "says"), [(0o4755, "setuid (to user 65534)"), (0o2755, "setgid (to group 65534)")])
def test_raised_privileges(refusal, patched, as_root, mode, says):
    copy = patched(0, b"")
    os.chown(copy, 65534, 65534)
    copy.chmod(mode)
    assert says in refusal(copy)


def test_setuid_to_the_caller_raises_nothing(hakmem, patched):
    copy = patched(0, b"")
    copy.chmod(0o4755)
    assert hakmem("run", "--", copy).returncode == 0


def test_a_script_is_judged_by_its_interpreter(refusal, hakmem, compile_c, tmp_path):
    interpreter = compile_c("int main(void) { return 0; }", "-static", name="interpreter")
    script = tmp_path / "script"
    for line in (f"#!{interpreter} -x", "#!/usr/bin/env interpreter", "#!/usr/bin/env -S A=1 interpreter -x"):
        script.write_text(line + "\n")
        script.chmod(0o755)
        environment = {**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"}
        assert "interpreter is statically linked" in refusal(script, env=environment)
    script.write_text("#! /bin/sh\necho it runs\n")
    assert hakmem("run", "--", script).stdout == "it runs\n"


def test_scripts_that_lead_nowhere(refusal, tmp_path):
    script = tmp_path / "script"
    for text, status, says in (
        (f"#!{script}\n", 126, "without end"),
        ("#!/no/such/interpreter\n", 127, "/no/such/interpreter does not exist"),
        ("#!\n", 126, "empty #! line"),
        ("echo hello\n", 126, "neither an ELF program nor a script"),
    ):
        script.write_text(text)
        script.chmod(0o755)
        assert says in refusal(script, status)


def test_what_is_no_program(refusal, tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("text")
    assert "command not found" in refusal("no-such-command", 127)
    assert "command not found" in refusal("./no/such/command", 127)
    assert "may not be executed" in refusal(plain, 126)
    assert "is a folder" in refusal(tmp_path, 126)
    assert "the command is empty" in refusal("", 127)


def test_a_damaged_program(refusal, tmp_path):
    damaged = tmp_path / "damaged"
    damaged.write_bytes(TRUE.read_bytes()[:40])
    damaged.chmod(0o755)
    assert "damaged program" in refusal(damaged, 126)


def test_the_search_passes_over_what_cannot_run(tmp_path):
    for folder, mode in (("first", 0o644), ("second", 0o755)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "tool").write_text("")
        (tmp_path / folder / "tool").chmod(mode)
    assert program.find("tool", f"{tmp_path}/first:{tmp_path}/second") == f"{tmp_path}/second/tool"


def test_reads_what_a_library_needs(library):
    about = Elf(library)
    assert about.interpreter is None
    assert about.libc in ("glibc", "musl")
    assert any(name.startswith("libc.") for name in about.needed)
