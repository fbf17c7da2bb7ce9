"""The files of src/, with what each of them includes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath

_INCLUDE = re.compile(r"[ \t]*#[ \t]*include[ \t]*[\"<]([^\">]+)[\">]")
_SUFFIXES = (".c", ".h", ".def")


@dataclass(frozen=True)
class Include:
    line: int
    name: str  # as it is written


@dataclass(frozen=True)
class Source:
    path: str  # below src/, as an include would name it
    text: str

    @cached_property
    def folder(self) -> str:
        """The name of its floor."""
        return PurePosixPath(self.path).parts[0]

    @cached_property
    def name(self) -> str:
        return PurePosixPath(self.path).name

    @cached_property
    def suffix(self) -> str:
        return PurePosixPath(self.path).suffix

    @cached_property
    def box(self) -> str:
        """Its path without the suffix: a header and its .c are one box."""
        return str(PurePosixPath(self.path).with_suffix(""))

    @cached_property
    def lines(self) -> int:
        return len(self.text.splitlines())

    @cached_property
    def includes(self) -> list[Include]:
        found = ((number, _INCLUDE.match(line)) for number, line in enumerate(self.text.splitlines(), 1))
        return [Include(number, match[1]) for number, match in found if match]


def read(src: Path) -> dict[str, Source]:
    """Every source file by its path below src/, in the order of the names."""
    paths = sorted(path.relative_to(src).as_posix() for path in src.rglob("*") if path.suffix in _SUFFIXES)
    return {path: Source(path, (src / path).read_text()) for path in paths}
