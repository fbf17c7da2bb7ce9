"""The allocators: hakmem's own library, and its peers at their newest version.

One job a module, each using only those above it in this list:

    allocator   an allocator as the lab runs it: a name, a library to preload, a version
    steps       commands of a build: run, logged, and told as one sentence when they fail
    debian      what Debian has: libraries of peers, and the tools that builds need
    recipes     how each peer is built from the crate that carries its sources
    crates      the newest crate of a name, and its build script
    proof       whether a library takes the whole malloc family over
    cache       what was built, kept for every later call
    building    a recipe's library: from the cache, or built into it
    registry    the peers by name
"""

from hakmem_lab.peers.allocator import Allocator, Say, by_path, glibc, subject
from hakmem_lab.peers.registry import DEFAULT_NAMES, discover, require

__all__ = ["DEFAULT_NAMES", "Allocator", "Say", "by_path", "discover", "glibc", "require", "subject"]
