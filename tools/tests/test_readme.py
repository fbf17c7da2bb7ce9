"""Every command of the README does what the README says: each is run here, or is what CI itself runs."""

import os
import re
import shlex
import subprocess
import sys

import pytest

PROGRAM = "#include <hakmem.h>\nint main(void) { void *block = hak_malloc(100); hak_free(block); return block == 0; }\n"
# Waits; prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY) lets others read it, where the system allows that to ancestors alone.
READABLE = "import ctypes; ctypes.CDLL(None).prctl(0x59616D61, ctypes.c_ulong(-1)); input()"


def commands(text):
    """The lines of the README's shell blocks."""
    for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        yield from block.strip().splitlines()


def shorter(line, folder):
    """A measurement of the README, as long as a test may take."""
    if line.startswith("./hakmem bench accept"):
        return f"{line} --quick"
    if line.startswith("./hakmem bench board"):
        return line.replace("board", "board hello waves-25") + f" --peer glibc --pairs 3 --report {folder}/board.html"
    if line.startswith("./hakmem cores"):
        return f"{line} --quick --runs 1 --cores 1,2"
    assert line.startswith("./hakmem ab"), f"how is {line} made shorter?"
    return f"{line} --workload random-mixed-400 --budget 5"


@pytest.fixture(scope="module")
def readme():
    from hakmem_cli import layout

    return open(os.path.join(layout.ROOT, "README.md"), encoding="utf-8").read()


@pytest.fixture(scope="module")
def shell(library, root, tmp_path_factory):
    """Runs one line of the README from the checkout, installing below a prefix of the test's own."""
    prefix = tmp_path_factory.mktemp("usr_local")
    seen = tmp_path_factory.mktemp("seen")
    program = subprocess.Popen(
        [sys.executable, "-c", READABLE], env={**os.environ, "LD_PRELOAD": str(library)}, stdin=subprocess.PIPE
    )
    project = tmp_path_factory.mktemp("project")
    (project / "program.c").write_text(PROGRAM)

    def run(line, statuses=(0,)):
        line = line.replace("/usr/local", str(prefix)).replace("COMMAND ARGUMENTS", "echo a b").replace("COMMAND", "true")
        line = line.replace(" PID", f" {program.pid}").replace(" ADDRESS", " 0x7f0012345678")
        line = re.sub(r"([ =])(\w+\.(html|snapshot|pb\.gz))", rf"\1{seen}/\2", line)
        line = line.replace("cc program.c -o program", f"cc {project}/program.c -o {project}/program")
        found = [str(folder) for folder in prefix.rglob("pkgconfig")]
        environment = {**os.environ, "PKG_CONFIG_PATH": ":".join(found)}
        done = subprocess.run(
            ["bash", "-c", line],
            cwd=root,
            env=environment,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            timeout=900,  # the first measurement builds the peers
        )
        assert done.returncode in statuses, f"{line}: {done.stdout}{done.stderr}"
        return done

    yield run
    program.kill()
    program.wait()


def test_every_command_works(readme, shell, root, tmp_path):
    lines = list(commands(readme))
    assert lines[:2] == ["./hakmem run -- python3 -c 'print(6*7)'", "./hakmem test"]
    for line in lines:
        if line == "./hakmem test":
            assert line in (root / ".ci/run").read_text()
        elif line.startswith(("./hakmem bench", "./hakmem cores", "./hakmem ab")):
            shell(shorter(line, tmp_path), statuses=(0, 1, 3))  # short runs on a busy machine may miss a target
        else:
            shell(line)


def test_the_first_command_prints_42_and_hakmem_served_it(shell):
    done = shell("HAKMEM_VERBOSE=1 ./hakmem run -- python3 -c 'print(6*7)'")
    assert done.stdout == "42\n"
    assert int(re.search(r"slabs_bound=(\d+)", done.stderr).group(1)) > 0


def test_every_option_is_in_the_table(readme, root):
    declared = re.findall(r'"(HAKMEM_\w+)"', (root / "src/config/options.def").read_text())
    assert declared and all(f"`{name}`" in readme for name in declared)


def test_every_local_link_leads_somewhere(readme, root):
    links = re.findall(r"\]\(([^)#:]+)\)", readme)
    assert links and all((root / link).exists() for link in links)


def test_shell_words_are_whole(readme):
    assert all(shlex.split(line) for line in commands(readme))
