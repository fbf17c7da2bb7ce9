"""The library is rebuilt when, and only when, something it is made of changed; every toolchain builds it."""

import os
import shutil
import subprocess
import time

import pytest

from hakmem_cli import build, freshness, layout
from hakmem_cli.message import Refusal

BUILD_TREE = ("CMakeLists.txt", "CMakePresets.json", "cmake", "include", "src", "bench", "tests/misuse/matrix")
BUILD_TREE += ("tools/hakmem_inspect", "docs/man")


@pytest.fixture
def copy(root, tmp_path, monkeypatch):
    """A copy of what the library is built from, which the build now works on."""
    for name in BUILD_TREE:
        (shutil.copytree if (root / name).is_dir() else shutil.copy)(root / name, _parent_of(tmp_path / name))
    monkeypatch.setattr(layout, "ROOT", str(tmp_path))
    monkeypatch.setattr(layout, "BUILD", str(tmp_path / "build"))
    return tmp_path


def _parent_of(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    return path


def test_a_change_makes_the_library_old(copy):
    assert not freshness.up_to_date("release")
    os.makedirs(os.path.dirname(layout.library("release")))
    os.makedirs(layout.build_dir("release"))
    open(layout.library("release"), "w").close()
    freshness.mark("release", time.time_ns())
    assert freshness.up_to_date("release")
    for change in (
        lambda: os.utime(copy / "include/hakmem.h"),
        lambda: os.utime(copy / "CMakeLists.txt"),
        lambda: (copy / "src/api/new.c").touch(),
        lambda: (copy / "src/api/new.c").unlink(),
    ):
        time.sleep(0.02)  # file systems tell times apart by ticks
        freshness.mark("release", time.time_ns())
        assert freshness.up_to_date("release")
        time.sleep(0.02)
        change()
        assert not freshness.up_to_date("release")


def test_a_compiler_error_is_shown_with_the_way_on(copy, capfd):
    (copy / "src/api/broken.c").write_text("#error this must be seen\n")
    with pytest.raises(Refusal, match="the compiler's message is above") as refused:
        build.library_for_run("release")
    assert refused.value.status == 1
    assert "this must be seen" in capfd.readouterr().err


def test_a_build_folder_of_another_place_is_started_afresh(copy, capfd):
    build.configure("release", tests=False)
    cache = copy / "build/release/CMakeCache.txt"
    cache.write_text(cache.read_text().replace(str(copy), "/elsewhere"))
    build.configure("release", tests=False)
    assert "starting it afresh" in capfd.readouterr().err
    assert "/elsewhere" not in cache.read_text()


@pytest.mark.parametrize("compiler", ["clang", "musl-gcc"])
def test_builds_without_a_warning_with(copy, monkeypatch, compiler):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    monkeypatch.setenv("CC", compiler)
    build.library_for_run("release")
    assert os.path.exists(layout.library("release"))


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["asan", "tsan"])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_sanitizers_build_with_either_compiler(copy, monkeypatch, preset, compiler):
    if shutil.which(compiler) is None:
        pytest.skip(f"{compiler} is not installed")
    monkeypatch.setenv("CC", compiler)
    build.library_for_run(preset)
    symbols = subprocess.run(["nm", "-D", "--defined-only", layout.library(preset)], capture_output=True, text=True)
    names = {line.split()[-1] for line in symbols.stdout.splitlines()}
    assert "hak_malloc" in names
    assert "malloc" not in names
