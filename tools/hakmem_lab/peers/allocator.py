"""An allocator as the lab runs it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hakmem_lab.errors import LabError

Say = Callable[[str], None]


@dataclass(frozen=True)
class Allocator:
    name: str
    library: Path | None  # None: the C library's own, nothing is preloaded
    version: str = ""
    settings: tuple[tuple[str, str], ...] = ()  # what its makers ask a program's environment for

    def environment(self) -> dict[str, str]:
        """What makes a program run on it."""
        preload = {"LD_PRELOAD": str(self.library)} if self.library else {}
        return {**preload, **dict(self.settings)}

    def label(self) -> str:
        return f"{self.name} {self.version}".strip()

    def served(self, path: str) -> bool:
        """Whether `path`, the library that a program found malloc in, is this allocator."""
        if self.library is None:
            return Path(path).name.startswith(("libc.so", "libc-"))
        return Path(path).resolve() == self.library.resolve()


def subject(library: Path) -> Allocator:
    """The allocator under test."""
    if not library.is_file():
        raise LabError(f"{library} is missing: build it first with ./hakmem build")
    name = "hakmem" if library.name.startswith("libhakmem") else library.name
    return Allocator(name, library.absolute())


def glibc() -> Allocator:
    version = os.confstr("CS_GNU_LIBC_VERSION") or ""
    return Allocator("glibc", None, version.removeprefix("glibc "))


def by_path(path: str) -> Allocator:
    library = Path(path)
    if not library.is_file():
        raise LabError(f"the peer {path} is not a file")
    return Allocator(library.name, library.absolute())
