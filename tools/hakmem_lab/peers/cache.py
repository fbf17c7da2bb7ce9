"""What was built, kept for every later call: one folder a library, which is either whole or not there."""

from __future__ import annotations

import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from hakmem_lab.peers.allocator import Say
from hakmem_lab.peers.recipes import Recipe

_DESCRIPTION = "peer.json"


@dataclass(frozen=True)
class Entry:
    """A library in the cache."""

    name: str
    version: str  # the allocator's own
    crate: str
    crate_version: str
    library: str  # the file's name
    recipe: str  # its digest
    built: float  # seconds since the epoch


def root() -> Path:
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "hakmem" / "peers"


def log_of(name: str) -> Path:
    folder = root() / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{name}.log"


def find(name: str, recipe: Recipe) -> tuple[Path, Entry] | None:
    """The library that this recipe built last, and what is known of it."""
    found = []
    for folder in root().glob(f"{name}-*-{recipe.digest()}"):
        entry = _read(folder / _DESCRIPTION)
        if entry and entry.name == name and (folder / entry.library).is_file():
            found.append((entry.built, folder / entry.library, entry))
    if not found:
        return None
    _, library, entry = max(found, key=lambda one: one[0])
    return library, entry


def _read(description: Path) -> Entry | None:
    try:
        return Entry(**json.loads(description.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def keep(library: Path, entry: Entry) -> Path:
    """Takes a library in; its new place. The folder appears in one step, so that no call sees half of it."""
    place = root() / f"{entry.name}-{entry.crate_version}-{entry.recipe}"
    whole = library.parent / "entry"
    whole.mkdir()
    shutil.copy2(library, whole / entry.library)
    (whole / _DESCRIPTION).write_text(json.dumps(asdict(entry), indent=2) + "\n", encoding="utf-8")
    shutil.rmtree(place, ignore_errors=True)
    whole.rename(place)
    return place / entry.library


@contextmanager
def workshop(name: str) -> Iterator[Path]:
    """A folder to build a peer in under its lock, on the file system of the cache; gone afterwards whatever happens."""
    folder = root() / f".building-{name}"
    shutil.rmtree(folder, ignore_errors=True)  # of a call that was killed
    folder.mkdir()
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def locked(name: str, say: Say) -> Iterator[None]:
    """One call at a time builds the peer of that name, whichever checkout it comes from."""
    root().mkdir(parents=True, exist_ok=True)
    with (root() / f".{name}.lock").open("w", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say(f"waiting for another call that is building {name}")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
