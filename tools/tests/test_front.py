"""The front door: help, version, and errors that say what to do."""

import os
import re
import shutil
import subprocess

import pytest

from hakmem_cli import app, help, layout
from hakmem_cli.testing import ctest, pytests


def test_version_is_the_headers(hakmem, root):
    major, minor, patch = (
        re.search(rf"HAKMEM_VERSION_{part} (\d+)", (root / "include/hakmem.h").read_text())[1]
        for part in ("MAJOR", "MINOR", "PATCH")
    )
    assert hakmem("--version").stdout == f"hakmem {major}.{minor}.{patch}\n"
    assert layout.version() == f"{major}.{minor}.{patch}"


def test_help_names_every_command(hakmem):
    done = hakmem("--help")
    assert done.returncode == 0
    for command in ("build", "run", "test", "bench", "ab", "hot", "stat", "cores", "analysis", "profile", "misuse"):
        assert re.search(rf"^  {command} +[A-Z]", done.stdout, re.M)


@pytest.fixture(scope="module")
def bare(tmp_path_factory, root):
    """Calls a checkout that has no Python environment and cannot get one."""
    checkout = tmp_path_factory.mktemp("bare") / "checkout"
    for name in ("include", "tools/hakmem_cli"):
        shutil.copytree(root / name, checkout / name)
    shutil.copy2(root / "hakmem", checkout)

    def call(*arguments):
        environment = {**os.environ, "PIP_INDEX_URL": "http://127.0.0.1:9/", "PIP_RETRIES": "0"}
        line = [str(checkout / "hakmem"), *arguments]
        return subprocess.run(line, capture_output=True, text=True, timeout=60, env=environment, check=False)

    yield call
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize("flag", ["--help", "-h"])
@pytest.mark.parametrize("command", help.commands())
def test_every_command_has_help_on_a_bare_machine(bare, command, flag):
    done = bare(command, flag)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"Usage: ./hakmem {command} ")
    assert re.search(r"^  [A-Z][^.]+\.$", done.stdout.splitlines()[2]), "one sentence says what it is for"


def test_the_help_of_all_needs_nothing_either(bare):
    assert bare("--help").stdout == help.text()
    assert (bare().returncode, bare("tset", "--help").returncode) == (2, 2)
    assert "there is no command 'tset'. Did you mean ./hakmem test?" in bare("tset", "--help").stderr


def test_the_texts_are_what_the_commands_say_of_themselves():
    """To write them anew: PYTHONPATH=tools .venv/bin/python -m hakmem_cli.help"""
    assert help.commands() == sorted(app.command_names())
    for command in ("", *app.command_names()):
        assert help.text(command) == app.help_text(command), command or "all"


def test_no_text_is_in_another_style():
    for command in ("", *help.commands()):
        text = help.text(command)
        assert not re.search(r"[╭│╰\x1b]|\[/?(bold|cyan)", text)
        assert all(len(line) <= help.WIDTH for line in text.splitlines())


def test_help_after_a_program_is_the_programs(hakmem):
    assert "Usage: ls" in hakmem("run", "ls", "--help").stdout
    assert "Usage: ls" in hakmem("run", "--", "ls", "--help").stdout
    for words in (["--help"], ["--observe", "-h"], ["--preset", "debug", "--help"]):
        assert hakmem("run", *words).stdout == help.text("run")


# ---- a checkout that one may not write to


def test_a_checkout_of_somebody_else_is_refused_with_a_sentence(root, tmp_path, as_root):
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    for name in ("src", "include", "cmake", "tools", "hakmem", "CMakeLists.txt", "CMakePresets.json"):
        (shutil.copytree if (root / name).is_dir() else shutil.copy2)(root / name, checkout / name)
    for folder in [tmp_path, *tmp_path.parents[:-2]]:
        folder.chmod(0o755)
    for command in (["run", "--", "true"], ["build"], ["test"], ["top"]):
        line = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", str(checkout / "hakmem"), *command]
        done = subprocess.run(line, capture_output=True, text=True, timeout=60, cwd="/", check=False)
        assert done.returncode == 2, done
        assert "Traceback" not in done.stderr
        assert "cannot be built in" in done.stderr or "cannot be written" in done.stderr
        assert f"git clone {checkout} FOLDER" in done.stderr


def test_a_filter_that_fits_no_test_is_told_before_anything_is_built(hakmem):
    done = hakmem("test", "-k", "no" + "suchthing")
    assert done.returncode == 1
    assert "No test's name contains 'nosuchthing'. Nothing was built." in done.stdout
    assert "building" not in done.stdout
    assert done.stdout.endswith("0 passed, 0 failed\n")


@pytest.mark.parametrize("pattern", ["SlabTest", "unit.Slab", "sweep.onward.3_threads.stride_1", "test_front"])
def test_a_filter_that_fits_some_is_not_refused(pattern):
    assert ctest.may_name(pattern) or any(suite.has_any() for suite in pytests.suites(False, pattern))


def test_no_command_shows_the_help(hakmem):
    done = hakmem()
    assert done.returncode == 2
    assert "Commands" in done.stdout


def test_a_misspelt_command_is_told_the_nearest(hakmem):
    done = hakmem("tset")
    assert done.returncode == 2
    assert "there is no command 'tset'" in done.stderr
    assert "Did you mean ./hakmem test?" in done.stderr


@pytest.mark.parametrize("arguments", [["build", "--preset", "fast"], ["build", "--fast"], ["test", "extra"]])
def test_wrong_use_names_the_help(hakmem, arguments):
    done = hakmem(*arguments)
    assert done.returncode == 2
    assert f"./hakmem {arguments[0]} --help" in done.stderr
