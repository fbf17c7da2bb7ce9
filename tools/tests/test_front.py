"""The front door: help, version, and errors that say what to do."""

import re

import pytest

from hakmem_cli import layout


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
    for command in ("build", "run", "test", "bench", "ab", "hot", "stat", "analysis", "misuse"):
        assert re.search(rf"^. {command} ", done.stdout, re.M)


@pytest.mark.parametrize("command", ["build", "run", "test"])
def test_every_command_has_help(hakmem, command):
    done = hakmem(command, "--help")
    assert done.returncode == 0
    assert f"./hakmem {command}" in done.stdout


def test_no_command_shows_the_help(hakmem):
    done = hakmem()
    assert done.returncode == 2
    assert "Commands" in done.stdout + done.stderr


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
