"""What a machine lacks is installed where it can be, and named where it cannot."""

import subprocess

import pytest
from typer.testing import CliRunner

from hakmem_cli import app, needs
from hakmem_cli.message import Refusal
from hakmem_cli.needs import Need

GONE = Need("no-such-tool", "the test", commands=("no-such-tool",))
WISHED = Need("no-such-wish", "the test", commands=("no-such-wish",), required=False)
THERE = Need("bash", "the test", commands=("sh",))


@pytest.fixture
def machine(monkeypatch):
    """A machine that lacks two packages; returns the apt-get command lines that were run."""
    lines = []

    def run(line, **_):
        lines.append(line)
        return subprocess.CompletedProcess(line, 100)

    monkeypatch.setitem(needs.OF_COMMAND, "try", (THERE, GONE, WISHED))
    monkeypatch.setattr(needs.subprocess, "run", run)
    monkeypatch.setattr(needs.shutil, "which", lambda name, path=None: None if name.startswith("no-such") else name)
    return lines


def test_without_root_the_command_to_type_is_named(machine, monkeypatch):
    monkeypatch.setattr(needs.os, "geteuid", lambda: 1000)
    with pytest.raises(Refusal) as refused:
        needs.ensure("try")
    assert str(refused.value) == (
        "no-such-tool (for the test) cannot be found. Install it: sudo apt-get install no-such-tool."
    )
    assert machine == []


def test_what_is_only_wished_for_is_told_of(machine, monkeypatch, capsys):
    monkeypatch.setattr(needs.os, "geteuid", lambda: 1000)
    monkeypatch.setitem(needs.OF_COMMAND, "try", (THERE, WISHED))
    needs.ensure("try")
    said = capsys.readouterr().err
    assert "left out for want of no-such-wish" in said
    assert "sudo apt-get install no-such-wish" in said


def test_root_installs_what_is_missing_and_updates_the_lists_only_then(machine, monkeypatch, capsys):
    monkeypatch.setattr(needs.os, "geteuid", lambda: 0)
    with pytest.raises(Refusal):
        needs.ensure("try")
    actions = [(line[3], [word for word in line[4:] if not word.startswith("-")]) for line in machine]
    assert actions == [
        ("install", ["no-such-tool", "no-such-wish"]),
        ("update", []),
        ("install", ["no-such-tool", "no-such-wish"]),
        ("install", ["no-such-tool"]),
        ("install", ["no-such-wish"]),
    ]
    assert capsys.readouterr().err.startswith(
        "hakmem: installing no-such-tool, no-such-wish (for the test) by apt-get\n"
    )


def test_a_package_that_a_newer_debian_has_by_another_name_is_installed_by_that(machine, monkeypatch):
    renamed = Need("no-such-wish2.0", "the test", commands=("no-such-wish",), required=False, newer="no-such-wish3")
    monkeypatch.setattr(needs.os, "geteuid", lambda: 0)
    monkeypatch.setitem(needs.OF_COMMAND, "try", (THERE, renamed))
    needs.ensure("try")
    assert [line[-1] for line in machine[-2:]] == ["no-such-wish2.0", "no-such-wish3"]


def test_tests_of_cpython_may_be_a_file_or_a_folder(tmp_path, monkeypatch):
    (tmp_path / "test/test_folder").mkdir(parents=True)
    (tmp_path / "test/test_file.py").touch()
    monkeypatch.setattr(needs.sysconfig, "get_path", lambda _: str(tmp_path))
    monkeypatch.setattr(needs.shutil, "which", lambda name, path=None: name)
    for module, is_there in (("test_folder", True), ("test_file", True), ("test_none", False)):
        assert needs._python_tests(module).met() == is_there


def test_nothing_is_done_where_nothing_is_missing(machine, monkeypatch, capsys):
    monkeypatch.setitem(needs.OF_COMMAND, "try", (THERE,))
    needs.ensure("try")
    assert machine == []
    assert capsys.readouterr().err == ""


def test_what_only_all_tests_need_is_installed_for_them_alone(monkeypatch):
    asked = []
    monkeypatch.setattr(app.needs, "ensure", asked.append)
    monkeypatch.setattr(app.testing, "run", lambda **_: 0)
    for arguments in (["test"], ["test", "--all"]):
        assert CliRunner().invoke(app.app, arguments).exit_code == 0
    assert asked == ["test --all"]
    assert {"postgresql", "nodejs"} <= {need.package for need in needs.OF_COMMAND["test --all"] if not need.required}
