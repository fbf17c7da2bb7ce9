"""The library of a git revision, built apart: its own tree, its own release flags, one library alone; once a commit."""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hakmem_cli.layout import PLAIN, library_name
from hakmem_lab.errors import LabError

_SWITCHES = ("-DHAKMEM_TESTS=OFF", "-DHAKMEM_BENCH=OFF", "-DHAKMEM_WERROR=OFF")
_SHOWN_LINES = 12
_COMPILER_NOTE = "compiler"


@dataclass(frozen=True)
class Repository:
    root: Path

    def _git(self, *arguments: str) -> subprocess.CompletedProcess:
        command = ["git", "-C", str(self.root), *arguments]
        try:
            return subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise LabError("git is needed to compare revisions and is not installed (apt-get install git)") from None

    def commit(self, name: str) -> str | None:
        """The commit that a name stands for."""
        done = self._git("rev-parse", "--verify", "--quiet", "--end-of-options", f"{name}^{{commit}}")
        return done.stdout.strip() if done.returncode == 0 else None

    def uncommitted(self, besides: str) -> list[str]:
        """The changed files that are in no commit, one excepted."""
        done = self._git("status", "--porcelain", "--untracked-files=all")
        if done.returncode != 0:
            raise LabError(f"git cannot tell what is committed: {done.stderr.strip()}")
        names = [line[3:] for line in done.stdout.splitlines()]
        return [name for name in names if name != besides]

    def extract(self, commit: str, folder: Path) -> None:
        packed = folder / "tree.tar"
        done = self._git("archive", f"--output={packed}", commit)
        if done.returncode != 0:
            raise LabError(f"git cannot give the tree of {commit}: {done.stderr.strip()}")
        with tarfile.open(packed) as tar:
            tar.extractall(folder / "tree", filter="data")
        packed.unlink()


def apart(name: str, variant: str) -> str:
    """The name of a folder for a variant, where the release library has `name`."""
    return f"{name}-{variant}" if variant else name


def built(
    repository: Repository, commit: str, cache: Path, say: Callable[[str], None], variant: str = PLAIN
) -> Path:
    """The library of this commit, from the cache where this compiler built it before."""
    kept = cache / apart(commit, variant) / library_name(variant)
    note = kept.with_name(_COMPILER_NOTE)
    compiler = _compiler()
    if kept.is_file() and note.is_file() and note.read_text(encoding="utf-8") == compiler:
        return kept
    say(f"building {commit[:12]}")
    kept.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache, prefix="building-") as folder:
        repository.extract(commit, Path(folder))
        library = _build(Path(folder) / "tree", commit, variant)
        fresh = kept.with_name(f"{kept.name}.{os.getpid()}")
        shutil.copy(library, fresh)
        note.write_text(compiler, encoding="utf-8")
        fresh.replace(kept)  # in one step: another call sees the whole library or none
    return kept


def _compiler() -> str:
    """What the build would differ by: compilers that are not the same make libraries that cannot be compared."""
    flags = {name: os.environ.get(name, "") for name in ("CC", "CFLAGS", "LDFLAGS")}
    try:
        version = subprocess.run([flags["CC"] or "cc", "--version"], capture_output=True, text=True, check=False).stdout
    except OSError:
        version = ""
    return f"{version.strip()}\n{flags}\n"


def _build(tree: Path, commit: str, variant: str = PLAIN) -> Path:
    return build_library(tree, tree / "build", f"revision {commit[:12]}", variant)


def build_library(tree: Path, output: Path, what: str, variant: str, *more: str) -> Path:
    """One library alone, of this tree, by its own release preset; further arguments are CMake's."""
    switches = (f"-DHAKMEM_LIB_DIR={output}", f"-DHAKMEM_VARIANTS={variant}", *_SWITCHES, *more)
    _step(["cmake", "--preset", "release", "-B", str(output), *switches], tree, what)
    _step(["cmake", "--build", str(output), "--target", f"hakmem_{variant}" if variant else "hakmem"], tree, what)
    library = output / library_name(variant)
    if not library.is_file():
        raise LabError(f"{what} builds, but makes no {library_name(variant)}")
    return library


def _step(command: list[str], tree: Path, what: str) -> None:
    try:
        done = subprocess.run(command, cwd=tree, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise LabError("cmake is needed to build revisions and is not installed (apt-get install cmake)") from None
    if done.returncode != 0:
        last = (done.stdout + done.stderr).strip().splitlines()[-_SHOWN_LINES:]
        raise LabError("\n  ".join([f"{what} does not build; the last lines were:", *last]))
