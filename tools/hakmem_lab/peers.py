"""The allocators: hakmem's own library, and its peers as this machine has them."""

from __future__ import annotations

import difflib
import os
import shutil
import subprocess
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

    def label(self) -> str:
        return f"{self.name} {self.version}".strip()

    def served(self, path: str) -> bool:
        """Whether `path`, the library that a program found malloc in, is this allocator."""
        if self.library is None:
            return Path(path).name.startswith(("libc.so", "libc-"))
        return Path(path).resolve() == self.library.resolve()


@dataclass(frozen=True)
class KnownPeer:
    patterns: tuple[str, ...]  # file names to look for, the preferred first
    package: str  # Debian's
    may_install: bool  # the acceptance needs it


_KNOWN = {
    "jemalloc": KnownPeer(("libjemalloc.so.2",), "libjemalloc2", True),
    "mimalloc": KnownPeer(("libmimalloc.so.2*", "libmimalloc.so.3*"), "libmimalloc2.0", True),
    "tcmalloc": KnownPeer(("libtcmalloc_minimal.so.4",), "libtcmalloc-minimal4", False),
}
DEFAULT_NAMES = ("glibc", *_KNOWN)

_LIBRARY_FOLDERS = ("/usr/local/lib", "/usr/lib/*-linux-gnu*", "/usr/lib64", "/usr/lib")


def subject(library: Path) -> Allocator:
    """The allocator under test."""
    if not library.is_file():
        raise LabError(f"{library} is missing: build it first with ./hakmem build")
    name = "hakmem" if library.name.startswith("libhakmem") else library.name
    return Allocator(name, library.absolute())


def glibc() -> Allocator:
    version = os.confstr("CS_GNU_LIBC_VERSION") or ""
    return Allocator("glibc", None, version.removeprefix("glibc "))


def find_library(patterns: tuple[str, ...], folders: tuple[str, ...] = _LIBRARY_FOLDERS) -> Path | None:
    for folder in folders:
        for pattern in patterns:
            found = sorted(Path("/").glob(f"{folder}/{pattern}".lstrip("/")))
            if found:
                return found[0]
    return None


def _package_version(package: str) -> str:
    if not shutil.which("dpkg-query"):
        return ""
    query = ["dpkg-query", "--show", "--showformat=${Version}", package]
    answer = subprocess.run(query, capture_output=True, text=True, check=False)
    upstream = answer.stdout.split(":")[-1]
    return upstream.split("-")[0].split("+")[0]


def _can_install() -> bool:
    return os.geteuid() == 0 and shutil.which("apt-get") is not None


def _install(package: str, say: Say) -> None:
    say(f"installing the Debian package {package} (a peer to compare with)")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "--yes", "--quiet", "--no-install-recommends", package]
    for command in (install, ["apt-get", "update", "--quiet"], install):
        done = subprocess.run(command, capture_output=True, env=quiet, check=False)
        if command is install and done.returncode == 0:
            return


def by_path(path: str) -> Allocator:
    library = Path(path)
    if not library.is_file():
        raise LabError(f"the peer {path} is not a file")
    return Allocator(library.name, library.absolute())


def _known(name: str, say: Say) -> Allocator | None:
    peer = _KNOWN[name]
    library = find_library(peer.patterns)
    if library is None and peer.may_install and _can_install():
        _install(peer.package, say)
        library = find_library(peer.patterns)
    return Allocator(name, library, _package_version(peer.package)) if library else None


def _missing(name: str) -> str:
    return f"{name} is not on this machine (apt-get install {_KNOWN[name].package})"


def require(name: str, say: Say) -> Allocator:
    """The peer of this name or path; without it there is nothing to measure."""
    if name == "glibc":
        return glibc()
    if "/" in name or ".so" in name:
        return by_path(name)
    if name not in _KNOWN:
        near = difflib.get_close_matches(name, DEFAULT_NAMES, 1, 0.4)
        hint = f"; did you mean {near[0]}?" if near else ""
        known = ", ".join(DEFAULT_NAMES)
        raise LabError(f"there is no peer '{name}'{hint} (known are {known}, and any .so file by its path)")
    peer = _known(name, say)
    if peer is None:
        raise LabError(f"the peer {_missing(name)}")
    return peer


def discover(say: Say) -> list[Allocator]:
    """All known peers that this machine has; the others are named and left out."""
    found = [glibc()]
    for name in _KNOWN:
        peer = _known(name, say)
        if peer:
            found.append(peer)
        else:
            say(f"left out: {_missing(name)}")
    return found
