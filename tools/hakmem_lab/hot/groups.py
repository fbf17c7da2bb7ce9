"""The groups of the report. A function of the library belongs to one by the source file that it stands in."""

from __future__ import annotations

GATE, CACHE, DEPOT, SLAB, REMOTE, COLD, OS = "gate", "cache", "depot", "slab", "remote", "cold", "os"
OBSERVE, SECURE, SAMPLER = "observe", "secure", "sampler"  # not in the library that users get
PROGRAM, LIBC, KERNEL = "program", "libc", "kernel"

HAKMEM = (GATE, CACHE, DEPOT, SLAB, REMOTE, COLD, OS, OBSERVE, SECURE, SAMPLER)
ALWAYS_SHOWN = (GATE, CACHE, DEPOT, SLAB, REMOTE, COLD, OS, PROGRAM)
ALL = (*HAKMEM, PROGRAM, LIBC, KERNEL)

# The first that fits counts. Paths are those below src/.
_FILES = (
    ("api/", GATE),
    ("hot/cache.", CACHE),
    ("hot/", GATE),
    ("warm/thread_cache.", CACHE),
    ("warm/remote.", REMOTE),
    ("warm/free_remote.", REMOTE),
    ("warm/gather.", REMOTE),
    ("warm/home.", REMOTE),
    ("warm/post.", REMOTE),
    ("warm/collect.", REMOTE),
    ("warm/depot.", DEPOT),
    ("warm/magazine.", DEPOT),
    ("warm/refill.", DEPOT),  # refill and spill exchange magazines
    ("warm/spill.", DEPOT),
    ("warm/", SLAB),
    ("cold/", COLD),
    ("config/", COLD),
    ("report/", COLD),
    ("base/", COLD),
    ("os/", OS),
    ("events/", OBSERVE),
    ("secure/", SECURE),
    ("profile/", SAMPLER),
)

_C_LIBRARY = ("libc.", "libc-", "ld-linux", "ld-musl", "ld.so", "libpthread", "libm.", "libm-", "libdl", "librt")


def of_source(path: str) -> str | None:
    """The group of a function of the library; None where the file is none of the library's own."""
    below = f"/{path}".rpartition("/src/")[2]
    if below == f"/{path}":
        return None
    return next((group for start, group in _FILES if below.startswith(start)), None)


def of_object(path: str) -> str:
    """The group of what lies outside the library, by the file that it was loaded from."""
    name = path.rpartition("/")[2]
    if name.startswith("[kernel") or path.startswith(("[vdso", "[vsyscall", "[guest")) or name.endswith(".ko"):
        return KERNEL
    return LIBC if name.startswith(_C_LIBRARY) else PROGRAM
