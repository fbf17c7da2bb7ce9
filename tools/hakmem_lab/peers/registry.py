"""The peers by name: each from its crate, else from Debian, else named and left out."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from hakmem_lab.errors import LabError
from hakmem_lab.peers import debian, recipes
from hakmem_lab.peers.allocator import Allocator, Say, by_path, glibc
from hakmem_lab.peers.building import built
from hakmem_lab.peers.debian import Package
from hakmem_lab.peers.recipes import Recipe
from hakmem_lab.peers.steps import BuildError


@dataclass(frozen=True)
class Peer:
    recipe: Recipe | None = None  # the newest
    package: Package | None = None  # where that cannot be had


PEERS = {
    "jemalloc": Peer(recipes.JEMALLOC, Package("libjemalloc2", ("libjemalloc.so.2",))),
    "mimalloc": Peer(recipes.MIMALLOC_2, Package("libmimalloc2.0", ("libmimalloc.so.2*",))),
    "mimalloc3": Peer(recipes.MIMALLOC_3, Package("libmimalloc3", ("libmimalloc.so.3*",))),
    "snmalloc": Peer(recipes.SNMALLOC),
    "tcmalloc": Peer(recipes.TCMALLOC),
    "rpmalloc": Peer(recipes.RPMALLOC),
    "gperftools": Peer(package=Package("libtcmalloc-minimal4", ("libtcmalloc_minimal.so.4",))),
}
DEFAULT_NAMES = ("glibc", *PEERS)


class Unavailable(Exception):
    """A peer that this machine cannot have; its text says why."""


def require(name: str, say: Say) -> Allocator:
    """The peer of this name or path; without it there is nothing to measure."""
    if name == "glibc":
        return glibc()
    if "/" in name or ".so" in name:
        return by_path(name)
    if name not in PEERS:
        near = difflib.get_close_matches(name, DEFAULT_NAMES, 1, 0.4)
        hint = f"; did you mean {near[0]}?" if near else ""
        known = ", ".join(DEFAULT_NAMES)
        raise LabError(f"there is no peer '{name}'{hint} (known are {known}, and any .so file by its path)")
    try:
        return _obtain(name, say)
    except Unavailable as reason:
        raise LabError(f"the peer {reason}") from None


def discover(say: Say) -> list[Allocator]:
    """All known peers that this machine can have; the others are named and left out."""
    found = [glibc()]
    for name in PEERS:
        try:
            found.append(_obtain(name, say))
        except Unavailable as reason:
            say(f"left out: {reason}")
    return found


def _obtain(name: str, say: Say) -> Allocator:
    peer = PEERS[name]
    if peer.recipe is None:
        return _packaged(name, peer.package, say)
    try:
        return built(name, peer.recipe, say)
    except BuildError as error:
        if peer.package is None:
            raise Unavailable(f"{name}: {error}") from None
        say(f"{name}: {error}")
    instead = _packaged(name, peer.package, say)
    say(f"{name}: Debian's {instead.version} takes its place")
    return instead


def _packaged(name: str, package: Package, say: Say) -> Allocator:
    library = debian.library(package, say)
    if library is None:
        raise Unavailable(f"{name} is not on this machine (apt-get install {package.name})")
    return Allocator(name, library, debian.version(package))
