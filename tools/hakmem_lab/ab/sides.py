"""What A and B are: git revisions, libraries by path, or the current build with settings or a swapped box."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from hakmem_cli.layout import PLAIN
from hakmem_lab.ab import swaps
from hakmem_lab.ab.revisions import Repository, built
from hakmem_lab.errors import LabError

DEFAULT = "default"
WORKTREE = (".", "worktree")

_SETTING = re.compile(r"(HAKMEM_[A-Z0-9_]+)=([^,]*)")
HARNESS = "HAKMEM_BENCH_"


class Kind(Enum):
    REVISION = "revision"
    WORKTREE = "uncommitted tree"
    LIBRARY = "library"
    SETTINGS = "settings"
    SWAP = "swap"


# What the current build is compared with itself by.
OF_ONE_BUILD = (Kind.SETTINGS, Kind.SWAP)


@dataclass(frozen=True)
class Side:
    given: str  # as the user wrote it
    kind: Kind
    library: Path
    commit: str = ""  # none: the library is of no commit that we know
    settings: dict[str, str] = field(default_factory=dict)

    def label(self) -> str:
        if self.kind is not Kind.REVISION or self.commit.startswith(self.given):
            return self.given
        return f"{self.given} ({self.commit[:12]})"


@dataclass(frozen=True)
class Sources:
    """Where sides come from."""

    repository: Repository
    current: Path  # the library of the current build
    cache: Path  # where revisions are built
    say: Callable[[str], None]
    variant: str = PLAIN  # of the libraries of revisions and swaps


def kind_of(text: str) -> Kind:
    if text in WORKTREE:
        return Kind.WORKTREE
    if text == DEFAULT or "=" in text:
        return Kind.SETTINGS
    if text in swaps.names():
        return Kind.SWAP
    if ".so" in Path(text).name or text.startswith(("/", "./", "../")):
        return Kind.LIBRARY
    return Kind.REVISION


def settings_of(text: str) -> dict[str, str]:
    """`NAME=VALUE,NAME=VALUE` or `default`."""
    if text == DEFAULT:
        return {}
    settings = {}
    for part in text.split(","):
        found = _SETTING.fullmatch(part)
        if found is None:
            raise LabError(f"'{part}' is no setting: write HAKMEM_NAME=VALUE, several separated by commas")
        name, value = found.groups()
        if name in settings:
            raise LabError(f"{name} is set twice in '{text}'")
        if name.startswith(HARNESS):
            raise LabError(f"{name} changes the workload, not the library: choose a workload with --workload")
        settings[name] = value
    return settings


def resolve(first: str, second: str, sources: Sources) -> tuple[Side, Side]:
    kinds = {kind_of(first), kind_of(second)}
    of_one_build = kinds & set(OF_ONE_BUILD)
    settings = {text for text in (first, second) if kind_of(text) is Kind.SETTINGS and text != DEFAULT}
    if of_one_build and (kinds - of_one_build or (Kind.SWAP in kinds and settings)):
        raise LabError(
            f"'{first}' and '{second}' differ in two things: compare settings with other settings or with 'default', "
            "and a swap with another one or with 'default'"
        )
    # Both names are looked up before anything is built: a slip in the second is told at once.
    commits = {name: _commit(name, sources) for name in (first, second) if kind_of(name) is Kind.REVISION}
    return _side(first, commits, sources), _side(second, commits, sources)


def _commit(name: str, sources: Sources) -> str:
    commit = sources.repository.commit(name)
    if commit is None:
        known = "git log --all --oneline lists them; a library is given by its path; ./hakmem ab --help lists the swaps"
        raise LabError(f"there is no revision '{name}' ({known})")
    return commit


def _side(text: str, commits: dict[str, str], sources: Sources) -> Side:
    kind = kind_of(text)
    if kind is Kind.REVISION:
        commit = commits[text]
        return Side(text, kind, built(sources.repository, commit, sources.cache, sources.say, sources.variant), commit)
    if kind is Kind.LIBRARY:
        return Side(text, kind, _existing(Path(text), "check the path"))
    head = sources.repository.commit("HEAD") or ""
    if kind is Kind.SWAP:
        library = swaps.built(text, sources.repository.root, sources.cache, sources.say, sources.variant)
        return Side(text, kind, library, head)
    library = _existing(sources.current, "build it first with ./hakmem build")
    return Side(text, kind, library, head, settings_of(text) if kind is Kind.SETTINGS else {})


def _existing(library: Path, remedy: str) -> Path:
    if not library.is_file():
        raise LabError(f"the library {library} is missing: {remedy}")
    return library.resolve()
