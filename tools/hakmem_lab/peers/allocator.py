"""An allocator as the lab runs it."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from elftools.common.exceptions import ELFError
from elftools.elf.elffile import ELFFile

from hakmem_cli.plain_path import plain
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
        preload = {"LD_PRELOAD": plain(str(self.library))} if self.library else {}
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


def _refuse_what_is_none(library: Path) -> None:
    """A file that is no shared library with a malloc and a free would be preloaded in vain."""
    try:
        with library.open("rb") as file:
            elf = ELFFile(file)
            if elf.header["e_type"] != "ET_DYN":
                raise LabError(f"the peer {library} is no shared library: it is an ELF file of type {elf.header['e_type']}")
            table = elf.get_section_by_name(".dynsym")
            symbols = table.iter_symbols() if table else ()
            names = {one.name for one in symbols if one.entry["st_shndx"] != "SHN_UNDEF"}
    except ELFError:
        raise LabError(f"the peer {library} is no shared library: it is no ELF file") from None
    except OSError as error:
        raise LabError(f"the peer {library} cannot be read: {error.strerror}") from None
    lacking = [name for name in ("malloc", "free") if name not in names]
    if lacking:
        raise LabError(f"the peer {library} is no allocator: it defines no {' and no '.join(lacking)}")


def by_path(path: str) -> Allocator:
    library = Path(path)
    if not library.is_file():
        raise LabError(f"the peer {path} is not a file")
    _refuse_what_is_none(library)
    return Allocator(library.name, library.absolute())
